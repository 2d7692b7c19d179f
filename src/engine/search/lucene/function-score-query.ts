import { ServiceError } from '../../../errors.ts'
import { javaFloat } from '../../java/java-number-text.ts'
import { runsScript } from '../script/script-mark.ts'
import { AskedMatches } from './asked-matches.ts'
import { type BitSet, hasBit } from './bit-set.ts'
import { docSetBits } from './doc-set.ts'
import { type Explanation, explainMatch, explainNoMatch } from './explanation.ts'
import { cachedDocSet, collect, matchesDoc } from './filter-cache.ts'
import { FilterScorer } from './filter-scorer.ts'
import type { Leaf } from './leaf.ts'
import { LuceneQuery, weigh } from './lucene-query.ts'
import type { Scorer } from './scorer.ts'
import type { SearchContext } from './search-context.ts'
import { Weight } from './weight.ts'

const fround = Math.fround

/** A function's value for a document that has a score so far, a double. */
export type LeafFunction = (doc: number, score: number) => number

/** A function of a function_score query. */
export interface WeightedFunction {
  /** Undefined: it counts for every document. */
  readonly filter: LuceneQuery | undefined
  /** Multiplies the function; undefined: 1. */
  readonly weight: number | undefined
  /** Undefined: the weight alone. */
  readonly open: ((leaf: Leaf) => LeafFunction) | undefined
  /** What explanations say of it; undefined: it is the weight alone. */
  readonly description?: string | undefined
  /** How explanations show that it came to a document's value. */
  readonly reckoning?: ((leaf: Leaf, doc: number) => string) | undefined
  /** Whether explanations show the score so far with it. */
  readonly showsScore?: boolean
  /** Tells functions apart. */
  readonly key: string
  /** The real server's class of it, which queries are told by. */
  readonly javaClass: string
}

/** How functions and the query's own score become one. */
export interface FunctionScoreModes {
  readonly scoreMode: 'multiply' | 'sum' | 'avg' | 'first' | 'max' | 'min'
  readonly boostMode: 'multiply' | 'replace' | 'sum' | 'avg' | 'max' | 'min'
  /** No function counts more than this. */
  readonly maxBoost: number
  /** Documents that score less do not match. */
  readonly minScore: number | undefined
}

/** A query's documents, their scores changed by functions (Elasticsearch's FunctionScoreQuery). */
export class FunctionScoreLuceneQuery extends LuceneQuery {
  readonly query: LuceneQuery
  readonly functions: readonly WeightedFunction[]
  readonly modes: FunctionScoreModes

  constructor(query: LuceneQuery, functions: readonly WeightedFunction[], modes: FunctionScoreModes) {
    super()
    this.query = query
    this.functions = functions
    this.modes = modes
  }

  toString(): string {
    return `function score (${this.query}, functions: [${this.functions.map(({ javaClass }) => `{${javaClass}}`).join('')}])`
  }

  override get key(): string {
    const functions = this.functions.map(({ filter, weight, key }) => `{${filter?.key ?? ''}:${weight ?? ''}:${key}}`)
    return `FunctionScoreQuery:${JSON.stringify(this.modes)}:${functions.join('')}:${this.query.key}`
  }

  override rewrite(context: SearchContext): LuceneQuery {
    const query = this.query.rewrite(context)
    const functions = this.functions.map((made) => {
      const filter = made.filter?.rewrite(context)
      return filter === made.filter ? made : { ...made, filter }
    })
    const isSame = query === this.query && functions.every((made, i) => made === this.functions[i])
    return isSame ? this : new FunctionScoreLuceneQuery(query, functions, this.modes)
  }

  createWeight(context: SearchContext, boost: number, needsScores: boolean): Weight {
    const { minScore } = this.modes
    // Lucene asks the query itself, past its profiler.
    if (!needsScores && minScore === undefined) return this.query.createWeight(context, boost, false)
    return new FunctionScoreWeight(this, context, boost)
  }

  override visit(visitor: (query: LuceneQuery) => void): void {
    visitor(this)
    this.query.visit(visitor)
  }
}

class FunctionScoreWeight extends Weight {
  readonly #inner: Weight
  readonly #functions: readonly { readonly made: WeightedFunction; readonly filter: Weight | undefined }[]
  readonly #modes: FunctionScoreModes

  constructor(query: FunctionScoreLuceneQuery, context: SearchContext, boost: number) {
    super(query, true)
    this.#inner = query.query.createWeight(context, boost, true)
    this.#functions = query.functions.map((made) => ({
      made,
      filter: made.filter === undefined ? undefined : weigh(made.filter, context, 1, false),
    }))
    this.#modes = query.modes
  }

  scorer(leaf: Leaf): FunctionScorer | undefined {
    return this.#scorer(leaf, this.#modes)
  }

  #scorer(leaf: Leaf, modes: FunctionScoreModes): FunctionScorer | undefined {
    const inner = this.#inner.scorer(leaf)
    if (inner === undefined) return undefined
    const functions = this.#functions.map(({ made, filter }) => ({
      value: made.open?.(leaf),
      weight: made.weight,
      allowed: filter === undefined ? undefined : allowedBy(filter, made.filter as LuceneQuery, leaf),
    }))
    return new FunctionScorer(inner, functions, modes)
  }

  explain(leaf: Leaf, doc: number): Explanation {
    const inner = this.#inner.explain(leaf, doc)
    if (!inner.match) return inner
    const { minScore } = this.#modes
    const scorer = this.#scorer(leaf, { ...this.#modes, minScore: undefined })
    scorer?.advance(doc)
    const score = scorer?.score() ?? inner.value
    const explained = this.#explainScore(leaf, doc, inner, scorer?.factor(inner.value) ?? 1)
    if (minScore === undefined || minScore <= score) return explained
    const what = `expected at least ${javaFloat(minScore)} but got ${javaFloat(score)}`
    return explainNoMatch(`Score value is too low, ${what}`, [explained])
  }

  #explainScore(leaf: Leaf, doc: number, inner: Explanation, factor: number): Explanation {
    if (this.#functions.length === 0) return inner
    const { maxBoost, boostMode, scoreMode } = this.#modes
    const functions: Explanation[] = []
    for (const { made, filter } of this.#functions) {
      if (filter !== undefined && !matchesDoc(filter, leaf, doc)) continue
      functions.push(explainFunction(made, leaf, doc, inner))
    }
    const [first] = functions
    const isSingle = this.#functions.length === 1 && this.#functions[0]?.filter === undefined
    const value =
      first === undefined
        ? explainMatch(1, 'No function matched')
        : isSingle
          ? first
          : explainMatch(fround(factor), `function score, score mode [${scoreMode}]`, functions)
    const limited = explainMatch(Math.min(value.value, maxBoost), 'min of:', [
      value,
      explainMatch(maxBoost, 'maxBoost'),
    ])
    if (boostMode === 'replace') return limited
    return explainMatch(combined(boostMode, inner.value, limited.value), COMBINED[boostMode], [inner, limited])
  }
}

/** What a function gives a document, filter and weight included. */
function explainFunction(made: WeightedFunction, leaf: Leaf, doc: number, inner: Explanation): Explanation {
  const { open, weight, description, reckoning, filter, showsScore } = made
  const value = fround(open?.(leaf)(doc, inner.value) ?? 1)
  const own = explainMatch(
    value,
    description ?? 'constant score 1.0 - no function provided',
    showsScore === true
      ? [explainMatch(inner.value, '_score: ', [inner])]
      : reckoning === undefined
        ? []
        : [explainMatch(value, reckoning(leaf, doc))],
  )
  const weighted =
    weight === undefined
      ? own
      : explainMatch(fround(value * fround(weight)), 'product of:', [own, explainMatch(fround(weight), 'weight')])
  if (filter === undefined) return weighted
  return explainMatch(weighted.value, 'function score, product of:', [
    explainMatch(1, `match filter: ${filter}`),
    weighted,
  ])
}

/** How explanations begin, by how functions and scores become one. */
const COMBINED = {
  multiply: 'function score, product of:',
  sum: 'sum of',
  avg: 'avg of',
  max: 'max of:',
  min: 'min of',
} as const

/** What a function's filter lets through: a script is asked about the query's documents alone. */
function allowedBy(weight: Weight, query: LuceneQuery, leaf: Leaf): BitSet | AskedMatches {
  if (runsScript(query.key)) return new AskedMatches(weight.scorer(leaf))
  return docSetBits(cachedDocSet(query.key, weight, leaf) ?? collect(weight, leaf), leaf.segment.maxDoc)
}

interface OpenFunction {
  readonly value: LeafFunction | undefined
  readonly weight: number | undefined
  readonly allowed: BitSet | AskedMatches | undefined
}

class FunctionScorer extends FilterScorer {
  readonly #functions: readonly OpenFunction[]
  readonly #modes: FunctionScoreModes

  constructor(inner: Scorer, functions: readonly OpenFunction[], modes: FunctionScoreModes) {
    super(inner, modes.minScore)
    this.#functions = functions
    this.#modes = modes
  }

  override score(): number {
    const own = this.inner.score()
    if (this.#functions.length === 0) return own
    const score = combined(this.#modes.boostMode, own, Math.min(this.factor(own), this.#modes.maxBoost))
    if (score > Number.NEGATIVE_INFINITY) return score
    const reason = `function score query returned an invalid score: ${score} for doc: ${this.doc}`
    throw new ServiceError('exception', reason, { inQueryPhase: true, status: 400 })
  }

  /** All functions that count for the current document, as one; 1 when there is none. */
  factor(own: number): number {
    const { doc } = this
    const { scoreMode } = this.#modes
    let factor =
      scoreMode === 'multiply'
        ? 1
        : scoreMode === 'max'
          ? Number.NEGATIVE_INFINITY
          : scoreMode === 'min'
            ? Number.POSITIVE_INFINITY
            : 0
    let weights = 0
    for (const { value, weight, allowed } of this.#functions) {
      if (allowed !== undefined && !(allowed instanceof AskedMatches ? allowed.has(doc) : hasBit(allowed, doc)))
        continue
      const result = (value === undefined ? 1 : value(doc, own)) * (weight === undefined ? 1 : fround(weight))
      weights += weight === undefined ? 1 : fround(weight)
      switch (scoreMode) {
        case 'first':
          return result
        case 'multiply':
          factor *= result
          break
        case 'max':
          factor = Math.max(factor, result)
          break
        case 'min':
          factor = Math.min(factor, result)
          break
        case 'sum':
        case 'avg':
          factor += result
          break
      }
    }
    if (weights === 0 && scoreMode !== 'multiply') return 1
    return scoreMode === 'avg' ? factor / weights : factor
  }
}

/** A query's own score and what its functions come to, as one. */
function combined(boostMode: FunctionScoreModes['boostMode'], own: number, factor: number): number {
  switch (boostMode) {
    case 'multiply':
      return fround(own * factor)
    case 'replace':
      return fround(factor)
    case 'sum':
      return fround(own + factor)
    case 'avg':
      return fround((factor + own) / 2)
    case 'max':
      return fround(Math.max(own, factor))
    case 'min':
      return fround(Math.min(own, factor))
  }
}
