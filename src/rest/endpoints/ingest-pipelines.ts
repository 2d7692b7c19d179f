import { setClusterSetting } from '../../engine/metadata/cluster-settings.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import { contentMap } from '../body/content-map.ts'
import type { JsonValue } from '../body/parse-json.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { judgePipelineUsers } from '../indices/judge-names.ts'
import { noteEverPut, wasEverPut } from '../ingest/ever-put.ts'
import { PIPELINES, type PipelineBody, readContext } from '../ingest/ingest-service.ts'
import { readPipeline } from '../ingest/pipeline.ts'
import { PROCESSORS } from '../ingest/processors.ts'
import { mayRedirect, runs } from '../ingest/redirecting-pipeline.ts'
import { usersOf } from '../ingest/write-pipelines.ts'
import type { Json } from '../json/json-writer.ts'
import { removeDamaged } from '../remove-damaged.ts'
import { ACKNOWLEDGED, type EndpointRequest } from '../rest-request.ts'

/** `PUT /_ingest/pipeline/<id>`. */
export const putPipeline: EndpointHandler = async (request, context) => {
  const { engine } = context
  const id = request.path['id'] as string
  const body = contentMap(request)
  if (body === undefined) throw new ServiceError('parse_exception', 'request body or source parameter is required')
  readPipeline(id, body, PROCESSORS, readContext(engine, request.warnings))
  checkProcessorCount(body, context)
  // Whatever is written through it, by whom and to which index, could be sent to one that its author reads.
  if (mayRedirect(body)) request.authorizeDomain('PUT')
  judgeUsers(request, context, id)
  await engine.extras.put(PIPELINES, id, body)
  noteAll(request, context)
  return ACKNOWLEDGED
}

/** Refuses a pipeline of more processors than the cluster's settings allow. @throws {ServiceError} illegal_state_exception */
function checkProcessorCount(body: { readonly [name: string]: JsonValue }, { engine }: RestContext): void {
  const limit = setClusterSetting('cluster.ingest.max_number_processors', engine)
  const count = processorCount(body['processors']) + processorCount(body['on_failure'])
  if (limit === undefined || count <= Number(limit)) return
  const reason = `Cannot use more than the maximum processors allowed. Number of processors being configured is [${count}] which exceeds the maximum allowed configuration of [${limit}] processors.`
  throw new ServiceError('illegal_state_exception', reason)
}

/** Those of a list, and those that run where they fail. */
function processorCount(list: JsonValue | undefined): number {
  if (!Array.isArray(list)) return 0
  const configs = list.flatMap((entry) => (isObject(entry) ? Object.values(entry) : []))
  return configs.reduce(
    (sum: number, config) => sum + 1 + (isObject(config) ? processorCount(config['on_failure']) : 0),
    0,
  )
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
  if (await removeDamaged(request, context, `extra/${PIPELINES}/${id}`)) return ACKNOWLEDGED
  const found = named(id, engine.extras.entries(PIPELINES))
  if (found.length === 0) {
    if (id === '*' || !wasEverPut(PIPELINES, engine.extras)) return ACKNOWLEDGED
    throw new ServiceError('resource_not_found_exception', `pipeline [${id}] is missing`)
  }
  for (const [name] of found) judgeUsers(request, context, name)
  await noteEverPut(PIPELINES, engine.extras)
  await Promise.all(found.map(([name]) => engine.extras.delete(PIPELINES, name)))
  noteAll(request, context)
  return ACKNOWLEDGED
}

/** 6.x reads all pipelines anew with each that is changed, and warns of what any of them uses. */
function noteAll({ warnings }: EndpointRequest, { engine }: RestContext): void {
  if (engine.version !== 'Elasticsearch_6.8') return
  for (const [id, body] of engine.extras.entries(PIPELINES)) {
    try {
      readPipeline(id, body as PipelineBody, PROCESSORS, readContext(engine, warnings))
    } catch {
      // What it runs (a script, a file) may be gone, which is told to who uses it.
    }
  }
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
