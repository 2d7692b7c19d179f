import { byQueryBody } from '../by-query/by-query-body.ts'
import { byQueryOptions } from '../by-query/by-query-options.ts'
import { checkByQuerySearch, parseByQuerySearch, searchRequestOf } from '../by-query/by-query-search.ts'
import { existingDocuments } from '../by-query/existing-documents.ts'
import { openSearched, sourcesOf } from '../by-query/open-searched.ts'
import { runByQuery } from '../by-query/run-by-query.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'

/** `POST /<index>/_delete_by_query`: deletes what a query finds, unless it was changed since. */
export const deleteByQuery: EndpointHandler = (request, context) => {
  const body = byQueryBody(request)
  const inner = searchRequestOf(request)
  const search = parseByQuerySearch(request, inner, body.search)
  const options = byQueryOptions(request, body)
  checkByQuerySearch(search, options, request, search.hasQuery ? [] : ['query is missing'])
  return runByQuery(request, context, {
    action: 'indices:data/write/delete/byquery',
    description: `delete-by-query [${sourcesOf(request).join(', ')}]`,
    shown: { updated: false, created: false },
    sources: sourcesOf(request),
    open: () => openSearched(inner, context, '_delete_by_query', search),
    search,
    options,
    change: existingDocuments(context, ({ document }) => ({
      kind: 'delete',
      type: document.type,
      id: document.id,
      versionType: 'internal',
      ifSeqNo: document.seqNo,
      ifPrimaryTerm: document.primaryTerm,
      ...(document.routing === undefined ? {} : { routing: document.routing }),
    })),
  })
}
