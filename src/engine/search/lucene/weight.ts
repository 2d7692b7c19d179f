import { type AlikeSets, NO_SETS } from './alike-sets.ts'
import { DefaultBulkScorer } from './default-bulk-scorer.ts'
import type { DocSet } from './doc-set.ts'
import type { Explanation } from './explanation.ts'
import type { Leaf } from './leaf.ts'
import type { ScoredPostings } from './scored-postings.ts'
import type { BulkScorer, Scorer } from './scorer.ts'
import type { TopScorer } from './top-scorer.ts'
import type { WindowSource } from './window-bulk-scorer.ts'

/** A query made ready for one view of an index: statistics gathered, boosts multiplied in. */
export abstract class Weight {
  /** The query, for its text. */
  readonly query: { toString(): string }
  readonly needsScores: boolean

  constructor(query: { toString(): string }, needsScores: boolean) {
    this.query = query
    this.needsScores = needsScores
  }

  /** A cursor over a segment's matches; undefined when there are none. */
  abstract scorer(leaf: Leaf): Scorer | undefined

  /** Why a document has its score, in Lucene's words. */
  abstract explain(leaf: Leaf, doc: number): Explanation

  /** The fast way through all matches of a segment. */
  bulkScorer(leaf: Leaf): BulkScorer | undefined {
    const scorer = this.scorer(leaf)
    return scorer === undefined ? undefined : new DefaultBulkScorer(scorer, this.needsScores)
  }

  /** The fast way to a segment's best matches and the number of all; undefined where there is none. */
  topScorer(_leaf: Leaf): TopScorer | undefined {
    return undefined
  }

  /** Matches in a segment, deleted and nested documents included, when that is known without a visit; else -1. */
  count(_leaf: Leaf): number {
    return -1
  }

  /** All matches of a segment, deleted ones included, where the weight works them out as a whole anyway. */
  docSet(_leaf: Leaf): DocSet | undefined {
    return undefined
  }

  /** The one score of all matches, where they have one. */
  get constantScore(): number | undefined {
    return undefined
  }

  /** Terms of a segment whose scores add up to this one's, none of them below 0, where it is made of such. */
  summedTerms(_leaf: Leaf): ScoredPostings[] | undefined {
    return undefined
  }

  /** Its matches and scores by a few sets, where they hang on nothing else. */
  alikeSets(leaf: Leaf): AlikeSets | undefined {
    return this.count(leaf) === 0 ? NO_SETS : undefined
  }

  /** What fills windows with all matches of a segment, where the weight knows better than one by one. */
  windowSource(_leaf: Leaf): WindowSource | undefined {
    return undefined
  }

  /** Sub-queries of a segment whose scores add up to this one's, where it is made of such. */
  windowSources(_leaf: Leaf): WindowSource[] | undefined {
    return undefined
  }
}
