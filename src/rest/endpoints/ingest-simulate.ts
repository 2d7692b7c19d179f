import type { Engine } from '../../engine/engine.ts'
import { ServiceError } from '../../errors.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { renderFailure } from '../error-response.ts'
import { IngestDocument, isMap, type Value, type ValueMap } from '../ingest/ingest-document.ts'
import { ingestRun, storedPipeline } from '../ingest/ingest-service.ts'
import { ProcessorFailure, readPipeline, runPipeline } from '../ingest/pipeline.ts'
import type { IngestRun, Pipeline, Processor, StepObserver } from '../ingest/processor.ts'
import { ProcessorConfig } from '../ingest/processor-config.ts'
import { PROCESSORS } from '../ingest/processors.ts'
import { jsonOf } from '../ingest/value-json.ts'
import type { Json } from '../json/json-writer.ts'
import type { JsonValue } from '../parse-json.ts'
import { bodyObject, isObject } from '../rest-request.ts'
import { storedScript } from '../search/stored-script.ts'

/** `GET|POST /_ingest/pipeline[/<id>]/_simulate`: what a pipeline makes of documents, which are not stored. */
export const simulatePipeline: EndpointHandler = (request, { engine }) => {
  const { id } = request.path
  const verbose = request.parameters.boolean('verbose', false)
  const body = new ProcessorConfig(undefined, bodyObject(request) ?? {})
  const pipeline = id === undefined ? givenPipeline(body.required('pipeline'), engine) : storedPipeline(engine, id)
  if (pipeline === undefined) throw new ServiceError('illegal_argument_exception', `pipeline [${id}] does not exist`)
  const { showsType } = request.dialect
  const run = ingestRun(engine)
  const docs = body.list('docs').map((json): Json => {
    const document = documentOf(json, showsType)
    return verbose ? steps(pipeline, document, run, showsType) : outcome(pipeline, document, run, showsType)
  })
  return { status: 200, json: { docs } }
}

function givenPipeline(json: JsonValue, engine: Engine): Pipeline {
  if (!isObject(json)) throw new ServiceError('parse_exception', "[pipeline] property isn't a map")
  return readPipeline('_simulate_pipeline', json, PROCESSORS, engine.version, (name) => storedScript(engine, name))
}

function documentOf(json: JsonValue, showsType: boolean): IngestDocument {
  if (!isObject(json))
    throw new ServiceError('illegal_argument_exception', 'malformed [docs] section, should include an inner object')
  const config = new ProcessorConfig(undefined, json)
  const source = config.required('_source')
  if (!isMap(source)) throw new ServiceError('parse_exception', "[_source] property isn't a map")
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

function outcome(pipeline: Pipeline, document: IngestDocument, run: IngestRun, showsType: boolean): Json {
  try {
    runPipeline(pipeline, document, run)
    return { doc: rendered(document, showsType) }
  } catch (error) {
    if (!(error instanceof ProcessorFailure)) throw error
    return { error: renderFailure(error.error) }
  }
}

/** Every step and what it left. */
function steps(pipeline: Pipeline, document: IngestDocument, run: IngestRun, showsType: boolean): Json {
  const results: Json[] = []
  const tagged = ({ tag }: Processor, result: { readonly [name: string]: Json }): Json => ({
    ...(tag === undefined ? {} : { tag }),
    ...result,
  })
  const observer: StepObserver = {
    done: (processor) => {
      results.push(tagged(processor, { doc: rendered(document, showsType) }))
    },
    failed: (processor, fault) => {
      const error = renderFailure(fault.plain)
      results.push(
        tagged(
          processor,
          processor.ignoreFailure ? { ignored_error: { error }, doc: rendered(document, showsType) } : { error },
        ),
      )
    },
  }
  try {
    runPipeline(pipeline, document, { ...run, observer })
  } catch (error) {
    // The step that failed tells.
    if (!(error instanceof ProcessorFailure)) throw error
  }
  return { processor_results: results }
}

function rendered({ metadata, source, ingest }: IngestDocument, showsType: boolean): Json {
  const { _type: _, ...typeless } = metadata
  return {
    ...(jsonOf(showsType ? metadata : typeless) as object),
    _source: jsonOf(source),
    _ingest: jsonOf(ingest),
  } as Json
}
