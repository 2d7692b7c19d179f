import { type Database, open, type RangeOptions, type RootDatabase } from 'lmdb'
import { ServiceError } from '../../errors.ts'
import { isPanic, withSystemName } from '../../lmdb-error.ts'
import { checkAddressSpace } from './check-address-space.ts'
import { damagedRecord } from './damaged-record.ts'
import { FORMAT_NAME } from './metadata-value.ts'
import { indexKey, metadataKey } from './record-keys.ts'
import type { StoreCheck } from './store-check.ts'
import { type StoreMoment, takeMoment } from './store-moment.ts'
import type { Change } from './write-ahead-log.ts'

/* Tables (LMDB named databases), keys big-endian so that they sort as numbers:
 *   documents  index number u32, sequence number u64           → document record (document-record.ts)
 *   ids        index number u32, type, NUL, id (UTF-8)         → id-entry.ts; the last of them may be missing (pending-ids.ts)
 *   metadata   name (UTF-8: `format`, `index/<name>`, …)       → metadata-value.ts
 */
const TABLES = ['documents', 'ids', 'metadata'] as const

/** Their numbers in the log. */
export const DOCUMENTS = 0
export const IDS = 1
export const METADATA = 2

/** Address space, not disk: the file grows as it fills. */
const MAP_BYTES = 2 ** 40

/** Its typings leave options out where versions are not in use. */
const APPEND = { append: true } as unknown as number

/** LMDB's codes for pages that are not what they should be: not found, corrupted; and what follows in the same transaction. */
const UNREADABLE: ReadonlySet<unknown> = new Set([-30_797, -30_796, -30_782])

interface Environment {
  readonly root: RootDatabase<Buffer, Buffer>
  readonly documents: Database<Buffer, Buffer>
  readonly ids: Database<Buffer, Buffer>
  readonly metadata: Database<Buffer, Buffer>
}

/** Pages of the file. */
export interface FilePages {
  /** Number of the last in use. */
  readonly last: number
  /** Length of one. */
  readonly bytes: number
}

/** The tables of a store's file, and what can be wrong with it. */
export class StoreTables {
  readonly #path: string
  /** Undefined for a file that was made now, and where another looks at it. */
  readonly #check: StoreCheck | undefined
  #environment: Environment
  /** No key of a document is greater. */
  #lastDocumentKey: Buffer = Buffer.alloc(0)
  /** Set while nothing can be read. */
  #isBroken = false
  /** Called before the file is opened anew, which needs that nobody else of this process has it open. */
  onReopen: () => Promise<void> = async () => {}

  /** @throws {Error} the system's, or LMDB's of a file that is none */
  constructor(path: string, check: StoreCheck | undefined) {
    this.#path = path
    this.#check = check
    checkAddressSpace(MAP_BYTES)
    this.#environment = openEnvironment(path)
  }

  /** Bytes of ids' entries and records are to be read at once; those of metadata may be kept. */
  get(table: number, key: Buffer): Buffer | undefined {
    this.expectWhole()
    try {
      if (table === METADATA) return this.#environment.metadata.getBinary(key)
      const shared: Uint8Array | undefined = this.#table(table).getBinaryFast(key)
      // Values from 16 MiB on are a plain array over the pages of the file.
      if (shared !== undefined && !Buffer.isBuffer(shared)) {
        const { buffer, byteOffset, byteLength } = shared
        return Buffer.from(buffer, byteOffset, byteLength)
      }
      // Its `length` is the value's, what it is a view of is longer.
      return shared?.subarray(0, shared.length)
    } catch (error) {
      throw this.#unreadable(error as Error)
    }
  }

  /** Entries with `start <= key < end`, in order; their bytes are to be read at once. */
  *range(table: number, start: Buffer, end: Buffer): Generator<{ readonly key: Buffer; readonly value: Buffer }> {
    this.#checkRange(table, start, end)
    const environment = this.#environment
    try {
      yield* this.#table(table).getRange({ start, end }) as unknown as Iterable<{ key: Buffer; value: Buffer }>
    } catch (error) {
      throw this.#unreadable(error as Error, environment)
    }
  }

  /** Keys of a range, to be kept; they are read all at once. */
  keys(table: number, range: RangeOptions & { readonly start: Buffer; readonly end: Buffer }): Buffer[] {
    this.#checkRange(table, range.start, range.end)
    try {
      return [...this.#table(table).getKeys(range)].map((key) => Buffer.from(key as unknown as Buffer))
    } catch (error) {
      throw this.#unreadable(error as Error)
    }
  }

  /** Reads from now on see what was committed until now, by whichever thread: without it they may see an earlier moment. */
  readLatest(): void {
    this.#environment.root.resetReadTxn()
  }

  /** Keeps what is there as it is until it is called. */
  hold(): () => void {
    const transaction = this.#environment.root.useReadTransaction()
    return () => transaction.done()
  }

  /** Holds what is committed now for reading. @param allChecked  whether all entries have checksums */
  moment(allChecked: boolean): StoreMoment {
    this.expectWhole()
    this.readLatest()
    const environment = this.#environment
    const { root, documents, ids, metadata } = environment
    return takeMoment({
      transaction: root.useReadTransaction(),
      documents,
      ids,
      metadata,
      allChecked,
      checkDocuments: (start, end) => this.#checkRange(DOCUMENTS, start, end),
      checkIds: (start, end) => this.#checkRange(IDS, start, end),
      unreadable: (error) => (error instanceof ServiceError ? error : this.#unreadable(error, environment)),
    })
  }

  /** Learns which document comes last: what is committed behind it fills pages up. */
  seekEnd(): void {
    const last = { start: indexKey(2 ** 32 - 1), end: indexKey(0), reverse: true, limit: 1 }
    for (const key of this.keys(DOCUMENTS, last)) this.#lastDocumentKey = key
  }

  /** Writes in one transaction, at once. */
  writeNow(changes: Iterable<Change>): void {
    this.#environment.root.transactionSync(() => {
      for (const { table, key, value } of changes) {
        if (value === undefined) this.#table(table).removeSync(key)
        else this.#table(table).putSync(key, value)
      }
    })
  }

  /**
   * Writes in one transaction; settles after its fsync. When the file broke by a failure it is opened anew.
   *
   * @param writeAll  writes the changes: most cheaply table by table, each in its order
   * @throws {Error} the system's; nothing is written then
   */
  async commit(writeAll: (write: (change: Change) => void) => void): Promise<void> {
    const written: Promise<boolean>[] = []
    const write = (change: Change): void => {
      const promise = this.#put(change)
      // Most share one.
      if (promise !== written.at(-1)) written.push(promise)
    }
    try {
      await this.#environment.root.batch(() => writeAll(write))
    } catch (error) {
      // They fail all together, and are seen to before anybody could be told of them. (A handler for each in good time takes as long as its key does.)
      for (const promise of written) promise.catch(ignore)
      const cause = await causeOf(error as Error)
      this.#noticeBroken()
      // When it cannot be yet, it is tried again as writing is.
      if (this.#isBroken) await this.reopen().catch(ignore)
      throw cause
    }
  }

  get pages(): FilePages {
    const { root, lastPageNumber } = this.#environment.root.getStats() as FileStatistics
    return { last: lastPageNumber, bytes: root.pageSize }
  }

  /** True while nothing can be read: a commit failed in such a way that the file must be opened anew. */
  get isBroken(): boolean {
    return this.#isBroken
  }

  /** @throws {ServiceError} no_shard_available_action_exception while nothing can be read */
  expectWhole(): void {
    if (this.#isBroken) throw reopening()
  }

  /** @throws {Error} when it is as before: another thread has it open still */
  async reopen(): Promise<void> {
    await this.onReopen()
    await this.#environment.root.close()
    this.#environment = openEnvironment(this.#path)
    this.#environment.metadata.getBinary(metadataKey(FORMAT_NAME))
    this.#isBroken = false
  }

  close(): Promise<void> {
    return this.#environment.root.close()
  }

  /** LMDB reads nothing any more once it could not write the page that leads to all others. */
  #noticeBroken(): void {
    try {
      this.readLatest()
      this.#environment.metadata.getBinary(metadataKey(FORMAT_NAME))
    } catch (error) {
      this.#isBroken = isPanic(error)
    }
  }

  /**
   * @throws {ServiceError} corrupt_index_exception where LMDB would end the process on its way, in either direction;
   *                        no_shard_available_action_exception while nothing can be read
   */
  #checkRange(table: number, start: Buffer, end: Buffer): void {
    this.expectWhole()
    if (this.#check?.damage === undefined) return
    const [from, to] = Buffer.compare(start, end) < 0 ? [start, end] : [end, start]
    if (this.#check.isLost(TABLES[table] as string, from, to)) throw damagedRecord('a page of the store')
  }

  /**
   * What is told where LMDB could not read a page; the transaction that came to it reads nothing any more.
   *
   * @param environment  what was read from, which may have been closed since
   */
  #unreadable(error: Error & { readonly code?: unknown }, environment = this.#environment): Error {
    if (isPanic(error)) this.#isBroken = true
    if (this.#isBroken || environment !== this.#environment) return reopening()
    if (UNREADABLE.has(error.code)) {
      this.readLatest()
      return damagedRecord(`a page of the store (${error.message})`)
    }
    // What else LMDB says is of this moment: no memory, too many readers.
    if (typeof error.code !== 'number') return error
    return new ServiceError('no_shard_available_action_exception', `the store cannot be read: ${error.message}`)
  }

  #table(table: number): Database<Buffer, Buffer> {
    const { documents, ids, metadata } = this.#environment
    return table === DOCUMENTS ? documents : table === IDS ? ids : metadata
  }

  #put({ table, key, value }: Change): Promise<boolean> {
    if (value === undefined) return this.#table(table).remove(key)
    if (table !== DOCUMENTS || Buffer.compare(key, this.#lastDocumentKey) <= 0)
      return this.#table(table).put(key, value)
    // What is known to come last fills pages up; otherwise they are left a fifth empty.
    this.#lastDocumentKey = key
    return this.#environment.documents.put(key, value, APPEND)
  }
}

/** Of what lmdb tells of a file. */
interface FileStatistics {
  readonly root: { readonly pageSize: number }
  readonly lastPageNumber: number
}

function openEnvironment(path: string): Environment {
  const encodings = { encoding: 'binary', keyEncoding: 'binary' } as const
  const root = open<Buffer, Buffer>({
    path,
    maxDbs: 8,
    mapSize: MAP_BYTES,
    noMemInit: true,
    // A commit settles after its fsync, and only as a whole.
    overlappingSync: false,
    eventTurnBatching: false,
    ...encodings,
  })
  try {
    const [documents, ids, metadata] = TABLES.map((name) => root.openDB<Buffer, Buffer>({ name, ...encodings }))
    return { root, documents, ids, metadata } as Environment
  } catch (error) {
    void root.close()
    throw systemError(error as Error, path)
  }
}

/** An error of the system that LMDB gives by its number, with its name and the file it is about. */
export function systemError(error: Error & { readonly code?: unknown }, path: string): Error {
  return typeof error.code === 'number' && error.code > 0 ? Object.assign(withSystemName(error), { path }) : error
}

function reopening(): ServiceError {
  return new ServiceError('no_shard_available_action_exception', 'the store is being opened anew: its disk failed')
}

/** What lmdb means by «see commitError»: the system's own error, in a promise. */
async function causeOf(error: Error & { commitError?: Promise<unknown> }): Promise<Error> {
  if (error.commitError === undefined) return error
  const unknown = new Promise((resolve) => setTimeout(resolve, 1_000, error).unref())
  const cause = await Promise.race([error.commitError.catch((e: unknown) => e), unknown])
  return cause instanceof Error ? cause : error
}

function ignore(): void {}
