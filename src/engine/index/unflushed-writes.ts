import type { IndexStats } from '../engine.ts'
import type { ShardRecords } from './shard-records.ts'

/** Measures the writes that a start would have to replay, each once. */
export class UnflushedWrites {
  readonly #records: ShardRecords
  /** Bytes of the writes from the flush of `#since` on up to `#to`. */
  #since = -1
  #to = -1
  #sizeBytes = 0

  constructor(records: ShardRecords) {
    this.#records = records
  }

  of(flushedSeqNo: number, maxSeqNo: number): IndexStats['unflushed'] {
    if (this.#since !== flushedSeqNo) {
      this.#since = flushedSeqNo
      this.#to = flushedSeqNo
      this.#sizeBytes = 0
    }
    while (this.#to < maxSeqNo) {
      const record = this.#records.record(++this.#to)
      if (record !== undefined) this.#sizeBytes += record.id.length + record.type.length + (record.source?.length ?? 0)
    }
    return { operations: Math.max(0, maxSeqNo - flushedSeqNo), sizeBytes: this.#sizeBytes }
  }
}
