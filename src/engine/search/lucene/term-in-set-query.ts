import { ConstantScoreQuery } from './constant-score-query.ts'
import type { LuceneQuery } from './lucene-query.ts'
import { MultiTermQuery } from './multi-term-query.ts'
import type { SearchContext } from './search-context.ts'

/** Up to so many terms Lucene makes before its 9 a disjunction of. */
export const MOST_SPELT_OUT = 16

/** Documents with any of some terms of a field; all score alike. */
export class TermInSetQuery extends MultiTermQuery {
  readonly #terms: readonly Buffer[]
  readonly #isSpeltOut: boolean

  /**
   * @param terms  without repeats
   * @param isSpeltOut  true: described as a disjunction
   */
  constructor(field: string, terms: readonly Buffer[], isSpeltOut = false) {
    const sorted = terms.toSorted(Buffer.compare)
    super(field, `(${sorted.join(' ')})`, (dictionary) =>
      sorted.map((term) => dictionary.find(term)).filter((ordinal) => ordinal >= 0),
    )
    this.#terms = sorted
    this.#isSpeltOut = isSpeltOut
  }

  override get key(): string {
    return `TermInSetQuery:${this.field}:${JSON.stringify(this.#terms.map((term) => term.toString('latin1')))}`
  }

  override toString(): string {
    return this.#isSpeltOut ? this.#terms.map((term) => `${this.field}:${term}`).join(' ') : super.toString()
  }

  override rewrite({ isLucene9 }: SearchContext): LuceneQuery {
    if (this.#isSpeltOut || isLucene9 || this.#terms.length > MOST_SPELT_OUT) return this
    return new ConstantScoreQuery(new TermInSetQuery(this.field, this.#terms, true))
  }
}
