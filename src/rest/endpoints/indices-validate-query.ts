import { STRICT_FIND_SOME_OPEN } from '../../engine/metadata/indices-options.ts'
import { queryText } from '../../engine/search/explain-document.ts'
import type { Query } from '../../engine/search/queries/query.ts'
import { ServiceError } from '../../errors.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { asShardError, detailedMessage } from '../errors/detailed-message.ts'
import type { Json } from '../json/json-writer.ts'
import {
  bodyObject,
  checkOnlyMember,
  type EndpointRequest,
  type EndpointResponse,
  isBlank,
  noQuery,
} from '../rest-request.ts'
import { openView } from '../search/open-view.ts'
import { onlyQueryOf } from '../search/search-body.ts'
import type { SearchView } from '../search/search-view.ts'

/** Faults that are no answer to whether a query is valid. */
const PASSED_ON: ReadonlySet<string> = new Set(['index_not_found_exception', 'action_request_validation_exception'])

/** `GET|POST [/<index>]/_validate/query`. */
export const indicesValidateQuery: EndpointHandler = (request, context) => {
  const isRewritten = request.parameters.boolean('rewrite', false)
  const ofEachShard = request.parameters.boolean('all_shards', false)
  const explain = request.parameters.boolean('explain', false) || isRewritten || ofEachShard
  const { engineVersion } = request.dialect
  let query: Query
  try {
    const body = isBlank(request) ? {} : bodyObject(request, noQuery)
    if (body !== undefined) checkOnlyMember(body, 'query')
    if (body !== undefined && Object.keys(body).length === 0) throw validationFailed(['query cannot be null'])
    query = onlyQueryOf(request, body)
  } catch (error) {
    if (!(error instanceof ServiceError) || PASSED_ON.has(error.type)) throw error
    // A document to percolate that is not there is looked for once the query is read.
    if (error.type === 'resource_not_found_exception') return askedOfNone(error)
    const detail = request.parameters.boolean('explain', false)
      ? { error: detailedMessage(request.places?.locate(error) ?? error, engineVersion) }
      : {}
    return { status: 200, json: { valid: false, ...detail } }
  }
  const view = openedUnlessBlocked(request, context)
  if (view instanceof ServiceError) return askedOfNone(view)
  try {
    const explanations: Json[] = []
    let valid = true
    for (const [searcher, shard] of asked(view, ofEachShard)) {
      const place = { index: searcher.indexName, ...(shard === undefined ? {} : { shard }) }
      try {
        const explanation = queryText(query, searcher, {
          engineVersion,
          now: Date.now(),
          isRewritten,
          limits: view.limits(view.searchers.indexOf(searcher)),
        })
        explanations.push({ ...place, valid: true, explanation })
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        valid = false
        const { indexName: index, indexUuid } = searcher
        const said = asShardError(error, index, indexUuid, query.written?.())
        explanations.push({ ...place, valid: false, error: detailedMessage(said, engineVersion) })
      }
    }
    const shards = asked(view, ofEachShard).length
    return {
      status: 200,
      json: {
        _shards: { total: shards, successful: shards, failed: 0 },
        valid,
        ...(explain && explanations.length > 0 ? { explanations } : {}),
      },
    }
  } finally {
    view.release()
  }
}

/** A block is an answer, and no fault of the request. */
function openedUnlessBlocked(request: EndpointRequest, context: RestContext): SearchView | ServiceError {
  try {
    return openView(request, context, '_validate', STRICT_FIND_SOME_OPEN)
  } catch (error) {
    if (error instanceof ServiceError && error.type === 'cluster_block_exception') return error
    throw error
  }
}

/** One shard of each index, or all of them: those of one number together. */
function asked(
  { searchers, shardCounts }: SearchView,
  ofEachShard: boolean,
): readonly (readonly [searcher: SearchView['searchers'][number], shard?: number])[] {
  if (!ofEachShard) return searchers.map((searcher) => [searcher] as const)
  return searchers
    .flatMap((searcher, i) =>
      Array.from({ length: shardCounts[i] as number }, (_, shard) => [searcher, shard] as const),
    )
    .sort(([, a], [, b]) => a - b)
}

/** What is said where no shard could be asked. */
const askedOfNone = ({ reason }: ServiceError): EndpointResponse => ({
  status: 200,
  json: {
    _shards: { total: 0, successful: 0, failed: 0 },
    valid: false,
    explanations: [{ valid: false, error: reason }],
  },
})
