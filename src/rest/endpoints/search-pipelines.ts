import type { Engine } from '../../engine/engine.ts'
import { ServiceError } from '../../errors.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { judgePipelineUsers } from '../indices/judge-names.ts'
import { noteEverPut, wasEverPut } from '../ingest/ever-put.ts'
import { usersOf } from '../ingest/write-pipelines.ts'
import type { Json } from '../json/json-writer.ts'
import { removeDamaged } from '../remove-damaged.ts'
import { ACKNOWLEDGED, bodyObject, type EndpointRequest } from '../rest-request.ts'
import { readSearchPipeline, SEARCH_PIPELINES } from '../search-pipelines/search-pipeline.ts'

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
  const found = named(request.path['id'], engine)
  return { status: found.length === 0 ? 404 : 200, json: Object.fromEntries(found) as Json }
}

/** `DELETE /_search/pipeline/<id>`, which may be a pattern. */
export const deleteSearchPipeline: EndpointHandler = async (request, context) => {
  const { engine } = context
  const id = request.path['id'] as string
  if (await removeDamaged(request, context, `extra/${SEARCH_PIPELINES}/${id}`)) return ACKNOWLEDGED
  const found = named(id, engine)
  if (found.length === 0) {
    if (id === '*' || !wasEverPut(SEARCH_PIPELINES, engine.extras)) return ACKNOWLEDGED
    throw new ServiceError('resource_not_found_exception', `pipeline [${id}] is missing`)
  }
  for (const [name] of found) judgeUsers(request, context, name)
  await noteEverPut(SEARCH_PIPELINES, engine.extras)
  await Promise.all(found.map(([name]) => engine.extras.delete(SEARCH_PIPELINES, name)))
  return ACKNOWLEDGED
}

/** Judges what a pipeline is changed for: indices whose searches go through it unasked. @throws {Error} the access layer's denial */
function judgeUsers(request: EndpointRequest, context: RestContext, id: string): void {
  judgePipelineUsers(request, context, usersOf(context.engine, id, ['index.search.default_pipeline']))
}

function named(expression: string | undefined, { extras }: Engine): (readonly [name: string, body: unknown])[] {
  const patterns = expression?.split(',') ?? ['*']
  return [...extras.entries(SEARCH_PIPELINES)].filter(([name]) =>
    patterns.some((pattern) => matchWildcard(pattern, name)),
  )
}
