import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineLog } from '../engine.ts'
import { removeManifest } from '../index/shard-manifest.ts'
import { DamagedEntry } from '../store/damaged-entries.ts'
import type { LmdbStore } from '../store/lmdb-store.ts'

/** Records that are removed in one commit. */
const REMOVED_AT_ONCE = 1_000
/** How often it is looked whether the disk has room for it. */
const ROOM_CHECK_MS = 1_000
/** While others write, removing waits for so long a pause of theirs, */
const PAUSE_MS = 5
/** but only so often: under a load without end it must not fall behind for ever. */
const MOST_PAUSES = 40

/**
 * Removes what is left of deleted indices in the store, little by little and while nobody else writes: it takes as much of
 * the disk's and the processor's time as writing does. What does not get done the next start goes on with:
 * an index is named as removed (`removed/<number>`) before anything of it is.
 */
export class IndexRemovals {
  readonly #store: LmdbStore
  readonly #log: EngineLog
  /** By index number. */
  readonly #underWay = new Map<number, Promise<void>>()
  readonly #closing = new AbortController()

  constructor(store: LmdbStore, log: EngineLog) {
    this.#store = store
    this.#log = log
  }

  /** Names an index as removed; on disk with the next commit. */
  announce(indexNumber: number): void {
    this.#store.putMetadata(`removed/${indexNumber}`, indexNumber)
  }

  /** An index that was named as removed is none after all. */
  revoke(indexNumber: number): void {
    this.#store.removeMetadata(`removed/${indexNumber}`)
  }

  /** Goes on with all that were named. */
  resume(): void {
    for (const [name, number] of [...this.#store.metadata('removed/')]) {
      // Which index it names is not sure: what is left of that stays.
      if (number instanceof DamagedEntry) this.#log('error', { entry: name }, number.error.reason)
      else this.remove(number as number)
    }
  }

  /** Removes the records of an index that was named. */
  remove(indexNumber: number): void {
    if (this.#underWay.has(indexNumber)) return
    const removal = this.#work(indexNumber).catch((error: Error) => {
      this.#log('warn', { error: error.message }, 'what is left of a deleted index is removed at the next start')
    })
    this.#underWay.set(indexNumber, removal)
    void removal.then(() => this.#underWay.delete(indexNumber))
  }

  /** Stops, and settles when nothing is under way. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#underWay.values())
  }

  async #work(indexNumber: number): Promise<void> {
    await this.#hasRoom()
    while (!this.#isClosing && this.#store.removeSome(indexNumber, REMOVED_AT_ONCE)) {
      await this.#store.whenCommitted()
      await this.#othersPause()
      await this.#hasRoom()
    }
    if (this.#isClosing) return
    removeManifest(this.#store, indexNumber)
    this.revoke(indexNumber)
  }

  get #isClosing(): boolean {
    return this.#closing.signal.aborted
  }

  /** Settles once the disk has room for more than what cannot wait. */
  async #hasRoom(): Promise<void> {
    const { signal } = this.#closing
    while (!this.#isClosing && !this.#store.hasRoomForLater)
      await sleep(ROOM_CHECK_MS, undefined, { signal, ref: false }).catch(() => {})
  }

  async #othersPause(): Promise<void> {
    for (let i = 0; i < MOST_PAUSES && !this.#isClosing; i++) {
      const { queued } = this.#store
      await sleep(PAUSE_MS)
      if (this.#store.queued === queued) return
    }
  }
}
