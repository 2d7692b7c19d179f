import { selectTop } from '../../algorithms/select-top.ts'
import { BoxArea } from '../../search/geo/box-area.ts'
import type { ShapeColumn } from '../../search/geo/shape-column.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { BucketResult, BucketsResult } from '../aggregation-result.ts'
import { BucketAggregator, type NamedAggregator } from '../aggregator.ts'
import { BucketHash } from '../bucket-hash.ts'
import { BucketDoubles } from '../bucket-numbers.ts'
import type { DocBatch } from '../doc-batch.ts'
import { topByCount } from '../terms/top-by-count.ts'
import type { ValuesSourceConfig } from '../values/values-source.ts'
import { type GeoCell, type GeoCells, geohashCells, geotileCells, greaterFirst } from './geo-cells.ts'
import { GeoInput, PointBatch } from './geo-input.ts'
import { geohashGrid, geotileGrid, visitShapeCells } from './shape-cells.ts'

/** `geohash_grid` and `geotile_grid`: cells of the map. */
export interface GeoGridDefinition {
  readonly kind: 'geohash_grid' | 'geotile_grid'
  readonly source: ValuesSourceConfig
  /** Letters of a geohash (1…12), or zoom (0…29). */
  readonly precision: number
  readonly size: number
  /** Only points in it count (7.x). */
  readonly bounds?: GeoBox
}

/** A box on the map. */
export interface GeoBox {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

/** Cells up to which a table of all of them tells what number a bucket has. */
const FEW_CELLS = 1 << 15

/** Counts documents by cell. */
export class GeoGridAggregator extends BucketAggregator {
  readonly #definition: GeoGridDefinition
  readonly #context: AggregationContext
  readonly #input: GeoInput
  readonly #cells: GeoCells
  /** Cells that are no numbers, by the number they have here instead. */
  readonly #met: GeoCell[] = []
  readonly #numbers = new Map<GeoCell, number>()
  readonly #hash: BucketHash
  readonly #points = new PointBatch()
  #keys = new Float64Array(0)
  /** By bucket the document that it was last given, all batches' documents counted through. */
  readonly #lastGiven = new BucketDoubles()
  #documents = 0

  constructor(definition: GeoGridDefinition, context: AggregationContext, children: readonly NamedAggregator[]) {
    super(children)
    this.#definition = definition
    this.#context = context
    this.#input = GeoInput.open(context, definition.source, definition.kind)
    const { kind, precision } = definition
    this.#cells = kind === 'geohash_grid' ? geohashCells(precision) : geotileCells(precision)
    const { count } = this.#cells
    this.#hash = new BucketHash(count === undefined || count > FEW_CELLS ? 0 : count)
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    this.#input.openSegment(segment)
  }

  collect(batch: DocBatch): void {
    if (this.#input.shapes !== undefined) {
      this.#collectShapes(batch, this.#input.shapes)
      return
    }
    const { bounds } = this.#definition
    const points = this.#points
    this.#input.gather(batch, points)
    if (bounds !== undefined) keepInside(points, bounds)
    const { count, indexes } = points
    const keys = this.#fillKeys()
    const { docs, buckets, scores } = batch
    const out = this.begin()
    const hash = this.#hash
    out.reserve(count)
    if (points.isSingle) {
      for (let at = 0; at < count; at++) {
        const i = indexes[at] as number
        out.docs[at] = docs[i] as number
        out.buckets[at] = hash.add(buckets[i] as number, keys[at] as number)
        if (out.scores !== undefined && scores !== undefined) out.scores[at] = scores[i] as number
      }
      out.count = count
    } else {
      // A document counts once for a cell, however many of its points are there.
      let last = -1
      for (let at = 0; at < count; at++) {
        const i = indexes[at] as number
        if (i !== last) this.#documents++
        last = i
        const bucket = hash.add(buckets[i] as number, keys[at] as number)
        if (this.#isGiven(bucket)) continue
        out.push(docs[i] as number, bucket, scores === undefined ? 0 : (scores[i] as number))
      }
    }
    this.flush(hash.size)
  }

  /** As the real server has it, a shape that has a place in the bounds is in all of its cells, beyond them too. */
  #collectShapes(batch: DocBatch, shapes: ShapeColumn): void {
    const { kind, precision, bounds: box } = this.#definition
    const bounds = box === undefined ? undefined : new BoxArea(box, false)
    const grid = kind === 'geohash_grid' ? geohashGrid(precision) : geotileGrid(precision)
    const { docs, buckets, scores } = batch
    const out = this.begin()
    let last = -1
    this.#input.visitShapes(batch, (at, i) => {
      if (i !== last) this.#documents++
      last = i
      visitShapeCells(shapes, at, { grid, bounds }, (lat, lon) => {
        const key = this.#cells.count === undefined ? this.#numberOf(lat, lon) : Number(this.#cells.of(lat, lon))
        const bucket = this.#hash.add(buckets[i] as number, key)
        if (this.#isGiven(bucket)) return
        out.push(docs[i] as number, bucket, scores === undefined ? 0 : (scores[i] as number))
      })
    })
    this.flush(this.#hash.size)
  }

  build(parent: number): BucketsResult {
    const { kind, size } = this.#definition
    const hash = this.#hash
    const cells = this.#cells
    const chosen = this.#select(hash.ofParent(parent), size)
    this.#context.budget.take(chosen.length)
    const buckets = chosen.map((bucket): BucketResult => {
      const name = cells.name(this.#cell(bucket))
      return { key: name, name, docCount: this.docCount(bucket), aggregations: this.buildChildren(bucket) }
    })
    return { kind: 'buckets', type: kind, keyed: false, buckets }
  }

  /** Those with the most documents, of equals those with the greater rank. */
  #select(candidates: Int32Array, size: number): readonly number[] {
    const { count, rank } = this.#cells
    const counts = this.counts.ensure(this.#hash.size)
    let most = 0
    for (let i = 0; i < candidates.length; i++) most = Math.max(most, counts[candidates[i] as number] as number)
    if (count !== undefined && (most + 1) * count <= Number.MAX_SAFE_INTEGER) {
      const places = new Float64Array(this.#hash.size)
      for (let i = 0; i < candidates.length; i++) {
        const bucket = candidates[i] as number
        places[bucket] = count - 1 - Number(rank(this.#cell(bucket)))
      }
      return topByCount(candidates, counts, places, count, size).chosen
    }
    return selectTop(candidates, size, (a, b) => {
      const difference = this.docCount(b) - this.docCount(a)
      return difference !== 0 ? difference : greaterFirst(rank(this.#cell(a)), rank(this.#cell(b)))
    })
  }

  /** The cells of the points at hand. */
  #fillKeys(): Float64Array {
    const { count, lats, lons } = this.#points
    if (this.#keys.length < count) this.#keys = new Float64Array(Math.max(count, this.#keys.length * 2))
    const keys = this.#keys
    if (this.#cells.count !== undefined) this.#cells.fill(lats, lons, count, keys)
    else for (let at = 0; at < count; at++) keys[at] = this.#numberOf(lats[at] as number, lons[at] as number)
    return keys
  }

  #numberOf(lat: number, lon: number): number {
    const cell = this.#cells.of(lat, lon)
    let number = this.#numbers.get(cell)
    if (number === undefined) {
      number = this.#met.push(cell) - 1
      this.#numbers.set(cell, number)
    }
    return number
  }

  /** Whether the document at hand is in a bucket already; it is from now on. */
  #isGiven(bucket: number): boolean {
    const given = this.#lastGiven.ensure(bucket + 1)
    if (given[bucket] === this.#documents) return true
    given[bucket] = this.#documents
    return false
  }

  #cell(bucket: number): GeoCell {
    const key = this.#hash.keys[bucket] as number
    return this.#cells.count === undefined ? (this.#met[key] as GeoCell) : key
  }
}

/** Leaves out the points that are not in a box. */
function keepInside(points: PointBatch, box: GeoBox): void {
  const { count, lats, lons, indexes } = points
  let size = 0
  for (let at = 0; at < count; at++) {
    const [lat, lon] = [lats[at] as number, lons[at] as number]
    if (!isInside(lat, lon, box)) continue
    lats[size] = lat
    lons[size] = lon
    indexes[size++] = indexes[at] as number
  }
  points.count = size
}

/** Whether a point lies in a box; `left` beyond `right`: across the date line. */
export function isInside(lat: number, lon: number, box: GeoBox): boolean {
  if (lat > box.top || lat < box.bottom) return false
  return box.left <= box.right ? lon >= box.left && lon <= box.right : lon >= box.left || lon <= box.right
}
