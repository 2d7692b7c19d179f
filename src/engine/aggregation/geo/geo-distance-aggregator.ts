import { javaDouble } from '../../java/java-number-text.ts'
import { arcMeters, planeMeters } from '../../search/earth-distance.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { BucketResult, BucketsResult } from '../aggregation-result.ts'
import { BucketAggregator, type NamedAggregator } from '../aggregator.ts'
import type { DocBatch } from '../doc-batch.ts'
import type { ValuesSourceConfig } from '../values/values-source.ts'
import { GeoInput } from './geo-input.ts'

/** `geo_distance`: rings around a point. */
export interface GeoDistanceDefinition {
  readonly kind: 'geo_distance'
  readonly source: ValuesSourceConfig
  readonly origin: { readonly lat: number; readonly lon: number }
  /** Meters in a unit of the ranges. */
  readonly unitMeters: number
  readonly isPlane: boolean
  readonly ranges: readonly { readonly key: string | undefined; readonly from: number; readonly to: number }[]
  readonly keyed: boolean
}

/** Puts documents into rings; one with several points into each ring that one of them lies in. */
export class GeoDistanceAggregator extends BucketAggregator {
  readonly #definition: GeoDistanceDefinition
  readonly #context: AggregationContext
  readonly #input: GeoInput
  readonly #ranges: GeoDistanceDefinition['ranges']
  /** By range: how far it and those before it reach. */
  readonly #maxTo: Float64Array

  constructor(definition: GeoDistanceDefinition, context: AggregationContext, children: readonly NamedAggregator[]) {
    super(children)
    this.#definition = definition
    this.#context = context
    this.#input = GeoInput.open(context, definition.source, definition.kind)
    this.#ranges = definition.ranges
    let reach = -Infinity
    this.#maxTo = Float64Array.from(definition.ranges, ({ to }) => {
      reach = Math.max(reach, to)
      return reach
    })
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    this.#input.openSegment(segment)
  }

  collect(batch: DocBatch): void {
    const { origin, unitMeters, isPlane } = this.#definition
    const size = this.#ranges.length
    const { docs, buckets, scores } = batch
    const out = this.begin()
    const distance = isPlane ? planeMeters : arcMeters
    // Whether the document at hand is already in a range.
    const taken = new Int32Array(size).fill(-1)
    this.#input.visit(batch, (lat, lon, i) => {
      const units = distance(origin.lat, origin.lon, lat, lon) / unitMeters
      const [first, last] = this.#around(units)
      for (let r = first; r <= last; r++) {
        const range = this.#ranges[r] as { from: number; to: number }
        if (!(units >= range.from && units < range.to) || taken[r] === i) continue
        taken[r] = i
        out.push(docs[i] as number, (buckets[i] as number) * size + r, scores === undefined ? 0 : (scores[i] as number))
      }
    })
    this.flush(batch.bucketCount * size)
  }

  /**
   * First and last range that a distance may lie in, as the real server looks for them: by halves, though ranges stand as
   * they were given, so that those out of order are missed.
   */
  #around(units: number): readonly [first: number, last: number] {
    const isBefore = (r: number): boolean => units < (this.#ranges[r] as { from: number }).from
    const isBehind = (r: number): boolean => units >= (this.#maxTo[r] as number)
    let low = 0
    let high = this.#ranges.length - 1
    let middle = high >>> 1
    while (low <= high) {
      if (isBefore(middle)) high = middle - 1
      else if (isBehind(middle)) low = middle + 1
      else break
      middle = (low + high) >>> 1
    }
    if (low > high) return [low, high]
    let end = middle
    while (low <= end) {
      const half = (low + end) >>> 1
      if (isBehind(half)) low = half + 1
      else end = half - 1
    }
    let start = middle
    while (start <= high) {
      const half = (start + high) >>> 1
      if (isBefore(half)) high = half - 1
      else start = half + 1
    }
    return [low, high]
  }

  build(parent: number): BucketsResult {
    const ranges = this.#ranges
    this.#context.budget.take(ranges.length)
    const buckets = ranges.map(({ key, from, to }, r): BucketResult => {
      const bucket = parent < 0 ? parent : parent * ranges.length + r
      const name = key ?? `${from === 0 ? '*' : boundText(from)}-${boundText(to)}`
      return {
        key: name,
        name,
        ...(from === -Infinity ? {} : { from: { value: from, text: undefined } }),
        ...(to === Infinity ? {} : { to: { value: to, text: undefined } }),
        docCount: this.docCount(bucket),
        aggregations: this.buildChildren(bucket),
      }
    })
    return { kind: 'buckets', type: 'geo_distance', keyed: this.#definition.keyed, buckets }
  }
}

function boundText(bound: number): string {
  return Number.isFinite(bound) ? javaDouble(bound) : '*'
}
