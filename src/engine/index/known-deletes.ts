import { ServiceError } from '../../errors.ts'
import type { LmdbStore } from '../store/lmdb-store.ts'
import type { ShardRecords } from './shard-records.ts'

/** How often it is looked whether the time of some is over: as often as that itself, within these. */
const LEAST_PAUSE_MS = 1_000
const MOST_PAUSE_MS = 60_000
/** Ids that are forgotten in one go, and how soon others follow: a bulk of deletes must not hold up the rest when its time is over. */
const FORGOTTEN_AT_ONCE = 500
const NEXT_AFTER_MS = 10
/** Where an id is removed all that wait are written with it: more of them than this are written beforehand, little by little. */
const FEW_WAITING = 4_000

/** A delete; `at` is when (after a restart: when it was read again), in ms of a clock that is never set. */
interface Tombstone {
  readonly seqNo: number
  readonly at: number
}

/**
 * Deletes whose ids are still known, so that a late write cannot bring back what was deleted after it. Their records say which ids
 * these are, and stay until they are forgotten.
 */
export class KnownDeletes {
  readonly #store: Pick<LmdbStore, 'failure' | 'hasRoomForLater' | 'removeId' | 'waitingIds' | 'writeIds'>
  readonly #indexNumber: number
  readonly #records: Pick<ShardRecords, 'entry' | 'record'>
  readonly #keptMs: () => number
  readonly #onForgotten: (seqNos: readonly number[]) => void
  /** Not yet behind the checkpoint. */
  #tombstones: Tombstone[] = []
  /** Behind the checkpoint, oldest first. */
  #forgettable: Tombstone[] = []
  #timer: NodeJS.Timeout | undefined
  #closed = false

  /**
   * @param keptMs       how long a deleted document's version is known (`index.gc_deletes`)
   * @param onForgotten  told of the records that nobody asks for any more
   */
  constructor(
    store: Pick<LmdbStore, 'failure' | 'hasRoomForLater' | 'removeId' | 'waitingIds' | 'writeIds'>,
    indexNumber: number,
    records: Pick<ShardRecords, 'entry' | 'record'>,
    keptMs: () => number,
    onForgotten: (seqNos: readonly number[]) => void,
  ) {
    this.#store = store
    this.#indexNumber = indexNumber
    this.#records = records
    this.#keptMs = keptMs
    this.#onForgotten = onForgotten
  }

  add(seqNo: number): void {
    this.#tombstones.push({ seqNo, at: performance.now() })
  }

  /** Takes deletes that an earlier start knew ({@link upTo} of the last manifest). */
  resume(seqNos: readonly number[]): void {
    const at = performance.now()
    this.#forgettable = seqNos.map((seqNo) => ({ seqNo, at }))
    this.#forgetLater(this.#pauseMs)
  }

  get #pauseMs(): number {
    return Math.min(Math.max(this.#keptMs(), LEAST_PAUSE_MS), MOST_PAUSE_MS)
  }

  clear(): void {
    this.#tombstones = []
  }

  /** Sequence numbers of the deletes that a checkpoint passes, and of those that one before did. */
  upTo(checkpoint: number): number[] {
    return [...this.#forgettable, ...this.#tombstones].map(({ seqNo }) => seqNo).filter((seqNo) => seqNo <= checkpoint)
  }

  /** A manifest with this checkpoint is on disk. */
  flushed(checkpoint: number): void {
    for (const tombstone of this.#tombstones) if (tombstone.seqNo <= checkpoint) this.#forgettable.push(tombstone)
    this.#tombstones = this.#tombstones.filter(({ seqNo }) => seqNo > checkpoint)
    this.#forget()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  /** Forgets the versions of documents that were deleted a while ago, as `index.gc_deletes` does. @param hasWritten  whether ids that waited were */
  #forget(hasWritten = false): void {
    const before = performance.now() - this.#keptMs()
    const isDue = (tombstone: Tombstone | undefined) => tombstone !== undefined && tombstone.at < before
    if (isDue(this.#forgettable[0]) && this.#store.waitingIds > FEW_WAITING && !hasWritten) {
      void this.#store.writeIds().then(() => this.#forget(true))
      return
    }
    let count = 0
    if (this.#store.failure === undefined && this.#store.hasRoomForLater && !this.#closed) {
      const forgotten: number[] = []
      for (; count < FORGOTTEN_AT_ONCE && isDue(this.#forgettable[count]); count++) {
        const { seqNo } = this.#forgettable[count] as Tombstone
        const outcome = this.#forgetOne(seqNo)
        if (outcome === 'unread') break
        if (outcome === 'forgotten') forgotten.push(seqNo)
      }
      this.#forgettable.splice(0, count)
      this.#onForgotten(forgotten)
    }
    this.#forgetLater(count > 0 && isDue(this.#forgettable[0]) ? NEXT_AFTER_MS : this.#pauseMs)
  }

  /** What is damaged stays; what cannot be read now is tried again. Nobody waits for an error here. */
  #forgetOne(seqNo: number): 'forgotten' | 'damaged' | 'unread' {
    try {
      const record = this.#records.record(seqNo)
      // It is gone when its id was written again.
      if (record !== undefined && this.#records.entry(record.type, record.id)?.seqNo === seqNo)
        this.#store.removeId(this.#indexNumber, record.type, record.id)
      return 'forgotten'
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return error.type === 'corrupt_index_exception' ? 'damaged' : 'unread'
    }
  }

  #forgetLater(afterMs: number): void {
    clearTimeout(this.#timer)
    if (this.#forgettable.length === 0 || this.#closed) return
    this.#timer = setTimeout(() => this.#forget(), this.#store.failure === undefined ? afterMs : MOST_PAUSE_MS)
    this.#timer.unref()
  }
}
