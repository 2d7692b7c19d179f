import { ServiceError } from '../../../errors.ts'
import type { IndexMapping } from '../../mapping/index-mapping.ts'
import { BlockJoinQuery } from '../lucene/block-join-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import type { CreateInner } from './boolean-queries.ts'
import type { NestedQuery } from './query.ts'
import { failedToCreate, type QueryContext, requireAllowed } from './query-context.ts'
import { withPathFilter } from './root-documents-query.ts'

/** The DSL's `nested`: documents by their nested objects. */
export function nestedQuery(query: NestedQuery, context: QueryContext, create: CreateInner): LuceneQuery {
  requireAllowed('[joining] queries', context)
  const { mapping } = context.search
  if (!mapping.isNested(query.path)) {
    if (query.ignoreUnmapped && !mapping.isObject(query.path)) return new MatchNoDocsQuery('')
    throw failedToCreate(context, new ServiceError('illegal_state_exception', notNested(query.path, mapping)))
  }
  const child = create(query.query, { ...context, nestedPath: query.path })
  const join = { childPath: query.path, parentPath: context.nestedPath, scoreMode: query.scoreMode }
  return new BlockJoinQuery(child, join, withPathFilter(child, query.path, context.search))
}

/** What is wrong with a path that leads to no nested object. */
export const notNested = (path: string, mapping: Pick<IndexMapping, 'isObject'>): string =>
  mapping.isObject(path)
    ? `[nested] nested object under path [${path}] is not of nested type`
    : `[nested] failed to find nested object under path [${path}]`
