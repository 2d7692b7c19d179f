import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ServiceError } from '../../errors.ts'
import { makeFolder } from '../../make-folder.ts'
import { checkDescriptors } from './check-descriptors.ts'
import { checkStoreFile, removeHalfMade, rewriteHeaders } from './check-store-file.ts'
import { type CommitFailedError, CommitQueue } from './commit-queue.ts'
import { CommitRoom } from './commit-room.ts'
import { DamagedEntry } from './damaged-entries.ts'
import { damagedRecord } from './damaged-record.ts'
import {
  AS_STORED,
  type DocumentName,
  type DocumentRecord,
  decodeDocumentRecord,
  decodeStoredRecord,
  encodeDocumentRecord,
  isCompressed,
  type StoredRecord,
  type StoredSource,
} from './document-record.ts'
import { decodeIdEntry, encodeIdEntry, type IdEntry } from './id-entry.ts'
import { KnownIds } from './known-ids.ts'
import type { Lz4Dictionary } from './lz4-dictionary.ts'
import { decodeMetadata, encodeMetadata, FORMAT_NAME, remainsOf } from './metadata-value.ts'
import { OwedChanges } from './owed-changes.ts'
import { PendingIds, QUIET_PORTION } from './pending-ids.ts'
import { RecordCache } from './record-cache.ts'
import { RecordCompressor } from './record-compressor.ts'
import { idOfRecord, idsLostName, idsUpToName } from './record-id.ts'
import { documentKey, idKey, indexKey, metadataKey, seqNoOf } from './record-keys.ts'
import {
  decodeDictionary,
  dictionaryName,
  encodeDictionary,
  type LearnedDictionary,
  SourceDictionaries,
} from './source-dictionaries.ts'
import { StoreCheck } from './store-check.ts'
import type { StoreMoment } from './store-moment.ts'
import { DOCUMENTS, IDS, METADATA, StoreTables, systemError } from './store-tables.ts'
import { type Change, WriteAheadLog } from './write-ahead-log.ts'

/** Version of what the tables hold; raised when an older chaja could not read it. */
export const STORE_FORMAT = 6

/** Since this one everything has a checksum. */
const ALL_CHECKED_FORMAT = 4

/** The store's file in its folder. */
export const STORE_FILE = 'store.mdb'
/** Memory for records read lately. */
const RECORD_CACHE_BYTES = 64 * 2 ** 20

/** Names of the entries that say which segments an index has (shard-manifest.ts) begin so. */
export const MANIFESTS = 'manifest/'

/** How long the first commit waits for the end of a {@link StoreCheck}. */
const WAIT_FOR_CHECK_MS = 2_000

/** How often it is looked whether ids wait and hardly anybody writes, and how many are written then at most. */
const QUIET_CHECK_MS = 1_000
const QUIET_WRITES = 1_000

/** What is kept of the log with the data. */
interface LogState {
  /** 8 random bytes in hexadecimal. */
  readonly store: string
  /** Number of the last group that the tables have. */
  readonly applied: number
  /** Number of the last group that the log had at least; absent in stores of earlier versions. */
  readonly logged?: number
}

/** What a start found in the log. */
export interface ReplayedLog {
  /** Groups that were logged before a crash, and that the tables have now. */
  readonly groups: number
  /** Not all of them were there. */
  readonly gap: boolean
  /** The last of them is not whole: it was cut off before it was acknowledged, or damaged since. */
  readonly torn: boolean
}

/** How a store is opened. */
export interface LmdbStoreOptions {
  /** Called before each write to disk; what it throws is the write's failure (tests of failing disks). */
  readonly beforeWrite?: () => void
  /** Instead of the system's (tests of full disks). */
  readonly freeBytes?: (folder: string) => number | undefined
  /** Beside another that writes: without a log. */
  readonly readOnly?: boolean
}

/**
 * The system of record: every document, version and setting, in one LMDB environment.
 *
 * Changes are queued; {@link CommitQueue} tells how they get to the disk: few of them first into a log, all into the tables.
 * Reads see what the tables have, the ids that come into theirs later, and what is owed after a failure: the engine keeps what is not yet committed in maps of its own.
 */
export class LmdbStore {
  readonly folder: string
  readonly #tables: StoreTables
  readonly #room: CommitRoom
  readonly #queue: CommitQueue
  readonly #owed = new OwedChanges()
  readonly #log: WriteAheadLog | undefined
  readonly #storeId: string
  readonly #beforeWrite: () => void
  /** What became of the log at this start. */
  readonly replayed: ReplayedLog
  /** Called after each commit, before anybody who waited for it goes on. */
  onCommit: () => void = () => {}
  readonly #recent = new RecordCache(RECORD_CACHE_BYTES)
  readonly #dictionaries = new SourceDictionaries({
    get: (indexNumber) => decodeDictionary(this.getMetadata(dictionaryName(indexNumber))),
    put: (indexNumber, learned) => this.putMetadata(dictionaryName(indexNumber), encodeDictionary(learned)),
  })
  readonly #compressor = new RecordCompressor()
  /** True when all entries have checksums: the store was made by a version that writes them. */
  #allChecked = false
  readonly #pendingIds = new PendingIds({
    documents: DOCUMENTS,
    ids: IDS,
    mark: (indexNumber, upTo) => metadataChange(idsUpToName(indexNumber), upTo),
  })
  /** Undefined beside another that writes. */
  readonly #knownIds: KnownIds | undefined
  /** Of these some of the last ids cannot be found any more. */
  readonly #lostIds = new Set<number>()
  #writingIds: Promise<void> | undefined
  #quietTimer: NodeJS.Timeout | undefined
  #lastIdKey: { indexNumber: number; type: string; id: string; key: Buffer } | undefined
  /** Undefined for one that was made now, and where another looks at it. */
  readonly #check: StoreCheck | undefined
  #checked: Promise<void> | undefined
  /** Called when writes are refused since damage was found. */
  onDamage: () => void = () => {}

  /**
   * Opens or makes the store in a folder.
   *
   * @throws {Error} when the folder was written by a newer version, or its file is damaged
   */
  constructor(folder: string, options: LmdbStoreOptions = {}) {
    const { beforeWrite = () => {}, readOnly = false } = options
    this.folder = folder
    this.#beforeWrite = beforeWrite
    this.#knownIds = readOnly ? undefined : new KnownIds((indexNumber) => this.#hasNoIds(indexNumber))
    makeFolder(folder)
    checkDescriptors(folder)
    const path = join(folder, STORE_FILE)
    if (!readOnly) removeHalfMade(path)
    const header = readOnly ? undefined : checkStoreFile(path)
    this.#check = header === undefined ? undefined : new StoreCheck(path, header)
    this.#tables = new StoreTables(path, this.#check)
    this.#room = new CommitRoom(folder, path, options.freeBytes)
    try {
      const format = this.getMetadata(FORMAT_NAME) as number | undefined
      if (format !== undefined && format > STORE_FORMAT) {
        throw new Error(
          `the data in ${folder} has format ${format}, written by a newer chaja; this one reads up to ${STORE_FORMAT}`,
        )
      }
      // The format that a new store begins with.
      if (format === undefined && !readOnly) this.#tables.writeNow([metadataChange('made', STORE_FORMAT)])
      this.#allChecked = this.#formatMadeWith() >= ALL_CHECKED_FORMAT
      const state = this.getMetadata('log') as LogState | undefined
      this.#storeId = state?.store ?? randomBytes(8).toString('hex')
      const applied = state?.applied ?? 0
      const logged = state?.logged ?? -1
      // Before anything is logged: what is in the log is worth nothing to a store that does not know its id.
      if (format !== STORE_FORMAT && !readOnly) this.#begin(applied, logged)
      this.#log = readOnly ? undefined : new WriteAheadLog(folder, Buffer.from(this.#storeId, 'hex'), applied)
      this.replayed = this.#replay(applied, logged)
      if (!readOnly) this.#resumeIds()
      if (this.#check?.damage === undefined) this.#tables.seekEnd()
      const target = {
        commit: (changes: readonly Change[], upTo: number) => this.#commit(changes, upTo),
        log: this.#log,
        owed: this.#owed,
        beforeWrite,
        hasRoom: () => this.#room.hasRoomToLog,
        onCommit: () => {
          this.#pendingIds.committed()
          if (this.#pendingIds.size > 0) this.#quietTimer ??= this.#quietLater()
          this.onCommit()
        },
      }
      this.#queue = new CommitQueue(target, this.#log?.lastNumber ?? applied)
      if (this.#check?.damage !== undefined) this.#queue.refuse(this.#check.damage)
      else if (!this.#owed.isEmpty) this.#queue.refuse(noSpace())
      else {
        if (this.#check?.hasEnded === false) this.#checked = this.#finishCheck(this.#check)
        for (const indexNumber of this.#lostIds) this.putMetadata(idsLostName(indexNumber), true)
      }
    } catch (error) {
      this.#check?.stop()
      this.#log?.close()
      void this.#tables.close()
      throw systemError(error as Error, path)
    }
  }

  async #finishCheck(check: StoreCheck): Promise<void> {
    // What is looked at stays as it is meanwhile.
    const release = this.#tables.hold()
    try {
      await check.finishLater()
    } finally {
      release()
    }
    this.#checked = undefined
    if (check.damage === undefined) return
    // What is under way fails with its commit; what was logged stays owed.
    await this.#queue.committed().catch(() => {})
    this.#queue.refuse(check.damage)
    this.onDamage()
  }

  /** @param given  the form that the source stays in; absent: it may come to be compressed */
  putDocument(indexNumber: number, seqNo: number, record: DocumentRecord, given?: StoredSource): void {
    const { source } = record
    // An index may have been made anew since its dictionary was asked for.
    const isOurs = given !== undefined && given.dictionary === this.#dictionaries.get(indexNumber)
    const stored = isOurs ? given : undefined
    const isDone = source === undefined || stored !== undefined
    const dictionary = isDone ? undefined : this.#dictionaries.learn(indexNumber, source)
    const change = {
      table: DOCUMENTS,
      key: documentKey(indexNumber, seqNo),
      value: (record.replacedSeqNo < 0 ? stored?.record : undefined) ?? encodeDocumentRecord(record, stored),
    }
    this.#queue.queue(change)
    if (dictionary !== undefined) this.#compressor.add(change, dictionary, (source as Buffer).length)
  }

  /** The record at a sequence number; its source may be kept, and is others' too: it must not be changed. */
  getDocument(indexNumber: number, seqNo: number): DocumentRecord | undefined {
    const recent = this.#recent.get(indexNumber, seqNo)
    if (recent !== undefined) return recent
    const bytes = this.#get(DOCUMENTS, documentKey(indexNumber, seqNo))
    if (bytes === undefined) return undefined
    const record = this.#decode(indexNumber, bytes)
    this.#recent.offer(indexNumber, seqNo, record)
    return record
  }

  /** The same without the source: sooner where that is compressed. */
  getDocumentName(indexNumber: number, seqNo: number): DocumentName | undefined {
    const recent = this.#recent.get(indexNumber, seqNo)
    if (recent !== undefined) return recent
    const bytes = this.#get(DOCUMENTS, documentKey(indexNumber, seqNo))
    return bytes === undefined ? undefined : decodeDocumentRecord(bytes, () => AS_STORED, this.#allChecked)
  }

  /** Bytes of a record as it is stored; undefined when there is none. */
  documentSizeBytes(indexNumber: number, seqNo: number): number | undefined {
    return this.#get(DOCUMENTS, documentKey(indexNumber, seqNo))?.length
  }

  removeDocument(indexNumber: number, seqNo: number): void {
    this.#recent.delete(indexNumber, seqNo)
    this.#change(DOCUMENTS, documentKey(indexNumber, seqNo), undefined)
  }

  /** Records with `from <= seqNo < to`, in order. */
  *documents(
    indexNumber: number,
    from: number,
    to: number,
  ): Generator<readonly [seqNo: number, record: DocumentRecord]> {
    for (const { key, value } of this.#range(DOCUMENTS, documentKey(indexNumber, from), documentKey(indexNumber, to))) {
      yield [seqNoOf(key), this.#decode(indexNumber, value)]
    }
  }

  /** The same as they are stored: `source` is what a source is compressed to. */
  *storedDocuments(
    indexNumber: number,
    from: number,
    to: number,
  ): Generator<readonly [seqNo: number, stored: StoredRecord]> {
    for (const { key, value } of this.#range(DOCUMENTS, documentKey(indexNumber, from), documentKey(indexNumber, to))) {
      // What is left as it is is a view into the copy.
      yield [seqNoOf(key), decodeStoredRecord(Buffer.from(value), this.#allChecked)]
    }
  }

  /** What sources of an index are compressed with. */
  dictionary(indexNumber: number): Lz4Dictionary | undefined {
    return this.#dictionaries.get(indexNumber)
  }

  /** {@link SourceDictionaries.adopt} */
  adoptDictionary(indexNumber: number, learned: LearnedDictionary): boolean {
    return this.#dictionaries.adopt(indexNumber, learned)
  }

  /** Highest sequence number that has a record; -1 when there is none. */
  maxSeqNo(indexNumber: number): number {
    // The bare number sorts before all its keys: the end of a range is exclusive.
    const range = { start: documentKey(indexNumber + 1, 0), end: indexKey(indexNumber), reverse: true, limit: 2 }
    const owed = this.#owed.isEmpty ? -1 : this.#maxOwed(indexNumber)
    for (const key of this.#tables.keys(DOCUMENTS, range)) {
      if (key.readUInt32BE(0) === indexNumber) return Math.max(seqNoOf(key), owed)
    }
    return owed
  }

  #maxOwed(indexNumber: number): number {
    const owed = this.#owed.over(DOCUMENTS, indexKey(indexNumber), indexKey(indexNumber + 1), [])
    return [...owed].reduce((max, { key }) => Math.max(max, seqNoOf(key)), -1)
  }

  putId(indexNumber: number, type: string, id: string, entry: IdEntry): void {
    const key = this.#idKey(indexNumber, type, id)
    this.#knownIds?.add(key)
    this.#change(IDS, key, encodeIdEntry(key, entry))
  }

  /** Whether nothing of an index is anywhere, nor lost. */
  #hasNoIds(indexNumber: number): boolean {
    if (this.#lostIds.has(indexNumber) || this.#check?.damage !== undefined || !this.#owed.isEmpty) return false
    const range = { start: indexKey(indexNumber), end: indexKey(indexNumber + 1), limit: 1 }
    // What waits to come into the ids table has its record.
    return [DOCUMENTS, IDS].every((table) => this.#tables.keys(table, range).length === 0)
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
    const key = this.#idKey(indexNumber, type, id)
    if (this.#knownIds?.mayHave(key) === false) return undefined
    const value = this.#get(IDS, key)
    if (value !== undefined) return decodeIdEntry(key, value, this.#allChecked)
    if (this.#lostIds.has(indexNumber)) throw damagedRecord('the record of one of the last documents')
    return undefined
  }

  removeId(indexNumber: number, type: string, id: string): void {
    this.#change(IDS, idKey(indexNumber, type, id), undefined)
  }

  getMetadata(name: string): unknown {
    const key = metadataKey(name)
    const bytes = this.#get(METADATA, key)
    return bytes === undefined ? undefined : decodeMetadata(key, bytes, this.#allChecked)[1]
  }

  /** The same, or what stands for a damaged entry. */
  metadataOr(name: string, instead: (error: ServiceError) => unknown): unknown {
    try {
      return this.getMetadata(name)
    } catch (error) {
      if (!(error instanceof ServiceError) || error.type !== 'corrupt_index_exception') throw error
      return instead(error)
    }
  }

  putMetadata(name: string, value: unknown): void {
    this.#queue.queue(metadataChange(name, value))
  }

  removeMetadata(name: string): void {
    this.#queue.queue(metadataChange(name, undefined))
  }

  /** Queues the removal of an entry by its key, which may be none of a name. */
  removeEntry(key: Buffer): void {
    this.#change(METADATA, key, undefined)
  }

  /** Entries whose name begins with a prefix (a short one), in order; of long names in any. The value of a damaged one is a {@link DamagedEntry}. */
  *metadata(prefix: string): Generator<readonly [name: string, value: unknown]> {
    for (const { key, value } of this.#range(METADATA, Buffer.from(prefix), Buffer.from(`${prefix}\u{10ffff}`))) {
      yield this.#entry(key, value)
    }
  }

  #entry(key: Buffer, value: Buffer): readonly [name: string, value: unknown] {
    try {
      return decodeMetadata(key, value, this.#allChecked)
    } catch (error) {
      const damage = new DamagedEntry(key, error as ServiceError, remainsOf(value))
      return [damage.name, damage]
    }
  }

  /**
   * Queues the removal of some of what is kept of an index' documents; to be called again, after a commit, until it
   * answers false: all at once would hold up everything else.
   */
  removeSome(indexNumber: number, limit: number): boolean {
    this.#recent.deleteIndex(indexNumber)
    this.#dictionaries.forget(indexNumber)
    this.#knownIds?.forget(indexNumber)
    const range = { start: indexKey(indexNumber), end: indexKey(indexNumber + 1), limit }
    let found = this.#pendingIds.deleteIndex(indexNumber)
    for (const table of [DOCUMENTS, IDS]) {
      for (const key of this.#tables.keys(table, range)) {
        this.#change(table, key, undefined)
        found = true
      }
    }
    // Last of all: records say nothing without it.
    if (!found) for (const name of [dictionaryName, idsUpToName, idsLostName]) this.removeMetadata(name(indexNumber))
    return found
  }

  /**
   * Settles when everything queued so far, by whomever, is on disk: it survives whatever happens. Reads may not see it yet.
   *
   * @throws {CommitFailedError} when it could not be written; nothing of it is there then
   */
  logged(): Promise<void> {
    return this.#queue.logged()
  }

  /** Settles when everything queued so far is in the tables, and on disk. @throws {CommitFailedError} as {@link logged} */
  committed(): Promise<void> {
    return this.#queue.committed()
  }

  /** {@link committed}, without hurrying it. */
  whenCommitted(): Promise<void> {
    return this.#queue.whenCommitted()
  }

  /** How many changes were queued ever: tells whether somebody is writing. */
  get queued(): number {
    return this.#queue.queued
  }

  /** True when something queued or logged is not in the tables, or ids of what is there. */
  get isBehind(): boolean {
    return this.#queue.isBehind || this.#pendingIds.size > 0
  }

  /** True when the tables have all that was acknowledged, ids aside. */
  get hasAll(): boolean {
    return !this.#queue.isBehind
  }

  /** How many ids wait to come into their table. */
  get waitingIds(): number {
    return this.#pendingIds.size
  }

  /** Puts the ids that wait into their table; settles then, or when they cannot be written now. */
  writeIds(): Promise<void> {
    this.#writingIds ??= this.#writeIds().finally(() => {
      this.#writingIds = undefined
    })
    return this.#writingIds
  }

  async #writeIds(): Promise<void> {
    // No more than are there now: others may come in all the while.
    const commits = Math.ceil(this.#pendingIds.size / QUIET_PORTION) + 1
    this.#pendingIds.quiet = true
    try {
      for (let i = 0; i < commits && this.#pendingIds.size > 0 && this.hasRoomForLater; i++) await this.#queue.touch()
    } catch {
      // They wait on, as everything does then.
    } finally {
      this.#pendingIds.quiet = false
    }
  }

  /** Reads from now on see what was committed until now, by whichever thread: without it they may see an earlier moment. */
  readLatest(): void {
    this.#tables.readLatest()
  }

  /** Holds what is committed now for reading; to be released. */
  moment(): StoreMoment {
    return this.#tables.moment(this.#allChecked)
  }

  /** Why nothing can be written; undefined when all is well. */
  get failure(): CommitFailedError | undefined {
    return this.#queue.failure
  }

  /** Whether the disk has room for a commit of a few thousand changes that can wait. */
  get hasRoomForLater(): boolean {
    return this.#room.hasRoomForLater
  }

  /** Opens the file anew where nothing can be read. @returns false: that cannot be done yet */
  async reopen(): Promise<boolean> {
    try {
      if (this.#tables.isBroken) await this.#tables.reopen()
      return true
    } catch {
      return false
    }
  }

  /**
   * Tries to write again after a failed commit; not while another does. What that wrote nothing leads to, so that it need not be known how much of it is on
   * disk; but of the page that leads to all else it must be, before anything is written over.
   *
   * @returns true when a commit went through: changes are taken again
   */
  async recover(): Promise<boolean> {
    // The headers are others' to write while commits are made.
    if (this.failure === undefined) return true
    try {
      this.#tables.expectWhole()
      await rewriteHeaders(join(this.folder, STORE_FILE))
    } catch {
      return false
    }
    // One that was learned of late may not be on disk.
    this.#dictionaries.forget()
    return this.#queue.recover()
  }

  /** {@link StoreTables.isBroken} */
  get isBroken(): boolean {
    return this.#tables.isBroken
  }

  /** {@link StoreTables.onReopen} */
  set onReopen(reopens: () => Promise<void>) {
    this.#tables.onReopen = reopens
  }

  async close(): Promise<void> {
    clearTimeout(this.#quietTimer)
    await this.writeIds()
    await this.#queue.close()
    this.#check?.stop()
    await this.#checked
    this.#compressor.close()
    this.#log?.close()
    this.#room.close()
    await this.#tables.close()
  }

  #get(table: number, key: Buffer): Buffer | undefined {
    if (!this.#owed.isEmpty) {
      const change = this.#owed.get(table, key)
      if (change !== undefined) return change.value
    }
    const pending = table === IDS ? this.#pendingIds.get(key) : undefined
    return pending ?? this.#tables.get(table, key)
  }

  /** {@link StoreTables.range}, with what is owed. */
  #range(table: number, start: Buffer, end: Buffer): Iterable<{ readonly key: Buffer; readonly value: Buffer }> {
    const entries = this.#tables.range(table, start, end)
    return this.#owed.isEmpty ? entries : this.#owed.over(table, start, end, entries)
  }

  #decode(indexNumber: number, shared: Buffer): DocumentRecord {
    // A dictionary that must be read first would be read into the same memory.
    const bytes = isCompressed(shared) && !this.#dictionaries.isAtHand(indexNumber) ? Buffer.from(shared) : shared
    return decodeDocumentRecord(bytes, () => this.#dictionaries.get(indexNumber), this.#allChecked)
  }

  #change(table: number, key: Buffer, value: Buffer | undefined): void {
    this.#queue.queue({ table, key, value })
  }

  /** Where the entry that says so is damaged it has a checksum, as all have. */
  #formatMadeWith(): number {
    for (const [name, value] of this.metadata('made'))
      if (name === 'made') return value instanceof DamagedEntry ? ALL_CHECKED_FORMAT : (value as number)
    return 0
  }

  /** Makes the store one of this format. */
  #begin(applied: number, logged: number): void {
    this.#check?.finish()
    if (this.#check?.damage !== undefined) return
    const format = metadataChange(FORMAT_NAME, STORE_FORMAT)
    this.#tables.writeNow([format, this.#logState(applied, logged)])
  }

  /** Puts into the tables what a crash left in the log. */
  #replay(applied: number, logged: number): ReplayedLog {
    const groups = this.#log?.unapplied() ?? []
    const torn = this.#log?.endsTorn ?? false
    const isCut = this.#log !== undefined && this.#log.lastLogged < logged
    // What follows on a gap was decided on what is missing; its numbers are not used again.
    const whole = groups.filter(({ number }, i) => number === applied + 1 + i)
    const changes = whole.flatMap((group) => group.changes)
    const last = groups.at(-1)?.number
    if (last === undefined) return { groups: 0, gap: isCut, torn }
    this.#check?.finish()
    if (this.#check?.damage === undefined && this.#room.has(changes, this.#tables.pages)) {
      this.#tables.writeNow([...changes, this.#logState(last)])
      this.#log?.applied(last)
    } else this.#owed.add(changes)
    return { groups: whole.length, gap: isCut || whole.length < groups.length, torn }
  }

  /** Finds the ids that a crash kept from the table. */
  #resumeIds(): void {
    for (const [name] of this.metadata(idsLostName(''))) this.#lostIds.add(Number(name.slice(idsLostName('').length)))
    const marks = this.#idMarks()
    // Cursors are about to go over pages.
    if (marks.size > 0) this.#check?.finish()
    for (const [indexNumber, upTo] of marks) {
      const ids: [key: Buffer, value: Buffer][] = []
      let last = upTo
      try {
        for (const record of this.#range(DOCUMENTS, documentKey(indexNumber, last + 1), indexKey(indexNumber + 1))) {
          last = seqNoOf(record.key)
          try {
            const { key, entry } = idOfRecord(indexNumber, record, this.#allChecked)
            ids.push([key, encodeIdEntry(key, entry)])
          } catch (error) {
            this.#loseIds(indexNumber, error)
          }
        }
      } catch (error) {
        this.#loseIds(indexNumber, error)
      }
      this.#pendingIds.resume(indexNumber, ids, last)
    }
  }

  /** Up to which record the table has an index' ids, where it has not all. Of a damaged mark nobody knows whose it is: then all are looked through. */
  #idMarks(): ReadonlyMap<number, number> {
    const marks = new Map<number, number>()
    let isDamaged = false
    for (const [name, upTo] of this.metadata(idsUpToName(''))) {
      if (upTo instanceof DamagedEntry) isDamaged = true
      else marks.set(Number(name.slice(idsUpToName('').length)), upTo as number)
    }
    if (!isDamaged) return marks
    return new Map([...this.indexNumbers()].map((indexNumber) => [indexNumber, marks.get(indexNumber) ?? -1]))
  }

  /** Of all indices that it has anything of, shown or not. */
  indexNumbers(): ReadonlySet<number> {
    const numbers = new Set<number>()
    for (const table of [DOCUMENTS, IDS]) {
      for (let next = 0; next < 2 ** 32 - 1; ) {
        const [key] = this.#tables.keys(table, { start: indexKey(next), end: indexKey(2 ** 32 - 1), limit: 1 })
        if (key === undefined) break
        next = key.readUInt32BE(0) + 1
        numbers.add(next - 1)
      }
    }
    for (const [name] of this.metadata(MANIFESTS)) {
      const number = Number(name.slice(MANIFESTS.length))
      if (Number.isSafeInteger(number)) numbers.add(number)
    }
    return numbers
  }

  /** Some ids of the index cannot be known. @throws whatever says nothing of damage */
  #loseIds(indexNumber: number, error: unknown): void {
    if (!(error instanceof ServiceError)) throw error
    this.#lostIds.add(indexNumber)
  }

  /** Once hardly anybody writes the table gets the ids that wait: what reads in other threads knows them from there. */
  #quietLater(): NodeJS.Timeout {
    const before = this.#pendingIds.added
    return setTimeout(async () => {
      if (this.#pendingIds.added - before < QUIET_WRITES) await this.writeIds()
      this.#quietTimer = this.#pendingIds.size === 0 || this.failure !== undefined ? undefined : this.#quietLater()
    }, QUIET_CHECK_MS).unref()
  }

  #logState(applied: number, logged = this.#log?.lastLogged ?? -1): Change {
    const state: LogState = { store: this.#storeId, applied, logged }
    return metadataChange('log', state)
  }

  async #commit(changes: readonly Change[], applied: number): Promise<void> {
    this.#tables.expectWhole()
    this.#beforeWrite()
    await Promise.all([this.#compressor.done(), this.#checkEnds()])
    // What is written to a removed file nobody will ever read.
    if (!existsSync(join(this.folder, STORE_FILE)))
      throw Object.assign(new Error(`${this.folder} was removed under the domain`), { code: 'ENOENT' })
    // Table by table, each in its order: a fifth less work for the tree's pages. (The documents are most of the bytes.)
    const written = changes
      .filter(({ table }) => table === DOCUMENTS)
      .concat(this.#pendingIds.begin(changes, this.hasRoomForLater))
    if (this.#log !== undefined) written.push(this.#logState(applied))
    const { pages } = this.#tables
    if (!this.#room.has(changes, pages, written)) throw noSpace()
    await this.#room.make(written, pages)
    await this.#tables.commit((write) => {
      for (const change of written) write(change)
    })
  }

  /** A commit to a damaged store may end the process. */
  async #checkEnds(): Promise<void> {
    if (this.#checked !== undefined) {
      const enough = new Promise((resolve) => setTimeout(resolve, WAIT_FOR_CHECK_MS).unref())
      await Promise.race([this.#checked, enough])
    }
    if (this.#check?.damage !== undefined) throw this.#check.damage
  }
}

function metadataChange(name: string, value: unknown): Change {
  const key = metadataKey(name)
  return { table: METADATA, key, value: value === undefined ? undefined : encodeMetadata(key, name, value) }
}

const noSpace = (): Error => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
