import { javaFloat } from '../../java/java-number-text.ts'
import { scriptedKey } from '../script/script-mark.ts'
import type { BitSet } from './bit-set.ts'
import { CheckedScorer } from './constant-score.ts'
import { bitsDocSet, docSetIterator } from './doc-set.ts'
import { type Explanation, explainMatch, explainNoMatch } from './explanation.ts'
import { matchesDoc } from './filter-cache.ts'
import type { Leaf } from './leaf.ts'
import { LuceneQuery } from './lucene-query.ts'
import type { Scorer } from './scorer.ts'
import type { SearchContext } from './search-context.ts'
import { Weight } from './weight.ts'

/** Documents that a test, asked of each, lets through; all score the boost. */
export class ScriptLuceneQuery extends LuceneQuery {
  readonly #key = scriptedKey()
  readonly #text: string
  readonly #open: (leaf: Leaf) => (doc: number) => boolean
  readonly #candidates: (leaf: Leaf) => BitSet | undefined

  /**
   * @param text  Lucene's toString
   * @param candidates  documents that are asked about at all; undefined: every one
   */
  constructor(
    text: string,
    open: (leaf: Leaf) => (doc: number) => boolean,
    candidates: (leaf: Leaf) => BitSet | undefined,
  ) {
    super()
    this.#text = text
    this.#open = open
    this.#candidates = candidates
  }

  override get key(): string {
    return this.#key
  }

  toString(): string {
    return this.#text
  }

  createWeight(_context: SearchContext, boost: number, needsScores: boolean): Weight {
    return new ScriptWeight(this, boost, needsScores, this.#open, this.#candidates)
  }
}

class ScriptWeight extends Weight {
  readonly #boost: number
  readonly #open: (leaf: Leaf) => (doc: number) => boolean
  readonly #candidates: (leaf: Leaf) => BitSet | undefined

  constructor(
    query: ScriptLuceneQuery,
    boost: number,
    needsScores: boolean,
    open: (leaf: Leaf) => (doc: number) => boolean,
    candidates: (leaf: Leaf) => BitSet | undefined,
  ) {
    super(query, needsScores)
    this.#boost = boost
    this.#open = open
    this.#candidates = candidates
  }

  override get constantScore(): number {
    return this.#boost
  }

  scorer(leaf: Leaf): Scorer | undefined {
    const bits = this.#candidates(leaf)
    const approximation = docSetIterator(
      bits === undefined ? { kind: 'all', count: leaf.segment.maxDoc } : bitsDocSet(bits),
    )
    const test = this.#open(leaf)
    return new CheckedScorer({ approximation, matches: () => test(approximation.doc) }, this.#boost)
  }

  explain(leaf: Leaf, doc: number): Explanation {
    const text = String(this.query)
    if (!matchesDoc(this, leaf, doc)) return explainNoMatch(`${text} doesn't match id ${doc}`)
    return explainMatch(this.#boost, this.#boost === 1 ? text : `${text}^${javaFloat(this.#boost)}`)
  }
}
