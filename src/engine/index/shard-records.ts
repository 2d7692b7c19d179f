import { damagedRecord } from '../store/damaged-record.ts'
import type { DocumentName, DocumentRecord, StoredRecord, StoredSource } from '../store/document-record.ts'
import type { IdEntry } from '../store/id-entry.ts'
import type { LmdbStore } from '../store/lmdb-store.ts'
import type { Lz4Dictionary } from '../store/lz4-dictionary.ts'
import type { LearnedDictionary } from '../store/source-dictionaries.ts'
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

  /**
   * Queues a record and what its id stands for from now on.
   *
   * @param stored  the form that its source stays in; absent: it may come to be compressed
   */
  put(seqNo: number, given: DocumentRecord, stored?: StoredSource): void {
    const record = asStored(given)
    const { type, id, version, primaryTerm, tombstone, replacedSeqNo } = record
    if (tombstone || replacedSeqNo >= 0) this.#allAreLast = false
    const entry: IdEntry = { seqNo, version, primaryTerm, deleted: tombstone }
    this.#store.putDocument(this.#indexNumber, seqNo, record, stored)
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

  /** Bytes that a record takes in the store, 0 where there is none; undefined while it is being committed. */
  sizeBytes(seqNo: number): number | undefined {
    if (this.#uncommittedRecords.has(seqNo)) return undefined
    return this.#store.documentSizeBytes(this.#indexNumber, seqNo) ?? 0
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
  documentsAfter(after: number, limit: number, to = LAST_SEQ_NO): DocumentPage {
    const page = new Page<StoredDocument>(limit)
    for (const [seqNo, record] of this.#store.documents(this.#indexNumber, after + 1, to + 1)) {
      if (this.#isAlive(seqNo, record)) {
        const { type, id, routing, version, primaryTerm, source } = record
        page.add({ type, id, routing, version, seqNo, primaryTerm, source }, source)
      }
      if (page.isFull()) return { documents: page.documents, last: seqNo }
    }
    return { documents: page.documents, last: undefined }
  }

  /** The same as they are stored. */
  recordsAfter(after: number, limit: number, to = LAST_SEQ_NO): DocumentPage<StoredRecord> {
    const page = new Page<StoredRecord>(limit)
    for (const [seqNo, stored] of this.#store.storedDocuments(this.#indexNumber, after + 1, to + 1)) {
      if (this.#isAlive(seqNo, stored.record)) page.add(stored, stored.bytes)
      if (page.isFull()) return { documents: page.documents, last: seqNo }
    }
    return { documents: page.documents, last: undefined }
  }

  /** Whether a record is the last of its id, and no delete. */
  #isAlive(seqNo: number, { type, id, tombstone }: DocumentRecord): boolean {
    return !tombstone && (this.#allAreLast || this.#store.getId(this.#indexNumber, type, id)?.seqNo === seqNo)
  }

  /** {@link LmdbStore.dictionary} */
  dictionary(): Lz4Dictionary | undefined {
    return this.#store.dictionary(this.#indexNumber)
  }

  /** {@link LmdbStore.adoptDictionary} */
  adoptDictionary(learned: LearnedDictionary): boolean {
    return this.#store.adoptDictionary(this.#indexNumber, learned)
  }
}

/** No document has a greater number. */
const LAST_SEQ_NO = Number.MAX_SAFE_INTEGER - 1

/** What a page of documents holds at most, beside its last, and how many records are looked at for it. */
const PAGE_BYTES = 256 * 1024
const PAGE_RECORDS = 1_000

/** Documents gathered for a page. */
class Page<D> {
  readonly documents: D[] = []
  readonly #limit: number
  #bytes = 0
  #records = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  add(document: D, bytes: Buffer | undefined): void {
    this.documents.push(document)
    this.#bytes += bytes?.length ?? 0
  }

  /** To be asked after each record. */
  isFull(): boolean {
    return this.documents.length === this.#limit || this.#bytes > PAGE_BYTES || ++this.#records === PAGE_RECORDS
  }
}

/** A record as it is read back: names are stored in UTF-8, which has U+FFFD for half a surrogate pair. */
function asStored(record: DocumentRecord): DocumentRecord {
  const { id, routing } = record
  if (id.isWellFormed() && routing?.isWellFormed() !== false) return record
  return { ...record, id: id.toWellFormed(), routing: routing?.toWellFormed() }
}
