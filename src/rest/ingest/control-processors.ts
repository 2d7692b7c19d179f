import { ServiceError } from '../../errors.ts'
import type { IngestDocument, Value } from './ingest-document.ts'
import { IngestFault } from './ingest-fault.ts'
import { runGuarded, runPipeline } from './pipeline.ts'
import { type IngestRun, type Pipeline, type Processor, type ProcessorFactory, ProcessorFailure } from './processor.ts'
import { templateOf, templateText } from './template-text.ts'

/** `fail`. */
export const fail: ProcessorFactory = (config) => {
  const message = templateOf(config, 'message')
  return (document) => {
    throw new IngestFault(message(document), 'fail_processor_exception')
  }
}

/** `drop`. */
export const drop: ProcessorFactory = () => () => false

/** `foreach`: a processor for each value of a list, which is `_ingest._value` to it. */
export const foreach: ProcessorFactory = (config, { inner }) => {
  const field = config.text('field')
  const given = config.map('processor')
  const ignoreMissing = config.boolean('ignore_missing', false)
  const [entry, another] = Object.entries(given)
  if (entry === undefined || another !== undefined)
    throw config.fault('processor', 'Must specify exactly one processor type')
  const processor = inner(...entry)
  // What it would not fail of, or has an answer to, is its own; other failures are those of this one.
  const isGuarded = processor.ignoreFailure || processor.onFailure.length > 0
  const runInner = (document: IngestDocument, run: IngestRun): boolean => {
    if (processor.condition?.holds(document, run) === false) return true
    return isGuarded ? runGuarded(processor, document, run) : processor.step(document, run, processor) !== false
  }
  return (document, run) => {
    const list = listOf(document, field, ignoreMissing, run)
    if (list === undefined) return
    const made: Value[] = []
    // Steps within are no steps of a simulation.
    const { observer: _, ...unwatched } = run
    // As in the real server the value before stays behind, null where there was none.
    const before = document.ingest['_value'] ?? null
    for (const value of [...list]) {
      document.ingest['_value'] = value
      document.countRun()
      let isKept = true
      try {
        isKept = runInner(document, unwatched)
      } finally {
        made.push(document.ingest['_value'] as Value)
        document.ingest['_value'] = before
      }
      // 6.8 does not look.
      if (!isKept && !run.isOld) return false
    }
    uncaught(run, () => document.set(field, made))
    return undefined
  }
}

/** The values to go through; undefined: none, which is fine. @throws {IngestFault} {ServiceError} */
function listOf(
  document: IngestDocument,
  field: string,
  ignoreMissing: boolean,
  run: IngestRun,
): readonly Value[] | undefined {
  const list = uncaught(run, () => (ignoreMissing && !document.has(field) ? null : document.list(field)))
  if (list !== null) return list
  if (ignoreMissing) return undefined
  throw new IngestFault(`field [${field}] is null, cannot loop over its elements.`)
}

/** What later versions do where nobody waits for faults: they are those of the whole request, or of a bulk's item. */
function uncaught<T>({ isOld }: IngestRun, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof IngestFault && !isOld ? error.plain : error
  }
}

const NO_PIPELINE =
  'Cannot invoke "org.elasticsearch.ingest.Pipeline.getCompoundProcessor()" because "pipeline" is null'

/** `pipeline`: another pipeline. */
export const pipeline: ProcessorFactory = (config, { engineVersion }) => {
  const given = config.text('name')
  const nameOf = engineVersion === 'Elasticsearch_6.8' ? () => given : templateText(given, config)
  return (document, run, self) => {
    const name = nameOf(document)
    const found = run.pipeline(name)
    const isWatched = run.observer !== undefined
    if (found === undefined) {
      // Where each step is watched 6.8 looks into the pipeline first.
      if (run.isOld && isWatched) throw new IngestFault(NO_PIPELINE, 'null_pointer_exception')
      const reason = `Pipeline processor configured for non-existent pipeline [${name}]`
      // Nobody catches this one.
      if (isWatched) throw new ServiceError('illegal_argument_exception', reason)
      throw new IngestFault(reason, 'illegal_state_exception')
    }
    checkCycle(found, run)
    if (run.observer?.entered !== undefined) {
      lookForCycles(found, document, run, self)
      run.observer.entered(self)
    }
    return runPipeline(found, document, run)
  }
}

const CYCLE = 'Cycle detected for pipeline: '

/** 6.8 does not count the pipeline that a document came to first. */
function checkCycle(found: Pipeline, { within, isOld }: IngestRun): void {
  const entered = isOld ? within.slice(1) : within
  if (entered.some(({ id }) => id === found.id)) throw new IngestFault(`${CYCLE}${found.id}`, 'illegal_state_exception')
}

/** Runs a pipeline on a copy first: one that comes back to itself has no steps to tell of. @throws {ProcessorFailure} */
function lookForCycles(found: Pipeline, document: IngestDocument, run: IngestRun, self: Processor): void {
  const { observer, ...unwatched } = run
  try {
    runPipeline(found, document.copy(), { ...unwatched, within: run.isOld ? [found] : [] })
  } catch (error) {
    if (!(error instanceof ProcessorFailure)) throw error
    if (!error.fault.message.startsWith(CYCLE)) return
    observer?.failed(self, error.fault.plain, document)
    throw error
  }
}
