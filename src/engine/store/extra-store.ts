import type { ExtraStore } from '../engine.ts'
import { type DamagedEntries, DamagedEntry } from './damaged-entries.ts'
import type { LmdbStore } from './lmdb-store.ts'

/** Keyed JSON objects of other features, in the store's metadata table. */
export class StoredExtras implements ExtraStore {
  readonly #store: LmdbStore
  readonly #damaged: DamagedEntries
  readonly #values = new Map<string, Map<string, unknown>>()

  readonly #committed: () => Promise<void>

  /** @param committed  settles when what was queued in the store is on disk; its error is the caller's answer */
  constructor(store: LmdbStore, damaged: DamagedEntries, committed: () => Promise<void>) {
    this.#store = store
    this.#damaged = damaged
    this.#committed = committed
  }

  /** Makes the objects in memory what the store has. */
  load(): void {
    this.#values.clear()
    for (const [key, value] of this.#store.metadata('extra/')) {
      if (value instanceof DamagedEntry) {
        this.#damaged.note(value)
        continue
      }
      const [, namespace, ...name] = key.split('/')
      this.#namespace(namespace as string).set(name.join('/'), value)
    }
  }

  get(namespace: string, name: string): unknown {
    this.#damaged.expectWhole(keyOf(namespace, name))
    return this.#values.get(namespace)?.get(name)
  }

  entries(namespace: string): Iterable<readonly [name: string, value: unknown]> {
    this.#damaged.expectAllWhole(keyOf(namespace, ''))
    return this.#values.get(namespace) ?? []
  }

  names(namespace: string): Iterable<string> {
    return [...(this.#values.get(namespace)?.keys() ?? []), ...this.#damaged.namesBehind(keyOf(namespace, ''))]
  }

  async put(namespace: string, name: string, value: unknown): Promise<void> {
    if (this.#store.failure !== undefined) await this.#committed()
    this.#store.putMetadata(keyOf(namespace, name), value)
    this.#damaged.forget(keyOf(namespace, name))
    this.#namespace(namespace).set(name, value)
    await this.#committed()
  }

  async delete(namespace: string, name: string): Promise<boolean> {
    if (this.#store.failure !== undefined) await this.#committed()
    if (!this.#values.get(namespace)?.delete(name)) return false
    this.#store.removeMetadata(keyOf(namespace, name))
    await this.#committed()
    return true
  }

  #namespace(name: string): Map<string, unknown> {
    let values = this.#values.get(name)
    if (values === undefined) {
      values = new Map()
      this.#values.set(name, values)
    }
    return values
  }
}

const keyOf = (namespace: string, name: string): string => `extra/${namespace}/${name}`
