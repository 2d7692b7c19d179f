import type { BucketOrder } from './bucket-order.ts'
import type { TermsDefinition } from './terms-aggregator-definition.ts'

/** Documents in candidate buckets that were not chosen. */
export function otherDocCount(
  candidates: Int32Array,
  chosen: readonly number[],
  count: (bucket: number) => number,
): number {
  let sum = 0
  for (let i = 0; i < candidates.length; i++) sum += count(candidates[i] as number)
  for (const bucket of chosen) sum -= count(bucket)
  return sum
}

/**
 * Bound of the error of counts: everything is counted here, so there is none; but -1, «unknown», where the real server
 * gives up telling because a shard cuts its list by something other than key or descending count.
 */
export function docCountError(definition: TermsDefinition, candidates: number): number {
  const [first] = definition.order
  if (first === undefined || first.by === 'key' || isCountDescending(first)) return 0
  return candidates < (definition.shardSize ?? definition.size) ? 0 : -1
}

function isCountDescending(order: BucketOrder): boolean {
  return order.by === 'count' && !order.ascending
}
