import type { LmdbStore } from '../store/lmdb-store.ts'
import type { ShardRecords } from './shard-records.ts'

/** How long a deleted document's version is known (`index.gc_deletes`). */
const GC_DELETES_MS = 60_000

/** A delete; `at` is when (after a restart: when it was read again), in ms of a clock that is never set. */
interface Tombstone {
  readonly seqNo: number
  readonly type: string
  readonly id: string
  readonly at: number
}

/** Deletes whose ids are still known, so that a late write cannot bring back what was deleted after it. */
export class KnownDeletes {
  readonly #store: LmdbStore
  readonly #indexNumber: number
  readonly #records: ShardRecords
  /** Not yet behind the checkpoint. */
  #tombstones: Tombstone[] = []
  /** Behind the checkpoint, oldest first. */
  readonly #forgettable: Tombstone[] = []
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(store: LmdbStore, indexNumber: number, records: ShardRecords) {
    this.#store = store
    this.#indexNumber = indexNumber
    this.#records = records
  }

  add(seqNo: number, type: string, id: string): void {
    this.#tombstones.push({ seqNo, type, id, at: performance.now() })
  }

  clear(): void {
    this.#tombstones = []
  }

  /** Sequence numbers of the deletes that a checkpoint passes. */
  upTo(checkpoint: number): number[] {
    return this.#tombstones.filter(({ seqNo }) => seqNo <= checkpoint).map(({ seqNo }) => seqNo)
  }

  /** A manifest with this checkpoint is on disk. */
  flushed(checkpoint: number): void {
    const passed = this.#tombstones.filter(({ seqNo }) => seqNo <= checkpoint)
    this.#tombstones = this.#tombstones.filter(({ seqNo }) => seqNo > checkpoint)
    this.#forgettable.push(...passed)
    this.#forget()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  /** Forgets the versions of documents that were deleted a while ago, as `index.gc_deletes` does. */
  #forget(): void {
    const before = performance.now() - GC_DELETES_MS
    while (this.#forgettable.length > 0 && (this.#forgettable[0] as Tombstone).at < before) {
      const { seqNo, type, id } = this.#forgettable.shift() as Tombstone
      if (this.#records.entry(type, id)?.seqNo === seqNo && this.#store.failure === undefined) {
        this.#store.removeId(this.#indexNumber, type, id)
      }
    }
    clearTimeout(this.#timer)
    if (this.#forgettable.length === 0 || this.#closed) return
    this.#timer = setTimeout(() => this.#forget(), GC_DELETES_MS)
    this.#timer.unref()
  }
}
