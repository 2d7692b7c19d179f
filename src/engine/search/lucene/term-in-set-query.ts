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
    const sorted = isAscending(terms) ? terms : terms.toSorted(Buffer.compare)
    // Told by toString, of whoever asks: most do not.
    super(field, '', (dictionary) => dictionary.findAll(sorted))
    this.#terms = sorted
    this.#isSpeltOut = isSpeltOut
  }

  override get key(): string {
    return `TermInSetQuery:${this.field}:${JSON.stringify(this.#terms.map((term) => term.toString('latin1')))}`
  }

  override toString(): string {
    return this.#isSpeltOut
      ? this.#terms.map((term) => `${this.field}:${term}`).join(' ')
      : `${this.field}:(${this.#terms.join(' ')})`
  }

  override rewrite({ isLucene9 }: SearchContext): LuceneQuery {
    if (this.#isSpeltOut || isLucene9 || this.#terms.length > MOST_SPELT_OUT) return this
    return new ConstantScoreQuery(new TermInSetQuery(this.field, this.#terms, true))
  }
}

function isAscending(terms: readonly Buffer[]): boolean {
  for (let i = 1; i < terms.length; i++) {
    if (Buffer.compare(terms[i - 1] as Buffer, terms[i] as Buffer) > 0) return false
  }
  return true
}

/** Texts as terms in the order of their bytes, which for most is that of their units, sorted without a call for each pair. */
export function sortedTerms(texts: Iterable<string>): Buffer[] {
  const all = [...texts]
  if (!all.some((text) => SURROGATE.test(text))) return all.sort().map((text) => Buffer.from(text))
  return all.map((text) => Buffer.from(text)).sort(Buffer.compare)
}

const SURROGATE = /[\ud800-\udfff]/
