import type { DocMap, GatheredPostings } from './gathered-postings.ts'
import { GrowableInt32Array } from './growable-array.ts'
import { MultiTerms } from './multi-terms.ts'
import { PostingsOrder } from './order-postings.ts'
import type { TermDictionary } from './segment-reader.ts'
import { TermsWriter } from './terms-writer.ts'

/** One segment's terms of the field that is merged. */
export interface TermsPart {
  /** Undefined where it has none. */
  readonly terms: TermDictionary | undefined
  readonly hasFreqs: boolean
  /** How many documents have the field. */
  readonly docCount: number
  readonly docMap: DocMap
}

/** What {@link mergeTerms} made. */
export interface MergedTerms {
  readonly writer: TermsWriter
  /** The old ordinals' new ones, by part; -1: dropped. */
  readonly ordinals: readonly Int32Array[]
  readonly docCount: number
  readonly hasFreqs: boolean
}

/**
 * Makes one dictionary of all, with postings. Terms that only deleted documents had are dropped.
 *
 * @param parts   in the order of their documents
 * @param maxDoc  of the merged segment
 * @param isReordered  documents come in another order than before
 */
export function mergeTerms(parts: readonly TermsPart[], maxDoc: number, isReordered = false): MergedTerms {
  const hasFreqs = parts.some((part) => part.hasFreqs)
  const writer = new TermsWriter({ hasFreqs, hasPositions: parts.some(({ terms }) => terms?.hasPositions) })
  const ordinals = parts.map(({ terms }) => new Int32Array(terms?.size ?? 0).fill(-1))
  const { positions } = writer
  const gathered: GatheredPostings = {
    docs: new GrowableInt32Array(1024),
    freqs: new GrowableInt32Array(1024),
    positions,
  }
  const { docs, freqs } = gathered
  const seen = new Uint32Array((maxDoc + 31) >>> 5)
  let docCount = parts.reduce(
    (sum, part) => sum + (part.docMap.isWhole && part.terms !== undefined ? part.docCount : 0),
    0,
  )
  const postingsOrder = isReordered ? new PostingsOrder(maxDoc) : undefined
  const terms = new MultiTerms(parts.map((part) => part.terms))
  while (terms.next()) {
    docs.length = 0
    freqs.length = 0
    const positionsFrom = positions?.length ?? 0
    for (let i = 0; i < terms.matchCount; i++) {
      const at = terms.matches[i] as number
      const { terms: dictionary, docMap } = parts[at] as TermsPart
      const ordinal = terms.ordinal(at)
      const before = docs.length
      ;(dictionary as TermDictionary).copyPostings(ordinal, docMap, gathered)
      if (docs.length === before) continue
      ;(ordinals[at] as Int32Array)[ordinal] = writer.size
      if (!docMap.isWhole) docCount += markSeen(seen, docs, before)
    }
    postingsOrder?.order(gathered, positionsFrom)
    if (docs.length > 0) writer.add(terms.bytes, terms.from, terms.to, docs, freqs)
  }
  return { writer, ordinals, docCount, hasFreqs }
}

/** Sets the bits of documents from a place on; answers how many were not set. */
function markSeen(seen: Uint32Array, docs: GrowableInt32Array, from: number): number {
  let added = 0
  for (let i = from; i < docs.length; i++) {
    const doc = docs.values[i] as number
    const word = seen[doc >>> 5] as number
    const bit = 1 << (doc & 31)
    if ((word & bit) !== 0) continue
    seen[doc >>> 5] = word | bit
    added++
  }
  return added
}
