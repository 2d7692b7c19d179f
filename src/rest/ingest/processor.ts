import type { EngineVersion } from '../../engine/engine-version.ts'
import type { FindStoredScript } from '../../engine/search/script/search-script.ts'
import type { IngestDocument } from './ingest-document.ts'
import type { IngestFault } from './ingest-fault.ts'
import type { ProcessorConfig } from './processor-config.ts'

/** A pipeline, ready to run. */
export interface Pipeline {
  readonly id: string
  readonly processors: readonly Processor[]
  readonly onFailure: readonly Processor[]
}

/** Sees each step of a run, for simulations that show all of them. */
export interface StepObserver {
  done(processor: Processor, document: IngestDocument): void
  failed(processor: Processor, fault: IngestFault, document: IngestDocument): void
}

/** What processors need beside the document. */
export interface IngestRun {
  /** Pipelines by id. */
  readonly pipeline: (id: string) => Pipeline | undefined
  /** Pipelines that are being run, outermost first. */
  readonly within: readonly Pipeline[]
  /** Told of each step. */
  readonly observer?: StepObserver
}

/** Changes a document; false: it is dropped. @throws {IngestFault} */
export type Step = (document: IngestDocument, run: IngestRun) => boolean | undefined

/** What makes a step of a configuration. @throws {ServiceError} parse_exception */
export type ProcessorFactory = (config: ProcessorConfig, context: FactoryContext) => Step

/** What factories need of the pipeline they are part of. */
export interface FactoryContext {
  /** Reads a processor within another. */
  readonly inner: (json: unknown) => Processor
  readonly engineVersion: EngineVersion
  /** Finds stored scripts. */
  readonly script: FindStoredScript
}

/** One processor of a pipeline. */
export interface Processor {
  readonly type: string
  readonly tag: string | undefined
  readonly ignoreFailure: boolean
  readonly onFailure: readonly Processor[]
  readonly step: Step
  /** Whether it is to run on a document; absent: on all. @throws {IngestFault} */
  readonly condition?: (document: IngestDocument) => boolean
}
