import { ServiceError } from '../../errors.ts'
import type { CreateInner } from './boolean-queries.ts'
import { BlockJoinQuery } from './lucene/block-join-query.ts'
import type { LuceneQuery } from './lucene/lucene-query.ts'
import { MatchNoDocsQuery } from './lucene/match-no-docs-query.ts'
import type { NestedQuery } from './query.ts'
import { failedToCreate, type QueryContext, requireAllowed } from './query-context.ts'
import { withPathFilter } from './root-documents-query.ts'

/** The DSL's `nested`: documents by their nested objects. */
export function nestedQuery(query: NestedQuery, context: QueryContext, create: CreateInner): LuceneQuery {
  requireAllowed('[joining] queries', context)
  if (!context.search.mapping.isNested(query.path)) {
    if (query.ignoreUnmapped) return new MatchNoDocsQuery('')
    const reason = `[nested] failed to find nested object under path [${query.path}]`
    throw failedToCreate(context, new ServiceError('illegal_state_exception', reason))
  }
  const child = create(query.query, { ...context, nestedPath: query.path })
  const join = { childPath: query.path, parentPath: context.nestedPath, scoreMode: query.scoreMode }
  return new BlockJoinQuery(child, join, withPathFilter(child, query.path, context.search))
}
