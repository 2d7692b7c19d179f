import type { Long } from '../../engine/algorithms/long.ts'
import type { Engine } from '../../engine/engine.ts'
import type { IndexOperation, VersionType } from '../../engine/index/document-operation.ts'
import { castFailure } from '../../engine/java/java-class-text.ts'
import { hasUnusualNumbers, JsonNumber } from '../../engine/mapping/lossless-json.ts'
import { resolveDateMathName } from '../../engine/metadata/date-math-name.ts'
import { withoutText } from '../../engine/script/script-source.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { exactJson } from '../body/exact-json.ts'
import { type JsonValue, parseJson } from '../body/parse-json.ts'
import type { Warnings } from '../deprecation/warnings.ts'
import { MATCH_ANY, versionTypeOf, type WriteChecks } from '../documents/document-parameters.ts'
import { routingOfWrite } from '../documents/routing-of-write.ts'
import { type Json, writeJson } from '../json/json-writer.ts'
import { printable } from '../json/printable-json.ts'
import { mayReadPipeline, type Rights } from '../judge-stored.ts'
import { storedScript } from '../search/stored-script.ts'
import { geoDatabase } from './geoip/geo-database.ts'
import { classOf, IngestDocument, textOf, type Value, type ValueMap } from './ingest-document.ts'
import { processorError } from './ingest-fault.ts'
import { IngestMetric } from './ingest-metric.ts'
import { type ReadContext, readPipeline, runPipeline } from './pipeline.ts'
import { type IngestRun, type Pipeline, ProcessorFailure } from './processor.ts'
import { hasProcessor } from './processor-versions.ts'
import { PROCESSORS } from './processors.ts'
import { type WritePipelines, writePipelines } from './write-pipelines.ts'

/** Namespace of pipelines among what the engine keeps. */
export const PIPELINES = 'ingest_pipeline'

/** A pipeline's body as it was put. */
export type PipelineBody = { readonly [name: string]: JsonValue }

/** Pipelines that were read, by the body they were read from. */
const ready = new WeakMap<object, Pipeline>()

/** What reading a pipeline takes of the engine. @param warnings  told of what is deprecated; absent: nobody is */
export function readContext(engine: Engine, warnings?: Warnings): ReadContext {
  return {
    engineVersion: engine.version,
    script: (name) => storedScript(engine, name),
    geoDatabase: (name) => geoDatabase(engine.dataDir, name),
    deprecated: (name, ...words) => warnings?.note(name, ...words),
  }
}

/** A stored pipeline; undefined: there is none. */
export function storedPipeline(engine: Engine, id: string): Pipeline | undefined {
  const body = engine.extras.get(PIPELINES, id) as PipelineBody | undefined
  if (body === undefined) return undefined
  let pipeline = ready.get(body)
  if (pipeline === undefined) {
    pipeline = readPipeline(id, body, PROCESSORS, readContext(engine))
    ready.set(body, pipeline)
  }
  return pipeline
}

/** Has a pipeline at hand that was just put, so that it is not read again where it is used first. @param body  as it is stored */
export function keepReady(body: PipelineBody, pipeline: Pipeline): void {
  ready.set(body, pipeline)
}

/** All that went through pipelines, by engine. */
const totals = new WeakMap<Engine, IngestMetric>()

function totalOf(engine: Engine): IngestMetric {
  let total = totals.get(engine)
  if (total === undefined) {
    total = new IngestMetric()
    totals.set(engine, total)
  }
  return total
}

/** What went through pipelines since the start, as `_nodes/stats` tells it; a pipeline put anew counts anew. */
export function ingestStatistics(engine: Engine): Json {
  const isOld = engine.version === 'Elasticsearch_6.8'
  const pipelines = [...engine.extras.entries(PIPELINES)].flatMap(([id]) => {
    const pipeline = readable(engine, id)
    if (pipeline === undefined) return []
    const processors = pipeline.processors.map(
      ({ name, type, metric }): Json => ({
        [name]: isOld ? metric.json : { type, stats: metric.json },
      }),
    )
    return [[id, { ...(pipeline.metric.json as object), processors } as Json] as const]
  })
  return { total: totalOf(engine).json, pipelines: Object.fromEntries(pipelines) }
}

/** How many pipelines there are, and what went through processors of each type, as `_cluster/stats` tells it. */
export function ingestUsage(engine: Engine): Json {
  const pipelines = [...engine.extras.entries(PIPELINES)].flatMap(([id]) => readable(engine, id) ?? [])
  const types = new Map<string, Record<string, number>>()
  for (const { type, metric } of pipelines.flatMap(({ processors }) => processors)) {
    const sum = types.get(type) ?? { count: 0, failed: 0, current: 0, time_in_millis: 0 }
    for (const name of Object.keys(sum)) sum[name] = (sum[name] as number) + metric.json[name as 'count']
    types.set(type, sum)
  }
  return { number_of_pipelines: pipelines.length, processor_stats: Object.fromEntries([...types].sort()) }
}

/** A stored pipeline; undefined also for one that an earlier version took and this one cannot read. */
function readable(engine: Engine, id: string): Pipeline | undefined {
  try {
    return storedPipeline(engine, id)
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

/** The processors a version has, as `_nodes` tells of them. */
export function ingestProcessors(engine: Engine): Json {
  const types = Object.keys(PROCESSORS).filter((type) => hasProcessor(engine.version, type))
  return { processors: types.sort().map((type) => ({ type })) }
}

/** What a run of pipelines needs of the engine. */
export function ingestRun(engine: Engine, warnings?: Warnings): IngestRun {
  const isOld = engine.version === 'Elasticsearch_6.8'
  return {
    pipeline: (id) => storedPipeline(engine, id),
    within: [],
    isOld,
    deprecated: warnings && ((name, ...words) => warnings.note(name, ...words)),
    // From 7 on the fault itself is told, not the wrapping.
    error: ({ fault, processor }) => (isOld ? processorError(fault, processor) : fault.plain),
  }
}

/** A document to be written, and where to. */
export interface IngestedOperation {
  readonly index: string
  readonly operation: IndexOperation
}

/** That a pipeline keeps a document from being written. */
export interface Refusal {
  /** Where the document was to be written then. */
  readonly index: string
  /** Undefined: the pipeline drops it. */
  readonly fault: ServiceError | undefined
}

/** A write as its pipelines leave it, or why there is none. */
export interface Ingested {
  readonly made: IngestedOperation | undefined
  /** One of each pipeline that refused the document, since the final one is run for refused documents too. */
  readonly refusals: readonly Refusal[]
}

/** Who writes, and how to warn of what a pipeline uses. */
type Writer = Rights & { readonly warnings?: Warnings }

/**
 * What {@link ingestFully} makes of a write, told of the first refusal alone.
 *
 * @returns  undefined: the document is dropped
 * @throws {ServiceError} the first refusal's fault
 */
export function ingest(
  rights: Writer,
  engine: Engine,
  pipelines: WritePipelines,
  index: string | undefined,
  operation: IndexOperation,
): IngestedOperation | undefined {
  const { made, refusals } = ingestFully(rights, engine, pipelines, index, operation)
  const fault = refusals[0]?.fault
  if (fault !== undefined) throw fault
  return made
}

/**
 * Runs a write through its pipelines. One that sends the document to another index is followed by that index's final
 * pipeline instead of the first one's; a final pipeline may not do so. Faults are illegal_argument_exception when there
 * is no such pipeline, exception when a processor fails, illegal_state_exception for a final pipeline that moves the
 * document.
 *
 * @param rights  of who writes: faults of scripts show these only to who may read them
 * @param index  undefined: `_index` is not known to the pipeline (an update's part in a bulk of 6.8)
 */
export function ingestFully(
  rights: Writer,
  engine: Engine,
  { first, final }: WritePipelines,
  index: string | undefined,
  operation: IndexOperation,
): Ingested {
  let made: IngestedOperation = { index: index ?? '', operation }
  let last = final
  const refusals: Refusal[] = []
  if (first !== undefined) {
    const run = runOne(rights, engine, first, index, operation)
    if ('operation' in run) made = run
    else refusals.push(run)
    // What comes to no processor is refused for good.
    if ('isLast' in run && run.isLast) return { made: undefined, refusals }
    if (made.index !== (index ?? '')) last = writePipelines(engine, made.index, undefined).final
  }
  if (last !== undefined) {
    const target: string = made.index
    const run = runOne(rights, engine, last, target === '' ? undefined : target, made.operation)
    if (!('operation' in run)) refusals.push(run)
    else if (run.index === target) made = run
    else {
      const reason = `final pipeline [${last}] can't change the target index`
      const fault = new ServiceError('illegal_state_exception', reason, { status: 500 })
      refusals.push({ index: run.index, fault })
    }
  }
  return { made: refusals.length === 0 ? made : undefined, refusals }
}

/** Runs a write through one pipeline. `isLast`: no other is run after this refusal. */
function runOne(
  rights: Writer,
  engine: Engine,
  id: string,
  index: string | undefined,
  operation: IndexOperation,
): IngestedOperation | (Refusal & { readonly isLast?: boolean }) {
  try {
    return throughOne(rights, engine, id, index, operation)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { index: index ?? '', fault: error, isLast: true }
  }
}

/**
 * Looks for the pipelines of writes into an index before it is made.
 *
 * @throws {ServiceError} illegal_argument_exception where one of them is not there
 */
export function checkPipelines(engine: Engine, index: string, asked: string | undefined): void {
  const { first, final } = writePipelines(engine, index, asked)
  for (const id of [first, final])
    if (id !== undefined && storedPipeline(engine, id) === undefined) throw noPipeline(id)
}

const noPipeline = (id: string): ServiceError => illegalArgument(`pipeline with id [${id}] does not exist`)

/** @throws {ServiceError} for what is wrong with all else than what a processor does */
function throughOne(
  rights: Writer,
  engine: Engine,
  id: string,
  index: string | undefined,
  operation: IndexOperation,
): IngestedOperation | Refusal {
  const pipeline = storedPipeline(engine, id)
  if (pipeline === undefined) throw noPipeline(id)
  const metadata: ValueMap = {
    _index: index ?? null,
    ...(engine.version === 'OpenSearch_2.19' ? {} : { _type: operation.type }),
    _id: operation.id ?? null,
    ...(operation.routing === undefined ? {} : { _routing: operation.routing }),
    _version: operation.version ?? MATCH_ANY,
    _version_type: operation.versionType,
  }
  const document = new IngestDocument(sourceOf(operation.source), metadata)
  const run = ingestRun(engine, rights.warnings)
  try {
    if (!totalOf(engine).measure(() => runPipeline(pipeline, document, run)))
      return { index: index ?? '', fault: undefined }
  } catch (error) {
    const isProcessor = error instanceof ProcessorFailure
    const fault = isProcessor ? run.error(error) : error
    const hides = fault instanceof ServiceError && !mayReadPipeline(rights, id, engine.extras.get(PIPELINES, id))
    const told = hides ? withoutText(fault, id) : fault
    if (isProcessor) return { index: index ?? '', fault: told as ServiceError }
    throw told
  }
  const { _index, _type, _id, _routing, _if_seq_no, _if_primary_term } = document.metadata
  const routing = routingOfWrite(text(_routing))
  const isOld = engine.version === 'Elasticsearch_6.8'
  // What a version does not know as metadata is a member of the document like any other.
  const members: ValueMap = {
    ...(!isOld || _if_seq_no === undefined ? {} : { _if_seq_no }),
    ...(!isOld || _if_primary_term === undefined ? {} : { _if_primary_term }),
    ...(engine.version !== 'OpenSearch_2.19' || _type === undefined ? {} : { _type }),
  }
  const { id: _, routing: __, version: ___, ...rest } = operation
  const named = text(_index)
  return {
    index: named === undefined ? (index ?? '') : resolveDateMathName(named, Date.now(), engine.version),
    operation: {
      ...rest,
      ...checksOf(document.metadata, operation.versionType, !isOld),
      type: engine.version === 'OpenSearch_2.19' ? operation.type : (text(_type) ?? operation.type),
      ...(text(_id) === undefined ? {} : { id: text(_id) as string }),
      ...(routing === undefined ? {} : { routing }),
      source: Buffer.from(writeJson(printable({ ...document.source, ...members }))),
    },
  }
}

/** How a write is to be checked, as a pipeline leaves that. @throws {ServiceError} for what is no number, or no kind of versions */
function checksOf(
  { _id, _version, _version_type, _if_seq_no, _if_primary_term = 0 }: ValueMap,
  asked: VersionType,
  hasCondition: boolean,
): WriteChecks {
  const version = wholeOf(_version)
  const versionType =
    _version_type === undefined || _version_type === null ? asked : versionTypeOf(textIn(_version_type))
  // What is yet to be given an id is not there, whatever version it is to have.
  const isNew = _id === undefined || _id === null
  const isFree = isNew || (versionType === 'internal' && version === MATCH_ANY)
  return {
    versionType: isNew ? 'internal' : versionType,
    ...(isFree ? {} : { version }),
    ...(!hasCondition || _if_seq_no === undefined || _if_seq_no === null
      ? {}
      : { ifSeqNo: wholeOf(_if_seq_no), ifPrimaryTerm: wholeOf(_if_primary_term) }),
  }
}

/** A number of a document's metadata, without its fraction. @throws {ServiceError} */
function wholeOf(value: Value | undefined): Long {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Math.trunc(value)
  if (value instanceof JsonNumber) return Math.trunc(value.value)
  if (value !== undefined && value !== null)
    throw new ServiceError('class_cast_exception', castFailure(classOf(value), 'java.lang.Number'))
  const reason =
    'Cannot invoke "java.lang.Number.longValue()" because the return value of "java.util.Map.get(Object)" is null'
  throw new ServiceError('null_pointer_exception', reason)
}

function textIn(value: Value): string {
  if (typeof value === 'string') return value
  throw new ServiceError('class_cast_exception', castFailure(classOf(value), 'java.lang.String'))
}

function text(value: Value | undefined): string | undefined {
  return value === undefined || value === null ? undefined : textOf(value)
}

function sourceOf(source: Buffer): ValueMap {
  const json = source.toString('utf8')
  let parsed: unknown
  try {
    parsed = parseJson(json)
    if (hasUnusualNumbers(json)) parsed = exactJson(parsed)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new ServiceError('parse_exception', 'Failed to parse content to map', { cause: error })
  }
  if (isObject(parsed)) return parsed as ValueMap
  throw new ServiceError('parse_exception', 'Failed to parse content to map')
}
