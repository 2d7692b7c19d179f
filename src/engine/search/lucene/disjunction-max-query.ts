import { javaFloat } from '../../java/java-number-text.ts'
import { runsScript } from '../script/script-mark.ts'
import { type AlikeSets, joinAlikeSets } from './alike-sets.ts'
import { windowSource } from './boolean-bulk.ts'
import { BooleanQuery } from './boolean-query.ts'
import { DisjunctionScorer, type ScoreJoin } from './disjunction-scorer.ts'
import { type Explanation, explainMatch, explainNoMatch } from './explanation.ts'
import { matchesDoc } from './filter-cache.ts'
import type { Leaf } from './leaf.ts'
import { LuceneQuery, weigh } from './lucene-query.ts'
import { MatchNoDocsQuery } from './match-no-docs-query.ts'
import { MaxBulkScorer } from './max-bulk-scorer.ts'
import type { BulkScorer, Scorer } from './scorer.ts'
import type { SearchContext } from './search-context.ts'
import { topAlike } from './top-alike.ts'
import { type TermGroup, TopDisjunction } from './top-disjunction.ts'
import { NO_TOP, type TopScorer } from './top-scorer.ts'
import { Weight } from './weight.ts'

const fround = Math.fround

/** Documents of any of several queries; the best score counts, and a share of the others. */
export class DisjunctionMaxQuery extends LuceneQuery {
  readonly queries: readonly LuceneQuery[]
  readonly tieBreaker: number

  constructor(queries: readonly LuceneQuery[], tieBreaker: number) {
    super()
    this.queries = queries
    this.tieBreaker = fround(tieBreaker)
  }

  toString(): string {
    const texts = this.queries.map((query) => (query instanceof BooleanQuery ? `(${query})` : String(query)))
    const text = `(${texts.join(' | ')})`
    return this.tieBreaker === 0 ? text : `${text}~${javaFloat(this.tieBreaker)}`
  }

  override get key(): string {
    return `DisjunctionMaxQuery:${this.tieBreaker}:${this.queries.map((query) => `{${query.key}}`).join('')}`
  }

  override rewrite(context: SearchContext): LuceneQuery {
    if (this.queries.length === 0) return new MatchNoDocsQuery('empty DisjunctionMaxQuery')
    if (this.queries.length === 1) return this.queries[0] as LuceneQuery
    if (this.tieBreaker === 1) {
      // Nothing is left out, so it is a sum like any other.
      return new BooleanQuery(this.queries.map((query) => ({ occur: 'should', query })))
    }
    const rewritten = this.queries.map((query) => query.rewrite(context))
    return rewritten.some((query, i) => query !== this.queries[i])
      ? new DisjunctionMaxQuery(rewritten, this.tieBreaker)
      : this
  }

  createWeight(context: SearchContext, boost: number, needsScores: boolean): Weight {
    const weights = this.queries.map((query) => weigh(query, context, boost, needsScores))
    return new DisjunctionMaxWeight(this, weights, context, needsScores)
  }

  override visit(visitor: (query: LuceneQuery) => void): void {
    visitor(this)
    for (const query of this.queries) query.visit(visitor)
  }
}

class DisjunctionMaxWeight extends Weight {
  readonly #weights: readonly Weight[]
  readonly #tieBreaker: number
  readonly #join: ScoreJoin
  readonly #runsScript: boolean
  readonly #isLucene9: boolean

  constructor(query: DisjunctionMaxQuery, weights: readonly Weight[], context: SearchContext, needsScores: boolean) {
    super(query, needsScores)
    this.#weights = weights
    this.#tieBreaker = query.tieBreaker
    this.#isLucene9 = context.isLucene9
    this.#runsScript = context.mayRunScripts && runsScript(query.key)
    this.#join = context.isLucene7 ? bestOfLucene7(query.tieBreaker) : best(query.tieBreaker)
  }

  scorer(leaf: Leaf): Scorer | undefined {
    const scorers = this.#weights.flatMap((weight) => weight.scorer(leaf) ?? [])
    return scorers.length > 1 ? new DisjunctionScorer(scorers, 1, this.#join) : scorers[0]
  }

  override bulkScorer(leaf: Leaf): BulkScorer | undefined {
    // The order in which more than two floats are added matters to Lucene 7: one by one, then.
    if ((this.#weights.length > 2 && this.#tieBreaker !== 0) || this.#runsScript) return super.bulkScorer(leaf)
    const groups = this.#weights.flatMap((weight) => {
      const sources = weight.windowSources(leaf)
      if (sources !== undefined) return sources.length === 0 ? [] : [sources]
      const scorer = weight.scorer(leaf)
      return scorer === undefined ? [] : [[windowSource(scorer, this.needsScores)]]
    })
    return groups.length === 0 ? undefined : new MaxBulkScorer(groups, this.#join)
  }

  override topScorer(leaf: Leaf): TopScorer | undefined {
    if (!this.needsScores || this.#tieBreaker !== 0) return undefined
    const groups: TermGroup[] = []
    for (const weight of this.#weights) {
      const terms = weight.summedTerms(leaf)
      if (terms === undefined) return topAlike(this.alikeSets(leaf), leaf)
      if (terms.length > 0) groups.push(terms)
    }
    return groups.length === 0 ? NO_TOP : new TopDisjunction(groups)
  }

  override alikeSets(leaf: Leaf): AlikeSets | undefined {
    if (!this.needsScores || this.#tieBreaker !== 0 || this.#runsScript) return undefined
    const weights = this.#weights
    function* parts(): Iterable<AlikeSets | undefined> {
      for (const weight of weights) yield weight.alikeSets(leaf)
    }
    return joinAlikeSets(parts(), this.#join)
  }

  explain(leaf: Leaf, doc: number): Explanation {
    const details = this.#weights.flatMap((weight) => (matchesDoc(weight, leaf, doc) ? weight.explain(leaf, doc) : []))
    if (details.length === 0) {
      const why = this.#isLucene9 ? this.#weights.map((weight) => weight.explain(leaf, doc)) : []
      return explainNoMatch('No matching clause', why)
    }
    const scores = Float64Array.from(details, ({ value }) => value)
    const tie = this.#tieBreaker
    const description = tie === 0 ? 'max of:' : `max plus ${javaFloat(tie)} times others of:`
    return explainMatch(this.#join(scores, scores.length), description, details)
  }
}

// max + (sum - max) * tieBreaker, each step a float
function bestOfLucene7(tieBreaker: number): ScoreJoin {
  return (scores, count) => {
    let sum = 0
    let max = Number.NEGATIVE_INFINITY
    for (let i = 0; i < count; i++) {
      const score = scores[i] as number
      sum = fround(sum + score)
      if (score > max) max = score
    }
    return fround(max + fround(fround(sum - max) * tieBreaker))
  }
}

// (float) (max + sum of others * tieBreaker), the sum in double
function best(tieBreaker: number): ScoreJoin {
  return (scores, count) => {
    let others = 0
    let max = 0
    for (let i = 0; i < count; i++) {
      const score = scores[i] as number
      if (score >= max) {
        others += max
        max = score
      } else others += score
    }
    return fround(max + others * tieBreaker)
  }
}
