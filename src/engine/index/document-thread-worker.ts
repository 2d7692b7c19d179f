import { parentPort } from 'node:worker_threads'
import { ServiceError } from '../../errors.ts'
import { createIndexAnalyzers } from '../analysis/create-index-analyzers.ts'
import { importDictionaries, type SharedDictionary } from '../analysis/korean/dictionaries.ts'
import { lowerPriority } from '../lower-priority.ts'
import { createIndexMapping, type IndexMappingOptions } from '../mapping/create-index-mapping.ts'
import type { IndexMapping } from '../mapping/index-mapping.ts'
import type { MappingUpdate, ParsedDocument } from '../mapping/parsed-document.ts'
import { ROUTING_FIELD } from '../mapping/routing-field.ts'
import { type PortableError, portableError } from '../portable-error.ts'
import { checkHeap } from './check-heap.ts'
import { checkTerms, type DeferredAnalysis } from './deferred-analysis.ts'
import { batchBuffers, DocumentBatchWriter } from './document-batch.ts'
import { parseSource } from './parse-source.ts'
import { portableField } from './portable-field.ts'
import type { PortableBatch } from './segment-thread-worker.ts'
import { mergedSource } from './update-source.ts'

/** A mapping as a message carries it. */
export type PortableMapping = Omit<IndexMappingOptions, 'analyzers'> & {
  readonly analysis: DeferredAnalysis
  readonly dictionaries: readonly SharedDictionary[]
}

/** A document to be taken apart, or to be changed and then taken apart. */
export interface ReadingTask {
  /** Number of the mapping it is read by. */
  readonly mapping: number
  /** What that is made of, where the number stood for another, or none. */
  readonly made: PortableMapping | undefined
  readonly type: string
  readonly id: string
  readonly routing: string | undefined
  readonly source: Uint8Array
  /** What is merged into the source first. */
  readonly change: { readonly doc: Readonly<Record<string, unknown>>; readonly detectNoop: boolean } | undefined
}

/** What became of it; `here`: only the thread that asks can read it. */
export type ReadOutcome =
  | {
      readonly kind: 'read'
      /** Of number 0. */
      readonly batch: PortableBatch
      readonly mappingUpdate: MappingUpdate | undefined
      /** The source that was read, where it was changed. */
      readonly source: Uint8Array | undefined
    }
  | { readonly kind: 'noop' }
  | { readonly kind: 'fault'; readonly fault: PortableError }
  | { readonly kind: 'here' }

/** A mapping that documents are read by. */
interface ReadingMapping {
  readonly mapping: IndexMapping
  readonly isChecked: boolean
}

const mappings: (ReadingMapping | undefined)[] = []

lowerPriority()
parentPort?.on('message', (task: ReadingTask) => {
  const outcome = read(task)
  parentPort?.postMessage(outcome, outcome.kind === 'read' ? transferred(outcome) : [])
})

function transferred({ batch, source }: ReadOutcome & { kind: 'read' }): ArrayBuffer[] {
  return source === undefined ? batchBuffers(batch) : [...batchBuffers(batch), source.buffer as ArrayBuffer]
}

function read({ mapping: number, made, ...document }: ReadingTask): ReadOutcome {
  try {
    if (made !== undefined) mappings[number] = openMapping(made)
    return readBy(mappings[number] as ReadingMapping, document)
  } catch (error) {
    return error instanceof ServiceError ? { kind: 'fault', fault: portableError(error) } : { kind: 'here' }
  }
}

function openMapping({ analysis, dictionaries, ...options }: PortableMapping): ReadingMapping {
  importDictionaries(dictionaries)
  const { engineVersion, settings, isChecked } = analysis
  const analyzers = createIndexAnalyzers(settings, { engineVersion, isStored: true })
  return { mapping: createIndexMapping({ ...options, analyzers }), isChecked }
}

/** @throws {ServiceError} as the writer would */
function readBy({ mapping, isChecked }: ReadingMapping, document: Omit<ReadingTask, 'mapping' | 'made'>): ReadOutcome {
  const { type, id, routing, change } = document
  const isLegacy = mapping.engineVersion === 'Elasticsearch_6.8'
  const given = Buffer.from(document.source.buffer, document.source.byteOffset, document.source.length)
  checkHeap(given, mapping.engineVersion)
  const source = change === undefined ? given : mergedSource(change, given)
  if (source === undefined) return { kind: 'noop' }
  const writer = new DocumentBatchWriter()
  const scan = isChecked ? undefined : mapping.scan
  let mappingUpdate: MappingUpdate | undefined
  const isScanned = writer.addScanned(0, type, source, (sink) => {
    if (scan?.(type, source, sink) !== true) return false
    if (routing !== undefined) sink.value(ROUTING_FIELD, routing)
    return true
  })
  if (!isScanned) {
    const parsed = mapping.parse(type, id, parseSource(source, isLegacy), source, routing)
    if (holdsQueries(parsed)) return { kind: 'here' }
    checkTerms(parsed, isChecked)
    writer.add(0, type, parsed)
    mappingUpdate = parsed.mappingUpdate
  }
  const batch = writer.take()
  const portable = { ...batch, newFields: batch.newFields.map(portableField) }
  return {
    kind: 'read',
    batch: portable,
    mappingUpdate,
    source: change === undefined ? undefined : new Uint8Array(source),
  }
}

/** Whether it stores queries, which others look at. */
function holdsQueries({ documents }: ParsedDocument): boolean {
  return documents.some(({ fields }) =>
    fields.some(({ field }) => field.kind === 'opaque' && field.type === 'percolator'),
  )
}
