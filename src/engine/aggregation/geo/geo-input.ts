import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { GeoPoint } from '../../mapping/geo/geo-point-value.ts'
import { type ShapeColumn, shapeColumn } from '../../search/geo/shape-column.ts'
import { hasBit } from '../../search/lucene/bit-set.ts'
import { type PairColumn, pairColumn } from '../../search/queries/pair-column.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { DocBatch } from '../doc-batch.ts'
import { resolveValuesSource, type ValuesSource, type ValuesSourceConfig } from '../values/values-source.ts'

/** Takes a point of the i-th document of a batch. */
export type PointVisitor = (lat: number, lon: number, index: number) => void

/** The points of a batch of documents, those of one document in a row. Reused from call to call. */
export class PointBatch {
  count = 0
  lats = new Float64Array(0)
  lons = new Float64Array(0)
  /** Which of the batch's documents each is of. */
  indexes = new Int32Array(0)
  /** No document has several. */
  isSingle = true

  /** Makes room for so many points. */
  reserve(size: number): void {
    if (size <= this.lats.length) return
    const length = Math.max(size, 64, Math.min(this.lats.length * 2, MOST_ROOM))
    const { lats, lons, indexes } = this
    this.lats = new Float64Array(length)
    this.lons = new Float64Array(length)
    this.indexes = new Int32Array(length)
    this.lats.set(lats)
    this.lons.set(lons)
    this.indexes.set(indexes)
  }

  push(lat: number, lon: number, index: number): void {
    const at = this.count++
    if (at === this.lats.length) this.reserve(at + 1)
    this.lats[at] = lat
    this.lons[at] = lon
    this.indexes[at] = index
  }
}

/** Room is doubled up to it. */
const MOST_ROOM = 1 << 20

/** The points of a field over all indices of a search. */
export class GeoInput {
  readonly #sources: readonly ValuesSource[]
  #visit: (batch: DocBatch, visitor: PointVisitor) => void = () => {}
  #gather: (batch: DocBatch, out: PointBatch) => void = () => {}
  #isSingle = true
  /** Shapes of the segment that is open, where the field has these; they are no points, and none are visited. */
  shapes: ShapeColumn | undefined

  /** @param sources  by index; of those that are no points there is nothing to visit */
  constructor(sources: readonly ValuesSource[]) {
    this.#sources = sources
  }

  /** @throws {ServiceError} illegal_argument_exception when the field holds no points */
  static open(context: AggregationContext, config: ValuesSourceConfig, aggregation: string): GeoInput {
    return new GeoInput(
      context.searchers.map((searcher) =>
        resolveValuesSource(searcher, config, {
          wanted: takesShapes(searcher, config, aggregation) ? 'any' : 'geo',
          engineVersion: context.engineVersion,
          now: context.now,
          hint: 'geo_point',
          aggregation,
        }),
      ),
    )
  }

  openSegment({ reader, searcherOrdinal }: SegmentScope): void {
    const source = this.#sources[searcherOrdinal]
    this.shapes = source?.kind === 'range' ? shapeColumn(reader, source.path, false) : undefined
    if (source?.kind !== 'geo') {
      this.#visit = () => {}
      this.#gather = () => {}
      return
    }
    this.#isSingle = true
    this.#gather = (batch, out) => this.#visit(batch, (lat, lon, i) => out.push(lat, lon, i))
    const column = reader.field(source.path)?.docValues
    const { missing } = source
    if (column?.kind !== 'binary') {
      this.#visit = (batch, visitor) => visitMissing(batch, visitor, missing)
      return
    }
    const points = pairColumn(column, reader.maxDoc)
    const { present, offsets, doubles } = points
    if (offsets === undefined && missing === undefined) this.#gather = (batch, out) => gatherSingle(batch, points, out)
    this.#isSingle = offsets === undefined
    this.#visit = ({ docs, count }, visitor) => {
      for (let i = 0; i < count; i++) {
        const doc = docs[i] as number
        const has = present === undefined || ((present[doc >>> 5] as number) & (1 << (doc & 31))) !== 0
        const from = offsets === undefined ? doc : (offsets[doc] as number)
        const to = !has ? from : offsets === undefined ? doc + 1 : (offsets[doc + 1] as number)
        if (from === to && missing !== undefined) visitor(missing.lat, missing.lon, i)
        for (let at = from; at < to; at++) visitor(doubles[2 * at] as number, doubles[2 * at + 1] as number, i)
      }
    }
  }

  /** Visits the shapes of a batch's documents by their numbers in {@link shapes}, those of one document in a row. */
  visitShapes({ docs, count }: DocBatch, visitor: (shape: number, index: number) => void): void {
    if (this.shapes === undefined) return
    const { present, offsets } = this.shapes
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      if (present !== undefined && !hasBit(present, doc)) continue
      const to = offsets === undefined ? doc + 1 : (offsets[doc + 1] as number)
      for (let at = offsets === undefined ? doc : (offsets[doc] as number); at < to; at++) visitor(at, i)
    }
  }

  /** Visits the points of a batch's documents, those of one document in a row. */
  visit(batch: DocBatch, visitor: PointVisitor): void {
    this.#visit(batch, visitor)
  }

  /** The same points as {@link visit} visits, side by side: no call with two doubles for each, which V8 keeps in boxes. */
  gather(batch: DocBatch, out: PointBatch): void {
    out.count = 0
    out.isSingle = this.#isSingle
    this.#gather(batch, out)
  }
}

const OF_SHAPES: ReadonlySet<string> = new Set(['geo_bounds', 'geohash_grid', 'geotile_grid'])

/** OpenSearch asks some aggregations of shapes, too. */
function takesShapes({ mapping }: IndexSearcher, { field: path }: ValuesSourceConfig, aggregation: string): boolean {
  const field = path === undefined ? undefined : mapping.field(path)
  const isShape = field?.kind === 'opaque' && field.type === 'geo_shape'
  return isShape && mapping.engineVersion === 'OpenSearch_2.19' && OF_SHAPES.has(aggregation)
}

function gatherSingle({ docs, count }: DocBatch, { present, doubles }: PairColumn, out: PointBatch): void {
  out.reserve(count)
  const { lats, lons, indexes } = out
  let size = 0
  for (let i = 0; i < count; i++) {
    const doc = docs[i] as number
    if (present !== undefined && ((present[doc >>> 5] as number) & (1 << (doc & 31))) === 0) continue
    lats[size] = doubles[2 * doc] as number
    lons[size] = doubles[2 * doc + 1] as number
    indexes[size++] = i
  }
  out.count = size
}

function visitMissing({ count }: DocBatch, visitor: PointVisitor, missing: GeoPoint | undefined): void {
  if (missing === undefined) return
  for (let i = 0; i < count; i++) visitor(missing.lat, missing.lon, i)
}
