import type { IndexStats } from '../engine.ts'
import { liveCount } from './live-docs.ts'
import type { LiveSegment } from './stored-segment.ts'

/** Counters that are numbers, and add up. */
const SUMMED = [
  'indexTotal',
  'indexTimeMs',
  'indexFailed',
  'deleteTotal',
  'deleteTimeMs',
  'noopUpdateTotal',
  'refreshTotal',
  'refreshTimeMs',
  'flushTotal',
  'flushTimeMs',
  'mergeTotal',
  'mergeDocs',
  'mergeBytes',
  'mergeTimeMs',
] as const

/** What a shard has done since it was opened. Times in ms. */
export class ShardCounters {
  indexTotal = 0
  indexTimeMs = 0
  indexFailed = 0
  deleteTotal = 0
  deleteTimeMs = 0
  noopUpdateTotal = 0
  readonly #found = { total: 0, timeMs: 0 }
  readonly #missed = { total: 0, timeMs: 0 }
  refreshTotal = 0
  refreshTimeMs = 0
  flushTotal = 0
  flushTimeMs = 0
  mergeTotal = 0
  mergeDocs = 0
  mergeBytes = 0
  mergeTimeMs = 0
  readonly #byType = new Map<string, { indexTotal: number; deleteTotal: number }>()

  indexed(type: string): void {
    this.indexTotal++
    this.#type(type).indexTotal++
  }

  deleted(type: string): void {
    this.deleteTotal++
    this.#type(type).deleteTotal++
  }

  got(isFound: boolean, timeMs: number): void {
    const counts = isFound ? this.#found : this.#missed
    counts.total++
    counts.timeMs += timeMs
  }

  merged(sources: readonly LiveSegment[], timeMs: number): void {
    this.mergeTotal++
    this.mergeTimeMs += timeMs
    for (const { maxDoc, stored } of sources) {
      this.mergeDocs += maxDoc
      this.mergeBytes += stored.sizeBytes
    }
  }

  /** Counts what another shard did, too. */
  add(other: ShardCounters): void {
    for (const name of SUMMED) this[name] += other[name]
    for (const [counts, more] of [
      [this.#found, other.#found],
      [this.#missed, other.#missed],
    ] as const) {
      counts.total += more.total
      counts.timeMs += more.timeMs
    }
  }

  /**
   * The counters with what the segments say, as `_stats` shows them.
   *
   * @param recordBytes  bytes of the records of a segment
   */
  stats(
    segments: readonly LiveSegment[],
    recordBytes: (segment: LiveSegment) => number,
    onDisk: ReadonlySet<string>,
    maxSeqNo: number,
    unflushed: IndexStats['unflushed'],
  ): IndexStats {
    const sizes = segments.map((s) => s.stored.sizeBytes + recordBytes(s))
    // As in the real servers nested documents count as such.
    const live = segments.reduce((sum, s) => sum + liveCount(s), 0)
    return {
      docs: { count: live, deleted: segments.reduce((sum, s) => sum + s.maxDoc, 0) - live },
      storeSizeBytes: sizes.reduce((sum, size) => sum + size, 0),
      indexing: {
        indexTotal: this.indexTotal,
        indexTimeMs: Math.round(this.indexTimeMs),
        indexFailed: this.indexFailed,
        deleteTotal: this.deleteTotal,
        deleteTimeMs: Math.round(this.deleteTimeMs),
        noopUpdateTotal: this.noopUpdateTotal,
        byType: Object.fromEntries(this.#byType),
      },
      get: {
        existsTotal: this.#found.total,
        existsTimeMs: Math.round(this.#found.timeMs),
        missingTotal: this.#missed.total,
        missingTimeMs: Math.round(this.#missed.timeMs),
      },
      refresh: { total: this.refreshTotal, timeMs: Math.round(this.refreshTimeMs) },
      flush: { total: this.flushTotal, timeMs: Math.round(this.flushTimeMs) },
      merges: {
        total: this.mergeTotal,
        docs: this.mergeDocs,
        sizeBytes: this.mergeBytes,
        timeMs: Math.round(this.mergeTimeMs),
      },
      segments: segments.map((s, i) => ({
        name: s.name,
        generation: Number.parseInt(s.name.slice(1), 36),
        numDocs: liveCount(s),
        deletedDocs: s.maxDoc - liveCount(s),
        sizeBytes: sizes[i] as number,
        memoryBytes: s.stored.sizeBytes,
        committed: onDisk.has(s.name),
      })),
      maxSeqNo,
      localCheckpoint: maxSeqNo,
      unflushed,
    }
  }

  #type(type: string): { indexTotal: number; deleteTotal: number } {
    let counter = this.#byType.get(type)
    if (counter === undefined) {
      counter = { indexTotal: 0, deleteTotal: 0 }
      this.#byType.set(type, counter)
    }
    return counter
  }
}
