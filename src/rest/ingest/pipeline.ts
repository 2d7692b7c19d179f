import { inTurns } from '../../breather.ts'
import { javaClass } from '../../engine/mapping/java-text.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { notAMap } from '../body/not-a-map.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { renderCause } from '../errors/error-response.ts'
import type { IngestDocument } from './ingest-document.ts'
import { IngestFault } from './ingest-fault.ts'
import { IngestMetric } from './ingest-metric.ts'
import {
  type FactoryContext,
  type FailedProcessor,
  type IngestRun,
  type Pipeline,
  type Processor,
  type ProcessorFactory,
  ProcessorFailure,
  type Step,
} from './processor.ts'
import { ProcessorConfig } from './processor-config.ts'
import { hasProcessor } from './processor-versions.ts'
import { conditionOf } from './script-processor.ts'

/** Processors of a managed domain that are not here: refused as such. Others of plugins it has none of are not known to it. */
const UNSUPPORTED = new Set(['attachment', 'ip2geo'])

/**
 * Reads a pipeline.
 *
 * @param factories  processors by type
 * @throws {ServiceError} parse_exception
 */
export function readPipeline(
  id: string,
  body: { readonly [name: string]: JsonValue },
  factories: Readonly<Record<string, ProcessorFactory>>,
  context: ReadContext,
): Pipeline {
  const config = new ProcessorConfig(undefined, body, context.engineVersion === 'Elasticsearch_6.8')
  config.optionalText('description')
  config.integer('version', 0)
  const processors = readList(config.list('processors'), factories, context)
  const failing = config.optionalList('on_failure')
  const onFailure = readList(failing ?? [], factories, context)
  const unread = config.unread()
  if (unread.length > 0) {
    throw config.fault(
      undefined,
      `pipeline [${id}] doesn't support one or more provided configuration parameters [${unread.join(', ')}]`,
    )
  }
  if (failing !== undefined && onFailure.length === 0)
    throw config.fault(undefined, `pipeline [${id}] cannot have an empty on_failure option defined`)
  return { id, processors, onFailure, metric: new IngestMetric() }
}

/** A pipeline of more processors than this is read in turns. */
const FEW_PROCESSORS = 16

/** The same, and other requests are served between its processors: to read patterns and scripts takes time. */
export async function readPipelineInTurns(
  id: string,
  body: { readonly [name: string]: JsonValue },
  factories: Readonly<Record<string, ProcessorFactory>>,
  context: ReadContext,
): Promise<Pipeline> {
  const { processors } = body
  const list: readonly JsonValue[] = Array.isArray(processors) ? processors : []
  const read = new Map<JsonValue, Processor | ServiceError>()
  if (list.length > FEW_PROCESSORS)
    await inTurns(list, (entry) => {
      for (const [type, config] of isObject(entry) ? Object.entries(entry) : [])
        if (isObject(config)) read.set(config, triedProcessor(type, config, factories, context))
    })
  return readPipeline(id, body, factories, { ...context, read })
}

/** Reads a list of processors. The first fault is told, and the others in it, but before them an item that is none at all. */
function readList(
  list: readonly JsonValue[],
  factories: Readonly<Record<string, ProcessorFactory>>,
  context: ReadContext,
): Processor[] {
  const broken = list.find((json) => !isObject(json))
  if (broken === null) {
    const reason = 'Cannot invoke "java.util.Map.entrySet()" because "processorConfigWithKey" is null'
    throw new ServiceError('null_pointer_exception', reason)
  }
  if (broken !== undefined) throw notAMap(broken)
  const processors: Processor[] = []
  const faults: ServiceError[] = []
  for (const [type, body] of list.flatMap(entriesOf)) {
    const read = context.read?.get(body) ?? triedProcessor(type, body, factories, context)
    if (read instanceof ServiceError) faults.push(read)
    else processors.push(read)
  }
  const [first, ...others] = faults
  if (first === undefined) return processors
  if (others.length === 0) throw first
  const suppressed = others.map((fault) => renderCause(fault))
  throw first.with({ metadata: { ...first.detail.metadata, suppressed } })
}

function entriesOf(json: JsonValue): [type: string, body: JsonValue][] {
  if (!isObject(json)) throw notAMap(json)
  return Object.entries(json)
}

/** A processor, or what is wrong with it. */
function triedProcessor(...asked: Parameters<typeof readProcessor>): Processor | ServiceError {
  try {
    return readProcessor(...asked)
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

function readProcessor(
  type: string,
  given: JsonValue,
  factories: Readonly<Record<string, ProcessorFactory>>,
  context: ReadContext,
): Processor {
  const hasHeader = context.engineVersion === 'Elasticsearch_6.8'
  const nothing = new ProcessorConfig(type, {}, hasHeader)
  const body = type === 'script' && typeof given === 'string' && !hasHeader ? { source: given } : given
  if (body === null && hasHeader)
    throw new ServiceError('null_pointer_exception', 'Cannot invoke "Object.getClass()" because "config" is null')
  if (body === null) throw nothing.fault(undefined, `the config of processor [${type}] cannot be null`)
  if (!isObject(body)) throw nothing.fault(undefined, `property isn't a map, but of type [${javaClass(body)}]`)
  // Faults of what every processor has name no processor.
  const common = new ProcessorConfig(undefined, body, hasHeader, false)
  common.optionalText('tag')
  const config = new ProcessorConfig(type, body, hasHeader)
  const described = new ProcessorConfig(undefined, body, hasHeader)
  const description = hasHeader ? undefined : described.optionalText('description')
  const isThere = Object.hasOwn(factories, type) && hasProcessor(context.engineVersion, type)
  const factory = isThere ? factories[type] : undefined
  // 6.8 looks at whether failures count only of processors that it has.
  if (!hasHeader) common.boolean('ignore_failure', false)
  const readCondition = conditionOf(config, context)
  if (factory === undefined) throw unknownType(config, type)
  const ignoreFailure = common.boolean('ignore_failure', false)
  const failing = common.optionalList('on_failure')
  const onFailure = readList(failing ?? [], factories, context)
  if (failing !== undefined && onFailure.length === 0)
    throw config.fault('on_failure', 'processors list cannot be empty')
  for (const name of ['tag', 'ignore_failure', 'on_failure', ...(hasHeader ? [] : ['description'])]) config.raw(name)
  const step = made(factory, config, {
    ...context,
    inner: (type, json) => readProcessor(type, json as JsonValue, factories, context),
  })
  const unread = config.unread()
  if (unread.length > 0) {
    throw config.fault(
      undefined,
      `processor [${type}] doesn't support one or more provided configuration parameters [${unread.join(', ')}]`,
    )
  }
  const condition = readCondition()
  return {
    type,
    tag: config.tag,
    ignoreFailure,
    onFailure,
    step,
    name:
      hasHeader && (ignoreFailure || onFailure.length > 0)
        ? `compound:CompoundProcessor-${tagsOf({ tag: config.tag, onFailure }).join('-')}`
        : [type, ...(type === 'pipeline' ? [String(body['name'])] : []), ...(config.tag ? [config.tag] : [])].join(':'),
    metric: new IngestMetric(),
    ...(description === undefined ? {} : { description }),
    ...(condition === undefined ? {} : { condition }),
  }
}

/** Tags of a processor and of those that run when it fails. */
function tagsOf({ tag, onFailure }: Pick<Processor, 'tag' | 'onFailure'>): readonly string[] {
  return [tag ?? 'null', ...onFailure.flatMap(tagsOf)]
}

/** What a processor does. Faults of the server's own that it finds while it is made are told with where it stands. */
function made(factory: ProcessorFactory, config: ProcessorConfig, context: FactoryContext): Step {
  try {
    return factory(config, context)
  } catch (error) {
    if (error instanceof IngestFault) throw config.failure(error.type, error.javaClass, error.message)
    throw error
  }
}

function unknownType(config: ProcessorConfig, type: string): ServiceError {
  const reason = UNSUPPORTED.has(type)
    ? `processor [${type}] is not supported by this domain`
    : `No processor type exists with name [${type}]`
  return config.fault(undefined, reason)
}

/** What reading processors takes beside their factories. */
export interface ReadContext extends Omit<FactoryContext, 'inner'> {
  /** Those that were read already, and what is wrong with them, by what they were read from. */
  readonly read?: ReadonlyMap<JsonValue, Processor | ServiceError>
}

/** Runs a document through a pipeline; false: it is dropped. @throws {ProcessorFailure} */
export function runPipeline(pipeline: Pipeline, document: IngestDocument, run: IngestRun): boolean {
  const within = [...run.within, pipeline]
  const all = (): boolean => runAll(pipeline.processors, pipeline.onFailure, document, { ...run, within })
  const measured = (): boolean => (run.observer === undefined ? pipeline.metric.measure(all) : all())
  if (run.isOld) return measured()
  const { ingest } = document
  ingest['pipeline'] = pipeline.id
  try {
    return measured()
  } finally {
    const before = run.within.at(-1)
    if (before === undefined) delete ingest['pipeline']
    else ingest['pipeline'] = before.id
  }
}

/** Runs processors in their order; where one fails, what its list says of failures. */
function runAll(
  processors: readonly Processor[],
  onFailure: readonly Processor[],
  document: IngestDocument,
  run: IngestRun,
): boolean {
  for (const processor of processors) {
    try {
      if (!runOne(processor, document, run)) return false
    } catch (error) {
      if (!(error instanceof ProcessorFailure) || onFailure.length === 0) throw error
      return recover(onFailure, error, document, run)
    }
  }
  return true
}

/** Runs one processor, where its condition holds; false: it drops the document. @throws {ProcessorFailure} */
function runOne(processor: Processor, document: IngestDocument, run: IngestRun): boolean {
  document.countRun()
  if (!isMeant(processor, document, run)) {
    run.observer?.skipped?.(processor)
    return true
  }
  return runGuarded(processor, document, run)
}

/** Runs one processor and what it says of its failures, whatever its condition; false: it drops the document. @throws {ProcessorFailure} */
export function runGuarded(processor: Processor, document: IngestDocument, run: IngestRun): boolean {
  try {
    const step = (): boolean | undefined => processor.step(document, run, processor)
    // Steps that are watched are nobody's statistics.
    const isKept = (run.observer === undefined ? processor.metric.measure(step) : step()) !== false
    if (run.observer === undefined || processor.type === 'pipeline') return isKept
    if (isKept || run.observer.dropped === undefined) {
      run.observer.done(processor, document)
      return true
    }
    run.observer.dropped(processor)
    return false
  } catch (error) {
    const failure =
      error instanceof IngestFault
        ? failureOf(error, processor, run)
        : error instanceof ProcessorFailure
          ? error
          : undefined
    if (failure === undefined) throw error
    if (error instanceof IngestFault) run.observer?.failed(processor, error.plain, document)
    // 6.8 tells of a pipeline that failed after what failed in it.
    else if (run.isOld && processor.type === 'pipeline') run.observer?.failed(processor, run.error(failure), document)
    if (processor.ignoreFailure) return true
    if (processor.onFailure.length > 0) return recover(processor.onFailure, failure, document, run)
    // A processor with a condition fails within the one that asks it, unless each step is watched.
    const isWithin = processor.condition !== undefined && (run.isOld || run.observer === undefined)
    throw error instanceof IngestFault && isWithin ? failureOf(error, conditional(processor), run) : failure
  }
}

/** Whether a processor's condition holds; its failure is not the processor's own, which could be ignored. */
function isMeant(processor: Processor, document: IngestDocument, run: IngestRun): boolean {
  if (processor.condition === undefined) return true
  try {
    return processor.condition.holds(document, run)
  } catch (error) {
    if (!(error instanceof IngestFault)) throw error
    // Where each step is watched later versions have nobody who catches it.
    if (run.observer !== undefined && !run.isOld) throw error.plain
    run.observer?.failed(processor, error.plain, document)
    throw failureOf(error, conditional(processor), run)
  }
}

/** The processor that asks another's condition. */
const conditional = ({ tag }: Processor): FailedProcessor => ({ type: 'conditional', tag })

/** A fault as it leaves its processor. */
const failureOf = (fault: IngestFault, processor: FailedProcessor, { within }: IngestRun): ProcessorFailure =>
  new ProcessorFailure(fault, processor, within.length > 1 ? within.at(-1)?.id : undefined)

/** Runs what is to be done about a failure, which `_ingest` tells of meanwhile. */
function recover(
  processors: readonly Processor[],
  { fault, processor, pipeline }: ProcessorFailure,
  document: IngestDocument,
  run: IngestRun,
): boolean {
  const { ingest } = document
  ingest['on_failure_message'] = fault.rootMessage
  ingest['on_failure_processor_type'] = processor.type
  ingest['on_failure_processor_tag'] = processor.tag ?? null
  if (pipeline !== undefined && !run.isOld) ingest['on_failure_pipeline'] = pipeline
  try {
    return runAll(processors, [], document, run)
  } finally {
    delete ingest['on_failure_message']
    delete ingest['on_failure_processor_type']
    delete ingest['on_failure_processor_tag']
    delete ingest['on_failure_pipeline']
  }
}
