import { selectTop } from '../select-top.ts'
import type { AggregationContext, SegmentScope } from './aggregation-context.ts'
import type { BucketResult, BucketsResult } from './aggregation-result.ts'
import { BucketAggregator, type NamedAggregator } from './aggregator.ts'
import { BucketHash } from './bucket-hash.ts'
import type { DocBatch } from './doc-batch.ts'
import { type GeoCell, type GeoCells, geohashCells, geotileCells } from './geo-cells.ts'
import { GeoInput } from './geo-input.ts'
import type { ValuesSourceConfig } from './values-source.ts'

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

/** Counts documents by cell; a cell is kept by its place in the list of those met. */
export class GeoGridAggregator extends BucketAggregator {
  readonly #definition: GeoGridDefinition
  readonly #context: AggregationContext
  readonly #input: GeoInput
  readonly #cells: GeoCells
  readonly #met: GeoCell[] = []
  readonly #ordinals = new Map<GeoCell, number>()
  readonly #hash = new BucketHash()

  constructor(definition: GeoGridDefinition, context: AggregationContext, children: readonly NamedAggregator[]) {
    super(children)
    this.#definition = definition
    this.#context = context
    this.#input = GeoInput.open(context, definition.source, definition.kind)
    const { kind, precision } = definition
    this.#cells = kind === 'geohash_grid' ? geohashCells(precision) : geotileCells(precision)
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    this.#input.openSegment(segment)
  }

  collect(batch: DocBatch): void {
    const { bounds } = this.#definition
    const { docs, buckets, scores } = batch
    const out = this.begin()
    let last = -1
    const cells = new Set<number>()
    this.#input.visit(batch, (lat, lon, i) => {
      if (bounds !== undefined && !isInside(lat, lon, bounds)) return
      if (i !== last) cells.clear()
      last = i
      const cell = this.#ordinal(this.#cells.of(lat, lon))
      if (cells.has(cell)) return
      cells.add(cell)
      out.push(
        docs[i] as number,
        this.#hash.add(buckets[i] as number, cell),
        scores === undefined ? 0 : (scores[i] as number),
      )
    })
    this.flush(this.#hash.size)
  }

  build(parent: number): BucketsResult {
    const { kind, size } = this.#definition
    const hash = this.#hash
    const chosen = selectTop(hash.ofParent(parent), size, (a, b) => {
      const difference = this.docCount(b) - this.docCount(a)
      return difference !== 0 ? difference : this.#cells.compare(this.#cell(a), this.#cell(b))
    })
    this.#context.budget.take(chosen.length)
    const buckets = chosen.map((bucket): BucketResult => {
      const name = this.#cells.name(this.#cell(bucket))
      return { key: name, name, docCount: this.docCount(bucket), aggregations: this.buildChildren(bucket) }
    })
    return { kind: 'buckets', type: kind, keyed: false, buckets }
  }

  #ordinal(cell: GeoCell): number {
    let ordinal = this.#ordinals.get(cell)
    if (ordinal === undefined) {
      ordinal = this.#met.push(cell) - 1
      this.#ordinals.set(cell, ordinal)
    }
    return ordinal
  }

  #cell(bucket: number): GeoCell {
    return this.#met[this.#hash.keys[bucket] as number] as GeoCell
  }
}

/** Whether a point lies in a box; `left` beyond `right`: across the date line. */
export function isInside(lat: number, lon: number, box: GeoBox): boolean {
  if (lat > box.top || lat < box.bottom) return false
  return box.left <= box.right ? lon >= box.left && lon <= box.right : lon >= box.left || lon <= box.right
}
