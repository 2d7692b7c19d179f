import { ServiceError } from '../../errors.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import { contentMap } from '../body/content-map.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { judgePipelineUsers } from '../indices/judge-names.ts'
import { PIPELINES, type PipelineBody, readContext } from '../ingest/ingest-service.ts'
import { readPipeline } from '../ingest/pipeline.ts'
import { PROCESSORS } from '../ingest/processors.ts'
import { mayRedirect, runs } from '../ingest/redirecting-pipeline.ts'
import { usersOf } from '../ingest/write-pipelines.ts'
import type { Json } from '../json/json-writer.ts'
import { ACKNOWLEDGED, type EndpointRequest } from '../rest-request.ts'

/** `PUT /_ingest/pipeline/<id>`. */
export const putPipeline: EndpointHandler = async (request, context) => {
  const { engine } = context
  const id = request.path['id'] as string
  const body = contentMap(request)
  if (body === undefined) throw new ServiceError('parse_exception', 'request body or source parameter is required')
  readPipeline(id, body, PROCESSORS, readContext(engine, request.warnings))
  // Whatever is written through it, by whom and to which index, could be sent to one that its author reads.
  if (mayRedirect(body)) request.authorizeDomain('PUT')
  judgeUsers(request, context, id)
  await engine.extras.put(PIPELINES, id, body)
  return ACKNOWLEDGED
}

/** `GET /_ingest/pipeline[/<id>]`: those that are there; 404 when there is none of them. */
export const getPipeline: EndpointHandler = (request, { engine }) => {
  const found = named(request.path['id'], engine.extras.entries(PIPELINES))
  return { status: found.length === 0 ? 404 : 200, json: Object.fromEntries(found) as Json }
}

/** `DELETE /_ingest/pipeline/<id>`. */
export const deletePipeline: EndpointHandler = async (request, context) => {
  const { engine } = context
  const id = request.path['id'] as string
  const found = named(id, engine.extras.entries(PIPELINES))
  if (found.length === 0 && id !== '*')
    throw new ServiceError('resource_not_found_exception', `pipeline [${id}] is missing`)
  for (const [name] of found) judgeUsers(request, context, name)
  await Promise.all(found.map(([name]) => engine.extras.delete(PIPELINES, name)))
  return ACKNOWLEDGED
}

/** Judges what a pipeline is changed for: indices whose settings name it, or of any name where another pipeline runs it. */
function judgeUsers(request: EndpointRequest, context: RestContext, id: string): void {
  const { engine } = context
  judgePipelineUsers(request, context, usersOf(engine, id))
  if ([...engine.extras.entries(PIPELINES)].some(([, pipeline]) => runs(pipeline, 'name', id)))
    request.authorizeDomain('PUT')
}

function named(
  expression: string | undefined,
  pipelines: Iterable<readonly [name: string, body: unknown]>,
): (readonly [name: string, body: PipelineBody])[] {
  const patterns = expression === undefined ? ['*'] : expression.split(',')
  return [...pipelines]
    .filter(([name]) => patterns.some((pattern) => matchWildcard(pattern, name)))
    .map(([name, body]) => [name, body as PipelineBody] as const)
}
