import type { LuceneQuery } from './lucene-query.ts'

/** How a clause takes part: must and should score, filter and must not do not. */
export type Occur = 'must' | 'filter' | 'should' | 'must_not'

/** A query inside a boolean query. */
export interface BooleanClause {
  readonly occur: Occur
  readonly query: LuceneQuery
}

/** How Lucene writes a clause's part: `+must #filter -must_not should`. */
export const OCCUR_SIGN: Readonly<Record<Occur, string>> = { must: '+', filter: '#', should: '', must_not: '-' }
