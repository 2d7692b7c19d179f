import { NO_MORE_DOCS } from '../../index/segment-reader.ts'
import { scriptedKey } from '../script/script-mark.ts'
import { type Explanation, explainMatch, explainNoMatch } from './explanation.ts'
import type { Leaf } from './leaf.ts'
import { LuceneQuery, weigh } from './lucene-query.ts'
import type { Scorer, TwoPhase } from './scorer.ts'
import type { SearchContext } from './search-context.ts'
import { Weight } from './weight.ts'

/** How many clauses a document must match; undefined: it cannot match. */
export type LeafMinimum = (doc: number) => number | undefined

/** Documents that match as many of some queries as each itself asks for; scores add up (Lucene's CoveringQuery). */
export class CoveringQuery extends LuceneQuery {
  readonly queries: readonly LuceneQuery[]
  readonly minimum: (leaf: Leaf) => LeafMinimum
  readonly #minimumText: string
  readonly #key = scriptedKey()

  /** @param minimumText  Lucene's toString of the minimum */
  constructor(queries: readonly LuceneQuery[], minimum: (leaf: Leaf) => LeafMinimum, minimumText: string) {
    super()
    this.#minimumText = minimumText
    this.queries = queries
    this.minimum = minimum
  }

  override get key(): string {
    return this.#key
  }

  toString(): string {
    return `CoveringQuery(queries=[${this.queries.join(', ')}], minimumNumberMatch=${this.#minimumText})`
  }

  override rewrite(context: SearchContext): LuceneQuery {
    const queries = this.queries.map((query) => query.rewrite(context))
    const isSame = queries.every((query, i) => query === this.queries[i])
    return isSame ? this : new CoveringQuery(queries, this.minimum, this.#minimumText)
  }

  createWeight(context: SearchContext, boost: number, needsScores: boolean): Weight {
    const weights = this.queries.map((query) => weigh(query, context, boost, needsScores))
    return new CoveringWeight(this, weights, needsScores)
  }

  override visit(visitor: (query: LuceneQuery) => void): void {
    visitor(this)
    for (const query of this.queries) query.visit(visitor)
  }
}

class CoveringWeight extends Weight {
  readonly #made: CoveringQuery
  readonly #weights: readonly Weight[]

  constructor(query: CoveringQuery, weights: readonly Weight[], needsScores: boolean) {
    super(query, needsScores)
    this.#made = query
    this.#weights = weights
  }

  scorer(leaf: Leaf): Scorer | undefined {
    const scorers = this.#weights.flatMap((weight) => weight.scorer(leaf) ?? [])
    return scorers.length === 0 ? undefined : new CoveringScorer(scorers, this.#made.minimum(leaf))
  }

  explain(leaf: Leaf, doc: number): Explanation {
    const minimum = this.#made.minimum(leaf)(doc)
    if (minimum === undefined) return explainNoMatch('minimumNumberMatch has no value on the current document')
    const details = this.#weights.map((weight) => weight.explain(leaf, doc))
    const matching = details.filter(({ match }) => match)
    const least = Math.max(1, minimum)
    const text = `${matching.length} matches for ${least} required matches`
    if (matching.length < least) return explainNoMatch(text, details)
    return explainMatch(Math.fround(matching.reduce((sum, { value }) => sum + value, 0)), `${text}, sum of:`, details)
  }
}

class CoveringScorer implements Scorer {
  doc = -1
  readonly cost: number
  readonly twoPhase: TwoPhase
  readonly #scorers: readonly Scorer[]
  readonly #minimum: LeafMinimum

  constructor(scorers: readonly Scorer[], minimum: LeafMinimum) {
    this.#scorers = scorers
    this.#minimum = minimum
    this.cost = scorers.reduce((sum, { cost }) => sum + cost, 0)
    const candidates = (): number => this.doc
    this.twoPhase = {
      approximation: {
        get doc() {
          return candidates()
        },
        cost: this.cost,
        nextDoc: () => this.#moveTo(this.doc + 1),
        advance: (target) => this.#moveTo(target),
      },
      matches: () => this.#matches(),
    }
  }

  nextDoc(): number {
    return this.advance(this.doc + 1)
  }

  advance(target: number): number {
    let doc = this.#moveTo(target)
    while (doc !== NO_MORE_DOCS && !this.#matches()) doc = this.#moveTo(doc + 1)
    return doc
  }

  score(): number {
    let sum = 0
    for (const scorer of this.#scorers) if (scorer.doc === this.doc) sum += scorer.score()
    return Math.fround(sum)
  }

  /** To the first document that any of the queries matches. */
  #moveTo(target: number): number {
    let least = NO_MORE_DOCS
    for (const scorer of this.#scorers) {
      const at = scorer.doc < target ? scorer.advance(target) : scorer.doc
      if (at < least) least = at
    }
    this.doc = least
    return least
  }

  #matches(): boolean {
    const minimum = this.#minimum(this.doc)
    if (minimum === undefined) return false
    let count = 0
    for (const scorer of this.#scorers) if (scorer.doc === this.doc) count++
    return count >= Math.max(1, minimum)
  }
}
