import { ServiceError } from '../../errors.ts'
import { rewritten } from '../../parse-fault.ts'
import { byQueryOptions, checkByQuerySearch, searchRequestOf } from '../by-query/by-query-options.ts'
import { existingDocuments } from '../by-query/existing-documents.ts'
import { runByQuery } from '../by-query/run-by-query.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { bodyObject } from '../rest-request.ts'
import { openView } from '../search/open-view.ts'
import { parseSearchBody } from '../search/search-body.ts'

/** `POST /<index>/_delete_by_query`: deletes what a query finds, unless it was changed since. */
export const deleteByQuery: EndpointHandler = (request, context) => {
  const { conflicts, max_docs: maxDocs, ...rest } = bodyObject(request) ?? {}
  if (maxDocs !== undefined && request.dialect.typed) throw unknownKey('max_docs')
  const inner = searchRequestOf(request, rest)
  const search = rewritten(() => parseSearchBody(inner, rest))
  const options = byQueryOptions(request, { conflicts, maxDocs: maxDocs === undefined ? [] : [{ value: maxDocs }] })
  const hasQuery = rest['query'] !== undefined || request.parameters.has('q')
  checkByQuerySearch(search, options, hasQuery ? [] : ['query is missing'])
  const view = openView(inner, context, '_delete_by_query')
  return runByQuery(request, context, {
    action: 'indices:data/write/delete/byquery',
    description: `delete-by-query [${request.path['index']?.split(',').join(', ')}]`,
    shown: { updated: false, created: false },
    view,
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

/** A member that a search within another call does not have. */
function unknownKey(name: string): ServiceError {
  return new ServiceError('parsing_exception', `Unknown key for a VALUE_NUMBER in [${name}].`)
}
