import { javaFloat } from '../../java/java-number-text.ts'
import { type AlikeSets, NO_SETS } from './alike-sets.ts'
import { CheckedScorer, ConstantScorer, DocSetBulkScorer, docSetScorer } from './constant-score.ts'
import { DefaultBulkScorer } from './default-bulk-scorer.ts'
import type { DocSet } from './doc-set.ts'
import { type Explanation, explainMatch, explainNoMatch } from './explanation.ts'
import { cachedDocSet, collect } from './filter-cache.ts'
import type { Leaf } from './leaf.ts'
import { LuceneQuery, weigh } from './lucene-query.ts'
import { MatchNoDocsQuery } from './match-no-docs-query.ts'
import type { BulkScorer, Scorer } from './scorer.ts'
import type { SearchContext } from './search-context.ts'
import { SetWindowSource } from './set-window-source.ts'
import { Weight } from './weight.ts'
import type { WindowSource } from './window-bulk-scorer.ts'

/** A query whose matches all score the boost. */
export class ConstantScoreQuery extends LuceneQuery {
  readonly query: LuceneQuery

  constructor(query: LuceneQuery) {
    super()
    this.query = query
  }

  toString(): string {
    return `ConstantScore(${this.query})`
  }

  /** What an explanation of a document calls it. */
  get explained(): string {
    return this.toString()
  }

  override get key(): string {
    return `ConstantScoreQuery:${this.query.key}`
  }

  override rewrite(context: SearchContext): LuceneQuery {
    let rewritten = this.query.rewrite(context)
    for (;;) {
      const inner = unwrap(rewritten)
      if (inner === undefined) break
      rewritten = inner
    }
    if (rewritten instanceof MatchNoDocsQuery && context.isLucene9) return rewritten
    return rewritten === this.query ? this : new ConstantScoreQuery(rewritten)
  }

  createWeight(context: SearchContext, boost: number, needsScores: boolean): Weight {
    const inner = weigh(this.query, context, 1, false)
    return needsScores ? new ConstantScoreWeight(this, this.query.key, inner, boost) : inner
  }

  override visit(visitor: (query: LuceneQuery) => void): void {
    visitor(this)
    this.query.visit(visitor)
  }
}

/** The query inside a wrapper that only changes scores. */
function unwrap(query: LuceneQuery): LuceneQuery | undefined {
  if (query instanceof ConstantScoreQuery) return query.query
  // A BoostQuery; its module imports this one.
  if ('boost' in query && 'query' in query && query.query instanceof LuceneQuery) return query.query
  return undefined
}

class ConstantScoreWeight extends Weight {
  readonly #key: string
  readonly #inner: Weight
  readonly #boost: number
  #last: { readonly leaf: Leaf; readonly set: DocSet | undefined } | undefined

  constructor(query: LuceneQuery, key: string, inner: Weight, boost: number) {
    super(query, true)
    this.#key = key
    this.#inner = inner
    this.#boost = boost
  }

  override get constantScore(): number {
    return this.#boost
  }

  scorer(leaf: Leaf): Scorer | undefined {
    const cached = this.docSet(leaf)
    if (cached !== undefined) return docSetScorer(cached, this.#boost)
    const scorer = this.#inner.scorer(leaf)
    if (scorer === undefined) return undefined
    return scorer.twoPhase === undefined
      ? new ConstantScorer(scorer, this.#boost)
      : new CheckedScorer(scorer.twoPhase, this.#boost)
  }

  override bulkScorer(leaf: Leaf): BulkScorer | undefined {
    const cached = this.docSet(leaf)
    if (cached !== undefined) return new DocSetBulkScorer(cached, this.#boost)
    const bulk = this.#inner.bulkScorer(leaf)
    if (bulk === undefined) return undefined
    if (bulk instanceof DefaultBulkScorer) return super.bulkScorer(leaf)
    const boost = this.#boost
    return {
      score: (sink, accept) => {
        bulk.score((docs, scores, count) => sink(docs, scores.fill(boost, 0, count), count), accept)
      },
    }
  }

  override count(leaf: Leaf): number {
    const count = this.#inner.count(leaf)
    return count >= 0 ? count : (this.docSet(leaf)?.count ?? -1)
  }

  override docSet(leaf: Leaf): DocSet | undefined {
    // Asked for several times a search: it is one use of the filter.
    if (this.#last?.leaf !== leaf) this.#last = { leaf, set: cachedDocSet(this.#key, this.#inner, leaf) }
    return this.#last.set
  }

  override alikeSets(leaf: Leaf): AlikeSets | undefined {
    const set = this.docSet(leaf) ?? this.#knownSet(leaf)
    if (set === undefined || this.#boost < 0) return undefined
    return set.count === 0 ? NO_SETS : { sets: [set], score: () => this.#boost }
  }

  override windowSource(leaf: Leaf): WindowSource | undefined {
    const set = this.docSet(leaf)
    if (set?.kind !== 'bits' || this.#boost < 0) return undefined
    return new SetWindowSource(set.bits, this.#boost)
  }

  /** A set made for this search alone, of what can be gone through without asking each document. */
  #knownSet(leaf: Leaf): DocSet | undefined {
    const count = this.#inner.count(leaf)
    return count < 0 ? undefined : collect(this.#inner, leaf)
  }

  explain(leaf: Leaf, doc: number): Explanation {
    const scorer = this.#inner.scorer(leaf)
    const text = (this.query as ConstantScoreQuery).explained
    if (scorer === undefined || scorer.advance(doc) !== doc)
      return explainNoMatch(`${this.query} doesn't match id ${doc}`)
    return explainMatch(this.#boost, this.#boost === 1 ? text : `${text}^${javaFloat(this.#boost)}`)
  }
}
