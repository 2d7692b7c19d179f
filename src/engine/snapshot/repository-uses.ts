import { ServiceError } from '../../errors.ts'
import type { Begun } from './snapshots.ts'

/** Keeps repositories as they are while something works with them, and work off them while they are changed. */
export class RepositoryUses {
  /** How many work with each. */
  readonly #users = new Map<string, number>()
  /** Settle when each has been changed. */
  readonly #changes = new Map<string, Promise<void>>()

  /**
   * Waits for changes of a repository that are under way, and keeps off others.
   *
   * @returns what gives it free, to be called once
   */
  async #hold(name: string): Promise<() => void> {
    // Between the last look and what follows nothing can come in.
    for (let change = this.#change([name]); change !== undefined; change = this.#change([name])) await change
    this.#users.set(name, (this.#users.get(name) ?? 0) + 1)
    return () => {
      const left = (this.#users.get(name) ?? 1) - 1
      if (left === 0) this.#users.delete(name)
      else this.#users.set(name, left)
    }
  }

  /** Works with a repository, which nothing changes meanwhile. */
  async using<T>(name: string, work: () => Promise<T>): Promise<T> {
    const release = await this.#hold(name)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** The same of work that goes on once it has begun. */
  async beginning<T>(name: string, begin: () => Promise<Begun<T>>): Promise<Begun<T>> {
    const release = await this.#hold(name)
    try {
      const { done } = await begin()
      return { done: done.finally(release) }
    } catch (error) {
      release()
      throw error
    }
  }

  /** Changes repositories, after earlier changes of them. @throws {ServiceError} illegal_state_exception when one is used */
  async changing(names: readonly string[], change: () => Promise<void>): Promise<void> {
    for (let earlier = this.#change(names); earlier !== undefined; earlier = this.#change(names)) await earlier
    if (names.some((name) => this.#users.has(name)))
      throw new ServiceError(
        'illegal_state_exception',
        'trying to modify or unregister repository that is currently used',
        { status: 500 },
      )
    const changed = change()
    const over = changed.catch(() => {})
    for (const name of names) this.#changes.set(name, over)
    try {
      await changed
    } finally {
      for (const name of names) this.#changes.delete(name)
    }
  }

  /** One that is under way. */
  #change(names: readonly string[]): Promise<void> | undefined {
    return names.map((name) => this.#changes.get(name)).find((change) => change !== undefined)
  }
}
