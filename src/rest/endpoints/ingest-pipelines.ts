import type { Engine } from '../../engine/engine.ts'
import { setClusterSetting } from '../../engine/metadata/cluster-settings.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { contentMap } from '../body/content-map.ts'
import type { JsonValue } from '../body/parse-json.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { judgePipelineUsers } from '../indices/judge-names.ts'
import { keepReady, PIPELINES, type PipelineBody, readContext } from '../ingest/ingest-service.ts'
import { type ReadContext, readPipeline, readPipelineInTurns } from '../ingest/pipeline.ts'
import { PROCESSORS } from '../ingest/processors.ts'
import { mayRedirect, runs } from '../ingest/redirecting-pipeline.ts'
import { usersOf } from '../ingest/write-pipelines.ts'
import type { Json } from '../json/json-writer.ts'
import { ACKNOWLEDGED, type EndpointRequest } from '../rest-request.ts'
import { deletePipelines, namedPipelines } from '../stored-pipelines.ts'

/** `PUT /_ingest/pipeline/<id>`. */
export const putPipeline: EndpointHandler = async (request, context) => {
  const { engine } = context
  const id = request.path['id'] as string
  const body = contentMap(request)
  if (body === undefined) throw new ServiceError('parse_exception', 'request body or source parameter is required')
  const pipeline = await readPipelineInTurns(id, body, PROCESSORS, readContext(engine, request.warnings))
  checkProcessorCount(body, context)
  // Whatever is written through it, by whom and to which index, could be sent to one that its author reads.
  if (mayRedirect(body)) request.authorizeDomain('PUT')
  judgeUsers(request, context, id)
  await engine.extras.put(PIPELINES, id, body)
  // Somebody else may have put another meanwhile.
  if (engine.extras.get(PIPELINES, id) === body) keepReady(body, pipeline)
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
  const found = namedPipelines(request.path['id'], PIPELINES, engine.extras)
  return { status: found.length === 0 ? 404 : 200, json: Object.fromEntries(found) as Json }
}

/** `DELETE /_ingest/pipeline/<id>`. */
export const deletePipeline: EndpointHandler = (request, context) =>
  deletePipelines(request, context, {
    kind: PIPELINES,
    judge: (name) => judgeUsers(request, context, name),
    onDeleted: () => noteAll(request, context),
  })

type Note = Parameters<ReadContext['deprecated']>

/** What each stored pipeline that was read uses of what is deprecated, by a text of its own. */
const noted = new WeakMap<PipelineBody, ReadonlyMap<string, Note>>()

/** 6.x reads all pipelines anew with each that is changed, and warns of what any of them uses. */
function noteAll({ warnings }: EndpointRequest, { engine }: RestContext): void {
  if (engine.version !== 'Elasticsearch_6.8') return
  // Thousands may use the same.
  const all = new Map<string, Note>()
  for (const [id, body] of namedPipelines<PipelineBody>(undefined, PIPELINES, engine.extras))
    for (const [text, note] of noted.get(body) ?? notesOf(id, body, engine)) all.set(text, note)
  for (const note of all.values()) warnings.note(...note)
}

function notesOf(id: string, body: PipelineBody, engine: Engine): ReadonlyMap<string, Note> {
  const notes = new Map<string, Note>()
  const deprecated = (...note: Note): void => void notes.set(note.join('\n'), note)
  try {
    readPipeline(id, body, PROCESSORS, { ...readContext(engine), deprecated })
    noted.set(body, notes)
  } catch {
    // What it runs (a script, a file) may be gone, which is told to who uses it; it may be there again.
  }
  return notes
}

/** Judges what a pipeline is changed for: indices whose settings name it, or of any name where another pipeline runs it. */
function judgeUsers(request: EndpointRequest, context: RestContext, id: string): void {
  const { engine } = context
  judgePipelineUsers(request, context, usersOf(engine, id))
  if ([...engine.extras.entries(PIPELINES)].some(([, pipeline]) => runs(pipeline, 'name', id)))
    request.authorizeDomain('PUT')
}
