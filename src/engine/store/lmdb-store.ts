import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { type DocumentRecord, decodeDocumentRecord, encodeDocumentRecord } from './document-record.ts'

/** Version of what the tables hold; raised when an older chaja could not read it. */
export const STORE_FORMAT = 1

/** What the store knows of one document id. */
export interface IdEntry {
  readonly seqNo: number
  readonly version: number
  readonly primaryTerm: number
  /** True when the last write was a delete. */
  readonly deleted: boolean
}

/* Tables (LMDB named databases), keys big-endian so that they sort as numbers:
 *   documents  index number u32, sequence number u64           → document record (document-record.ts)
 *   ids        index number u32, type, NUL, id (UTF-8)         → seqNo f64, version f64, primary term f64, deleted u8 (little-endian)
 *   metadata   name (UTF-8: `format`, `index/<name>`, …)       → JSON
 */

/**
 * The system of record: every document, version and setting, in one LMDB environment.
 *
 * Writes are queued and committed together; {@link LmdbStore.durable} settles when what was queued so far is on disk.
 * Reads see committed writes only: the engine keeps what is not yet committed in its own maps.
 */
export class LmdbStore {
  readonly #root: RootDatabase<Buffer, Buffer>
  readonly #documents: Database<Buffer, Buffer>
  readonly #ids: Database<Buffer, Buffer>
  readonly #metadata: Database<Buffer, Buffer>
  #last: Promise<unknown> = Promise.resolve()

  /**
   * Opens or makes the store in a folder.
   *
   * @throws {Error} when the folder was written by a newer version
   */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    const encodings = { encoding: 'binary', keyEncoding: 'binary' } as const
    this.#root = open({
      path: join(folder, 'store.mdb'),
      maxDbs: 8,
      // Address space, not disk: the file grows as it fills.
      mapSize: 2 ** 40,
      noMemInit: true,
      ...encodings,
    })
    this.#documents = this.#root.openDB({ name: 'documents', ...encodings })
    this.#ids = this.#root.openDB({ name: 'ids', ...encodings })
    this.#metadata = this.#root.openDB({ name: 'metadata', ...encodings })
    const format = this.getMetadata('format') as number | undefined
    if (format === undefined) this.putMetadata('format', STORE_FORMAT)
    else if (format > STORE_FORMAT) {
      throw new Error(
        `the data in ${folder} has format ${format}, written by a newer chaja; this one reads up to ${STORE_FORMAT}`,
      )
    }
  }

  putDocument(indexNumber: number, seqNo: number, record: DocumentRecord): void {
    this.#last = this.#documents.put(documentKey(indexNumber, seqNo), encodeDocumentRecord(record))
  }

  /** The record at a sequence number; its source is a copy that may be kept. */
  getDocument(indexNumber: number, seqNo: number): DocumentRecord | undefined {
    const bytes = this.#documents.getBinary(documentKey(indexNumber, seqNo))
    return bytes === undefined ? undefined : decodeDocumentRecord(bytes)
  }

  removeDocument(indexNumber: number, seqNo: number): void {
    this.#last = this.#documents.remove(documentKey(indexNumber, seqNo))
  }

  /** Records with `from <= seqNo < to`, in order. */
  *documents(
    indexNumber: number,
    from: number,
    to: number,
  ): Generator<readonly [seqNo: number, record: DocumentRecord]> {
    const range = this.#documents.getRange({ start: documentKey(indexNumber, from), end: documentKey(indexNumber, to) })
    for (const { key, value } of range) {
      yield [seqNoOf(key as unknown as Buffer), decodeDocumentRecord(Buffer.from(value))]
    }
  }

  /** Highest sequence number that has a record; -1 when there is none. */
  maxSeqNo(indexNumber: number): number {
    const range = this.#documents.getKeys({
      start: documentKey(indexNumber + 1, 0),
      end: documentKey(indexNumber, 0),
      reverse: true,
      limit: 2,
    })
    for (const key of range) {
      const bytes = key as unknown as Buffer
      if (bytes.readUInt32BE(0) === indexNumber) return seqNoOf(bytes)
    }
    return -1
  }

  putId(indexNumber: number, type: string, id: string, entry: IdEntry): void {
    const value = Buffer.allocUnsafe(25)
    value.writeDoubleLE(entry.seqNo, 0)
    value.writeDoubleLE(entry.version, 8)
    value.writeDoubleLE(entry.primaryTerm, 16)
    value[24] = entry.deleted ? 1 : 0
    this.#last = this.#ids.put(idKey(indexNumber, type, id), value)
  }

  getId(indexNumber: number, type: string, id: string): IdEntry | undefined {
    const value = this.#ids.getBinaryFast(idKey(indexNumber, type, id)) as Buffer | undefined
    if (value === undefined) return undefined
    return {
      seqNo: value.readDoubleLE(0),
      version: value.readDoubleLE(8),
      primaryTerm: value.readDoubleLE(16),
      deleted: value[24] === 1,
    }
  }

  removeId(indexNumber: number, type: string, id: string): void {
    this.#last = this.#ids.remove(idKey(indexNumber, type, id))
  }

  getMetadata(name: string): unknown {
    const bytes = this.#metadata.getBinary(Buffer.from(name))
    return bytes === undefined ? undefined : JSON.parse(bytes.toString())
  }

  putMetadata(name: string, value: unknown): void {
    this.#last = this.#metadata.put(Buffer.from(name), Buffer.from(JSON.stringify(value)))
  }

  removeMetadata(name: string): void {
    this.#last = this.#metadata.remove(Buffer.from(name))
  }

  /** Entries whose name begins with a prefix, in order. */
  *metadata(prefix: string): Generator<readonly [name: string, value: unknown]> {
    const range = this.#metadata.getRange({ start: Buffer.from(prefix), end: Buffer.from(`${prefix}\u{10ffff}`) })
    for (const { key, value } of range) yield [(key as unknown as Buffer).toString(), JSON.parse(value.toString())]
  }

  /** Removes everything kept of an index's documents. */
  removeIndex(indexNumber: number): void {
    const end = Buffer.alloc(4)
    end.writeUInt32BE(indexNumber + 1)
    const start = Buffer.alloc(4)
    start.writeUInt32BE(indexNumber)
    for (const table of [this.#documents, this.#ids]) {
      for (const key of table.getKeys({ start, end })) this.#last = table.remove(key as unknown as Buffer)
    }
  }

  /**
   * Settles when everything queued so far is on disk (fsync done), whoever queued it: commits are grouped.
   *
   * @throws {Error} when the commit failed; nothing of it can be relied on then
   */
  async durable(): Promise<void> {
    await this.#last
    await this.#root.flushed
  }

  async close(): Promise<void> {
    await this.durable()
    await this.#root.close()
  }
}

function documentKey(indexNumber: number, seqNo: number): Buffer {
  const key = Buffer.allocUnsafe(12)
  key.writeUInt32BE(indexNumber, 0)
  key.writeUInt32BE(Math.floor(seqNo / 2 ** 32), 4)
  key.writeUInt32BE(seqNo >>> 0, 8)
  return key
}

const seqNoOf = (key: Buffer): number => key.readUInt32BE(4) * 2 ** 32 + key.readUInt32BE(8)

function idKey(indexNumber: number, type: string, id: string): Buffer {
  const typeBytes = Buffer.byteLength(type)
  const key = Buffer.allocUnsafe(5 + typeBytes + Buffer.byteLength(id))
  key.writeUInt32BE(indexNumber, 0)
  key.write(type, 4)
  key[4 + typeBytes] = 0
  key.write(id, 5 + typeBytes)
  return key
}
