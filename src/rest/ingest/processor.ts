import type { EngineVersion } from '../../engine/engine-version.ts'
import type { FindStoredScript } from '../../engine/search/script/search-script.ts'
import type { ServiceError } from '../../errors.ts'
import type { Warnings } from '../deprecation/warnings.ts'
import type { GeoDatabase } from './geoip/geo-database.ts'
import type { IngestDocument } from './ingest-document.ts'
import type { IngestFault } from './ingest-fault.ts'
import type { IngestMetric } from './ingest-metric.ts'
import type { ProcessorConfig } from './processor-config.ts'

/** A pipeline, ready to run. */
export interface Pipeline {
  readonly id: string
  readonly processors: readonly Processor[]
  readonly onFailure: readonly Processor[]
  readonly metric: IngestMetric
}

/** Sees each step of a run, for simulations that show all of them. */
export interface StepObserver {
  done(processor: Processor, document: IngestDocument): void
  failed(processor: Processor, error: ServiceError, document: IngestDocument): void
  /** Its condition does not hold. Absent: nothing is told of that, nor of what follows. */
  readonly skipped?: (processor: Processor) => void
  /** It drops the document; where nobody wants to know the run goes on. */
  readonly dropped?: (processor: Processor) => void
  /** It is a pipeline, which runs next. Absent: nobody looks for cycles beforehand. */
  readonly entered?: (processor: Processor) => void
}

/** What processors need beside the document. */
export interface IngestRun {
  /** Pipelines by id. */
  readonly pipeline: (id: string) => Pipeline | undefined
  /** Pipelines that are being run, outermost first. */
  readonly within: readonly Pipeline[]
  /** As 6.8 does: other versions tell of the pipeline that runs, and some of their faults nothing can ignore. */
  readonly isOld: boolean
  /** A failure as the caller is told of it, which differs by version. */
  readonly error: (failure: ProcessorFailure) => ServiceError
  /** Told of each step. */
  readonly observer?: StepObserver
  /** Notes what is deprecated of what runs; absent: nobody is told. */
  readonly deprecated?: Warnings['note'] | undefined
}

/**
 * Changes a document; false: it is dropped.
 *
 * @param self  the processor whose step it is
 * @throws {IngestFault} {ServiceError} of the whole request, which nobody catches
 */
export type Step = (document: IngestDocument, run: IngestRun, self: Processor) => boolean | undefined

/** What makes a step of a configuration. @throws {ServiceError} parse_exception */
export type ProcessorFactory = (config: ProcessorConfig, context: FactoryContext) => Step

/** What factories need of the pipeline they are part of. */
export interface FactoryContext {
  /** Reads a processor within another. */
  readonly inner: (type: string, json: unknown) => Processor
  readonly engineVersion: EngineVersion
  /** Finds stored scripts. */
  readonly script: FindStoredScript
  /** A database of addresses by its file's name. @throws {Error} where it cannot be read */
  readonly geoDatabase: (name: string) => GeoDatabase | undefined
  /** Notes what is deprecated in a configuration. */
  readonly deprecated: Warnings['note']
}

/** A condition of a processor, and how it was written. */
export interface Condition {
  readonly text: string
  /** @throws {IngestFault} */
  readonly holds: (document: IngestDocument, run: IngestRun) => boolean
}

/** A processor's failure on its way out of the processors around it. */
export class ProcessorFailure extends Error {
  readonly fault: IngestFault
  readonly processor: FailedProcessor
  /** The pipeline it happened in, where that was run by another. */
  readonly pipeline: string | undefined

  constructor(fault: IngestFault, processor: FailedProcessor, pipeline: string | undefined) {
    super(fault.message)
    this.fault = fault
    this.processor = processor
    this.pipeline = pipeline
  }
}

/** What is told of a processor that failed. */
export type FailedProcessor = Pick<Processor, 'type' | 'tag'>

/** One processor of a pipeline. */
export interface Processor {
  readonly type: string
  readonly tag: string | undefined
  readonly ignoreFailure: boolean
  readonly onFailure: readonly Processor[]
  readonly step: Step
  /** The type, in statistics with the tag and with the name of the pipeline it runs; 6.8 tells of what runs on failures together with it. */
  readonly name: string
  readonly metric: IngestMetric
  /** What a caller says it is for (7 and later). */
  readonly description?: string
  /** Whether it is to run on a document; absent: on all. */
  readonly condition?: Condition
}
