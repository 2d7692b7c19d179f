import { ServiceError } from '../../errors.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { judgePipelineUsers } from '../indices/judge-names.ts'
import { usersOf } from '../ingest/write-pipelines.ts'
import type { Json } from '../json/json-writer.ts'
import { ACKNOWLEDGED, bodyObject, type EndpointRequest } from '../rest-request.ts'
import { readSearchPipeline, SEARCH_PIPELINES } from '../search-pipelines/search-pipeline.ts'
import { deletePipelines, namedPipelines } from '../stored-pipelines.ts'

/** `PUT /_search/pipeline/<id>`. */
export const putSearchPipeline: EndpointHandler = async (request, context) => {
  const id = request.path['id'] as string
  const body = bodyObject(request)
  if (body === undefined) throw new ServiceError('parse_exception', 'request body or source parameter is required')
  readSearchPipeline(id, body, request.queries)
  judgeUsers(request, context, id)
  await context.engine.extras.put(SEARCH_PIPELINES, id, body)
  return ACKNOWLEDGED
}

/** `GET /_search/pipeline[/<ids>]`: those that are there; 404 when there is none of them. */
export const getSearchPipeline: EndpointHandler = (request, { engine }) => {
  const found = namedPipelines(request.path['id'], SEARCH_PIPELINES, engine.extras)
  return { status: found.length === 0 ? 404 : 200, json: Object.fromEntries(found) as Json }
}

/** `DELETE /_search/pipeline/<id>`, which may be a pattern. */
export const deleteSearchPipeline: EndpointHandler = (request, context) =>
  deletePipelines(request, context, {
    kind: SEARCH_PIPELINES,
    judge: (name) => judgeUsers(request, context, name),
  })

/** Judges what a pipeline is changed for: indices whose searches go through it unasked. @throws {Error} the access layer's denial */
function judgeUsers(request: EndpointRequest, context: RestContext, id: string): void {
  judgePipelineUsers(request, context, usersOf(context.engine, id, ['index.search.default_pipeline']))
}
