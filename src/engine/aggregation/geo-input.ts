import type { GeoPoint } from '../mapping/geo-point-value.ts'
import { pairColumn } from '../search/pair-column.ts'
import type { AggregationContext, SegmentScope } from './aggregation-context.ts'
import type { DocBatch } from './doc-batch.ts'
import { resolveValuesSource, type ValuesSource, type ValuesSourceConfig } from './values-source.ts'

/** Takes a point of the i-th document of a batch. */
export type PointVisitor = (lat: number, lon: number, index: number) => void

/** The points of a field over all indices of a search. */
export class GeoInput {
  readonly #sources: readonly ValuesSource[]
  #visit: (batch: DocBatch, visitor: PointVisitor) => void = () => {}

  /** @param sources  by index; of those that are no points there is nothing to visit */
  constructor(sources: readonly ValuesSource[]) {
    this.#sources = sources
  }

  /** @throws {ServiceError} illegal_argument_exception when the field holds no points */
  static open(context: AggregationContext, config: ValuesSourceConfig, aggregation: string): GeoInput {
    return new GeoInput(
      context.searchers.map((searcher) =>
        resolveValuesSource(searcher, config, {
          wanted: 'geo',
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
    if (source?.kind !== 'geo') {
      this.#visit = () => {}
      return
    }
    const column = reader.field(source.path)?.docValues
    const { missing } = source
    if (column?.kind !== 'binary') {
      this.#visit = (batch, visitor) => visitMissing(batch, visitor, missing)
      return
    }
    const { present, offsets, doubles } = pairColumn(column, reader.maxDoc)
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

  /** Visits the points of a batch's documents, those of one document in a row. */
  visit(batch: DocBatch, visitor: PointVisitor): void {
    this.#visit(batch, visitor)
  }
}

function visitMissing({ count }: DocBatch, visitor: PointVisitor, missing: GeoPoint | undefined): void {
  if (missing === undefined) return
  for (let i = 0; i < count; i++) visitor(missing.lat, missing.lon, i)
}
