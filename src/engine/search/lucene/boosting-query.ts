import { javaFloat } from '../../java/java-number-text.ts'
import { type Explanation, explainDouble, explainMatch } from './explanation.ts'
import { matchesDoc } from './filter-cache.ts'
import type { Leaf } from './leaf.ts'
import { LuceneQuery, weigh } from './lucene-query.ts'
import type { DocIterator, Scorer, TwoPhase } from './scorer.ts'
import type { SearchContext } from './search-context.ts'
import { Weight } from './weight.ts'

const fround = Math.fround

/** A query's documents; those that another one finds too have their scores multiplied. */
export class BoostingQuery extends LuceneQuery {
  readonly positive: LuceneQuery
  readonly negative: LuceneQuery
  readonly boost: number
  readonly isLucene7: boolean
  /** As it was made: rewriting the whole leaves alone what Lucene 8 tells of it. */
  readonly #toldNegative: LuceneQuery

  constructor(
    positive: LuceneQuery,
    negative: LuceneQuery,
    boost: number,
    isLucene7: boolean,
    toldNegative: LuceneQuery = negative,
  ) {
    super()
    this.#toldNegative = toldNegative
    this.isLucene7 = isLucene7
    this.positive = positive
    this.negative = negative
    this.boost = fround(boost)
  }

  toString(): string {
    return this.isLucene7
      ? `${this.positive}/${this.negative}`
      : `FunctionScoreQuery(${this.positive}, scored by boost(queryboost(score(${this.#toldNegative}))^${javaFloat(this.boost)}))`
  }

  override get profiledAs(): string {
    return this.isLucene7 ? 'BoostingQuery' : 'FunctionScoreQuery'
  }

  override get key(): string {
    return `BoostingQuery:${this.boost}:{${this.positive.key}}{${this.negative.key}}`
  }

  override rewrite(context: SearchContext): LuceneQuery {
    const positive = this.positive.rewrite(context)
    const negative = this.negative.rewrite(context)
    return positive === this.positive && negative === this.negative
      ? this
      : new BoostingQuery(positive, negative, this.boost, this.isLucene7, this.#toldNegative)
  }

  createWeight(context: SearchContext, boost: number, needsScores: boolean): Weight {
    // Since Lucene 8 the queries themselves are asked, past its profiler.
    const make = (query: LuceneQuery, ...asked: readonly [number, boolean]): Weight =>
      this.isLucene7 ? weigh(query, context, ...asked) : query.createWeight(context, ...asked)
    // Since then it is a function of the score, which alone has the boost around it.
    const outer = this.isLucene7 ? 1 : boost
    const positive = make(this.positive, this.isLucene7 ? boost : 1, needsScores)
    if (!needsScores) return positive
    return new BoostingWeight(this, positive, make(this.negative, 1, false), outer)
  }

  override visit(visitor: (query: LuceneQuery) => void): void {
    visitor(this)
    this.positive.visit(visitor)
  }
}

class BoostingWeight extends Weight {
  readonly #positive: Weight
  readonly #negative: Weight
  readonly #boost: number
  readonly #outer: number

  constructor(query: BoostingQuery, positive: Weight, negative: Weight, outer: number) {
    super(query, true)
    this.#positive = positive
    this.#negative = negative
    this.#boost = query.boost
    this.#outer = outer
  }

  scorer(leaf: Leaf): Scorer | undefined {
    const positive = this.#positive.scorer(leaf)
    const negative = this.#negative.scorer(leaf)
    if (positive === undefined || (negative === undefined && this.#outer === 1)) return positive
    return new BoostingScorer(positive, negative, this.#boost, this.#outer)
  }

  override count(leaf: Leaf): number {
    return this.#positive.count(leaf)
  }

  explain(leaf: Leaf, doc: number): Explanation {
    const positive = this.#positive.explain(leaf, doc)
    if (!positive.match) return positive
    const isDemoted = matchesDoc(this.#negative, leaf, doc)
    if (!(this.query as BoostingQuery).isLucene7) return this.#explainFunction(positive, isDemoted)
    if (!isDemoted) return positive
    return explainMatch(fround(positive.value * this.#boost), 'product of:', [
      positive,
      explainMatch(this.#boost, 'boost'),
    ])
  }

  /** From Lucene 8 on it is a function of the score, a double. */
  #explainFunction(positive: Explanation, isDemoted: boolean): Explanation {
    const { negative } = this.query as BoostingQuery
    const product = explainDouble(positive.value * this.#boost, 'product of:', [
      positive,
      explainMatch(this.#boost, `Matched boosting query score(${negative})`),
    ])
    const value = isDemoted ? product : positive
    if (this.#outer !== 1) {
      const details = [explainMatch(this.#outer, 'boost'), value]
      return explainMatch(fround(value.value * this.#outer), `weight(${this.query}), product of:`, details)
    }
    const text = `weight(${this.query}), result of:`
    return isDemoted ? explainDouble(value.value, text, [value]) : explainMatch(value.value, text, [value])
  }
}

class BoostingScorer implements Scorer {
  readonly cost: number
  readonly twoPhase: TwoPhase | undefined
  readonly #positive: Scorer
  readonly #negative: DocIterator | undefined
  readonly #check: TwoPhase | undefined
  readonly #boost: number
  readonly #outer: number
  #demotedDoc = -1

  constructor(positive: Scorer, negative: Scorer | undefined, boost: number, outer: number) {
    this.#outer = outer
    this.#positive = positive
    this.#negative = negative?.twoPhase?.approximation ?? negative
    this.#check = negative?.twoPhase
    this.#boost = boost
    this.cost = positive.cost
    this.twoPhase = positive.twoPhase
  }

  get doc(): number {
    return this.#positive.doc
  }
  nextDoc(): number {
    return this.#positive.nextDoc()
  }
  advance(target: number): number {
    return this.#positive.advance(target)
  }

  score(): number {
    const { doc } = this
    const score = this.#positive.score()
    const negative = this.#negative
    if (negative === undefined) return fround(score * this.#outer)
    if (this.#demotedDoc !== doc) {
      const at = negative.doc < doc ? negative.advance(doc) : negative.doc
      if (at !== doc || (this.#check !== undefined && !this.#check.matches())) return fround(score * this.#outer)
      // The check may be asked once a document only; a score more often.
      this.#demotedDoc = doc
    }
    return fround(score * this.#boost * this.#outer)
  }
}
