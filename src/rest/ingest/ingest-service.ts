import type { Engine } from '../../engine/engine.ts'
import type { IndexOperation } from '../../engine/index/document-operation.ts'
import { hasUnusualNumbers, parseLosslessJson } from '../../engine/mapping/lossless-json.ts'
import { ServiceError } from '../../errors.ts'
import { writeJson } from '../json/json-writer.ts'
import { type JsonValue, parseJson } from '../parse-json.ts'
import { isObject } from '../rest-request.ts'
import { storedScript } from '../search/stored-script.ts'
import { IngestDocument, textOf, type Value, type ValueMap } from './ingest-document.ts'
import { processorError } from './ingest-fault.ts'
import { readPipeline, runPipeline } from './pipeline.ts'
import { type IngestRun, type Pipeline, ProcessorFailure } from './processor.ts'
import { PROCESSORS } from './processors.ts'
import { jsonOf } from './value-json.ts'
import { type WritePipelines, writePipelines } from './write-pipelines.ts'

/** Namespace of pipelines among what the engine keeps. */
export const PIPELINES = 'ingest_pipeline'

/** A pipeline's body as it was put. */
export type PipelineBody = { readonly [name: string]: JsonValue }

/** Pipelines that were read, by the body they were read from. */
const ready = new WeakMap<object, Pipeline>()

/** A stored pipeline; undefined: there is none. */
export function storedPipeline(engine: Engine, id: string): Pipeline | undefined {
  const body = engine.extras.get(PIPELINES, id) as PipelineBody | undefined
  if (body === undefined) return undefined
  let pipeline = ready.get(body)
  if (pipeline === undefined) {
    pipeline = readPipeline(id, body, PROCESSORS, engine.version, (name) => storedScript(engine, name))
    ready.set(body, pipeline)
  }
  return pipeline
}

/** What a run of pipelines needs of the engine. */
export function ingestRun(engine: Engine): IngestRun {
  const isOld = engine.version === 'Elasticsearch_6.8'
  return {
    pipeline: (id) => storedPipeline(engine, id),
    within: [],
    // From 7 on the fault itself is told, not the wrapping.
    error: ({ fault, processor }) => (isOld ? processorError(fault, processor) : fault.plain),
  }
}

/** A document to be written, and where to. */
export interface IngestedOperation {
  readonly index: string
  readonly operation: IndexOperation
}

/**
 * Runs a write through its pipelines. One that sends the document to another index is followed by that index's final
 * pipeline instead of the first one's; a final pipeline may not do so.
 *
 * @param index  undefined: `_index` is not known to the pipeline (an update's part in a bulk of 6.8)
 * @returns      the write as the pipelines leave it; undefined: the document is dropped
 * @throws {ServiceError} illegal_argument_exception when there is no such pipeline, exception when a processor fails,
 *   illegal_state_exception for a final pipeline that moves the document
 */
export function ingest(
  engine: Engine,
  { first, final }: WritePipelines,
  index: string | undefined,
  operation: IndexOperation,
): IngestedOperation | undefined {
  let made: IngestedOperation | undefined = { index: index ?? '', operation }
  let last = final
  if (first !== undefined) {
    made = runOne(engine, first, index, operation)
    if (made === undefined) return undefined
    if (made.index !== (index ?? '')) last = writePipelines(engine, made.index, undefined).final
  }
  if (last === undefined) return made
  const target: string = made.index
  const done = runOne(engine, last, target === '' ? undefined : target, made.operation)
  if (done !== undefined && done.index !== target) {
    throw new ServiceError('illegal_state_exception', `final pipeline [${last}] can't change the target index`, {
      status: 500,
    })
  }
  return done
}

function runOne(
  engine: Engine,
  id: string,
  index: string | undefined,
  operation: IndexOperation,
): IngestedOperation | undefined {
  const pipeline = storedPipeline(engine, id)
  if (pipeline === undefined)
    throw new ServiceError('illegal_argument_exception', `pipeline with id [${id}] does not exist`)
  const metadata: ValueMap = {
    _index: index ?? null,
    _type: operation.type,
    _id: operation.id ?? null,
    ...(operation.routing === undefined ? {} : { _routing: operation.routing }),
    ...(operation.version === undefined ? {} : { _version: operation.version }),
  }
  const document = new IngestDocument(sourceOf(operation.source), metadata)
  const run = ingestRun(engine)
  try {
    if (!runPipeline(pipeline, document, run)) return undefined
  } catch (error) {
    if (error instanceof ProcessorFailure) throw run.error(error)
    throw error
  }
  const { _index, _type, _id, _routing } = document.metadata
  const { id: _, routing: __, ...rest } = operation
  return {
    index: text(_index) ?? index ?? '',
    operation: {
      ...rest,
      type: text(_type) ?? operation.type,
      ...(text(_id) === undefined ? {} : { id: text(_id) as string }),
      ...(text(_routing) === undefined ? {} : { routing: text(_routing) as string }),
      source: Buffer.from(writeJson(jsonOf(document.source))),
    },
  }
}

function text(value: Value | undefined): string | undefined {
  return value === undefined || value === null ? undefined : textOf(value)
}

function sourceOf(source: Buffer): ValueMap {
  const json = source.toString('utf8')
  let parsed: unknown
  try {
    parsed = parseJson(json)
    if (hasUnusualNumbers(json)) parsed = parseLosslessJson(json)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new ServiceError('parse_exception', 'Failed to parse content to map', { cause: error })
  }
  if (isObject(parsed)) return parsed as ValueMap
  throw new ServiceError('parse_exception', 'Failed to parse content to map')
}
