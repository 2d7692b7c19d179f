import { BoostQuery } from '../lucene/boost-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'

/** A query under a boost; itself when that is 1. */
export function boosted(query: LuceneQuery, boost: number): LuceneQuery {
  return boost === 1 ? query : new BoostQuery(query, boost)
}
