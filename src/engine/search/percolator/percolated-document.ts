import type { EngineVersion } from '../../engine-version.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { SegmentReader } from '../../index/segment-reader.ts'
import { SearchContext } from '../lucene/search-context.ts'
import { createQuery } from '../queries/create-query.ts'
import type { PercolateQuery, Query } from '../queries/query.ts'
import { openPercolation, type Percolation } from './percolation.ts'
import { StoredQueries } from './stored-queries.ts'

/** What a hit's stored query finds of the documents that are percolated. */
export interface PercolatedHit {
  readonly query: Query
  /** Numbers of the documents, ascending; never empty. */
  readonly slots: readonly number[]
  readonly percolation: Percolation
}

/** Which documents of a percolate query a hit finds; undefined: none, or it stores no query. */
export function percolatedHit(
  percolate: PercolateQuery,
  searcher: IndexSearcher,
  hit: { readonly segment: SegmentReader; readonly doc: number },
  options: { readonly engineVersion: EngineVersion; readonly now: number },
): PercolatedHit | undefined {
  const field = searcher.mapping.field(percolate.field)
  if (field === undefined) return undefined
  const query = new StoredQueries(hit.segment, field.path, percolate).read(hit.doc)
  if (query === undefined) return undefined
  const percolation = openPercolation(percolate, searcher, new SearchContext(searcher, options), createQuery)
  const slots = percolation.match(query, false)?.slots
  return slots === undefined ? undefined : { query, slots, percolation }
}
