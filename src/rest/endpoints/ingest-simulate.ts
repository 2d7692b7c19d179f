import type { Engine } from '../../engine/engine.ts'
import { failedBaseCast } from '../../engine/java-class-text.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { renderFailure } from '../error-response.ts'
import { classOf, IngestDocument, isMap, textOf, type Value, type ValueMap } from '../ingest/ingest-document.ts'
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
import type { JsonValue } from '../parse-json.ts'
import { bodyObject } from '../rest-request.ts'
import { storedScript } from '../search/stored-script.ts'

/** `GET|POST /_ingest/pipeline[/<id>]/_simulate`: what a pipeline makes of documents, which are not stored. */
export const simulatePipeline: EndpointHandler = (request, { engine }) => {
  const { id } = request.path
  const verbose = request.parameters.boolean('verbose', false)
  const json = bodyObject(request) ?? {}
  judgeTried(request, json['pipeline'])
  const body = new ProcessorConfig(undefined, json)
  const pipeline = id === undefined ? givenPipeline(body.required('pipeline'), engine) : storedPipeline(engine, id)
  if (pipeline === undefined) throw new ServiceError('illegal_argument_exception', `pipeline [${id}] does not exist`)
  const { showsType } = request.dialect
  const form: ResultForm = { showsType, isOld: engine.version === 'Elasticsearch_6.8' }
  const run = ingestRun(engine)
  const docs = body.list('docs').map((json): Json => {
    const document = documentOf(json, showsType)
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

function documentOf(json: JsonValue, showsType: boolean): IngestDocument {
  if (!isObject(json)) {
    throw showsType
      ? failedBaseCast(classOf(json as Value), 'java.util.Map')
      : new ServiceError('illegal_argument_exception', 'malformed [docs] section, should include an inner object')
  }
  const config = new ProcessorConfig(undefined, json)
  const source = config.required('_source')
  if (!isMap(source)) throw noMap('_source', source as Value)
  const text = (name: string, fallback: string): string => String(config.raw(name) ?? fallback)
  const metadata: ValueMap = {
    _index: text('_index', '_index'),
    ...(showsType ? { _type: text('_type', '_type') } : {}),
    _id: text('_id', '_id'),
  }
  for (const name of ['_routing', '_version', '_version_type']) {
    const value = config.raw(name)
    if (value !== undefined) metadata[name] = value as Value
  }
  return new IngestDocument(source as ValueMap, metadata)
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

function rendered({ metadata, source, ingest }: IngestDocument, { showsType, isOld }: ResultForm): Json {
  const shown = Object.entries(metadata).filter(([name, value]) => value !== null && (showsType || name !== '_type'))
  return {
    ...Object.fromEntries(shown.map(([name, value]) => [name, isOld ? textOf(value) : jsonOf(value)])),
    _source: jsonOf(source),
    _ingest: jsonOf(ingest),
  } as Json
}
