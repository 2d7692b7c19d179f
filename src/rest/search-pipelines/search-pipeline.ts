import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { notAMap } from '../body/not-a-map.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { ProcessorConfig } from '../ingest/processor-config.ts'
import type { Json } from '../json/json-writer.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'
import type { ProcessorFactory, RequestProcessor, ResponseProcessor } from './processor.ts'
import { REQUEST_PROCESSORS } from './request-processors.ts'
import { RESPONSE_PROCESSORS } from './response-processors.ts'

/** Where search pipelines are kept. */
export const SEARCH_PIPELINES = 'search_pipeline'

/** The name of no pipeline. */
export const NO_PIPELINE = '_none'

/** A processor and what becomes of its failures. */
export interface Step<T> {
  readonly process: T
  readonly ignoreFailure: boolean
  readonly type: string
  readonly tag: string | undefined
}

/** A pipeline, read. */
export interface SearchPipeline {
  /** The name that it is stored by; absent: it came with the search. */
  readonly id?: string
  readonly request: readonly Step<RequestProcessor>[]
  readonly response: readonly Step<ResponseProcessor>[]
}

type Body = { readonly [name: string]: JsonValue }

/**
 * Reads a search pipeline.
 *
 * @throws {ServiceError} parse_exception, illegal_argument_exception
 */
export function readSearchPipeline(id: string, body: Body, queries: QueryContext): SearchPipeline {
  const config = new ProcessorConfig(undefined, body, false)
  config.optionalText('description')
  config.integer('version', 0)
  const pipeline = {
    request: readProcessors(config.optionalList('request_processors'), REQUEST_PROCESSORS, queries),
    response: readProcessors(config.optionalList('response_processors'), RESPONSE_PROCESSORS, queries),
  }
  readProcessors(config.optionalList('phase_results_processors'), {}, queries)
  const unread = inJavaHashOrder(config.unread())
  if (unread.length === 0) return pipeline
  const reason = `pipeline [${id}] doesn't support one or more provided configuration parameters [${unread.join(', ')}]`
  throw config.fault(undefined, reason)
}

function readProcessors<T>(
  list: readonly JsonValue[] | undefined,
  factories: Readonly<Record<string, ProcessorFactory<T>>>,
  queries: QueryContext,
): readonly Step<T>[] {
  return (list ?? []).flatMap((json) => {
    if (!isObject(json)) throw notAMap(json)
    return Object.entries(json).map(([type, body]) => {
      const factory = Object.hasOwn(factories, type) ? factories[type] : undefined
      if (factory === undefined) throw illegalArgument(`Invalid processor type ${type}`)
      if (!isObject(body)) throw notAMap(body)
      const config = new ProcessorConfig(type, body, false)
      config.optionalText('tag')
      const ignoreFailure = config.boolean('ignore_failure', false)
      config.optionalText('description')
      const process = factory(config, queries)
      const unread = config.unread()
      if (unread.length > 0) {
        const name = config.tag === undefined ? type : `${type}:${config.tag}`
        const reason = `processor [${name}] doesn't support one or more provided configuration parameters: [${unread.join(', ')}]`
        throw new ServiceError('parse_exception', reason)
      }
      return { process, ignoreFailure, type, tag: config.tag }
    })
  })
}

/** Takes something through processors, past those whose failures are ignored. @throws {ServiceError} */
export function through<T, P>(value: T, steps: readonly Step<P>[], run: (process: P, value: T) => T): T {
  return steps.reduce((before, { process, ignoreFailure }) => {
    try {
      return run(process, before)
    } catch (error) {
      if (error instanceof ServiceError && ignoreFailure) return before
      throw error
    }
  }, value)
}

/** The processors there are, as `_nodes` tells of them. */
export function searchProcessors(): Json {
  const types = (known: object): Json => Object.keys(known).map((type) => ({ type }))
  return { request_processors: types(REQUEST_PROCESSORS), response_processors: types(RESPONSE_PROCESSORS) }
}
