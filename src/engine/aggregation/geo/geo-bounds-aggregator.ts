import { decodeLat, decodeLon } from '../../mapping/geo-shape/encoded-degrees.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { GeoBoundsResult } from '../aggregation-result.ts'
import { Aggregator } from '../aggregator.ts'
import { BucketDoubles } from '../bucket-numbers.ts'
import type { DocBatch } from '../doc-batch.ts'
import type { ValuesSourceConfig } from '../values/values-source.ts'
import { GeoInput } from './geo-input.ts'

/** `geo_bounds`: the box around the points. */
export interface GeoBoundsDefinition {
  readonly kind: 'geo_bounds'
  readonly source: ValuesSourceConfig
  /** The box may cross the date line where it is narrower so. */
  readonly wrapLongitude: boolean
}

/** Keeps extremes of east and west apart, so that the narrower of two boxes can be chosen. */
export class GeoBoundsAggregator extends Aggregator {
  readonly needsScores = false
  readonly #wrapLongitude: boolean
  readonly #input: GeoInput
  readonly #top = new BucketDoubles(-Infinity)
  readonly #bottom = new BucketDoubles(Infinity)
  readonly #eastLeft = new BucketDoubles(Infinity)
  readonly #eastRight = new BucketDoubles(-Infinity)
  readonly #westLeft = new BucketDoubles(Infinity)
  readonly #westRight = new BucketDoubles(-Infinity)

  constructor(definition: GeoBoundsDefinition, context: AggregationContext) {
    super()
    this.#wrapLongitude = definition.wrapLongitude
    this.#input = GeoInput.open(context, definition.source, definition.kind)
  }

  openSegment(segment: SegmentScope): void {
    this.#input.openSegment(segment)
  }

  collect(batch: DocBatch): void {
    const [top, bottom, eastLeft, eastRight, westLeft, westRight] = [
      this.#top,
      this.#bottom,
      this.#eastLeft,
      this.#eastRight,
      this.#westLeft,
      this.#westRight,
    ].map((doubles) => doubles.ensure(batch.bucketCount)) as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ]
    const add = (lat: number, lon: number, i: number): void => {
      const bucket = batch.buckets[i] as number
      top[bucket] = Math.max(top[bucket] as number, lat)
      bottom[bucket] = Math.min(bottom[bucket] as number, lat)
      const [left, right] = lon >= 0 ? [eastLeft, eastRight] : [westLeft, westRight]
      left[bucket] = Math.min(left[bucket] as number, lon)
      right[bucket] = Math.max(right[bucket] as number, lon)
    }
    this.#input.visit(batch, add)
    const { shapes } = this.#input
    if (shapes === undefined) return
    // Of shapes two corners of their boxes count, as points.
    const { boxes } = shapes
    this.#input.visitShapes(batch, (at, i) => {
      const [west, east] = [boxes[4 * at] as number, boxes[4 * at + 1] as number]
      if (west > east) return
      add(decodeLat(boxes[4 * at + 2] as number), decodeLon(west), i)
      add(decodeLat(boxes[4 * at + 3] as number), decodeLon(east), i)
    })
  }

  build(bucket: number): GeoBoundsResult {
    const top = this.#top.get(bucket)
    if (top === -Infinity) return { kind: 'geo_bounds', bounds: undefined }
    const [left, right] = this.#sides(bucket)
    return { kind: 'geo_bounds', bounds: { top, bottom: this.#bottom.get(bucket), left, right } }
  }

  #sides(bucket: number): [left: number, right: number] {
    const eastLeft = this.#eastLeft.get(bucket)
    const eastRight = this.#eastRight.get(bucket)
    const westLeft = this.#westLeft.get(bucket)
    const westRight = this.#westRight.get(bucket)
    if (eastLeft === Infinity) return [westLeft, westRight]
    if (westLeft === Infinity) return [eastLeft, eastRight]
    if (!this.#wrapLongitude) return [westLeft, eastRight]
    const plain = eastRight - westLeft
    const wrapped = 180 - eastLeft - (-180 - westRight)
    return plain <= wrapped ? [westLeft, eastRight] : [eastLeft, westRight]
  }
}
