import { ServiceError } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { Long } from '../long.ts'
import type { IndexMapping } from '../mapping/index-mapping.ts'
import type { ParsedDocument } from '../mapping/parsed-document.ts'
import { requireRouting } from '../mapping/require-routing.ts'
import { validateTypeName } from '../metadata/validate-type-name.ts'
import type { DocumentRecord } from '../store/document-record.ts'
import type { IdEntry } from '../store/id-entry.ts'
import { autoId } from './auto-id.ts'
import { checkHeap } from './check-heap.ts'
import {
  type DeleteOperation,
  type DocumentOperation,
  documentName,
  type IndexOperation,
  type UpdateOperation,
  type WriteResult,
} from './document-operation.ts'
import type { KnownDeletes } from './known-deletes.ts'
import { parseSource } from './parse-source.ts'
import type { SegmentBuffer } from './segment-buffer.ts'
import type { ShardCounters } from './shard-counters.ts'
import type { ShardRecords } from './shard-records.ts'
import { updateOutcome, upsertOutcome } from './update-source.ts'
import { nextVersion } from './version-check.ts'

/** What a writer writes to. */
export interface IndexWriterOptions {
  readonly indexName: string
  readonly engineVersion: EngineVersion
  readonly mapping: IndexMapping
  readonly records: ShardRecords
  readonly deletes: KnownDeletes
  readonly counters: ShardCounters
  readonly newBuffer: () => SegmentBuffer
  /** Finds fault with a query that a document is to store; undefined: any will do. */
  readonly checkStoredQuery?: (json: string, mapping: IndexMapping) => void
  /** Called with the new mapping when a document brought fields: to be queued in the store before the document is. */
  readonly onMappingUpdate: (mapping: IndexMapping) => void
}

/** What was written since the last refresh. */
export interface WrittenDocuments {
  readonly buffer: SegmentBuffer
  /** Replaced or deleted, in a segment or in the buffer. */
  readonly deleted: readonly number[]
  /** The last of them. */
  readonly upTo: number
}

/** Applies writes in order: to the records, and to the buffer that the next refresh makes a segment of. */
export class IndexWriter {
  mapping: IndexMapping
  readonly #o: IndexWriterOptions
  #buffer: SegmentBuffer
  #deletedSeqNos: number[] = []
  maxSeqNo = -1

  constructor(options: IndexWriterOptions) {
    this.#o = options
    this.mapping = options.mapping
    this.#buffer = options.newBuffer()
  }

  get buffer(): SegmentBuffer {
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

  /** Applies one write; its result is true once the store is durable, and not before. */
  apply(operation: DocumentOperation): WriteResult {
    const id = operation.id ?? autoId()
    try {
      requireRouting(this.mapping, this.#o.indexName, operation, this.#o.engineVersion)
      switch (operation.kind) {
        case 'index':
        case 'create':
          return this.#index(operation, id)
        case 'delete':
          return this.#delete(operation, id)
        case 'update':
          return this.#update(operation)
      }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      this.#o.counters.indexFailed++
      return { ok: false, type: operation.type, id, error }
    }
  }

  /** Takes over what a document brought to the mapping. */
  updateMapping(type: string, { mappingUpdate }: ParsedDocument): void {
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
      const parsed = this.mapping.parse(type, id, parseSource(source), source, routing)
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

  #index(operation: IndexOperation, id: string): WriteResult {
    const { type, source, routing, stored } = operation
    // An id that was made just now is nobody else's.
    const current = operation.id === undefined ? undefined : this.#o.records.entry(type, id)
    const version = this.#nextVersion(operation, id, current)
    const seqNo = this.maxSeqNo + 1
    if (this.#buffer.addSource(seqNo, { type, source, routing }, this.mapping)) this.maxSeqNo = seqNo
    else {
      const parsed = this.#read(operation, id)
      this.maxSeqNo = seqNo
      try {
        this.#buffer.add(seqNo, type, parsed)
      } catch (error) {
        // As in the real server the number is used up; what is half in the buffer goes with the next refresh.
        this.#deletedSeqNos.push(seqNo)
        throw error
      }
    }
    const exists = current !== undefined && !current.deleted
    const replacedSeqNo = this.#replace(current)
    const record = { type, id, routing, version, primaryTerm: 1, replacedSeqNo, tombstone: false, source }
    this.#o.records.put(seqNo, record, stored)
    this.#o.counters.indexed(type)
    return { ok: true, result: exists ? 'updated' : 'created', type, id, version, seqNo, primaryTerm: 1 }
  }

  /** Reads a document, and takes over the fields it brings. */
  #read({ type, source, routing }: IndexOperation, id: string): ParsedDocument {
    const isLegacy = this.#o.engineVersion === 'Elasticsearch_6.8'
    // What is stored already is read whatever it takes.
    checkHeap(source, isLegacy)
    const parsed = this.mapping.parse(type, id, parseSource(source, isLegacy), source, routing)
    this.#checkStoredQueries(parsed)
    this.updateMapping(type, parsed)
    return parsed
  }

  #nextVersion(operation: IndexOperation, id: string, current: IdEntry | undefined): Long {
    try {
      return nextVersion(operation, id, current, this.#o.engineVersion)
    } catch (conflict) {
      // As in the real server a document is read before its version is looked at: what is wrong with it is told, its fields stay.
      this.#read(operation, id)
      throw conflict
    }
  }

  #delete(operation: DeleteOperation, id: string): WriteResult {
    const { type, routing } = operation
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
    const entry = this.#o.records.entry(type, id)
    const record = entry === undefined || entry.deleted ? undefined : this.#o.records.record(entry.seqNo)
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
      )
    if (record === undefined || entry === undefined) {
      const made = upsertOutcome(operation)
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
    if (!this.mapping.sourceEnabled(type)) {
      const name = documentName(type, id, this.#o.engineVersion)
      throw new ServiceError('document_source_missing_exception', `${name}: document source missing`)
    }
    const before = record.source ?? Buffer.from('{}')
    const { indexName } = this.#o
    const current = { index: indexName, type, id, version: entry.version, routing: record.routing, source: before }
    const made = updateOutcome(operation, current)
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
    const kept = operation.storedRouting?.(record.routing) ?? record.routing
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
    )
    return { source, ...(result as WriteResult & { ok: true }) }
  }

  /** Takes the write before out of what searches see; answers its number, -1 when there is none. */
  #replace(current: IdEntry | undefined): number {
    if (current === undefined) return -1
    // A delete's number too: an older view finds its way from write to write back to the one it shows.
    this.#deletedSeqNos.push(current.seqNo)
    return current.seqNo
  }
}

function pickCas(operation: UpdateOperation) {
  const { ifSeqNo, ifPrimaryTerm } = operation
  return { ...(ifSeqNo === undefined ? {} : { ifSeqNo }), ...(ifPrimaryTerm === undefined ? {} : { ifPrimaryTerm }) }
}
