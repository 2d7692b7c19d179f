import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Database, open, type RootDatabase } from 'lmdb'
import { type DocumentRecord, decodeDocumentRecord, encodeDocumentRecord } from './document-record.ts'
import { RecordCache } from './record-cache.ts'

/** Version of what the tables hold; raised when an older chaja could not read it. */
export const STORE_FORMAT = 1

/** Bytes of records that a moment hands out at once. */
const MOMENT_BYTES = 2 ** 20

/** Memory for records read lately. */
const RECORD_CACHE_BYTES = 32 * 2 ** 20

/** What the store knows of one document id. */
export interface IdEntry {
  readonly seqNo: number
  readonly version: number
  readonly primaryTerm: number
  /** True when the last write was a delete. */
  readonly deleted: boolean
}

/**
 * One moment of the store: reads see what was committed when it was taken, whatever is written meanwhile. Pages it still
 * needs are not used again until it is released.
 */
export interface StoreMoment {
  /**
   * The sequence numbers that ids of an index stand for, some at a time.
   *
   * @param after  `last` of the call before; undefined for the first
   */
  idEntries(
    indexNumber: number,
    after: Buffer | undefined,
    limit: number,
  ): {
    readonly entries: readonly { readonly seqNo: number; readonly deleted: boolean }[]
    readonly last: Buffer | undefined
  }
  /** Records as stored (document-record.ts) with `from <= seqNo < to`, in order, at most so many. */
  records(
    indexNumber: number,
    from: number,
    to: number,
    limit: number,
  ): readonly (readonly [seqNo: number, bytes: Buffer])[]
  release(): void
}

/* Tables (LMDB named databases), keys big-endian so that they sort as numbers:
 *   documents  index number u32, sequence number u64           → document record (document-record.ts)
 *   ids        index number u32, type, NUL, id (UTF-8)         → seqNo f64, version f64, primary term f64, deleted u8 (little-endian)
 *   metadata   name (UTF-8: `format`, `index/<name>`, …)       → JSON
 */

/** Thrown by {@link LmdbStore.durable} and by whatever is queued afterwards: nothing can be written now. */
export class CommitFailedError extends Error {
  constructor(cause: Error) {
    super(`a commit to disk failed: ${cause.message}`, { cause })
    this.name = 'CommitFailedError'
  }
}

/** A queued change: a value for a key, or its removal. */
interface Change {
  readonly table: Database<Buffer, Buffer>
  readonly key: Buffer
  readonly value: Buffer | undefined
}

/** Changes from which on a group is committed though nobody waits for it yet: the more together, the less each costs. */
const MANY_CHANGES = 1_200
/** How long changes that nobody waits for may gather. */
const GATHER_MS = 10

/** Changes that are committed together, and the promise of that. */
interface CommitGroup {
  readonly changes: Change[]
  /** True once somebody waits for it. */
  awaited: boolean
  /** Sees to it that it does not gather for ever. */
  timer: NodeJS.Timeout | undefined
  /** True once its commit is to begin at the end of this turn of the event loop. */
  due: boolean
  readonly settled: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/**
 * The system of record: every document, version and setting, in one LMDB environment.
 *
 * Changes are queued and committed in groups, one transaction at a time: while one is being written and synced, the
 * next group gathers. A commit begins when somebody waits for it, or there is much to write. What is queued within one turn of the event loop is never split. When a commit fails, all that
 * was queued after it fails too (it was decided on a state that never came to be), and so does every later change
 * until {@link LmdbStore.recover}.
 * Reads see committed writes only: the engine keeps what is not yet committed in its own maps.
 */
export class LmdbStore {
  readonly folder: string
  readonly #root: RootDatabase<Buffer, Buffer>
  readonly #documents: Database<Buffer, Buffer>
  readonly #ids: Database<Buffer, Buffer>
  readonly #metadata: Database<Buffer, Buffer>
  #gathering: CommitGroup | undefined
  #committing: CommitGroup | undefined
  #failure: CommitFailedError | undefined
  readonly #commitHook: () => void
  /** Called after each commit, before anybody who waited for it goes on. */
  onCommit: () => void = () => {}
  readonly #recent = new RecordCache(RECORD_CACHE_BYTES)
  #lastIdKey: { indexNumber: number; type: string; id: string; key: Buffer } | undefined

  /**
   * Opens or makes the store in a folder.
   *
   * @param commitHook  called before each commit; what it throws is the commit's failure (tests of failing disks)
   * @throws {Error} when the folder was written by a newer version
   */
  constructor(folder: string, commitHook: () => void = () => {}) {
    this.folder = folder
    this.#commitHook = commitHook
    mkdirSync(folder, { recursive: true })
    const encodings = { encoding: 'binary', keyEncoding: 'binary' } as const
    this.#root = open({
      path: join(folder, 'store.mdb'),
      maxDbs: 8,
      // Address space, not disk: the file grows as it fills.
      mapSize: 2 ** 40,
      noMemInit: true,
      // A commit settles after its fsync, and only as one whole group (see #commit).
      overlappingSync: false,
      eventTurnBatching: false,
      ...encodings,
    })
    this.#documents = this.#root.openDB({ name: 'documents', ...encodings })
    this.#ids = this.#root.openDB({ name: 'ids', ...encodings })
    this.#metadata = this.#root.openDB({ name: 'metadata', ...encodings })
    const format = this.getMetadata('format') as number | undefined
    if (format === undefined) this.putMetadata('format', STORE_FORMAT)
    else if (format > STORE_FORMAT) {
      void this.#root.close()
      throw new Error(
        `the data in ${folder} has format ${format}, written by a newer chaja; this one reads up to ${STORE_FORMAT}`,
      )
    }
  }

  putDocument(indexNumber: number, seqNo: number, record: DocumentRecord): void {
    this.#queue(this.#documents, documentKey(indexNumber, seqNo), encodeDocumentRecord(record))
  }

  /** The record at a sequence number; its source may be kept, and is others' too: it must not be changed. */
  getDocument(indexNumber: number, seqNo: number): DocumentRecord | undefined {
    const recent = this.#recent.get(indexNumber, seqNo)
    if (recent !== undefined) return recent
    const bytes = this.#documents.getBinary(documentKey(indexNumber, seqNo))
    if (bytes === undefined) return undefined
    const record = decodeDocumentRecord(bytes)
    this.#recent.offer(indexNumber, seqNo, record)
    return record
  }

  removeDocument(indexNumber: number, seqNo: number): void {
    this.#recent.delete(indexNumber, seqNo)
    this.#queue(this.#documents, documentKey(indexNumber, seqNo), undefined)
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
      // The bare number sorts before all its keys: the end of a range is exclusive.
      end: indexKey(indexNumber),
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
    this.#queue(this.#ids, this.#idKey(indexNumber, type, id), value)
  }

  /** A write asks for the key of the id that was looked up just before. */
  #idKey(indexNumber: number, type: string, id: string): Buffer {
    const last = this.#lastIdKey
    if (last?.id === id && last.type === type && last.indexNumber === indexNumber) return last.key
    const key = idKey(indexNumber, type, id)
    this.#lastIdKey = { indexNumber, type, id, key }
    return key
  }

  getId(indexNumber: number, type: string, id: string): IdEntry | undefined {
    const value = this.#ids.getBinaryFast(this.#idKey(indexNumber, type, id)) as Buffer | undefined
    if (value === undefined) return undefined
    return {
      seqNo: value.readDoubleLE(0),
      version: value.readDoubleLE(8),
      primaryTerm: value.readDoubleLE(16),
      deleted: value[24] === 1,
    }
  }

  removeId(indexNumber: number, type: string, id: string): void {
    this.#queue(this.#ids, idKey(indexNumber, type, id), undefined)
  }

  getMetadata(name: string): unknown {
    const bytes = this.#metadata.getBinary(Buffer.from(name))
    return bytes === undefined ? undefined : JSON.parse(bytes.toString())
  }

  putMetadata(name: string, value: unknown): void {
    this.#queue(this.#metadata, Buffer.from(name), Buffer.from(JSON.stringify(value)))
  }

  removeMetadata(name: string): void {
    this.#queue(this.#metadata, Buffer.from(name), undefined)
  }

  /** Entries whose name begins with a prefix, in order. */
  *metadata(prefix: string): Generator<readonly [name: string, value: unknown]> {
    const range = this.#metadata.getRange({ start: Buffer.from(prefix), end: Buffer.from(`${prefix}\u{10ffff}`) })
    for (const { key, value } of range) yield [(key as unknown as Buffer).toString(), JSON.parse(value.toString())]
  }

  /**
   * Queues the removal of some of what is kept of an index' documents; to be called again, after a commit, until it
   * answers false: all at once would hold up everything else.
   */
  removeSome(indexNumber: number, limit: number): boolean {
    this.#recent.deleteIndex(indexNumber)
    const range = { start: indexKey(indexNumber), end: indexKey(indexNumber + 1), limit }
    let found = false
    for (const table of [this.#documents, this.#ids]) {
      for (const key of table.getKeys(range)) {
        this.#queue(table, Buffer.from(key as unknown as Buffer), undefined)
        found = true
      }
    }
    return found
  }

  /**
   * Settles when everything queued so far is on disk (fsync done), whoever queued it.
   *
   * @throws {CommitFailedError} when the commit failed; nothing of it is there then
   */
  durable(): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    const group = this.#gathering
    if (group === undefined) return this.#committing?.settled ?? Promise.resolve()
    group.awaited = true
    this.#commitWhenDue(group)
    return group.settled
  }

  /** Reads from now on see what was committed until now, by whichever thread: without it they may see an earlier moment. */
  readLatest(): void {
    this.#root.resetReadTxn()
  }

  /** Holds what is committed now for reading; to be released. */
  moment(): StoreMoment {
    this.readLatest()
    const transaction = this.#root.useReadTransaction()
    const [ids, documents] = [this.#ids, this.#documents]
    return {
      idEntries(indexNumber, after, limit) {
        const entries: { readonly seqNo: number; readonly deleted: boolean }[] = []
        let last: Buffer | undefined
        const range = { start: after ?? indexKey(indexNumber), end: indexKey(indexNumber + 1), limit: limit + 1 }
        for (const { key, value } of ids.getRange({ ...range, transaction })) {
          const bytes = key as unknown as Buffer
          if (after?.equals(bytes)) continue
          last = Buffer.from(bytes)
          entries.push({ seqNo: value.readDoubleLE(0), deleted: value[24] === 1 })
        }
        return { entries, last }
      },
      records(indexNumber, from, to, limit) {
        const range = { start: documentKey(indexNumber, from), end: documentKey(indexNumber, to), limit }
        const records: (readonly [number, Buffer])[] = []
        let bytes = 0
        for (const { key, value } of documents.getRange({ ...range, transaction })) {
          records.push([seqNoOf(key as unknown as Buffer), Buffer.from(value)])
          bytes += value.length
          if (bytes > MOMENT_BYTES) break
        }
        return records
      },
      release: () => transaction.done(),
    }
  }

  /** Why nothing can be written; undefined when all is well. */
  get failure(): CommitFailedError | undefined {
    return this.#failure
  }

  /**
   * Tries to write again after a failed commit.
   *
   * @returns true when a commit went through: changes are taken again
   */
  async recover(): Promise<boolean> {
    if (this.#failure === undefined) return true
    const failure = this.#failure
    this.#failure = undefined
    this.putMetadata('recovered', Date.now())
    try {
      await this.durable()
      return true
    } catch {
      this.#failure ??= failure
      return false
    }
  }

  async close(): Promise<void> {
    while (this.#failure === undefined && (this.#gathering ?? this.#committing) !== undefined) {
      await this.durable().catch(() => {})
    }
    await this.#root.close()
  }

  #queue(table: Database<Buffer, Buffer>, key: Buffer, value: Buffer | undefined): void {
    if (this.#failure !== undefined) throw this.#failure
    let group = this.#gathering
    if (group === undefined) {
      const begun = commitGroup()
      begun.timer = setTimeout(() => {
        begun.awaited = true
        this.#commitWhenDue(begun)
      }, GATHER_MS)
      group = begun
      this.#gathering = group
    }
    group.changes.push({ table, key, value })
    if (group.changes.length === MANY_CHANGES) this.#commitWhenDue(group)
  }

  #commitWhenDue(group: CommitGroup): void {
    if (group.due || this.#committing !== undefined) return
    if (!group.awaited && group.changes.length < MANY_CHANGES) return
    group.due = true
    // At the end of the event loop's turn, so that what came in together is committed together.
    setImmediate(() => void this.#commit())
  }

  /** Commits what has gathered; only one commit is under way at a time. */
  async #commit(): Promise<void> {
    const group = this.#gathering
    if (group === undefined || this.#committing !== undefined) return
    this.#gathering = undefined
    this.#committing = group
    clearTimeout(group.timer)
    try {
      this.#commitHook()
      await this.#root.batch(() => {
        // Table by table, each in its order: a fifth less work for the tree's pages. (The documents are most of the bytes.)
        for (const change of group.changes) if (change.table === this.#documents) write(change)
        for (const change of group.changes) if (change.table !== this.#documents) write(change)
      })
      this.#committing = undefined
      this.onCommit()
      group.resolve()
      if (this.#gathering !== undefined) this.#commitWhenDue(this.#gathering)
    } catch (error) {
      this.#failure = new CommitFailedError(await causeOf(error as Error))
      this.#committing = undefined
      const later = this.#gathering as CommitGroup | undefined
      this.#gathering = undefined
      clearTimeout(later?.timer)
      group.reject(this.#failure)
      later?.reject(this.#failure)
    }
  }
}

function write({ table, key, value }: Change): void {
  if (value === undefined) void table.remove(key)
  else void table.put(key, value)
}

function commitGroup(): CommitGroup {
  let resolve = () => {}
  let reject: (error: Error) => void = () => {}
  const settled = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  // Some changes are queued without anybody waiting for them; their failure shows with the next one that is waited for.
  settled.catch(() => {})
  return { changes: [], awaited: false, timer: undefined, due: false, settled, resolve, reject }
}

/** What lmdb means by «see commitError»: the system's own error, in a promise. */
async function causeOf(error: Error & { commitError?: Promise<unknown> }): Promise<Error> {
  if (error.commitError === undefined) return error
  const unknown = new Promise((resolve) => setTimeout(resolve, 1_000, error).unref())
  const cause = await Promise.race([error.commitError.catch((e: unknown) => e), unknown])
  return cause instanceof Error ? cause : error
}

/** Sorts before everything of an index in the documents and ids tables. */
function indexKey(indexNumber: number): Buffer {
  const key = Buffer.allocUnsafe(4)
  key.writeUInt32BE(indexNumber)
  return key
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
