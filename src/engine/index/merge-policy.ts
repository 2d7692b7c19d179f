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
