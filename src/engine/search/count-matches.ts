import { type BitSet, countBits, countCommonBits, hasBit } from './lucene/bit-set.ts'
import type { DocSet } from './lucene/doc-set.ts'
import type { Leaf } from './lucene/leaf.ts'
import type { Weight } from './lucene/weight.ts'

/**
 * Number of a segment's matches among the documents accepted, by the cheapest way there is.
 *
 * @param accept  undefined: all documents
 */
export function countMatches(weight: Weight, leaf: Leaf, accept: BitSet | undefined): number {
  if (accept === undefined) {
    const known = weight.count(leaf)
    if (known >= 0) return known
  }
  const set = weight.docSet(leaf)
  if (set !== undefined) return countAccepted(set, accept)
  let count = 0
  weight.bulkScorer(leaf)?.score((_docs, _scores, size) => {
    count += size
    return true
  }, accept)
  return count
}

function countAccepted(set: DocSet, accept: BitSet | undefined): number {
  if (accept === undefined) return set.count
  switch (set.kind) {
    case 'all':
      return countBits(accept)
    case 'bits':
      return countCommonBits(set.bits, accept)
    case 'list': {
      let count = 0
      for (const doc of set.docs) if (hasBit(accept, doc)) count++
      return count
    }
  }
}
