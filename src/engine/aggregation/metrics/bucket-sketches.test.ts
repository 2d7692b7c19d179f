import { describe, expect, it } from 'vitest'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import { RequestMemory } from '../request-breaker.ts'
import { BucketSketches } from './bucket-sketches.ts'
import { HdrHistogram } from './hdr-histogram.ts'
import { QuantileDigest } from './quantile-digest.ts'
import { TopHitsAggregator } from './top-hits-aggregator.ts'

const tripped = expect.objectContaining({ type: 'circuit_breaking_exception' })
const buckets = Int32Array.from({ length: 10_000 }, (_, i) => i >> 1)
const values = Float64Array.from(buckets, (_, i) => i * 1.5)

describe('what is kept by bucket', () => {
  it.each([
    ['digests', () => new QuantileDigest(100)],
    ['histograms', () => new HdrHistogram(3, true)],
  ])('is bounded: %s', (_, create: () => QuantileDigest | HdrHistogram) => {
    const sketches = new BucketSketches(new RequestMemory(2 ** 20), create)
    expect(() => sketches.addAll(buckets, values, values.length)).toThrow(tripped)
  })

  it('is counted by what it comes to, however its values come', () => {
    const [whole, parts] = [new RequestMemory(2 ** 24), new RequestMemory(2 ** 24)]
    const create = () => new QuantileDigest(100)
    const sketches = new BucketSketches(whole, create)
    sketches.addAll(buckets, values, values.length)
    const others = new BucketSketches(parts, create)
    for (let i = 0; i < values.length; i++) others.addAll(buckets.subarray(i, i + 1), values.subarray(i, i + 1), 1)
    expect(parts.left).toBe(whole.left)
    expect(others.get(7)?.quantile(0.5)).toBe(sketches.get(7)?.quantile(0.5))
  })

  it('is bounded: top hits', () => {
    const context = { searchers: [], engineVersion: 'OpenSearch_2.19', memory: new RequestMemory(2 ** 20) }
    const definition = { kind: 'top_hits', from: 0, size: 3, sort: [], trackScores: false, fetch: undefined } as const
    const aggregator = new TopHitsAggregator(definition, context as unknown as AggregationContext)
    const scope = { reader: {}, searcher: { docBases: [0] }, searcherOrdinal: 0, segmentOrdinal: 0 }
    aggregator.openSegment(scope as unknown as SegmentScope)
    const scores = new Float32Array(buckets.length).fill(1)
    const batch = { docs: Int32Array.from(buckets.keys()), buckets, scores, count: buckets.length, bucketCount: 5_000 }
    expect(() => aggregator.collect(batch)).toThrow(tripped)
  })
})
