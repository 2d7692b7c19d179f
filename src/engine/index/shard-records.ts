import { damagedRecord } from '../store/damaged-record.ts'
import type { DocumentName, DocumentRecord } from '../store/document-record.ts'
import type { IdEntry } from '../store/id-entry.ts'
import type { LmdbStore } from '../store/lmdb-store.ts'
import type { DocumentPage, StoredDocument } from './index-searcher.ts'

/** The records of a shard, of which the last may not be committed yet. */
export class ShardRecords {
  readonly #store: LmdbStore
  readonly #indexNumber: number
  /** Writes that the store may not have committed yet, by type and id. (One key of both would be put together each time.) */
  readonly #uncommitted = new Map<string, Map<string, IdEntry>>()
  readonly #uncommittedRecords = new Map<number, DocumentRecord>()
  /** True while every record is known to be the last of its id: there were none at first, and nothing was replaced or deleted since. */
  #allAreLast = false

  constructor(store: LmdbStore, indexNumber: number) {
    this.#store = store
    this.#indexNumber = indexNumber
  }

  /** Tells that there is none yet; to be called before any is written. */
  beginEmpty(): void {
    this.#allAreLast = true
  }

  /** Queues a record and what its id stands for from now on. */
  put(seqNo: number, given: DocumentRecord): void {
    const record = asStored(given)
    const { type, id, version, primaryTerm, tombstone, replacedSeqNo } = record
    if (tombstone || replacedSeqNo >= 0) this.#allAreLast = false
    const entry: IdEntry = { seqNo, version, primaryTerm, deleted: tombstone }
    this.#store.putDocument(this.#indexNumber, seqNo, record)
    this.#store.putId(this.#indexNumber, type, id, entry)
    let ofType = this.#uncommitted.get(type)
    if (ofType === undefined) {
      ofType = new Map()
      this.#uncommitted.set(type, ofType)
    }
    ofType.set(id, entry)
    this.#uncommittedRecords.set(seqNo, record)
  }

  /** A write is on disk. */
  committed(type: string, id: string, seqNo: number): void {
    const ofType = this.#uncommitted.get(type)
    const storedId = id.toWellFormed()
    if (ofType?.get(storedId)?.seqNo === seqNo) ofType.delete(storedId)
    this.#uncommittedRecords.delete(seqNo)
  }

  /** The last write of an id, committed or not. */
  entry(type: string, id: string): IdEntry | undefined {
    return this.#uncommitted.get(type)?.get(id.toWellFormed()) ?? this.#store.getId(this.#indexNumber, type, id)
  }

  /** The record at a sequence number, committed or not. */
  record(seqNo: number): DocumentRecord | undefined {
    return this.#uncommittedRecords.get(seqNo) ?? this.#store.getDocument(this.#indexNumber, seqNo)
  }

  /** What the record at a sequence number is of: sooner read than all of it. */
  name(seqNo: number): DocumentName | undefined {
    return this.#uncommittedRecords.get(seqNo) ?? this.#store.getDocumentName(this.#indexNumber, seqNo)
  }

  /** The document of an id as it was written last; undefined when there is none of these types. */
  document(types: readonly string[], id: string): StoredDocument | undefined {
    for (const type of types) {
      const entry = this.entry(type, id)
      if (entry === undefined || entry.deleted) continue
      const record = this.record(entry.seqNo)
      if (record === undefined) throw damagedRecord('the record of a document')
      const { routing, source } = record
      return { type, id, routing, version: entry.version, seqNo: entry.seqNo, primaryTerm: entry.primaryTerm, source }
    }
    return undefined
  }

  /** What is committed behind a sequence number: the last writes of their ids, deletes left out. */
  documentsAfter(after: number, limit: number): DocumentPage {
    const documents: StoredDocument[] = []
    let records = 0
    let bytes = 0
    for (const [seqNo, record] of this.#store.documents(this.#indexNumber, after + 1, Number.MAX_SAFE_INTEGER)) {
      const { type, id, routing, version, primaryTerm, tombstone, source } = record
      const isLast = this.#allAreLast || this.#store.getId(this.#indexNumber, type, id)?.seqNo === seqNo
      if (isLast && !tombstone) {
        documents.push({ type, id, routing, version, seqNo, primaryTerm, source })
        bytes += source?.length ?? 0
      }
      if (documents.length === limit || bytes > PAGE_BYTES || ++records === PAGE_RECORDS) {
        return { documents, last: seqNo }
      }
    }
    return { documents, last: undefined }
  }
}

/** What a page of documents holds at most, beside its last, and how many records are looked at for it. */
const PAGE_BYTES = 256 * 1024
const PAGE_RECORDS = 1_000

/** A record as it is read back: names are stored in UTF-8, which has U+FFFD for half a surrogate pair. */
function asStored(record: DocumentRecord): DocumentRecord {
  const { id, routing } = record
  if (id.isWellFormed() && routing?.isWellFormed() !== false) return record
  return { ...record, id: id.toWellFormed(), routing: routing?.toWellFormed() }
}
