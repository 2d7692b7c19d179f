import type { EngineVersion } from '../../engine/engine-version.ts'
import { failedBaseCast } from '../../engine/java/java-class-text.ts'
import { faultOf, ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { contentMap } from '../body/content-map.ts'
import { exactJson } from '../body/exact-json.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { versionTypeOf } from '../documents/document-parameters.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { renderFailure } from '../errors/error-response.ts'
import { classOf, IngestDocument, METADATA, textOf, type Value, type ValueMap } from '../ingest/ingest-document.ts'
import { IngestFault } from '../ingest/ingest-fault.ts'
import { ingestRun, readContext, storedPipeline } from '../ingest/ingest-service.ts'
import { type ReadContext, readPipeline, runPipeline } from '../ingest/pipeline.ts'
import {
  type IngestRun,
  type Pipeline,
  type Processor,
  ProcessorFailure,
  type StepObserver,
} from '../ingest/processor.ts'
import { ProcessorConfig } from '../ingest/processor-config.ts'
import { PROCESSORS } from '../ingest/processors.ts'
import { checkCopied } from '../ingest/uncopied-values.ts'
import { encodeJson, type Json, RawJson } from '../json/json-writer.ts'
import { printable } from '../json/printable-json.ts'
import { judgeTried } from '../judge-stored.ts'
import { isTakenApart, listInTurns } from '../turns/list-in-turns.ts'

/** `GET|POST /_ingest/pipeline[/<id>]/_simulate`: what a pipeline makes of documents, which are not stored. */
export const simulatePipeline: EndpointHandler = async (request, { engine }) => {
  const { id } = request.path
  const verbose = request.parameters.boolean('verbose', false)
  const json = contentMap(request) ?? {}
  judgeTried(request, json['pipeline'])
  const isOld = engine.version === 'Elasticsearch_6.8'
  const body = new ProcessorConfig(undefined, json, isOld)
  const pipeline =
    id === undefined ? givenPipeline(body, readContext(engine, request.warnings)) : storedPipeline(engine, id)
  if (pipeline === undefined) throw illegalArgument(`pipeline [${id}] does not exist`)
  const { showsType } = request.dialect
  const form: ResultForm = { showsType, isOld, isText: !isTakenApart(request.parameters) }
  const run = ingestRun(engine, request.warnings)
  const given = body.list('docs')
  if (given.length === 0 && !isOld) throw illegalArgument('must specify at least one document in [docs]')
  const docs = await listInTurns(given, request.parameters, (json) => {
    const document = documentOf(json, showsType, engine.version)
    if (isObject(json) && json['_type'] !== undefined) request.warnings.note('type_in_simulation')
    return verbose ? steps(pipeline, document, run, form) : outcome(pipeline, document, run, form)
  })
  return { status: 200, json: { docs } }
}

function givenPipeline(body: ProcessorConfig, context: ReadContext): Pipeline {
  body.required('pipeline')
  const json = body.optionalMap('pipeline') ?? {}
  return readPipeline('_simulate_pipeline', json, PROCESSORS, context)
}

function documentOf(json: JsonValue, showsType: boolean, engineVersion: EngineVersion): IngestDocument {
  if (json === null && showsType) {
    const reason = 'Cannot invoke "java.util.Map.remove(Object)" because "configuration" is null'
    throw new ServiceError('null_pointer_exception', reason)
  }
  if (!isObject(json)) {
    throw showsType
      ? failedBaseCast(classOf(json as Value), 'java.util.Map')
      : illegalArgument('malformed [docs] section, should include an inner object')
  }
  const isOld = engineVersion === 'Elasticsearch_6.8'
  const config = new ProcessorConfig(undefined, json, isOld)
  config.required('_source')
  const given = config.optionalMap('_source') ?? {}
  const metadata: ValueMap = { _index: config.textOrInteger('_index') ?? '_index' }
  if (showsType) metadata['_type'] = config.textOrInteger('_type') ?? (isOld ? '_type' : '_doc')
  metadata['_id'] = config.textOrInteger('_id') ?? '_id'
  const routing = config.textOrInteger('_routing')
  if (routing !== undefined) metadata['_routing'] = routing
  if (config.names('_version')) metadata['_version'] = longIn(config, '_version', engineVersion)
  if (config.names('_version_type')) metadata['_version_type'] = versionTypeOf(config.text('_version_type'))
  for (const name of isOld ? [] : ['_if_seq_no', '_if_primary_term'])
    if (config.names(name)) metadata[name] = longIn(config, name, engineVersion)
  // Members of the source by names of metadata are metadata, unless the document has its own.
  const source = exactJson(given) as ValueMap
  for (const name of METADATA) {
    const value = source[name]
    if (value === undefined || (!showsType && (name === '_type' || name === '_parent'))) continue
    delete source[name]
    metadata[name] ??= value
  }
  return new IngestDocument(source, metadata)
}

/** A number of a document's metadata. Elasticsearch takes none but those too long for an int. @throws {ServiceError} */
function longIn(config: ProcessorConfig, name: string, engineVersion: EngineVersion): Value {
  const value = config.required(name) as Value
  const found = classOf(value)
  if (engineVersion !== 'OpenSearch_2.19') {
    if (found !== 'java.lang.Long') throw failedBaseCast(found, 'java.lang.Long')
  } else if (found !== 'java.lang.Long' && found !== 'java.lang.Integer') {
    const reason = `Failed to parse parameter [${name}], only int or long is accepted`
    throw illegalArgument(reason)
  }
  return value
}

function outcome(pipeline: Pipeline, document: IngestDocument, run: IngestRun, form: ResultForm): Json {
  try {
    const isKept = runPipeline(pipeline, document, run)
    return isKept || form.isOld ? { doc: rendered(document, form) } : null
  } catch (error) {
    if (!(error instanceof ProcessorFailure)) throw error
    return { error: renderFailure(run.error(error)) }
  }
}

/** Every step and what it left. */
function steps(pipeline: Pipeline, document: IngestDocument, run: IngestRun, form: ResultForm): Json {
  const results: Json[] = []
  const add = (processor: Processor, status: string, result: { readonly [name: string]: Json }): void => {
    const { type, tag, description, condition } = processor
    const step = {
      ...(form.isOld ? {} : { processor_type: type, status }),
      ...(form.isOld || description === undefined ? {} : { description }),
      ...(tag === undefined ? {} : { tag }),
      ...(form.isOld || condition === undefined
        ? {}
        : { if: { condition: condition.text, result: status !== 'skipped' } }),
      ...result,
    }
    // Each is nearly the whole document again, and takes a fifth of the room as a text.
    results.push(form.isText ? new RawJson(encodeJson(step)) : step)
  }
  // What cannot be shown of a document 6.8 takes for a fault of the processor, which may ignore it.
  const unshown = () => (form.isOld ? faultOf(() => checkNumbers(document.source)) : undefined)
  const observer: StepObserver = {
    done: (processor) => {
      const fault = unshown()
      if (fault === undefined) return add(processor, 'success', { doc: rendered(document, form) })
      if (processor.ignoreFailure) return
      add(processor, 'error', { error: renderFailure(fault) })
      throw new ProcessorFailure(new IngestFault(String(fault.reason)), processor, undefined)
    },
    failed: (processor, failure) => {
      const error = renderFailure(failure)
      if (processor.ignoreFailure) {
        if (unshown() !== undefined) return
        add(processor, 'error_ignored', { ignored_error: { error }, doc: rendered(document, form) })
      } else add(processor, 'error', { error })
    },
    ...(form.isOld
      ? {}
      : {
          skipped: (processor) => add(processor, 'skipped', {}),
          dropped: (processor) => add(processor, 'dropped', {}),
          entered: (processor) => add(processor, 'success', {}),
        }),
  }
  try {
    runPipeline(pipeline, document, { ...run, observer })
  } catch (error) {
    // The step that failed tells.
    if (!(error instanceof ProcessorFailure)) throw error
  }
  return { processor_results: results }
}

/** How results are shown. */
interface ResultForm {
  readonly showsType: boolean
  /** 6.8: no status of a step, and what is dropped goes on. */
  readonly isOld: boolean
  /** Nothing takes them apart again. */
  readonly isText: boolean
}

function rendered(document: IngestDocument, { showsType, isOld }: ResultForm): Json {
  const { metadata, source, ingest } = document
  checkNumbers(source)
  if (!isOld) checkCopied(document, !showsType)
  const shown = Object.entries(metadata).filter(([name, value]) => value !== null && (showsType || name !== '_type'))
  return {
    ...Object.fromEntries(shown.map(([name, value]) => [name, textOf(value)])),
    _source: printable(source),
    _ingest: printable(ingest),
  } as Json
}

/** Numbers beyond a long are not written, and nothing is answered. @throws {ServiceError} of the whole request */
function checkNumbers(value: Value): void {
  if (typeof value === 'bigint') {
    if (BigInt.asIntN(64, value) === value) return
    throw illegalArgument('unexpected value type [class java.math.BigInteger]')
  }
  if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) checkNumbers(member)
}
