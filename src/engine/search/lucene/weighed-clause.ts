import type { Occur } from './boolean-clause.ts'
import type { LuceneQuery } from './lucene-query.ts'
import type { Weight } from './weight.ts'

/** A clause of a boolean query, made ready. */
export class WeighedClause {
  readonly occur: Occur
  readonly weight: Weight
  readonly #query: LuceneQuery
  #key: string | undefined

  constructor(occur: Occur, query: LuceneQuery, weight: Weight) {
    this.occur = occur
    this.weight = weight
    this.#query = query
  }

  /** What tells the clause's query from others; only filters are asked for it. */
  get key(): string {
    this.#key ??= this.#query.key
    return this.#key
  }

  /** The clause's query as Lucene writes it, for explanations. */
  get text(): string {
    return String(this.#query)
  }
}
