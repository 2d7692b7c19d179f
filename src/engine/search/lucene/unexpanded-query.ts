import { LuceneQuery, weigh } from './lucene-query.ts'
import type { SearchContext } from './search-context.ts'
import type { Weight } from './weight.ts'

/** A query that is told as it was asked for, until it is rewritten into what it stands for. */
export class UnexpandedQuery extends LuceneQuery {
  readonly #text: string
  readonly #query: LuceneQuery

  /** @param query  what it stands for */
  constructor(text: string, query: LuceneQuery) {
    super()
    this.#text = text
    this.#query = query
  }

  toString(): string {
    return this.#text
  }

  override get key(): string {
    return this.#query.key
  }

  override get profiledAs(): LuceneQuery {
    return this.#query
  }

  override rewrite(): LuceneQuery {
    return this.#query
  }

  createWeight(context: SearchContext, boost: number, needsScores: boolean): Weight {
    return weigh(this.#query, context, boost, needsScores)
  }

  override visit(visitor: (query: LuceneQuery) => void): void {
    this.#query.visit(visitor)
  }
}
