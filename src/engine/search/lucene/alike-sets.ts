import type { DocSet } from './doc-set.ts'

/** What a weight matches and scores in a segment, where that hangs on nothing but which of a few sets a document is in. */
export interface AlikeSets {
  readonly sets: readonly DocSet[]
  /** Score of a document by the sets that it is in, bit i for set i, at least one of them: the same as a scorer's. More sets, no less score. */
  score(mask: number): number
}

/** Sets at most: each combination has its score in a table. */
export const MOST_ALIKE = 8

/** Nothing matches. */
export const NO_SETS: AlikeSets = { sets: [], score: () => 0 }

/**
 * The sets of several weights together.
 *
 * @param parts  of each weight; undefined where it has none, and then there are none together
 * @param join   the score of a document by those of the weights that it matches, in their order
 */
export function joinAlikeSets(
  parts: Iterable<AlikeSets | undefined>,
  join: (scores: Float64Array, count: number) => number,
): AlikeSets | undefined {
  const sets: DocSet[] = []
  const joined: { readonly part: AlikeSets; readonly from: number; readonly mask: number }[] = []
  for (const part of parts) {
    if (part === undefined || sets.length + part.sets.length > MOST_ALIKE) return undefined
    if (part.sets.length === 0) continue
    joined.push({ part, from: sets.length, mask: 2 ** part.sets.length - 1 })
    sets.push(...part.sets)
  }
  const [only] = joined
  if (only === undefined) return NO_SETS
  if (joined.length === 1) return only.part
  const scores = new Float64Array(joined.length)
  return {
    sets,
    score(mask) {
      let count = 0
      for (const { part, from, mask: own } of joined) {
        const of = (mask >>> from) & own
        if (of !== 0) scores[count++] = part.score(of)
      }
      return join(scores, count)
    },
  }
}
