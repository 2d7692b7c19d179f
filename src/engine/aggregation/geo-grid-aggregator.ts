import { encodeGeohash } from '../mapping/geohash.ts'
import type { AggregationContext, SegmentScope } from './aggregation-context.ts'
import type { BucketResult, BucketsResult } from './aggregation-result.ts'
import { BucketAggregator, type NamedAggregator } from './aggregator.ts'
import { BucketHash } from './bucket-hash.ts'
import { selectTop } from './bucket-order.ts'
import type { DocBatch } from './doc-batch.ts'
import { GeoInput } from './geo-input.ts'
import { tileName, tileOf } from './geo-tile.ts'
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

/** Counts points by cell. A geohash is numbered by its place in the ordered list of those met. */
export class GeoGridAggregator extends BucketAggregator {
  readonly #definition: GeoGridDefinition
  readonly #context: AggregationContext
  readonly #input: GeoInput
  readonly #names: string[] = []
  readonly #ordinals = new Map<string, number>()
  readonly #hash = new BucketHash()

  constructor(definition: GeoGridDefinition, context: AggregationContext, children: readonly NamedAggregator[]) {
    super(children)
    this.#definition = definition
    this.#context = context
    this.#input = GeoInput.open(context, definition.source, definition.kind)
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    this.#input.openSegment(segment)
  }

  collect(batch: DocBatch): void {
    const { kind, precision, bounds } = this.#definition
    const { docs, buckets, scores } = batch
    const out = this.begin()
    let last = -1
    const cells = new Set<number>()
    this.#input.visit(batch, (lat, lon, i) => {
      if (bounds !== undefined && !isInside(lat, lon, bounds)) return
      if (i !== last) cells.clear()
      last = i
      const cell = this.#cell(
        kind === 'geohash_grid' ? encodeGeohash(lat, lon, precision) : tileName(tileOf(lat, lon, precision)),
      )
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
      return difference !== 0 ? difference : this.#compareNames(this.#name(a), this.#name(b))
    })
    this.#context.budget.take(chosen.length)
    const buckets = chosen.map((bucket): BucketResult => {
      const name = this.#name(bucket)
      return { key: name, name, docCount: this.docCount(bucket), aggregations: this.buildChildren(bucket) }
    })
    return { kind: 'buckets', type: kind, keyed: false, buckets }
  }

  #cell(name: string): number {
    let ordinal = this.#ordinals.get(name)
    if (ordinal === undefined) {
      ordinal = this.#names.push(name) - 1
      this.#ordinals.set(name, ordinal)
    }
    return ordinal
  }

  #name(bucket: number): string {
    return this.#names[this.#hash.keys[bucket] as number] as string
  }

  /** Cells with equally many documents: the greater one first. */
  #compareNames(a: string, b: string): number {
    if (this.#definition.kind === 'geohash_grid') {
      // Twelve letters take all 64 bits of the number the real server compares, the first of them its sign.
      if (a.length === 12 && a < 'h' !== b < 'h') return a < b ? -1 : 1
      return a < b ? 1 : a > b ? -1 : 0
    }
    const [, xa = 0, ya = 0] = a.split('/').map(Number)
    const [, xb = 0, yb = 0] = b.split('/').map(Number)
    return xb - xa || yb - ya
  }
}

/** Whether a point lies in a box; `left` beyond `right`: across the date line. */
export function isInside(lat: number, lon: number, box: GeoBox): boolean {
  if (lat > box.top || lat < box.bottom) return false
  return box.left <= box.right ? lon >= box.left && lon <= box.right : lon >= box.left || lon <= box.right
}
