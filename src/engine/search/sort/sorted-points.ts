import type { SegmentReader } from '../../index/segment-reader.ts'
import { hasBit } from '../lucene/bit-set.ts'
import { BATCH_SIZE } from '../lucene/scorer.ts'
import type { SearchRequest, SortKey } from '../search-request.ts'

/** A number field by which alone a search is sorted, in a way that its points' order is the order of the hits. */
export type PointsKey = SortKey & { readonly kind: 'field' }

/** The only sort key of a search, where it may be one of points; undefined where it is not. */
export function pointsKey({ sort, searchAfter, behind, trackScores }: SearchRequest): PointsKey | undefined {
  const [key] = sort
  if (sort.length !== 1 || key?.kind !== 'field' || trackScores) return undefined
  if (searchAfter !== undefined || behind !== undefined) return undefined
  if (key.nested !== undefined || key.missing !== '_last' || key.numericType !== undefined) return undefined
  return key.mode === undefined || key.mode === 'min' || key.mode === 'max' ? key : undefined
}

/**
 * The first matches of a segment by a number field: a walk over the field's values in order, which ends when there are enough.
 * Undefined where the walk is not possible, or would be longer than a look at all matches. Plain equivalent: TopSorted over
 * all matches.
 *
 * @param matches  as bits
 * @param count    how many they are
 * @param wanted   documents wanted
 * @returns        documents by value, then by number
 */
export function firstByPoints(
  segment: SegmentReader,
  { field, order }: PointsKey,
  matches: Uint32Array,
  count: number,
  wanted: number,
): Int32Array | undefined {
  const reader = segment.field(field)
  const column = reader?.docValues
  const points = reader?.points
  if (points === undefined || column?.kind !== 'numeric' || column.offsets !== undefined) return undefined
  const { docs, values } = points
  const size = docs.length
  const enough = Math.min(wanted, count)
  // As many steps as the matches are many would do without the walk.
  if (enough * size > count * count || enough > BATCH_SIZE) return undefined
  const found = new Int32Array(enough)
  let n = 0
  if (order === 'asc') {
    for (let i = 0; i < size && n < enough; i++) {
      const doc = docs[i] as number
      if (hasBit(matches, doc)) found[n++] = doc
    }
    return n < enough ? undefined : found
  }
  for (let end = size; end > 0 && n < enough; ) {
    // Documents with the same value stand in ascending order, so a value is gone through from its beginning.
    const value = values[end - 1]
    let start = end - 1
    while (start > 0 && Object.is(values[start - 1], value)) start--
    for (let i = start; i < end && n < enough; i++) {
      const doc = docs[i] as number
      if (hasBit(matches, doc)) found[n++] = doc
    }
    end = start
  }
  return n < enough ? undefined : found
}
