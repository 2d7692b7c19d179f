import type { Value } from './ingest-document.ts'
import { IngestFault } from './ingest-fault.ts'
import { runOne, runPipeline } from './pipeline.ts'
import type { ProcessorFactory } from './processor.ts'
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
  if (Object.keys(given).length !== 1) throw config.fault('processor', 'Must specify exactly one processor type')
  const processor = inner(given)
  // What it would not fail of, or has an answer to, is its own; other failures are those of this one.
  const isGuarded = processor.ignoreFailure || processor.onFailure.length > 0
  return (document, run) => {
    if (ignoreMissing && !document.has(field)) return
    const list = document.list(field)
    if (list === null) {
      if (ignoreMissing) return
      throw new IngestFault(`field [${field}] is null, cannot loop over its elements.`)
    }
    const made: Value[] = []
    // Steps within are no steps of a simulation.
    const { observer: _, ...unwatched } = run
    // As in the real server the value before stays behind, null where there was none.
    const before = document.ingest['_value'] ?? null
    for (const value of [...list]) {
      document.ingest['_value'] = value
      document.countRun()
      try {
        if (isGuarded) runOne(processor, document, unwatched)
        else if (processor.condition?.holds(document) ?? true) processor.step(document, unwatched)
      } finally {
        made.push(document.ingest['_value'] as Value)
        document.ingest['_value'] = before
      }
    }
    document.set(field, made)
    return undefined
  }
}

const NO_PIPELINE =
  'Cannot invoke "org.elasticsearch.ingest.Pipeline.getCompoundProcessor()" because "pipeline" is null'

/** `pipeline`: another pipeline. */
export const pipeline: ProcessorFactory = (config, { engineVersion }) => {
  const given = config.text('name')
  const nameOf = engineVersion === 'Elasticsearch_6.8' ? () => given : templateText(given, config)
  return (document, run) => {
    const name = nameOf(document)
    const found = run.pipeline(name)
    if (found === undefined) {
      // Where each step is watched 6.8 looks into the pipeline first.
      if (engineVersion === 'Elasticsearch_6.8' && run.observer !== undefined)
        throw new IngestFault(NO_PIPELINE, 'null_pointer_exception')
      throw new IngestFault(
        `Pipeline processor configured for non-existent pipeline [${name}]`,
        'illegal_state_exception',
      )
    }
    if (run.within.some(({ id }) => id === found.id))
      throw new IngestFault(`Cycle detected for pipeline: ${found.id}`, 'illegal_state_exception')
    return runPipeline(found, document, run)
  }
}
