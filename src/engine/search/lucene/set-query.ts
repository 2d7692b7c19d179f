import { javaFloat } from '../../java/java-number-text.ts'
import { DocSetBulkScorer, docSetScorer } from './constant-score.ts'
import { type DocSet, docSetHas, NO_DOCS } from './doc-set.ts'
import { type Explanation, explainMatch, explainNoMatch } from './explanation.ts'
import { keptDocSet } from './filter-cache.ts'
import type { Leaf } from './leaf.ts'
import { LuceneQuery } from './lucene-query.ts'
import type { BulkScorer, Scorer } from './scorer.ts'
import type { SearchContext } from './search-context.ts'
import { Weight } from './weight.ts'

/**
 * A query that is worked out as a whole set of documents a segment, all scoring the boost: multi-term queries, ranges,
 * ids. Its sets are kept by the filter cache when it is asked for again.
 */
export abstract class SetQuery extends LuceneQuery {
  /** The documents of a segment, deleted ones included; undefined: none. */
  abstract docSet(leaf: Leaf, context: SearchContext): DocSet | undefined

  /** What an explanation of a document calls it. */
  get explained(): string {
    return this.toString()
  }

  /** False where the set is that of one view only. */
  readonly isCacheable: boolean = true

  createWeight(context: SearchContext, boost: number, needsScores: boolean): Weight {
    return new SetWeight(this, context, boost, needsScores)
  }
}

class SetWeight extends Weight {
  readonly #query: SetQuery
  readonly #context: SearchContext
  readonly #boost: number
  readonly #key: string
  #last: { readonly leaf: Leaf; readonly set: DocSet } | undefined

  constructor(query: SetQuery, context: SearchContext, boost: number, needsScores: boolean) {
    super(query, needsScores)
    this.#query = query
    this.#context = context
    this.#boost = boost
    this.#key = query.key
  }

  override get constantScore(): number {
    return this.#boost
  }

  scorer(leaf: Leaf): Scorer | undefined {
    const set = this.docSet(leaf)
    return set.count === 0 ? undefined : docSetScorer(set, this.#boost)
  }

  override bulkScorer(leaf: Leaf): BulkScorer | undefined {
    const set = this.docSet(leaf)
    return set.count === 0 ? undefined : new DocSetBulkScorer(set, this.#boost)
  }

  override count(leaf: Leaf): number {
    return this.docSet(leaf).count
  }

  override docSet(leaf: Leaf): DocSet {
    if (this.#last?.leaf === leaf) return this.#last.set
    const make = (): DocSet => this.#query.docSet(leaf, this.#context) ?? NO_DOCS
    const set = this.#query.isCacheable ? keptDocSet(this.#key, leaf, make) : make()
    this.#last = { leaf, set }
    return set
  }

  explain(leaf: Leaf, doc: number): Explanation {
    const text = this.#query.explained
    if (!docSetHas(this.docSet(leaf), doc)) return explainNoMatch(`${text} doesn't match id ${doc}`)
    return explainMatch(this.#boost, this.#boost === 1 ? text : `${text}^${javaFloat(this.#boost)}`)
  }
}
