import type { VariableWidthHistogramDefinition } from '../../engine/aggregation/buckets/variable-width-histogram-aggregator.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { AggregationBody } from './aggregation-body.ts'
import { readValuesSource } from './values-source-fields.ts'

/** Values looked at before there are groups, and groups, at most. */
const MOST = 50_000

/** `variable_width_histogram` (7.9). */
export function parseVariableWidthHistogram(body: AggregationBody): VariableWidthHistogramDefinition {
  const { name } = body
  const above = (field: string, least: number): number | undefined =>
    body.integer(field, (count) => {
      if (count > least) return count
      throw illegalArgument(`${field} must be greater than [${least}] for [${name}]`)
    })
  const buckets = above('buckets', 0) ?? 10
  const shardSize = above('shard_size', 1) ?? buckets * 50
  const initialBuffer = above('initial_buffer', 0) ?? Math.min(shardSize * 10, MOST)
  const source = readValuesSource(body)
  const first = Math.floor((shardSize * 3) / 4)
  for (const [what, found] of [
    ['initial_buffer', initialBuffer],
    ['3/4 of shard_size', first],
  ] as const) {
    const reason = `${what} must be at least buckets but was [${found}<${buckets}] for [${name}]`
    if (found < buckets) body.note('illegal_argument_exception', reason, false)
  }
  return { kind: 'variable_width_histogram', source, buckets, shardSize, initialBuffer }
}
