import { ServiceError } from '../../errors.ts'
import type { EngineLog, ForcedMerge } from '../engine.ts'
import type { DocumentOrder } from './document-order.ts'
import { liveCount } from './live-docs.ts'
import { chooseForcedMerge, chooseMerge, chooseQuietMerge } from './merge-policy.ts'
import { type SegmentThread, SegmentThreadError } from './segment-thread.ts'
import type { ShardCounters } from './shard-counters.ts'
import type { ShardSegments } from './shard-segments.ts'
import type { LiveSegment } from './stored-segment.ts'

/** What {@link ShardMerges} work on. */
export interface ShardMergesOptions {
  readonly segments: ShardSegments
  readonly thread: SegmentThread
  readonly order: DocumentOrder | undefined
  readonly counters: ShardCounters
  readonly indexName: string
  readonly log: EngineLog
  /** Called when searches are to see segments that were joined. */
  readonly onMerged: () => void
}

/** Joins a shard's segments, one merge at a time: none works on segments that another replaces. */
export class ShardMerges {
  readonly #o: ShardMergesOptions
  #running: Promise<boolean> | undefined
  #closed = false

  constructor(options: ShardMergesOptions) {
    this.#o = options
  }

  /** Joins what the policy wants joined. */
  inBackground(): void {
    this.#choose((segments) =>
      chooseMerge(segments.map((s) => ({ maxDoc: s.maxDoc, numDocs: liveCount(s), sizeBytes: s.stored.sizeBytes }))),
    )
  }

  /** Joins small segments of an index that rests. */
  whenQuiet(): void {
    this.#choose((segments) => chooseQuietMerge(segments.map(({ stored }) => stored.sizeBytes)))
  }

  /** @throws {ServiceError} exception where the thread cannot join them */
  async force(wanted: ForcedMerge): Promise<void> {
    for (;;) {
      while (this.#running !== undefined) await this.#running
      const sources = this.#forced(wanted)
      if (sources.length === 0 || this.#closed) return
      try {
        await this.#start(sources)
      } catch (error) {
        if (this.#closed) return
        if (error instanceof SegmentThreadError)
          throw new ServiceError('exception', `segments could not be joined: ${error.message}`)
        throw error
      }
    }
  }

  /** What is under way comes to nothing. */
  close(): void {
    this.#closed = true
  }

  #choose(policy: (segments: readonly LiveSegment[]) => ReturnType<typeof chooseMerge>): void {
    if (this.#running !== undefined || this.#closed) return
    const { segments, log, indexName } = this.#o
    const choice = policy(segments.list)
    if (choice === undefined) return
    this.#start(segments.list.slice(choice.from, choice.from + choice.count)).catch((error: Error) => {
      if (!this.#closed) log('error', { index: indexName, error: error.message }, 'merge failed')
    })
  }

  #forced({ maxNumSegments: most = 1, onlyExpungeDeletes }: ForcedMerge): readonly LiveSegment[] {
    const { list } = this.#o.segments
    const hasDeletes = (s: LiveSegment) => liveCount(s) < s.maxDoc
    if (onlyExpungeDeletes) return list.filter(hasDeletes).slice(0, 1)
    if (most < 1) return []
    const sizes = list.map(({ stored }) => stored.sizeBytes)
    const { from, count } = chooseForcedMerge(sizes, most) ?? { from: 0, count: 0 }
    if (count > 0) return list.slice(from, from + count)
    return most === 1 ? list.filter(hasDeletes).slice(0, 1) : []
  }

  #start(sources: readonly LiveSegment[]): Promise<void> {
    const { segments } = this.#o
    segments.joining = new Set(sources.map(({ name }) => name))
    const merge = this.#merge(sources)
    const done = () => {
      this.#running = undefined
      segments.joining = new Set()
      return true
    }
    this.#running = merge.then(done, () => !done())
    void this.#running.then((succeeded) => {
      // A merge that failed is not tried again at once: the next refresh does.
      if (succeeded) this.inBackground()
    })
    return merge
  }

  async #merge(sources: readonly LiveSegment[]): Promise<void> {
    const { segments, thread, order, counters, onMerged } = this.#o
    const started = performance.now()
    const joined = await thread.merge(sources, order)
    if (this.#closed) return
    segments.replace(sources, joined)
    counters.merged(sources, performance.now() - started)
    onMerged()
  }
}
