import type { Engine } from '../../engine/engine.ts'
import type { IndexOperation } from '../../engine/index/document-operation.ts'
import { hasUnusualNumbers, JsonNumber, parseLosslessJson } from '../../engine/mapping/lossless-json.ts'
import { ServiceError } from '../../errors.ts'
import { type Json, RawJson, writeJson } from '../json/json-writer.ts'
import { type JsonValue, parseJson } from '../parse-json.ts'
import { isObject } from '../rest-request.ts'
import { IngestDocument, isMap, textOf, type Value, type ValueMap } from './ingest-document.ts'
import { ProcessorFailure, readPipeline, runPipeline } from './pipeline.ts'
import type { IngestRun, Pipeline } from './processor.ts'
import { PROCESSORS } from './processors.ts'

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
    pipeline = readPipeline(id, body, PROCESSORS, engine.version)
    ready.set(body, pipeline)
  }
  return pipeline
}

/** What a run of pipelines needs of the engine. */
export function ingestRun(engine: Engine): IngestRun {
  return { pipeline: (id) => storedPipeline(engine, id), within: [] }
}

/**
 * The pipeline that a write into an index goes through: the one asked for, or the index's own; undefined: none.
 *
 * @param asked  undefined: nothing was said; `_none`: none
 */
export function pipelineOf(engine: Engine, index: string, asked: string | undefined): string | undefined {
  const own = asked ?? defaultPipeline(engine, index)
  return own === '_none' || own === '' ? undefined : own
}

/** `index.default_pipeline` of an index, or of the one an alias leads to. */
export function defaultPipeline(engine: Engine, index: string): string | undefined {
  const setting = 'index.default_pipeline'
  const metadata =
    engine.indices.get(index) ?? [...engine.indices.values()].find(({ aliases }) => Object.hasOwn(aliases, index))
  const value = metadata?.settings[setting]
  return typeof value === 'string' && value !== '_none' ? value : undefined
}

/** Whether any index has a pipeline of its own. */
export function hasDefaultPipelines(engine: Engine): boolean {
  for (const { settings } of engine.indices.values()) {
    const value = settings['index.default_pipeline']
    if (value !== undefined && value !== null && value !== '_none') return true
  }
  return false
}

/** Refuses updates that would have to go through a pipeline. @throws {ServiceError} illegal_argument_exception */
export function checkUpdatable(engine: Engine, index: string): void {
  const pipeline = defaultPipeline(engine, index)
  if (pipeline === undefined) return
  throw new ServiceError(
    'illegal_argument_exception',
    `updates of an index with a default pipeline [${pipeline}] are not supported by this domain: index the whole document`,
  )
}

/** A document to be written, and where to. */
export interface IngestedOperation {
  readonly index: string
  readonly operation: IndexOperation
}

/**
 * Runs a write through a pipeline.
 *
 * @returns  the write as the pipeline leaves it; undefined: the document is dropped
 * @throws {ServiceError} illegal_argument_exception when there is no such pipeline, exception when a processor fails
 */
export function ingest(
  engine: Engine,
  id: string,
  index: string,
  operation: IndexOperation,
): IngestedOperation | undefined {
  const pipeline = storedPipeline(engine, id)
  if (pipeline === undefined)
    throw new ServiceError('illegal_argument_exception', `pipeline with id [${id}] does not exist`)
  const metadata: ValueMap = {
    _index: index,
    _type: operation.type,
    _id: operation.id ?? null,
    ...(operation.routing === undefined ? {} : { _routing: operation.routing }),
    ...(operation.version === undefined ? {} : { _version: operation.version }),
  }
  const document = new IngestDocument(sourceOf(operation.source), metadata)
  try {
    if (!runPipeline(pipeline, document, ingestRun(engine))) return undefined
  } catch (error) {
    if (error instanceof ProcessorFailure) throw error.error
    throw error
  }
  const { _index, _type, _id, _routing } = document.metadata
  const { id: _, routing: __, ...rest } = operation
  return {
    index: text(_index) ?? index,
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

/** A value as JSON, numbers as they were written. */
export function jsonOf(value: Value): Json {
  if (value instanceof JsonNumber) return new RawJson(value.text)
  if (Array.isArray(value)) return value.map(jsonOf)
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, jsonOf(member)]))
  return value
}
