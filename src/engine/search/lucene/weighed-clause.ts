import type { Occur } from './boolean-clause.ts'
import type { Weight } from './weight.ts'

/** A clause of a boolean query, made ready. */
export interface WeighedClause {
  readonly occur: Occur
  readonly weight: Weight
  /** The clause's query, as {@link "lucene-query.ts" LuceneQuery.key} tells it. */
  readonly key: string
  readonly text: string
}
