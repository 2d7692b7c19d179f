import type { ExtraStore } from './engine.ts'
import type { LmdbStore } from './store/lmdb-store.ts'

/** Keyed JSON objects of other features, in the store's metadata table. */
export class StoredExtras implements ExtraStore {
  readonly #store: LmdbStore
  readonly #values = new Map<string, Map<string, unknown>>()

  readonly #committed: () => Promise<void>

  /** @param committed  settles when what was queued in the store is on disk; its error is the caller's answer */
  constructor(store: LmdbStore, committed: () => Promise<void>) {
    this.#store = store
    this.#committed = committed
  }

  /** Makes the objects in memory what the store has. */
  load(): void {
    this.#values.clear()
    for (const [key, value] of this.#store.metadata('extra/')) {
      const [, namespace, ...name] = key.split('/')
      this.#namespace(namespace as string).set(name.join('/'), value)
    }
  }

  get(namespace: string, name: string): unknown {
    return this.#values.get(namespace)?.get(name)
  }

  entries(namespace: string): Iterable<readonly [name: string, value: unknown]> {
    return this.#values.get(namespace) ?? []
  }

  async put(namespace: string, name: string, value: unknown): Promise<void> {
    if (this.#store.failure !== undefined) await this.#committed()
    this.#store.putMetadata(`extra/${namespace}/${name}`, value)
    this.#namespace(namespace).set(name, value)
    await this.#committed()
  }

  async delete(namespace: string, name: string): Promise<boolean> {
    if (this.#store.failure !== undefined) await this.#committed()
    if (!this.#values.get(namespace)?.delete(name)) return false
    this.#store.removeMetadata(`extra/${namespace}/${name}`)
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
