import { type AlikeSets, joinAlikeSets } from './alike-sets.ts'
import { intersection } from './bit-set.ts'
import { acceptedSet, type BooleanParts, runsScripts } from './boolean-bulk.ts'
import { SUM_OF_SCORES } from './disjunction-scorer.ts'
import { docSetBits } from './doc-set.ts'
import type { Leaf } from './leaf.ts'
import type { ScoredPostings } from './scored-postings.ts'
import type { BatchSink } from './scorer.ts'
import { TermWeight } from './term-query.ts'
import { topAlike } from './top-alike.ts'
import { TopConjunction } from './top-conjunction.ts'
import { TopDisjunction } from './top-disjunction.ts'
import { NO_TOP, type TopScorer } from './top-scorer.ts'
import type { WeighedClause } from './weighed-clause.ts'

/** Optional clauses looked at for whether they score alike. */
const MOST_PARTS = 64
/** More terms are better gone through in larger windows. */
const MAX_TERMS = 24
/**
 * A conjunction led by a rare term looks at few documents of frequent ones: theirs are only made at once where they are not
 * many more than the leader's.
 */
const MIN_MADE = 1024
const MADE_SHARE = 8

/**
 * The fast way to the best matches of a boolean query whose scored clauses are terms, all or any of which must match; or one
 * clause that has such a way itself. Filters and excluded clauses become one set of bits. Undefined: there is none.
 */
export function booleanTopScorer(parts: BooleanParts, leaf: Leaf): TopScorer | undefined {
  const must = parts.of('must')
  const should = parts.of('should')
  const filter = parts.of('filter')
  const least = parts.minimumShouldMatch
  if (!parts.needsScores || must.length + should.length > MAX_TERMS || runsScripts(parts)) return undefined
  if (must.length > 0 ? should.length > 0 || least > 0 : least > 1 || (filter.length > 0 && least === 0))
    return undefined
  const [only] = must
  let top: TopScorer | undefined
  let cost = Number.POSITIVE_INFINITY
  if (must.length === 1 && only !== undefined) {
    top = only.weight.topScorer(leaf)
    const count = only.weight.count(leaf)
    if (count >= 0) cost = count
  } else {
    const terms =
      must.length > 0
        ? scoredTerms(must, leaf, MIN_MADE + MADE_SHARE * leastCount(must, leaf))
        : scoredTerms(should, leaf)
    if (terms === undefined) {
      const alike = must.length > 0 ? undefined : sumOfAlikes(should, leaf)
      top = topAlike(alike, leaf)
      cost = alike?.sets.reduce((sum, { count }) => sum + count, 0) ?? cost
    } else if (must.length > 0) {
      if (terms.length < must.length) return NO_TOP
      cost = terms.reduce((most, { count }) => Math.min(most, count), cost)
      top = new TopConjunction(terms)
    } else {
      if (terms.length === 0) return NO_TOP
      cost = terms.reduce((sum, { count }) => sum + count, 0)
      top = new TopDisjunction([terms])
    }
  }
  if (top === undefined || top === NO_TOP) return top
  const accepted = acceptedSet(parts, leaf, cost)
  if (accepted === 'expensive') return undefined
  if (accepted === 'none') return NO_TOP
  return accepted === undefined ? top : new AcceptingTop(top, docSetBits(accepted, leaf.segment.maxDoc))
}

/**
 * Those of the clauses' terms that a segment has; undefined where a clause is no term, or scores less than nothing.
 *
 * @param most  as {@link TermWeight.scoredPostings} has it
 */
export function scoredTerms(
  clauses: readonly WeighedClause[],
  leaf: Leaf,
  most?: number,
): ScoredPostings[] | undefined {
  const found: ScoredPostings[] = []
  for (const { weight } of clauses) {
    if (!(weight instanceof TermWeight)) return undefined
    if ((weight.states.ordinals[leaf.ord] as number) < 0) continue
    const postings = weight.scoredPostings(leaf, most)
    if (postings === undefined || postings.min < 0) return undefined
    found.push(postings)
  }
  return found
}

/** What optional clauses add up to where all of them are made of sets that score alike; undefined: they are not. */
export function sumOfAlikes(clauses: readonly WeighedClause[], leaf: Leaf): AlikeSets | undefined {
  if (clauses.length > MOST_PARTS) return undefined
  function* parts(): Iterable<AlikeSets | undefined> {
    for (const { weight } of clauses) yield weight.alikeSets(leaf)
  }
  return joinAlikeSets(parts(), SUM_OF_SCORES)
}

/** Documents of the rarest clause. */
function leastCount(clauses: readonly WeighedClause[], leaf: Leaf): number {
  let least = Number.POSITIVE_INFINITY
  for (const { weight } of clauses) {
    const count = weight.count(leaf)
    if (count >= 0 && count < least) least = count
  }
  return least
}

/** The best among what a set of bits lets through. */
class AcceptingTop implements TopScorer {
  readonly #top: TopScorer
  readonly #bits: Uint32Array

  constructor(top: TopScorer, bits: Uint32Array) {
    this.#top = top
    this.#bits = bits
  }

  collect(sink: BatchSink, accept: Uint32Array | undefined, floor: () => number, limit: number): number {
    return this.#top.collect(sink, intersection(this.#bits, accept), floor, limit)
  }
}
