import { selectTop } from '../../algorithms/select-top.ts'
import type { BucketOrder } from '../bucket-order.ts'
import type { TermsDefinition } from './terms-aggregator-definition.ts'

/** What decides which terms are chosen. */
type Selection = Pick<
  TermsDefinition,
  'size' | 'shardSize' | 'minDocCount' | 'shardMinDocCount' | 'maxDocCount' | 'order'
>

/** What a shard keeps of its candidates unless told otherwise: enough for counts to come out right. */
export function shardSizeOf({ shardSize, size, order: [first] }: Selection): number {
  return shardSize ?? (first?.by === 'key' ? size : Math.floor(size * 1.5 + 10))
}

/** Buckets chosen for the answer, and the documents in those left out. */
export interface SelectedTerms {
  readonly chosen: readonly number[]
  readonly otherDocCount: number
  /** Bound of the error of counts; see {@link docCountError}. */
  readonly docCountError: number
}

/**
 * Chooses the first buckets in order among those with documents enough.
 *
 * As in the real server, a shard sends the first in order whether they have documents enough or not, and those that
 * have too few are forgotten then; what it does not send counts as left out.
 */
export function selectTerms(
  definition: Selection,
  candidates: Int32Array,
  count: (bucket: number) => number,
  compare: (a: number, b: number) => number,
): SelectedTerms {
  const { minDocCount, shardMinDocCount, maxDocCount, size } = definition
  let other = 0
  for (let i = 0; i < candidates.length; i++) other += count(candidates[i] as number)
  let eligible = candidates
  let offered = candidates.length
  if (minDocCount > 1) {
    const known = shardMinDocCount > 1 ? candidates.filter((bucket) => count(bucket) >= shardMinDocCount) : candidates
    offered = known.length
    const sent = Int32Array.from(selectTop(known, shardSizeOf(definition), compare))
    eligible = sent.filter((bucket) => count(bucket) >= minDocCount)
    for (const bucket of sent) if (count(bucket) < minDocCount) other -= count(bucket)
  }
  if (maxDocCount !== undefined) eligible = eligible.filter((bucket) => count(bucket) <= maxDocCount)
  const chosen = selectTop(eligible, size, compare)
  for (const bucket of chosen) other -= count(bucket)
  return { chosen, otherDocCount: other, docCountError: docCountError(definition, offered) }
}

/** Whether {@link topByCount} chooses what {@link selectTerms} would. */
export function isByCount({ order, minDocCount, maxDocCount }: TermsDefinition): boolean {
  const [first, second] = order
  if (first === undefined || !isCountDescending(first)) return false
  if (second !== undefined && (second.by !== 'key' || !second.ascending)) return false
  return minDocCount === 1 && maxDocCount === undefined
}

/**
 * Everything is counted here, so there is no error; but -1, «unknown», where the real server gives up telling because
 * a shard cuts its list by something other than key or descending count.
 */
function docCountError(definition: Selection, candidates: number): number {
  const [first] = definition.order
  if (first === undefined || first.by === 'key' || isCountDescending(first)) return 0
  return candidates < shardSizeOf(definition) ? 0 : -1
}

function isCountDescending(order: BucketOrder): boolean {
  return order.by === 'count' && !order.ascending
}
