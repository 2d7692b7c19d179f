import type { DocumentOperation, ScriptedDocument } from '../../engine/index/document-operation.ts'
import { byQueryBody } from '../by-query/by-query-body.ts'
import { byQueryOptions } from '../by-query/by-query-options.ts'
import { checkByQuerySearch, parseByQuerySearch, searchRequestOf } from '../by-query/by-query-search.ts'
import { existingDocuments } from '../by-query/existing-documents.ts'
import type { MatchedDocument } from '../by-query/found-documents.ts'
import { openSearched, sourcesOf } from '../by-query/open-searched.ts'
import { runByQuery } from '../by-query/run-by-query.ts'
import { sourceOf } from '../by-query/stored-source.ts'
import type { SourceFilter } from '../documents/source-filter.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { ByQueryScript } from '../script/by-query-script.ts'
import { readMapScript } from '../script/read-map-script.ts'
import { scriptsFor } from '../search/stored-script.ts'

/**
 * `POST /<index>/_update_by_query`: indexes again what a query finds, unless it was changed since, so that it takes on
 * changes of the mapping.
 */
export const updateByQuery: EndpointHandler = (request, context) => {
  const { engineVersion } = request.dialect
  const body = byQueryBody(
    request,
    (json) =>
      new ByQueryScript(readMapScript(json, request, scriptsFor(request, context.engine)), false, engineVersion),
  )
  const { script } = body
  const inner = searchRequestOf(request)
  const search = parseByQuerySearch(request, inner, body.search)
  const options = byQueryOptions(request, body)
  checkByQuerySearch(search, options, request)
  return runByQuery(request, context, {
    action: 'indices:data/write/update/byquery',
    description: `update-by-query [${sourcesOf(request).join(', ')}]${script?.told ?? ''}`,
    shown: { updated: true, created: false },
    sources: sourcesOf(request),
    open: () => openSearched(inner, context, '_update_by_query', search),
    search,
    options,
    change: {
      ...existingDocuments(
        context,
        (matched) => changeOf(matched, search.fetch.source),
        request.parameters.text('pipeline'),
      ),
      ...(script === undefined
        ? {}
        : { script: (matched) => script.run(scriptedDocument(matched, sourceOf(matched, search.fetch.source))) }),
    },
  })
}

/** A matched document as its script sees it. */
function scriptedDocument({ index, document }: MatchedDocument, source: Buffer): ScriptedDocument {
  const { type, id, version, routing } = document
  return { index: index.name, type, id, version, routing, source }
}

/** What becomes of a document; as the real server has it, only what `_source` lets through is written again. */
function changeOf(matched: MatchedDocument, filter: SourceFilter): DocumentOperation & { readonly id: string } {
  const { document, scripted } = matched
  const { type, id, routing } = document
  const checked = {
    type,
    id,
    versionType: 'internal' as const,
    ifSeqNo: document.seqNo,
    ifPrimaryTerm: document.primaryTerm,
    ...(routing === undefined ? {} : { routing }),
  }
  if (scripted?.op === 'delete') return { kind: 'delete', ...checked }
  return { kind: 'index', ...checked, source: scripted?.source ?? sourceOf(matched, filter) }
}
