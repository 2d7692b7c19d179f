import { ServiceError } from '../../errors.ts'
import { byQueryOptions, checkByQuerySearch, searchRequestOf } from '../by-query/by-query-options.ts'
import { existingDocuments } from '../by-query/existing-documents.ts'
import { runByQuery } from '../by-query/run-by-query.ts'
import { sourceOf } from '../by-query/stored-source.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { bodyObject } from '../rest-request.ts'
import { parseSearchBody } from '../search/search-body.ts'
import { openView } from '../search/search-view.ts'
import { WHOLE_SOURCE } from './source-filter.ts'

/**
 * `POST /<index>/_update_by_query`: indexes again what a query finds, unless it was changed since, so that it takes on
 * changes of the mapping.
 */
export const updateByQuery: EndpointHandler = (request, context) => {
  const { conflicts, max_docs: maxDocs, size, script, ...rest } = bodyObject(request) ?? {}
  if (maxDocs !== undefined && request.dialect.typed)
    throw new ServiceError('parsing_exception', 'Unknown key for a VALUE_NUMBER in [max_docs].')
  if (script !== undefined) {
    throw new ServiceError(
      'illegal_argument_exception',
      'scripts are not supported by this domain: read, change and index the documents',
    )
  }
  const inner = searchRequestOf(request, size)
  const search = parseSearchBody(inner, rest)
  checkByQuerySearch(search)
  const options = byQueryOptions(request, { conflicts, maxDocs })
  const view = openView(inner, context, '_update_by_query')
  return runByQuery(request, context, {
    action: 'indices:data/write/update/byquery',
    description: `update-by-query [${request.path['index']?.split(',').join(', ')}]`,
    shown: { updated: true, created: false },
    view,
    search,
    options,
    change: existingDocuments(
      context,
      (matched) => ({
        kind: 'index',
        type: matched.document.type,
        id: matched.document.id,
        source: sourceOf(matched, WHOLE_SOURCE),
        versionType: 'internal',
        ifSeqNo: matched.document.seqNo,
        ifPrimaryTerm: matched.document.primaryTerm,
        ...(matched.document.routing === undefined ? {} : { routing: matched.document.routing }),
      }),
      request.parameters.text('pipeline'),
    ),
  })
}
