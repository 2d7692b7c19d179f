import { ConstantScoreQuery } from './constant-score-query.ts'
import type { LuceneQuery } from './lucene-query.ts'
import { PhraseQuery } from './positions/phrase-query.ts'
import type { SearchContext } from './search-context.ts'

/** A phrase in a field that the real server keeps no positions of: it looks for the words, then at the sources. */
export class SourceFieldMatchQuery extends ConstantScoreQuery {
  readonly #asked: string

  /** @param asked  the phrase as it was asked for */
  constructor(query: LuceneQuery, asked = query.toString()) {
    super(query)
    this.#asked = asked
  }

  override toString(): string {
    return `SourceFieldMatchQuery (delegate query: [ ${this.#delegate()} ], filter query: [ ${this.#asked}])`
  }

  #delegate(): string {
    const { query } = this
    if (!(query instanceof PhraseQuery) || query.places.length < 2) return `#${query}`
    const words = query.places.map(({ terms }) => terms.map((term) => `${query.field}:${term}`))
    return words.map((terms) => (terms.length === 1 ? `#${terms[0]}` : `#(${terms.join(' ')})`)).join(' ')
  }

  override rewrite(context: SearchContext): LuceneQuery {
    const rewritten = super.rewrite(context)
    if (rewritten === this || !(rewritten instanceof ConstantScoreQuery)) return rewritten
    return new SourceFieldMatchQuery(rewritten.query, this.#asked)
  }
}
