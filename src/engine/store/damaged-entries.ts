import { ServiceError } from '../../errors.ts'
import { metadataKey } from './record-keys.ts'

/** What stands in place of an entry of the metadata that is not as it was written. */
export class DamagedEntry {
  /** As its key has it: of a long name the beginning. */
  readonly name: string
  readonly key: Buffer
  readonly error: ServiceError
  /** What its JSON still says, if it is any: to be believed in nothing that something depends on. */
  readonly remains: unknown

  constructor(key: Buffer, error: ServiceError, remains: unknown) {
    this.name = key.toString()
    this.key = key
    this.error = error
    this.remains = remains
  }
}

/** Entries of the metadata that are damaged: whoever needs one is told, nobody takes it for one that was never there. */
export class DamagedEntries {
  /** By key. */
  readonly #entries = new Map<string, DamagedEntry>()

  note(entry: DamagedEntry): void {
    this.#entries.set(keyText(entry.key), entry)
  }

  /** @param name  `extra/pipeline/logs` */
  find(name: string): DamagedEntry | undefined {
    if (this.#entries.size === 0) return undefined
    const entry = this.#entries.get(keyText(metadataKey(name)))
    if (entry !== undefined) return entry
    // What is damaged may be its key, of which this is what can be said.
    for (const other of this.#entries.values()) if (other.name === name) return other
    return undefined
  }

  /** @throws {ServiceError} corrupt_index_exception when the entry of that name is damaged */
  expectWhole(name: string): void {
    const entry = this.find(name)
    if (entry !== undefined) throw damagedStored(entry)
  }

  /** @throws {ServiceError} corrupt_index_exception when an entry is damaged whose name begins with the prefix */
  expectAllWhole(prefix: string): void {
    for (const entry of this.#entries.values()) if (entry.name.startsWith(prefix)) throw damagedStored(entry)
  }

  /** Of those whose names begin with a prefix, what follows on it. */
  *namesBehind(prefix: string): Generator<string> {
    for (const { name } of this.#entries.values()) if (name.startsWith(prefix)) yield name.slice(prefix.length)
  }

  /** It was replaced, or removed. @returns what it was; undefined: it was not damaged */
  forget(name: string): DamagedEntry | undefined {
    const entry = this.find(name)
    if (entry !== undefined) this.#entries.delete(keyText(entry.key))
    return entry
  }

  /** All of them are about to be read again. */
  clear(): void {
    this.#entries.clear()
  }

  /** What is to be said of each. */
  *reasons(): Generator<string> {
    for (const entry of this.#entries.values()) yield damagedStored(entry).reason
  }
}

/** Keys of long names end in bytes of a digest. */
const keyText = (key: Buffer): string => key.toString('latin1')

function damagedStored({ error }: DamagedEntry): ServiceError {
  return new ServiceError(
    'corrupt_index_exception',
    `${error.reason}: until it is deleted and put again, whatever needs it is refused`,
  )
}
