/** Most segments an index keeps before neighbours are joined. */
const MAX_SEGMENTS = 8
/** Segments larger than this are left alone by background merges. */
const MAX_MERGED_DOCS = 5_000_000
/** Share of deleted documents from which on a segment is rewritten. */
const DELETED_SHARE = 0.33

/** What the policy looks at. */
export interface SegmentSize {
  readonly maxDoc: number
  /** Live documents, nested ones included or not: only the share counts. */
  readonly numDocs: number
}

/**
 * Chooses neighbouring segments to join: only neighbours, so that document order stays sequence-number order.
 *
 * @returns the first index and the count; undefined when all is well
 */
export function chooseMerge(
  segments: readonly SegmentSize[],
): { readonly from: number; readonly count: number } | undefined {
  if (segments.length > MAX_SEGMENTS) {
    // The cheapest window that brings the count back to half: small neighbours join often, large ones seldom.
    const count = segments.length - MAX_SEGMENTS / 2 + 1
    let best: { from: number; count: number } | undefined
    let bestDocs = MAX_MERGED_DOCS
    for (let size = count; size >= 2 && best === undefined; size--) {
      for (let from = 0; from + size <= segments.length; from++) {
        const docs = segments.slice(from, from + size).reduce((sum, s) => sum + s.maxDoc, 0)
        if (docs < bestDocs) {
          bestDocs = docs
          best = { from, count: size }
        }
      }
    }
    if (best !== undefined) return best
  }
  const worst = segments.findIndex((s) => s.maxDoc - s.numDocs > Math.max(1_000, s.maxDoc * DELETED_SHARE))
  return worst === -1 ? undefined : { from: worst, count: 1 }
}

/** Together no larger than this, small segments are joined when nothing is written: a second of a thread's time. */
const QUIET_BYTES = 32 * 2 ** 20
/** A large segment is not rewritten for the sake of less than this share, */
const QUIET_SHARE = 0.1
/** unless that comes in as many segments. */
const QUIET_SEGMENTS = 4

/**
 * Chooses the last segments of an index that rests: the fewer there are, the less a search costs.
 *
 * @param sizes  in bytes, in order
 * @returns the first index and the count; undefined when it is not worth it
 */
export function chooseQuietMerge(
  sizes: readonly number[],
): { readonly from: number; readonly count: number } | undefined {
  let from = sizes.length
  let total = 0
  while (from > 0 && total + (sizes[from - 1] as number) <= QUIET_BYTES) total += sizes[--from] as number
  const count = sizes.length - from
  const small = total - Math.max(...sizes.slice(from))
  return count > 1 && (count >= QUIET_SEGMENTS || small >= total * QUIET_SHARE) ? { from, count } : undefined
}
