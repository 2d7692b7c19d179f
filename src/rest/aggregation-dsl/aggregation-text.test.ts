import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AggregationResult, BucketResult, NamedResult } from '../../engine/aggregation/aggregation-result.ts'
import { decimalValueFormat, RAW_FORMAT, type ValueFormat } from '../../engine/aggregation/values/value-format.ts'
import { writeJson } from '../json/json-writer.ts'
import { aggregationText } from './aggregation-text.ts'
import { renderAggregations } from './render-aggregations.ts'

const formats = fc.constantFrom<ValueFormat>(RAW_FORMAT, decimalValueFormat('#0.00'))
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -0))
const count = fc.nat(1_000)

const { named } = fc.letrec<{ named: NamedResult[]; result: AggregationResult; bucket: BucketResult }>((tie) => ({
  named: fc
    .uniqueArray(fc.constantFrom('a', 'b"', 'ㅎ', '__proto__', 'doc'), { maxLength: 2 })
    .chain((names) =>
      fc.tuple(
        ...names.map((name) =>
          fc.record({ name: fc.constant(name), metadata: fc.constantFrom(undefined, { x: 1 }), result: tie('result') }),
        ),
      ),
    ) as fc.Arbitrary<NamedResult[]>,
  result: fc.oneof(
    { maxDepth: 2, depthSize: 'medium' },
    fc.record({
      kind: fc.constant('single_value' as const),
      type: fc.constantFrom('avg' as const, 'cardinality' as const),
      value: number,
      hasValue: fc.boolean(),
      isCount: fc.constant(false),
      format: formats,
    }),
    fc.record({
      kind: fc.constant('stats' as const),
      type: fc.constant('stats' as const),
      count,
      min: number,
      max: number,
      sum: number,
      sumOfSquares: number,
      sigma: fc.constant(undefined),
      format: formats,
    }),
    fc.record({
      kind: fc.constant('single_bucket' as const),
      type: fc.constant('filter' as const),
      docCount: count,
      aggregations: tie('named'),
    }),
    fc.record({
      kind: fc.constant('terms' as const),
      type: fc.constantFrom('sterms' as const, 'lterms' as const, 'lrareterms' as const),
      docCountError: fc.constantFrom(0, -1),
      showsBucketErrors: fc.boolean(),
      otherDocCount: count,
      buckets: fc.array(tie('bucket'), { maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('buckets' as const),
      type: fc.constantFrom('geohash_grid' as const, 'geotile_grid' as const),
      keyed: fc.constant(false),
      buckets: fc.array(
        fc
          .tuple(tie('bucket'), fc.constantFrom('u0', '5/3/1'))
          .map(([{ docCount, aggregations }, name]): BucketResult => ({ key: name, name, docCount, aggregations })),
        { maxLength: 3 },
      ),
    }),
    formats.chain((keyFormat) =>
      fc.record({
        kind: fc.constant('buckets' as const),
        type: fc.constantFrom('histogram' as const, 'date_histogram' as const, 'filters' as const),
        keyed: fc.boolean(),
        // Keys of histograms are numbers, whose text their format tells.
        buckets: fc.array(
          fc.tuple(tie('bucket'), fc.integer(), fc.integer()).map(
            ([bucket, key, id]): BucketResult => ({
              ...bucket,
              key,
              name: String(id),
              isFloatingKey: true,
              ...(keyFormat.isRaw ? {} : { keyAsString: keyFormat.format(key) }),
            }),
          ),
          { maxLength: 3 },
        ),
        keyFormat: fc.constant(keyFormat),
      }),
    ),
  ) as fc.Arbitrary<AggregationResult>,
  bucket: fc
    .record({
      key: fc.oneof(fc.string(), number, fc.bigInt(), fc.boolean()),
      isFloatingKey: fc.boolean(),
      docCount: count,
      docCountError: count,
      aggregations: tie('named'),
    })
    .map((bucket) => ({ ...bucket, name: String(bucket.key) })),
}))

describe('aggregations as text', () => {
  it('are what their objects would be written as', () => {
    fc.assert(
      fc.property(named, fc.boolean(), (results, typedKeys) => {
        const options = { engineVersion: 'OpenSearch_2.19', typedKeys, renderTopHits: () => null } as const
        expect(aggregationText(results, options).text).toBe(writeJson(renderAggregations(results, options)))
      }),
      { numRuns: 500 },
    )
  })
})
