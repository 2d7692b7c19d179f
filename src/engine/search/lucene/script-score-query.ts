import { javaFloat } from '../../java/java-number-text.ts'
import { illegalInQueryPhase } from '../query-phase.ts'
import { scriptedKey } from '../script/script-mark.ts'
import { type Explanation, explainMatch, explainNoMatch } from './explanation.ts'
import { FilterScorer } from './filter-scorer.ts'
import type { LeafFunction } from './function-score-query.ts'
import type { Leaf } from './leaf.ts'
import { LuceneQuery } from './lucene-query.ts'
import type { Scorer } from './scorer.ts'
import type { SearchContext } from './search-context.ts'
import { Weight } from './weight.ts'

const fround = Math.fround

/** What the scores of a query become. */
interface ScriptScoreOptions {
  /** The script, for messages. */
  readonly text: string
  /** Whether the script asks for the query's own scores. */
  readonly readsScore: boolean
  /** Documents that score less do not match. */
  readonly minScore: number | undefined
}

/** A query's documents with the scores that a script gives (Elasticsearch's ScriptScoreQuery). */
export class ScriptScoreLuceneQuery extends LuceneQuery {
  readonly query: LuceneQuery
  readonly open: (leaf: Leaf) => LeafFunction
  readonly options: ScriptScoreOptions
  readonly #key = scriptedKey()

  constructor(query: LuceneQuery, open: (leaf: Leaf) => LeafFunction, options: ScriptScoreOptions) {
    super()
    this.query = query
    this.open = open
    this.options = options
  }

  override get key(): string {
    return this.#key
  }

  toString(): string {
    return `script_score (${this.query}, script: {${this.options.text}}`
  }

  override rewrite(context: SearchContext): LuceneQuery {
    const query = this.query.rewrite(context)
    return query === this.query ? this : new ScriptScoreLuceneQuery(query, this.open, this.options)
  }

  createWeight(context: SearchContext, boost: number, needsScores: boolean): Weight {
    // Lucene asks the query itself, past its profiler.
    if (!needsScores && this.options.minScore === undefined) return this.query.createWeight(context, boost, false)
    return new ScriptScoreWeight(this, this.query.createWeight(context, 1, this.options.readsScore), boost)
  }

  override visit(visitor: (query: LuceneQuery) => void): void {
    visitor(this)
    this.query.visit(visitor)
  }
}

class ScriptScoreWeight extends Weight {
  readonly #made: ScriptScoreLuceneQuery
  readonly #inner: Weight
  readonly #boost: number

  constructor(query: ScriptScoreLuceneQuery, inner: Weight, boost: number) {
    super(query, true)
    this.#made = query
    this.#inner = inner
    this.#boost = boost
  }

  scorer(leaf: Leaf): Scorer | undefined {
    const inner = this.#inner.scorer(leaf)
    if (inner === undefined) return undefined
    return new ScriptScorer(inner, this.#made.open(leaf), this.#made.options, this.#boost)
  }

  explain(leaf: Leaf, doc: number): Explanation {
    const inner = this.#inner.explain(leaf, doc)
    if (!inner.match) return inner
    const scorer = this.scorer(leaf)
    if (scorer === undefined || scorer.advance(doc) !== doc) return explainNoMatch('no match', [inner])
    const { readsScore, text } = this.#made.options
    const description = `script score function, computed with script:"${text}"`
    return explainMatch(scorer.score(), description, readsScore ? [explainMatch(inner.value, '_score: ', [inner])] : [])
  }
}

class ScriptScorer extends FilterScorer {
  readonly #value: LeafFunction
  readonly #readsScore: boolean
  readonly #boost: number

  constructor(inner: Scorer, value: LeafFunction, { readsScore, minScore }: ScriptScoreOptions, boost: number) {
    super(inner, minScore)
    this.#value = value
    this.#readsScore = readsScore
    this.#boost = boost
  }

  /** @throws {ServiceError} illegal_argument_exception for a score below 0, or none */
  override score(): number {
    const { doc } = this
    const score = fround(this.#value(doc, this.#readsScore ? this.inner.score() : 0))
    if (score >= 0) return fround(score * this.#boost)
    throw illegalInQueryPhase(
      `script_score script returned an invalid score [${javaFloat(score)}] for doc [${doc}]. Must be a non-negative score!`,
    )
  }
}
