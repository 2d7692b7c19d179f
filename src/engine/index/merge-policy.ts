/** Most segments an index keeps before neighbours are joined. */
const MAX_SEGMENTS = 8
/** Segments larger than this are left alone by background merges. */
const MAX_MERGED_DOCS = 5_000_000
/** No segment that is joined of others is larger: one must stay below 2 GiB, and may be a little more than they. */
const MAX_MERGED_BYTES = 1.9 * 2 ** 30
/** Share of deleted documents from which on a segment is rewritten. */
const DELETED_SHARE = 0.33

/** What the policy looks at. */
export interface SegmentSize {
  readonly maxDoc: number
  /** Live documents, nested ones included or not: only the share counts. */
  readonly numDocs: number
  readonly sizeBytes: number
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
        const window = segments.slice(from, from + size)
        const docs = window.reduce((sum, s) => sum + s.maxDoc, 0)
        if (docs < bestDocs && window.reduce((sum, s) => sum + s.sizeBytes, 0) <= MAX_MERGED_BYTES) {
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

/**
 * Chooses neighbours to join where somebody asks for at most so many segments: as many at once as may be joined.
 *
 * @param sizes  in bytes, in order
 * @param most   at least 1
 * @returns the first index and the count; undefined when there are so few, or none may be joined
 */
export function chooseForcedMerge(
  sizes: readonly number[],
  most: number,
): { readonly from: number; readonly count: number } | undefined {
  for (let count = sizes.length - most + 1; count > 1; count--) {
    for (let from = 0; from + count <= sizes.length; from++) {
      if (sizes.slice(from, from + count).reduce((sum, size) => sum + size, 0) <= MAX_MERGED_BYTES)
        return { from, count }
    }
  }
  return undefined
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
