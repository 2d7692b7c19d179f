import type { Engine } from '../../engine/engine.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
import { failedBaseCast } from '../../engine/java-class-text.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { contentMap } from '../content-map.ts'
import { versionTypeOf } from '../documents/document-parameters.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { renderFailure } from '../error-response.ts'
import {
  classOf,
  IngestDocument,
  isMap,
  METADATA,
  textOf,
  type Value,
  type ValueMap,
} from '../ingest/ingest-document.ts'
import { ingestRun, storedPipeline } from '../ingest/ingest-service.ts'
import { readPipeline, runPipeline } from '../ingest/pipeline.ts'
import {
  type IngestRun,
  type Pipeline,
  type Processor,
  ProcessorFailure,
  type StepObserver,
} from '../ingest/processor.ts'
import { ProcessorConfig } from '../ingest/processor-config.ts'
import { PROCESSORS } from '../ingest/processors.ts'
import { jsonOf } from '../ingest/value-json.ts'
import type { Json } from '../json/json-writer.ts'
import { judgeTried } from '../judge-stored.ts'
import { listInTurns } from '../list-in-turns.ts'
import type { JsonValue } from '../parse-json.ts'
import { storedScript } from '../search/stored-script.ts'

/** `GET|POST /_ingest/pipeline[/<id>]/_simulate`: what a pipeline makes of documents, which are not stored. */
export const simulatePipeline: EndpointHandler = async (request, { engine }) => {
  const { id } = request.path
  const verbose = request.parameters.boolean('verbose', false)
  const json = contentMap(request) ?? {}
  judgeTried(request, json['pipeline'])
  const body = new ProcessorConfig(undefined, json)
  const pipeline = id === undefined ? givenPipeline(body.required('pipeline'), engine) : storedPipeline(engine, id)
  if (pipeline === undefined) throw new ServiceError('illegal_argument_exception', `pipeline [${id}] does not exist`)
  const { showsType } = request.dialect
  const form: ResultForm = { showsType, isOld: engine.version === 'Elasticsearch_6.8' }
  const run = ingestRun(engine)
  const docs = await listInTurns(body.list('docs'), request.parameters, (json) => {
    const document = documentOf(json, showsType, engine.version)
    return verbose ? steps(pipeline, document, run, form) : outcome(pipeline, document, run, form)
  })
  return { status: 200, json: { docs } }
}

function givenPipeline(json: JsonValue, engine: Engine): Pipeline {
  if (!isObject(json)) throw noMap('pipeline', json as Value)
  return readPipeline('_simulate_pipeline', json, PROCESSORS, engine.version, (name) => storedScript(engine, name))
}

function noMap(name: string, value: Value): ServiceError {
  return new ServiceError('parse_exception', `[${name}] property isn't a map, but of type [${classOf(value)}]`, {
    metadata: { header: { property_name: name } },
  })
}

function documentOf(json: JsonValue, showsType: boolean, engineVersion: EngineVersion): IngestDocument {
  if (json === null && showsType) {
    const reason = 'Cannot invoke "java.util.Map.remove(Object)" because "configuration" is null'
    throw new ServiceError('null_pointer_exception', reason)
  }
  if (!isObject(json)) {
    throw showsType
      ? failedBaseCast(classOf(json as Value), 'java.util.Map')
      : new ServiceError('illegal_argument_exception', 'malformed [docs] section, should include an inner object')
  }
  const config = new ProcessorConfig(undefined, json, showsType)
  const given = config.required('_source')
  if (!isMap(given)) throw noMap('_source', given as Value)
  const metadata: ValueMap = { _index: config.textOrInteger('_index') ?? '_index' }
  if (showsType)
    metadata['_type'] = config.textOrInteger('_type') ?? (engineVersion === 'Elasticsearch_6.8' ? '_type' : '_doc')
  metadata['_id'] = config.textOrInteger('_id') ?? '_id'
  const routing = config.textOrInteger('_routing')
  if (routing !== undefined) metadata['_routing'] = routing
  const version = config.raw('_version')
  if (version !== undefined) metadata['_version'] = versionIn(version, engineVersion)
  const versionType = config.optionalText('_version_type')
  if (versionType !== undefined) metadata['_version_type'] = versionTypeOf(versionType)
  // Members of the source by names of metadata are metadata, unless the document has its own.
  const source = { ...(given as ValueMap) }
  for (const name of METADATA) {
    const value = source[name]
    if (value === undefined || (!showsType && (name === '_type' || name === '_parent'))) continue
    delete source[name]
    metadata[name] ??= value
  }
  return new IngestDocument(source, metadata)
}

/** A document's version. 6.8 takes none but those too long for an int. @throws {ServiceError} */
function versionIn(value: JsonValue, engineVersion: EngineVersion): Value {
  const found = classOf(value as Value)
  if (engineVersion === 'Elasticsearch_6.8') {
    if (found !== 'java.lang.Long') throw failedBaseCast(found, 'java.lang.Long')
  } else if (found !== 'java.lang.Long' && found !== 'java.lang.Integer') {
    const reason = 'Failed to parse parameter [_version], only int or long is accepted'
    throw new ServiceError('illegal_argument_exception', reason)
  }
  return value as Value
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
    results.push({
      ...(form.isOld ? {} : { processor_type: type, status }),
      ...(form.isOld || description === undefined ? {} : { description }),
      ...(tag === undefined ? {} : { tag }),
      ...(form.isOld || condition === undefined
        ? {}
        : { if: { condition: condition.text, result: status !== 'skipped' } }),
      ...result,
    })
  }
  const observer: StepObserver = {
    done: (processor) => add(processor, 'success', { doc: rendered(document, form) }),
    failed: (processor, fault) => {
      const error = renderFailure(fault.plain)
      if (processor.ignoreFailure)
        add(processor, 'error_ignored', { ignored_error: { error }, doc: rendered(document, form) })
      else add(processor, 'error', { error })
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
}

function rendered({ metadata, source, ingest }: IngestDocument, { showsType }: ResultForm): Json {
  const shown = Object.entries(metadata).filter(([name, value]) => value !== null && (showsType || name !== '_type'))
  return {
    ...Object.fromEntries(shown.map(([name, value]) => [name, textOf(value)])),
    _source: jsonOf(source),
    _ingest: jsonOf(ingest),
  } as Json
}
