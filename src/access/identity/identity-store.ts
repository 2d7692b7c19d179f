import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { fileProblem, systemCode } from '../../file-problem.ts'
import { isPanic, withSystemName } from '../../lmdb-error.ts'
import { makeFolder } from '../../make-folder.ts'
import { syncNames } from '../../sync-names.ts'
import { DamagedIdentityError } from './damaged-identity.ts'
import type {
  DomainRecord,
  KeyRecord,
  PersonRecord,
  RoleRecord,
  SessionRecord,
  UserRecord,
} from './identity-records.ts'
import { decodeIdentityValue, encodeIdentityValue, nameSum, valueSum } from './identity-value.ts'
import { RevisionNote } from './revision-note.ts'

/** Version of what the tables hold. Until 2 values had no checksums, and nothing said how many there are. */
const FORMAT = 2

/** The kinds of record, and the key prefix each is filed under. */
export interface Tables {
  readonly user: UserRecord
  readonly role: RoleRecord
  readonly key: KeyRecord
  readonly session: SessionRecord
  readonly person: PersonRecord
}

/** A kind of record. */
export type IdentityTable = keyof Tables

/* One LMDB environment, `access/identities.mdb` in the data directory, values as identity-value.ts lays them out:
 *   user/<name>  role/<name>  key/<access key id>  session/<access key id>  person/<name>
 *   meta/format    version of this layout: a bare number, which every version can read
 *   meta/entries   Entries
 *   meta/domain    DomainRecord
 *   meta/policy    the access policy, as text
 *   meta/sealed    a text sealed with the key that all secrets are sealed with
 */

const FORMAT_KEY = 'meta/format'
const ENTRIES_KEY = 'meta/entries'
/** Until format 2. */
const REVISION_KEY = 'meta/revision'

/** What there must be: a page that was lost, or comes from an earlier time, is whole in itself. */
interface Entries {
  /** Raised by every change that running domains must notice. */
  readonly revision: number
  /** Exclusive or of what all keys but the two above add, hexadecimal. */
  readonly names: string
  /** The same of all values. */
  readonly values: string
}

/** Free space that a change needs: LMDB is not left to find a disk full, which ends the process. What ends keys gets the last of it. */
const ROOM_BYTES = 2 ** 20
const ROOM_TO_REMOVE_BYTES = 2 ** 18
const PROBE_BYTES = 2 ** 14

/** Something to be stored under a key, or with undefined to be removed. */
type Change = readonly [key: string, value: unknown]

/**
 * Users, roles, keys, sessions and people of a domain.
 *
 * LMDB is safe between processes: commands open the same environment while a domain runs, and the domain notices by
 * {@link revision}. Writes are synchronous and on disk when they return; on a full disk they throw ENOSPC and change nothing.
 */
export class IdentityStore {
  #db: RootDatabase<string, string>
  /** Of the file, and of what belongs to it. */
  readonly folder: string
  readonly #note: RevisionNote
  readonly #freeBytes: (folder: string) => number
  #depth = 0
  #noted = -1

  /**
   * @param dataDir    the domain's data directory
   * @param freeBytes  of the file system that a folder is on
   * @throws {Error} when a newer version wrote it, when entries are missing, or when it is an older copy
   */
  constructor(dataDir: string, freeBytes = freeBytesOf) {
    this.#freeBytes = freeBytes
    this.folder = join(dataDir, 'access')
    makeFolder(this.folder, 0o700)
    this.#note = new RevisionNote(this.folder)
    this.#db = openFile(this.path)
    try {
      syncNames(this.folder)
      this.#transaction(() => this.#begin())
    } catch (error) {
      this.#db.close()
      throw error
    }
  }

  /** The file. */
  get path(): string {
    return join(this.folder, 'identities.mdb')
  }

  /** Raised by every change; a running domain forgets what it remembered when it sees another one. */
  get revision(): number {
    return this.#entries.revision
  }

  /**
   * Does several things at once or, when the process ends or one throws, not at all; nobody else changes anything meanwhile.
   * A user who is gone while a key of theirs is not would leave it to whoever is called so next.
   */
  atomically<T>(action: () => T): T {
    return this.#transaction(action)
  }

  /** True for a damaged one too. */
  has(table: IdentityTable, name: string): boolean {
    return this.#get(keyOf(table, name)) !== undefined
  }

  /** @throws {DamagedIdentityError} */
  get<T extends IdentityTable>(table: T, name: string): Tables[T] | undefined {
    return this.#read(keyOf(table, name)) as Tables[T] | undefined
  }

  /** The records of a table that can be read. */
  *list<T extends IdentityTable>(table: T): Iterable<Tables[T]> {
    for (const [, record] of this.entries(table)) if (!(record instanceof DamagedIdentityError)) yield record
  }

  /** All records of a table by name, the damaged ones too. */
  *entries<T extends IdentityTable>(table: T): Iterable<readonly [string, Tables[T] | DamagedIdentityError]> {
    for (const { key, value } of this.#range({ start: `${table}/`, end: `${table}0` })) {
      const read = decodeIdentityValue(key, value)
      const record = read === undefined ? new DamagedIdentityError(key, value) : (read.value as Tables[T])
      yield [key.slice(table.length + 1), record]
    }
  }

  /** What cannot be read. */
  damaged(): readonly DamagedIdentityError[] {
    const found: DamagedIdentityError[] = []
    for (const { key, value } of this.#range({}))
      if (key !== FORMAT_KEY && decodeIdentityValue(key, value) === undefined)
        found.push(new DamagedIdentityError(key, value))
    return found
  }

  /** Stores a record; with `isNew` only where there is none yet, a damaged one neither. @returns false when there was one */
  put<T extends IdentityTable>(table: T, name: string, record: Tables[T], isNew = false): boolean {
    return this.#transaction(() => {
      if (isNew && this.has(table, name)) return false
      this.#change([[keyOf(table, name), record]])
      return true
    })
  }

  /** @returns false when there was none */
  remove(table: IdentityTable, name: string): boolean {
    return this.#transaction(() => {
      if (!this.has(table, name)) return false
      this.removeAll(table, [name])
      return true
    })
  }

  /** Removes several, at once or not at all. */
  removeAll(table: IdentityTable, names: readonly string[]): void {
    if (names.length > 0) this.#change(names.map((name) => [keyOf(table, name), undefined]))
  }

  /** Stores a session. It changes nothing that is remembered, so the revision stays. */
  putSession(record: SessionRecord): void {
    this.#change([[keyOf('session', record.accessKeyId), record]], 0)
  }

  /** @throws {DamagedIdentityError} */
  get policy(): string | undefined {
    return this.#read('meta/policy') as string | undefined
  }

  set policy(text: string) {
    this.#change([['meta/policy', text]])
  }

  /** False until the first start is over. */
  get hasPolicy(): boolean {
    return this.#get('meta/policy') !== undefined
  }

  /** Something sealed with the key of all secrets. @throws {DamagedIdentityError} */
  get sealed(): string | undefined {
    return this.#read('meta/sealed') as string | undefined
  }

  set sealed(text: string) {
    this.#change([['meta/sealed', text]], 0)
  }

  /** What was told last; undefined when it cannot be read either. */
  get domain(): DomainRecord | undefined {
    const text = this.#get('meta/domain')
    return text === undefined ? undefined : (decodeIdentityValue('meta/domain', text)?.value as DomainRecord)
  }

  set domain(record: DomainRecord) {
    // Most often it is the same, and a disk may be full.
    if (this.#get('meta/domain') !== encodeIdentityValue('meta/domain', record))
      this.#change([['meta/domain', record]], 0)
  }

  async close(): Promise<void> {
    await this.#db.close()
  }

  get #entries(): Entries {
    return this.#read(ENTRIES_KEY) as Entries
  }

  #get(key: string): string | undefined {
    try {
      return this.#db.get(key)
    } catch (error) {
      if (this.#depth > 0 || !isPanic(error)) throw error
      void this.#db.close()
      this.#db = openFile(this.path)
      return this.#db.get(key)
    }
  }

  #range(range: { readonly start?: string; readonly end?: string }) {
    // A cursor cannot be gone on with once the file is opened anew.
    this.#get(FORMAT_KEY)
    return this.#db.getRange(range)
  }

  #read(key: string): unknown {
    const text = this.#get(key)
    if (text === undefined) return undefined
    const read = decodeIdentityValue(key, text)
    if (read === undefined) throw new DamagedIdentityError(key, text)
    return read.value
  }

  #transaction<T>(action: () => T): T {
    if (this.#depth === 0) this.#get(FORMAT_KEY)
    this.#depth++
    let result: T
    try {
      result = this.#db.transactionSync(action)
    } catch (error) {
      throw this.#unwritten(error as Error)
    } finally {
      this.#depth--
    }
    if (this.#depth === 0 && this.revision !== this.#noted) {
      this.#noted = this.revision
      this.#note.write(this.#noted)
    }
    return result
  }

  #change(changes: readonly Change[], raise: 0 | 1 = 1): void {
    this.#checkRoom(changes.every(([, value]) => value === undefined) ? ROOM_TO_REMOVE_BYTES : ROOM_BYTES)
    this.#transaction(() => {
      const { revision, ...sums } = this.#entries
      let [names, values] = [sums.names, sums.values].map((sum) => BigInt(`0x${sum}`)) as [bigint, bigint]
      for (const [key, value] of changes) {
        const before = this.#db.get(key)
        if (before !== undefined) {
          names ^= nameSum(key)
          values ^= valueSum(before)
        }
        if (value === undefined) this.#db.removeSync(key)
        else {
          const text = encodeIdentityValue(key, value)
          this.#db.putSync(key, text)
          names ^= nameSum(key)
          values ^= valueSum(text)
        }
      }
      this.#putEntries(revision + raise, names, values)
    })
  }

  #putEntries(revision: number, names: bigint, values: bigint): void {
    const entries: Entries = { revision, names: names.toString(16), values: values.toString(16) }
    this.#db.putSync(ENTRIES_KEY, encodeIdentityValue(ENTRIES_KEY, entries))
  }

  #checkRoom(bytes: number): void {
    const isFull = this.#freeBytes(this.folder) < bytes
    if (isFull) throw this.#unwritten(Object.assign(new Error(), { code: 'ENOSPC' }))
    // Nor is it left to find out that a disk takes nothing: what it notes of that is longer than the memory it takes for it.
    const probe = join(this.folder, `room-${process.pid}`)
    try {
      writeFileSync(probe, Buffer.alloc(PROBE_BYTES))
    } catch (error) {
      throw this.#unwritten(error as Error)
    } finally {
      rmSync(probe, { force: true })
    }
  }

  /** An error of the system, named as the file's; any other as it is. */
  #unwritten(error: Error & { readonly code?: unknown }): Error {
    return named(error, `cannot change ${this.path}`)
  }

  /** Looks at all there is, and makes it one of this format. */
  #begin(): void {
    const format = this.#db.get(FORMAT_KEY)
    const isEmpty = format === undefined && this.#db.getKeysCount({ limit: 1 }) === 0
    if (!isEmpty && !/^[1-9]\d*$/.test(format ?? '')) throw this.#damaged('it does not say its format')
    if (Number(format) > FORMAT)
      throw new Error(
        `the identities in ${this.folder} have format ${format}, written by a newer chaja; this one reads up to ${FORMAT}`,
      )
    if (isEmpty || Number(format) < FORMAT) this.#migrate()
    this.#checkEntries()
  }

  /** Gives every value its checksum. One that is no JSON stays as it is, and counts as damaged from now on. */
  #migrate(): void {
    this.#checkRoom(ROOM_BYTES)
    let [revision, names, values] = [0, 0n, 0n]
    for (const { key, value } of [...this.#db.getRange({})]) {
      if (key === FORMAT_KEY) continue
      if (key === ENTRIES_KEY) throw this.#damaged('it does not say its format')
      const text = withChecksum(key, value)
      if (key === REVISION_KEY) {
        revision = Number(value) || 0
        this.#db.removeSync(key)
        continue
      }
      if (text !== value) this.#db.putSync(key, text)
      names ^= nameSum(key)
      values ^= valueSum(text)
    }
    this.#db.putSync(FORMAT_KEY, String(FORMAT))
    this.#putEntries(revision + 1, names, values)
  }

  #checkEntries(): void {
    const text = this.#db.get(ENTRIES_KEY) ?? ''
    const there = decodeIdentityValue(ENTRIES_KEY, text)?.value as Entries | undefined
    if (there === undefined) throw this.#damaged('what says which entries there are cannot be read')
    let [names, values, isWhole] = [0n, 0n, true]
    for (const { key, value } of this.#db.getRange({})) {
      if (key === FORMAT_KEY || key === ENTRIES_KEY) continue
      names ^= nameSum(key)
      values ^= valueSum(value)
      isWhole &&= decodeIdentityValue(key, value) !== undefined
    }
    // Of one that is damaged the checksum may be: what it should be is not known.
    if (names.toString(16) !== there.names || (isWhole && values.toString(16) !== there.values))
      throw this.#damaged('entries are missing, or come from an earlier time')
    const noted = this.#note.read()
    if (noted !== undefined && noted > there.revision)
      throw new Error(
        `${this.path} is an older copy: it has come to change ${there.revision}, and ${noted} were made; keys that were removed since ` +
          `would work again. Restore the newer one, or remove ${this.#note.path} to take this one`,
      )
  }

  #damaged(how: string): Error {
    return new Error(
      `${this.path} is damaged: ${how}; nothing was changed. Restore it from a copy, or remove ${this.folder} to begin with ` +
        'new identities',
    )
  }
}

function openFile(path: string): RootDatabase<string, string> {
  try {
    return open<string, string>({
      path,
      encoding: 'string',
      mapSize: 2 ** 32,
      overlappingSync: false,
      permissionsMode: 0o600,
    } as Parameters<typeof open>[0]) as RootDatabase<string, string>
  } catch (error) {
    throw named(error as Error, `cannot open ${path}`)
  }
}

/** An error of the system (LMDB gives its number) with what failed; any other as it is. */
function named(error: Error & { readonly code?: unknown }, what: string): Error {
  const code = systemCode(withSystemName(error))
  if (code === undefined || !/^E[A-Z]+$/.test(code)) return error
  const message = `${what}: ${fileProblem({ code, message: error.message })}`
  return Object.assign(new Error(message, { cause: error }), { code })
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** A value of format 1 as one of format 2. */
function withChecksum(key: string, json: string): string {
  try {
    return encodeIdentityValue(key, JSON.parse(json))
  } catch {
    return json
  }
}

/** Names are LMDB keys of at most 1978 bytes; longer ones name nobody. */
function keyOf(table: string, name: string): string {
  return `${table}/${name.slice(0, 256)}`
}
