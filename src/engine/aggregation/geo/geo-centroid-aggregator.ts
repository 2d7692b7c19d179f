import { quantizeGeoPoint } from '../../mapping/geo/geo-point-value.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { GeoCentroidResult } from '../aggregation-result.ts'
import { Aggregator } from '../aggregator.ts'
import { BucketDoubles } from '../bucket-numbers.ts'
import type { DocBatch } from '../doc-batch.ts'
import { CompensatedSums } from '../metrics/compensated-sums.ts'
import type { ValuesSourceConfig } from '../values/values-source.ts'
import { GeoInput } from './geo-input.ts'

/** `geo_centroid`: mean latitude and longitude of the points. */
export interface GeoCentroidDefinition {
  readonly kind: 'geo_centroid'
  readonly source: ValuesSourceConfig
}

/** Means of an index' points by bucket, and of how many. */
class RunningMeans {
  readonly counts = new BucketDoubles()
  readonly lats = new BucketDoubles()
  readonly lons = new BucketDoubles()
}

/** The mean of all points, summed as the version does. */
export class GeoCentroidAggregator extends Aggregator {
  readonly needsScores = false
  readonly #input: GeoInput
  readonly #isRunning: boolean
  readonly #counts = new BucketDoubles()
  readonly #latSums = new CompensatedSums()
  readonly #lonSums = new CompensatedSums()
  /** By index; those that had no segment yet are left out. */
  readonly #means: (RunningMeans | undefined)[] = []
  /** Of the index whose segment is open. */
  #open: RunningMeans | undefined
  #buckets = new Int32Array(0)
  #lats = new Float64Array(0)
  #lons = new Float64Array(0)

  constructor(definition: GeoCentroidDefinition, context: AggregationContext) {
    super()
    this.#input = GeoInput.open(context, definition.source, definition.kind)
    this.#isRunning = context.engineVersion === 'Elasticsearch_6.8'
  }

  openSegment(segment: SegmentScope): void {
    this.#input.openSegment(segment)
    if (this.#isRunning) this.#open = this.#means[segment.searcherOrdinal] ??= new RunningMeans()
  }

  collect(batch: DocBatch): void {
    if (this.#open !== undefined) {
      this.#collectRunning(batch, this.#open)
      return
    }
    const counts = this.#counts.ensure(batch.bucketCount)
    let count = 0
    this.#input.visit(batch, (lat, lon, i) => {
      if (count === this.#buckets.length) this.#grow()
      this.#buckets[count] = batch.buckets[i] as number
      this.#lats[count] = lat
      this.#lons[count] = lon
      count++
    })
    for (let i = 0; i < count; i++) counts[this.#buckets[i] as number]!++
    this.#latSums.ensure(batch.bucketCount)
    this.#lonSums.ensure(batch.bucketCount)
    this.#latSums.addAll(this.#buckets, this.#lats, count, Number.POSITIVE_INFINITY, false)
    this.#lonSums.addAll(this.#buckets, this.#lons, count, Number.POSITIVE_INFINITY, false)
  }

  build(bucket: number): GeoCentroidResult {
    return this.#isRunning ? this.#buildRunning(bucket) : this.#buildSummed(bucket)
  }

  #buildSummed(bucket: number): GeoCentroidResult {
    const count = this.#counts.get(bucket)
    if (count === 0) return { kind: 'geo_centroid', centroid: undefined, count }
    // The real server weighs a shard's centroid with its count once more.
    const mean = (sums: CompensatedSums): number => ((sums.get(bucket) / count) * count) / count
    return { kind: 'geo_centroid', centroid: { lat: mean(this.#latSums), lon: mean(this.#lonSums) }, count }
  }

  /** The indices' means, each weighed with its count. */
  #buildRunning(bucket: number): GeoCentroidResult {
    let [count, lat, lon] = [0, 0, 0]
    for (const means of this.#means) {
      const own = means?.counts.get(bucket) ?? 0
      if (means === undefined || own === 0) continue
      count += own
      lat += means.lats.get(bucket) * own
      lon += means.lons.get(bucket) * own
    }
    const centroid = count === 0 ? undefined : { lat: lat / count, lon: lon / count }
    return { kind: 'geo_centroid', centroid, count }
  }

  /** 6.8 keeps a running mean, brought to the steps of the index after each document. */
  #collectRunning(batch: DocBatch, means: RunningMeans): void {
    const counts = means.counts.ensure(batch.bucketCount)
    const lats = means.lats.ensure(batch.bucketCount)
    const lons = means.lons.ensure(batch.bucketCount)
    let open = -1
    const close = (): void => {
      if (open < 0) return
      const bucket = batch.buckets[open] as number
      const { lat, lon } = quantizeGeoPoint({ lat: lats[bucket] as number, lon: lons[bucket] as number })
      lats[bucket] = lat
      lons[bucket] = lon
    }
    this.#input.visit(batch, (lat, lon, i) => {
      if (i !== open) close()
      open = i
      const bucket = batch.buckets[i] as number
      const count = ++counts[bucket]!
      lons[bucket]! += (lon - (lons[bucket] as number)) / count
      lats[bucket]! += (lat - (lats[bucket] as number)) / count
    })
    close()
  }

  #grow(): void {
    const length = Math.max(1024, this.#buckets.length * 2)
    const buckets = new Int32Array(length)
    buckets.set(this.#buckets)
    const lats = new Float64Array(length)
    lats.set(this.#lats)
    const lons = new Float64Array(length)
    lons.set(this.#lons)
    this.#buckets = buckets
    this.#lats = lats
    this.#lons = lons
  }
}
