import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import type { Long } from '../algorithms/long.ts'
import type { EngineVersion } from '../engine-version.ts'
import { tooMuchHeap } from '../heap-share.ts'
import type { IndexMapping } from '../mapping/index-mapping.ts'
import { IndexingFault } from '../mapping/indexing-fault.ts'
import { holdsDigits } from '../mapping/lossless-json.ts'
import type { ParsedDocument } from '../mapping/parsed-document.ts'
import { requireRouting } from '../mapping/require-routing.ts'
import { partsOfSource } from '../mapping/source-parts.ts'
import { validateTypeName } from '../metadata/validate-type-name.ts'
import { readError } from '../portable-error.ts'
import type { DocumentRecord } from '../store/document-record.ts'
import type { IdEntry } from '../store/id-entry.ts'
import { ArrivingSegment, type WriteBuffer } from './arriving-segment.ts'
import { autoId } from './auto-id.ts'
import { checkHeap } from './check-heap.ts'
import type { DeferredAnalysis } from './deferred-analysis.ts'
import {
  type DeleteOperation,
  type DocumentOperation,
  documentName,
  type IndexOperation,
  type ScriptedDocument,
  type ScriptedOutcome,
  type UpdateOperation,
  type UpdatePart,
  type WriteResult,
} from './document-operation.ts'
import type { ThreadOutcome } from './document-thread.ts'
import type { ReadingTask, ReadOutcome } from './document-thread-worker.ts'
import type { KnownDeletes } from './known-deletes.ts'
import { parseSource } from './parse-source.ts'
import type { ShardCounters } from './shard-counters.ts'
import type { ShardRecords } from './shard-records.ts'
import { isImmenseTermFault } from './term-length.ts'
import { readForUpdate, updateOutcome, upsertOutcome, writeUpdated } from './update-source.ts'
import { nextVersion } from './version-check.ts'

/** Sources from here on are taken apart in another thread: here, others would wait for it. */
export const LARGE_BYTES = 512 * 1024
/** The same where few bytes are much work: shapes of many corners, texts that become many tokens. */
const HEAVY_BYTES = 8 * 1024
/** A document whose mapping, or which itself, has changed so often meanwhile is read here. */
const MOST_READINGS = 3

/** A document that another thread is to take apart. */
export type LargeDocument = Omit<ReadingTask, 'mapping' | 'made'>
/** One that it has taken apart. */
type ReadDocument = ReadOutcome & { kind: 'read' }

/** What became of a document in another thread, and what it was read for. */
interface Reading {
  readonly id: string
  readonly mapping: IndexMapping
  /** Number of the write that it changes; -1: none. */
  readonly replaces: number
  readonly count: number
  readonly outcome: ThreadOutcome
  /** The source, where an update made it here. */
  readonly made: Buffer | undefined
}

/** Thrown through a write that has changed nothing yet, since its document is still being read. */
class UnreadError extends Error {
  readonly reading: Promise<void>

  constructor(reading: Promise<void>) {
    super('not read yet')
    this.reading = reading
  }
}

/** What a writer writes to. */
export interface IndexWriterOptions {
  readonly indexName: string
  readonly engineVersion: EngineVersion
  readonly mapping: IndexMapping
  /** Whether documents may only be added (`index.append_only.enabled`). */
  readonly isAppendOnly: boolean
  readonly records: ShardRecords
  readonly deletes: KnownDeletes
  readonly counters: ShardCounters
  readonly newBuffer: () => WriteBuffer
  /** How the documents' texts are analyzed; undefined: before their writes are answered. */
  readonly analysis?: DeferredAnalysis | undefined
  /** Takes a large document apart in another thread; undefined: none can. */
  readonly readElsewhere?: (document: LargeDocument, mapping: IndexMapping) => Promise<ThreadOutcome>
  /** Finds fault with a query that a document is to store; undefined: any will do. */
  readonly checkStoredQuery?: (json: string, mapping: IndexMapping) => void
  /** Called with the new mapping when a document brought fields: to be queued in the store before the document is. */
  readonly onMappingUpdate: (mapping: IndexMapping) => void
}

/** What was written since the last refresh. */
export interface WrittenDocuments {
  readonly buffer: WriteBuffer
  /** Replaced or deleted, in a segment or in the buffer. */
  readonly deleted: readonly number[]
  /** The last of them. */
  readonly upTo: number
}

/** Applies writes in order: to the records, and to the buffer that the next refresh makes a segment of. */
export class IndexWriter {
  mapping: IndexMapping
  readonly #o: IndexWriterOptions
  #buffer: WriteBuffer
  #deletedSeqNos: number[] = []
  /** How an update under way got its document. */
  #readForUpdate: { readonly isFound: boolean; readonly timeMs: number } | undefined
  /** Of writes that wait for their turn. */
  readonly #readings = new WeakMap<DocumentOperation, Reading>()
  /** Sources beyond so many bytes are read elsewhere, by a mapping. */
  #large: { readonly mapping: IndexMapping; readonly bytes: number } | undefined
  maxSeqNo = -1

  constructor(options: IndexWriterOptions) {
    this.#o = options
    this.mapping = options.mapping
    this.#buffer = options.newBuffer()
  }

  get buffer(): WriteBuffer {
    return this.#buffer
  }

  /** True when a refresh would change what a search sees. */
  get isDirty(): boolean {
    return !this.#buffer.isEmpty || this.#deletedSeqNos.length > 0
  }

  /** Hands over what was written and begins anew. */
  take(): WrittenDocuments {
    const taken = { buffer: this.#buffer, deleted: this.#deletedSeqNos, upTo: this.maxSeqNo }
    this.#buffer = this.#o.newBuffer()
    this.#deletedSeqNos = []
    return taken
  }

  /** What is written next is in a segment already; only where nothing was written since the last refresh. */
  expect(segment: ArrivingSegment): void {
    this.#buffer.discard()
    this.#buffer = segment
  }

  /**
   * Applies one write; its result is true once the store is durable, and not before.
   *
   * @returns a promise where its document is being read in another thread, and nothing has changed: once that settles the
   *          write is to be applied again
   */
  apply(operation: DocumentOperation): WriteResult | Promise<void> {
    const id = operation.id ?? this.#idOf(operation)
    try {
      requireRouting(this.mapping, this.#o.indexName, operation, this.#o.engineVersion)
      switch (operation.kind) {
        case 'index':
        case 'create':
          return this.#index(operation, id, this.#isLarge(operation) ? this.#indexedAhead(operation, id) : undefined)
        case 'delete':
          return this.#delete(operation, id)
        case 'update': {
          if (operation.isOfBulk) this.#requireAddition('UPDATE')
          const result = this.#update(operation)
          this.#countRead()
          return result
        }
      }
    } catch (error) {
      // What is applied again later counts then.
      if (error instanceof UnreadError) {
        this.#readForUpdate = undefined
        return error.reading
      }
      if (!(error instanceof ServiceError)) throw error
      this.#countRead()
      if (isIndexFault(operation, error)) this.#o.counters.indexFailed++
      return { ok: false, type: operation.type, id, error }
    }
  }

  /** An update gets the document first, which counts as any other get. */
  #countRead(): void {
    const read = this.#readForUpdate
    if (read === undefined) return
    this.#readForUpdate = undefined
    this.#o.counters.got(read.isFound, read.timeMs)
  }

  /** One that it is given keeps it while its document is read. */
  #idOf(operation: DocumentOperation): string {
    return (this.#isLarge(operation) ? this.#readings.get(operation)?.id : undefined) ?? autoId()
  }

  #isLarge(operation: DocumentOperation): operation is IndexOperation {
    return (operation.kind === 'index' || operation.kind === 'create') && this.#isLargeSource(operation.source)
  }

  #isLargeSource({ length }: Uint8Array): boolean {
    if (length <= HEAVY_BYTES) return false
    if (length > LARGE_BYTES) return true
    if (this.#large?.mapping !== this.mapping) {
      const isHeavy = this.#o.analysis?.multiplies === true || holdsShapes(this.mapping)
      this.#large = { mapping: this.mapping, bytes: isHeavy ? HEAVY_BYTES : LARGE_BYTES }
    }
    return length > this.#large.bytes
  }

  /** What an update sees of a source: what the mapping leaves out of it is lost, as in the real servers. */
  #keptSource(type: string, source: Buffer): Buffer {
    const parts = this.mapping.sourceFilter(type)
    if (parts === undefined) return source
    return writeUpdated(partsOfSource(readForUpdate(source), parts, this.#o.engineVersion) as UpdatePart)
  }

  /** What another thread made of a large document; as {@link #readAhead}. */
  #indexedAhead(operation: IndexOperation, id: string): ReadDocument | undefined {
    const { type, routing, source } = operation
    // Nothing is merged into it, which could change nothing.
    return this.#readAhead(operation, { type, id, routing, source, change: undefined }) as ReadDocument | undefined
  }

  /**
   * What another thread made of a large document by the mapping as it is now.
   *
   * @param replaces  number of the write that the document is made from; -1: none
   * @returns undefined: it is to be read here
   * @throws {UnreadError} it is being read
   * @throws {ServiceError} as {@link #read}
   */
  #readAhead(
    operation: DocumentOperation,
    document: LargeDocument,
    replaces = -1,
    made?: Buffer,
  ): ReadDocument | 'noop' | undefined {
    const { readElsewhere } = this.#o
    if (readElsewhere === undefined) return undefined
    const { mapping } = this
    const last = this.#readings.get(operation)
    if (last?.mapping === mapping && last.replaces === replaces) return outcomeOf(last.outcome, mapping)
    const count = 1 + (last?.count ?? 0)
    if (count > MOST_READINGS) return undefined
    throw new UnreadError(
      readElsewhere(document, mapping).then((outcome) => {
        this.#readings.set(operation, { id: document.id, mapping, replaces, count, outcome, made })
      }),
    )
  }

  /** Takes over what a document brought to the mapping. */
  updateMapping(type: string, { mappingUpdate }: Pick<ParsedDocument, 'mappingUpdate'>): void {
    if (!this.mapping.types.includes(type)) validateTypeName(type, true)
    if (mappingUpdate !== undefined) this.mapping = this.mapping.merge(mappingUpdate.type, mappingUpdate.mapping)
    else if (!this.mapping.types.includes(type)) this.mapping = this.mapping.merge(type, {})
    else return
    this.#o.onMappingUpdate(this.mapping)
  }

  /**
   * Takes over a write that was made elsewhere, with its number and version; what that one replaced is not here.
   *
   * @param seqNo  greater than any before
   * @returns why the document is found by its id only: its fields are refused here; undefined when all is well
   */
  restore(seqNo: number, record: DocumentRecord): Error | undefined {
    const { type, id, routing, tombstone } = record
    this.maxSeqNo = seqNo
    this.#o.records.put(seqNo, { ...record, replacedSeqNo: -1 })
    if (tombstone) {
      this.#o.deletes.add(seqNo)
      return undefined
    }
    const source = record.source ?? Buffer.from('{}')
    try {
      if (this.#buffer.addSource(seqNo, { type, source, routing }, this.mapping)) return undefined
      const parsed = this.mapping.parse(type, id, parseSource(source), source, routing, true)
      this.updateMapping(type, parsed)
      this.#buffer.add(seqNo, type, parsed)
      return undefined
    } catch (error) {
      if (!this.#buffer.has(seqNo)) {
        const documents = [{ nestedPath: undefined, fields: [], fieldNames: [] }]
        this.#buffer.add(seqNo, type, { documents, mappingUpdate: undefined })
      }
      return error as Error
    }
  }

  /** @throws {ServiceError} mapper_parsing_exception */
  #checkStoredQueries({ documents }: ParsedDocument): void {
    for (const { fields } of documents) {
      for (const { field, value } of fields) {
        if (field.kind !== 'opaque' || field.type !== 'percolator') continue
        this.#o.checkStoredQuery?.(Buffer.from(value as Uint8Array).toString('utf8'), this.mapping)
      }
    }
  }

  /** @param ahead  what was read of it; undefined: that is to be done */
  #index(operation: IndexOperation, id: string, ahead?: ReadDocument): WriteResult {
    const { type, source, routing, stored, place } = operation
    if (operation.kind === 'index' && operation.id !== undefined && stored === undefined)
      this.#requireAddition('INDEX', ` with a custom document id ${id}`)
    // An id that was made just now is nobody else's.
    const current = operation.id === undefined ? undefined : this.#o.records.entry(type, id)
    const version = this.#nextVersion(operation, id, current, ahead)
    const seqNo = this.maxSeqNo + 1
    if (ahead !== undefined) {
      this.updateMapping(type, ahead)
      this.#buffer.addBatch(seqNo, ahead.batch, this.mapping)
      this.maxSeqNo = seqNo
    } else if (this.#buffer.addSource(seqNo, { type, source, routing }, this.mapping)) this.maxSeqNo = seqNo
    else {
      try {
        const parsed = this.#read(operation, id)
        this.maxSeqNo = seqNo
        this.#buffer.add(seqNo, type, parsed)
      } catch (error) {
        // As in the real server the number is used up; what is half in the buffer goes with the next refresh.
        if (error instanceof IndexingFault) this.maxSeqNo = seqNo
        if (this.maxSeqNo === seqNo) this.#deletedSeqNos.push(seqNo)
        throw error
      }
    }
    if (place !== undefined && this.#buffer instanceof ArrivingSegment) this.#buffer.arrive(seqNo, place)
    const exists = current !== undefined && !current.deleted
    const replacedSeqNo = this.#replace(current)
    const record = { type, id, routing, version, primaryTerm: 1, replacedSeqNo, tombstone: false, source }
    this.#o.records.put(seqNo, record, stored)
    this.#o.counters.indexed(type)
    return { ok: true, result: exists ? 'updated' : 'created', type, id, version, seqNo, primaryTerm: 1 }
  }

  /** Refuses what may change a document, where documents may only be added. @throws {ServiceError} validation_exception */
  #requireAddition(kind: 'INDEX' | 'UPDATE' | 'DELETE', how = ''): void {
    if (!this.#o.isAppendOnly) return
    const setting = 'setting `index.append_only.enabled` is enabled for this index'
    const fault = `Operation [${kind}] is not allowed${how} as ${setting}: ${this.#o.indexName}`
    throw new ServiceError('validation_exception', `Validation Failed: 1: ${fault};`)
  }

  /** Reads a document, and takes over the fields it brings. */
  #read({ type, source, routing }: IndexOperation, id: string): ParsedDocument {
    const isLegacy = this.#o.engineVersion === 'Elasticsearch_6.8'
    // What is stored already is read whatever it takes.
    checkHeap(source, this.#o.engineVersion)
    try {
      const parsed = this.mapping.parse(type, id, parseSource(source, isLegacy), source, routing)
      this.#checkStoredQueries(parsed)
      this.updateMapping(type, parsed)
      return parsed
    } catch (error) {
      if (error instanceof IndexingFault) this.updateMapping(type, error)
      throw error
    }
  }

  #nextVersion(
    operation: IndexOperation,
    id: string,
    current: IdEntry | undefined,
    ahead: ReadDocument | undefined,
  ): Long {
    try {
      return nextVersion(operation, id, current, this.#o.engineVersion)
    } catch (conflict) {
      // As in the real server a document is read before its version is looked at: what is wrong with it is told, its fields stay.
      if (ahead === undefined) this.#readBeforeConflict(operation, id)
      else this.updateMapping(operation.type, ahead)
      throw conflict
    }
  }

  #readBeforeConflict(operation: IndexOperation, id: string): void {
    try {
      this.#read(operation, id)
    } catch (error) {
      if (!(error instanceof IndexingFault)) throw error
    }
  }

  #delete(operation: DeleteOperation, id: string): WriteResult {
    const { type, routing } = operation
    this.#requireAddition('DELETE')
    const current = this.#o.records.entry(type, id)
    const version = nextVersion(operation, id, current, this.#o.engineVersion)
    const exists = current !== undefined && !current.deleted
    const seqNo = ++this.maxSeqNo
    const replacedSeqNo = this.#replace(current)
    const record = { type, id, routing, version, primaryTerm: 1, replacedSeqNo, tombstone: true, source: undefined }
    this.#o.records.put(seqNo, record)
    this.#o.deletes.add(seqNo)
    this.#o.counters.deleted(type)
    return { ok: true, result: exists ? 'deleted' : 'not_found', type, id, version, seqNo, primaryTerm: 1 }
  }

  #update(operation: UpdateOperation): WriteResult {
    const { type, id, routing } = operation
    const started = performance.now()
    const entry = this.#o.records.entry(type, id)
    const record = entry === undefined || entry.deleted ? undefined : this.#o.records.record(entry.seqNo)
    const isFound = record !== undefined
    const timeMs = performance.now() - started
    const write = (source: Buffer, kind: 'index' | 'create') =>
      this.#index(
        {
          kind,
          type,
          id,
          source,
          versionType: 'internal',
          ...pickCas(operation),
          ...(routing === undefined ? {} : { routing }),
        },
        id,
        this.#madeAhead(operation, { type, id, routing, source }, -1),
      )
    if (record === undefined || entry === undefined) {
      this.#readForUpdate = { isFound, timeMs }
      const made = this.#madeBefore(operation, -1) ?? upsertOutcome(operation)
      if (made === undefined) {
        const name = documentName(type, id, this.#o.engineVersion)
        throw new ServiceError('document_missing_exception', `${name}: document missing`, {
          index: this.#o.indexName,
          metadata: { shard: '0' },
        })
      }
      if (made.op !== 'index') {
        this.#o.counters.noopUpdateTotal++
        return { ok: true, result: 'noop', type, id, version: -1, seqNo: -2, primaryTerm: 0 }
      }
      // There is none to compare with.
      if (operation.version !== undefined) nextVersion(operation, id, entry, this.#o.engineVersion)
      return { ...(write(made.source, 'create') as WriteResult & { ok: true }), source: made.source }
    }
    if (operation.ifSeqNo !== undefined || operation.version !== undefined)
      nextVersion(operation, id, entry, this.#o.engineVersion)
    this.#readForUpdate = { isFound, timeMs }
    if (!this.mapping.sourceEnabled(type)) {
      const name = documentName(type, id, this.#o.engineVersion)
      throw new ServiceError('document_source_missing_exception', `${name}: document source missing`)
    }
    const before = this.#keptSource(type, record.source ?? Buffer.from('{}'))
    const { indexName } = this.#o
    const current = { index: indexName, type, id, version: entry.version, routing: record.routing, source: before }
    const ahead = this.#changedAhead(operation, current, entry.seqNo)
    const made =
      ahead === undefined
        ? (this.#madeBefore(operation, entry.seqNo) ?? updateOutcome(operation, current))
        : outcomeAhead(ahead)
    if (made.op === 'none') {
      this.#o.counters.noopUpdateTotal++
      return {
        ok: true,
        result: 'noop',
        type,
        id,
        version: entry.version,
        seqNo: entry.seqNo,
        primaryTerm: entry.primaryTerm,
        source: before,
      }
    }
    const kept = keptRouting(operation, record)
    if (made.op === 'delete') {
      return this.#delete(
        { kind: 'delete', type, id, versionType: 'internal', ...(kept === undefined ? {} : { routing: kept }) },
        id,
      )
    }
    const { source } = made
    const result = this.#index(
      { kind: 'index', type, id, source, versionType: 'internal', ...(kept === undefined ? {} : { routing: kept }) },
      id,
      ahead === undefined || ahead === 'noop'
        ? this.#madeAhead(operation, { type, id, routing: kept, source }, entry.seqNo)
        : ahead,
    )
    return { source, ...(result as WriteResult & { ok: true }) }
  }

  /** What another thread made of a large document and what is to be merged into it; as {@link #readAhead}. */
  #changedAhead(
    operation: UpdateOperation,
    current: ScriptedDocument,
    replaces: number,
  ): ReadDocument | 'noop' | undefined {
    const { script, doc = {}, detectNoop } = operation
    const { type, id, source } = current
    // Scripts, and numbers by their digits, stay in their thread.
    if (!this.#isLargeSource(source) || script !== undefined || !isObject(doc) || holdsDigits(doc)) return undefined
    let routing: string | undefined
    try {
      routing = keptRouting(operation, current)
    } catch {
      // What is wrong with it is told once there is something to write.
      return undefined
    }
    return this.#readAhead(operation, { type, id, routing, source, change: { doc, detectNoop } }, replaces)
  }

  /** What an update had made before its document was read; undefined: nothing, or of another document than it changes now. */
  #madeBefore(operation: UpdateOperation, replaces: number): ScriptedOutcome | undefined {
    const last = this.#readings.get(operation)
    return last?.made === undefined || last.replaces !== replaces ? undefined : { op: 'index', source: last.made }
  }

  /** What another thread made of the large document that an update made here; as {@link #readAhead}. */
  #madeAhead(
    operation: UpdateOperation,
    document: Omit<LargeDocument, 'change' | 'source'> & { readonly source: Buffer },
    replaces: number,
  ): ReadDocument | undefined {
    const { source } = document
    if (!this.#isLargeSource(source)) return undefined
    return this.#readAhead(operation, { ...document, change: undefined }, replaces, source) as ReadDocument | undefined
  }

  /** Takes the write before out of what searches see; answers its number, -1 when there is none. */
  #replace(current: IdEntry | undefined): number {
    if (current === undefined) return -1
    // A delete's number too: an older view finds its way from write to write back to the one it shows.
    this.#deletedSeqNos.push(current.seqNo)
    return current.seqNo
  }
}

function holdsShapes(mapping: IndexMapping): boolean {
  return mapping.matchFields('*').some((path) => {
    const field = mapping.field(path)
    return field?.kind === 'opaque' && field.type === 'geo_shape'
  })
}

/** Whether a write failed as late as the real servers count it (`index_failed`): its document could be read. */
function isIndexFault({ kind }: DocumentOperation, error: ServiceError): boolean {
  if (error.type === 'version_conflict_engine_exception') return kind === 'index' || kind === 'create'
  return error instanceof IndexingFault || isImmenseTermFault(error)
}

/** The routing that a changed document is stored with. @throws {ServiceError} */
function keptRouting({ storedRouting }: UpdateOperation, { routing }: { readonly routing: string | undefined }) {
  return storedRouting?.(routing) ?? routing
}

/** @throws {ServiceError} what is wrong with the document */
function outcomeOf(outcome: ThreadOutcome, { engineVersion }: IndexMapping): ReadDocument | 'noop' | undefined {
  switch (outcome.kind) {
    case 'read':
      return outcome
    case 'noop':
      return 'noop'
    case 'here':
      return undefined
    case 'fault':
      throw readError(outcome.fault)
    case 'tooLarge':
      throw tooMuchHeap('document', undefined, engineVersion)
  }
}

function outcomeAhead(ahead: ReadDocument | 'noop'): ScriptedOutcome {
  if (ahead === 'noop') return { op: 'none' }
  const { buffer, byteOffset, length } = ahead.source as Uint8Array
  return { op: 'index', source: Buffer.from(buffer, byteOffset, length) }
}

function pickCas(operation: UpdateOperation) {
  const { ifSeqNo, ifPrimaryTerm } = operation
  return { ...(ifSeqNo === undefined ? {} : { ifSeqNo }), ...(ifPrimaryTerm === undefined ? {} : { ifPrimaryTerm }) }
}
