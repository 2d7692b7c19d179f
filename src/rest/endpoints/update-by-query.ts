import type { DocumentOperation, ScriptedDocument } from '../../engine/index/document-operation.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { rewritten } from '../../parse-fault.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { byQueryOptions, checkByQuerySearch, searchRequestOf } from '../by-query/by-query-options.ts'
import { existingDocuments } from '../by-query/existing-documents.ts'
import type { MatchedDocument } from '../by-query/found-documents.ts'
import { runByQuery } from '../by-query/run-by-query.ts'
import { sourceOf } from '../by-query/stored-source.ts'
import type { SourceFilter } from '../documents/source-filter.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { bodyObject, type EndpointRequest } from '../rest-request.ts'
import { ByQueryScript } from '../script/by-query-script.ts'
import { openView } from '../search/open-view.ts'
import { parseSearchBody } from '../search/search-body.ts'

/**
 * `POST /<index>/_update_by_query`: indexes again what a query finds, unless it was changed since, so that it takes on
 * changes of the mapping.
 */
export const updateByQuery: EndpointHandler = (request, context) => {
  const { conflicts, max_docs: maxDocs, script, ...rest } = bodyObject(request) ?? {}
  if (maxDocs !== undefined && request.dialect.typed)
    throw new ServiceError('parsing_exception', 'Unknown key for a VALUE_NUMBER in [max_docs].')
  checkScript(script, request)
  const runner = ByQueryScript.read(script ?? undefined, false, request, context)
  const inner = searchRequestOf(request, rest)
  const search = rewritten(() => parseSearchBody(inner, rest))
  const options = byQueryOptions(request, { conflicts, maxDocs: maxDocs === undefined ? [] : [{ value: maxDocs }] })
  checkByQuerySearch(search, options)
  const view = openView(inner, context, '_update_by_query')
  return runByQuery(request, context, {
    action: 'indices:data/write/update/byquery',
    description: `update-by-query [${request.path['index']?.split(',').join(', ')}]`,
    shown: { updated: true, created: false },
    view,
    search,
    options,
    change: {
      ...existingDocuments(
        context,
        (matched) => changeOf(matched, search.fetch.source),
        request.parameters.text('pipeline'),
      ),
      ...(runner === undefined
        ? {}
        : { script: (matched) => runner.run(scriptedDocument(matched, sourceOf(matched, search.fetch.source))) }),
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

/** What the real server says of a script before it reads it. @throws {ServiceError} illegal_argument_exception, parse_exception */
function checkScript(script: JsonValue | undefined, { dialect }: EndpointRequest): void {
  if (script === undefined || script === null || typeof script === 'string') return
  if (!isObject(script))
    throw new ServiceError('illegal_argument_exception', 'Script value should be a String or a Map')
  if (script['source'] === undefined && script['id'] === undefined)
    throw new ServiceError(
      'parse_exception',
      `${dialect.typed ? 'e' : 'E'}xpected one of [source] or [id] fields, but found none`,
    )
}
