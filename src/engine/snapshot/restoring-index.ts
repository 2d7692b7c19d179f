import { ServiceError } from '../../errors.ts'
import type { IndexShard } from '../index/index-shard.ts'
import type { WorkSlices } from '../index/work-slices.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'
import type { DocumentRecord } from '../store/document-record.ts'
import type { IndexRestoration } from './snapshot-host.ts'

/** What a restoring index is made of. */
export interface RestoringIndexOptions {
  readonly number: number
  /** With what documents brought to its mapping. */
  readonly metadata: () => IndexMetadata
  readonly shard: IndexShard
  readonly slices: WorkSlices
  /** @throws {ServiceError} while nothing can be written to disk */
  readonly checkWritable: () => void
  readonly committed: () => Promise<void>
  /** Settles with what is told of a write. @throws {ServiceError} where the disk does not take it */
  readonly written: (writing: Promise<void>) => Promise<void>
  readonly abandon: () => Promise<void>
}

/** An index that fills with what a snapshot has of it, while nobody sees it. */
export class RestoringIndex implements IndexRestoration {
  readonly number: number
  readonly #o: RestoringIndexOptions
  #committing: Promise<void> = Promise.resolve()

  constructor(options: RestoringIndexOptions) {
    this.number = options.number
    this.#o = options
  }

  get metadata(): IndexMetadata {
    return this.#o.metadata()
  }

  async add(writes: readonly (readonly [seqNo: number, DocumentRecord])[]): Promise<void> {
    const { shard, slices } = this.#o
    for (let done = 0; done < writes.length; ) {
      this.#check()
      done += shard.applyRestored(writes, done, slices.deadline())
      await slices.next()
      await shard.room()
    }
    const before = this.#committing
    this.#committing = this.#o.committed().then(() => shard.committedRestored(writes))
    this.#committing.catch(() => {})
    // The next writes are taken in while these are on their way to the disk.
    await before
  }

  async finish(maxSeqNo: number): Promise<void> {
    await this.#committing
    this.#check()
    await this.#o.written(this.#o.shard.finishRestore(maxSeqNo))
    this.#check()
  }

  async abandon(): Promise<void> {
    await this.#o.abandon()
  }

  /** Closed meanwhile: the disk failed, and everything in memory was loaded again. */
  #check(): void {
    this.#o.checkWritable()
    if (this.#o.shard.closed) throw closedMeanwhile()
  }
}

/** What is told of an index that a failing disk took away. */
export const closedMeanwhile = (): ServiceError =>
  new ServiceError(
    'no_shard_available_action_exception',
    'the index was closed while it was being restored: its disk failed',
  )
