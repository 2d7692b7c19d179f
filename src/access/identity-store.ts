import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import type {
  DomainRecord,
  KeyRecord,
  PersonRecord,
  RoleRecord,
  SessionRecord,
  UserRecord,
} from './identity-records.ts'

/** Version of what the tables hold. */
const FORMAT = 1

/** The kinds of record, and the key prefix each is filed under. */
interface Tables {
  readonly user: UserRecord
  readonly role: RoleRecord
  readonly key: KeyRecord
  readonly session: SessionRecord
  readonly person: PersonRecord
}

/** A kind of record. */
export type IdentityTable = keyof Tables

/* One LMDB environment, `access/identities.mdb` in the data directory, values JSON:
 *   user/<name>  role/<name>  key/<access key id>  session/<access key id>  person/<name>
 *   meta/format    version of this layout
 *   meta/revision  number, raised by every change that running domains must notice
 *   meta/domain    DomainRecord
 *   meta/policy    the access policy, as text
 */

/**
 * Users, roles, keys, sessions and people of a domain.
 *
 * LMDB is safe between processes: commands open the same environment while a domain runs, and the domain notices by
 * {@link revision}. Writes are synchronous and on disk when they return.
 */
export class IdentityStore {
  readonly #db: RootDatabase<unknown, string>

  /** @param dataDir  the domain's data directory @throws {Error} when a newer version wrote it */
  constructor(dataDir: string) {
    const folder = join(dataDir, 'access')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#db = open<unknown, string>({
      path: join(folder, 'identities.mdb'),
      encoding: 'json',
      mapSize: 2 ** 32,
      permissionsMode: 0o600,
    } as Parameters<typeof open>[0]) as RootDatabase<unknown, string>
    const format = this.#db.get('meta/format') as number | undefined
    if (format === undefined) this.#db.putSync('meta/format', FORMAT)
    else if (format > FORMAT) {
      throw new Error(`the identities in ${folder} have format ${format}, written by a newer chaja`)
    }
  }

  /** Raised by every change; a running domain forgets what it remembered when it sees another one. */
  get revision(): number {
    return (this.#db.get('meta/revision') as number | undefined) ?? 0
  }

  /**
   * Does several things at once or, when the process ends or one throws, not at all; nobody else changes anything meanwhile.
   * A user who is gone while a key of theirs is not would leave it to whoever is called so next.
   */
  atomically<T>(action: () => T): T {
    return this.#db.transactionSync(action)
  }

  get<T extends IdentityTable>(table: T, name: string): Tables[T] | undefined {
    return this.#db.get(keyOf(table, name)) as Tables[T] | undefined
  }

  *list<T extends IdentityTable>(table: T): Iterable<Tables[T]> {
    for (const { value } of this.#db.getRange({ start: `${table}/`, end: `${table}0` })) yield value as Tables[T]
  }

  /** Stores a record; with `isNew` only where there is none yet. @returns false when there was one */
  put<T extends IdentityTable>(table: T, name: string, record: Tables[T], isNew = false): boolean {
    return this.#change((db) => {
      if (isNew && db.get(keyOf(table, name)) !== undefined) return false
      db.putSync(keyOf(table, name), record)
      return true
    })
  }

  /** @returns false when there was none */
  remove(table: IdentityTable, name: string): boolean {
    return this.#change((db) => db.removeSync(keyOf(table, name)))
  }

  /** Removes several, at once or not at all. */
  removeAll(table: IdentityTable, names: readonly string[]): void {
    if (names.length === 0) return
    this.#change((db) => {
      for (const name of names) db.removeSync(keyOf(table, name))
    })
  }

  /** Stores a session. It changes nothing that is remembered, so the revision stays. */
  putSession(record: SessionRecord): void {
    this.#db.putSync(keyOf('session', record.accessKeyId), record)
  }

  get policy(): string | undefined {
    return this.#db.get('meta/policy') as string | undefined
  }

  set policy(text: string) {
    this.#change((db) => db.putSync('meta/policy', text))
  }

  get domain(): DomainRecord | undefined {
    return this.#db.get('meta/domain') as DomainRecord | undefined
  }

  set domain(record: DomainRecord) {
    this.#db.putSync('meta/domain', record)
  }

  async close(): Promise<void> {
    await this.#db.close()
  }

  #change<T>(action: (db: RootDatabase<unknown, string>) => T): T {
    return this.#db.transactionSync(() => {
      const result = action(this.#db)
      this.#db.putSync('meta/revision', this.revision + 1)
      return result
    })
  }
}

/** Names are LMDB keys of at most 1978 bytes; longer ones name nobody. */
function keyOf(table: string, name: string): string {
  return `${table}/${name.slice(0, 256)}`
}
