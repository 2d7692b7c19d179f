import { exportLoadedDictionaries } from '../analysis/korean/dictionaries.ts'
import type { HeldView } from '../index/shard-view.ts'
import type { FlatSettings, IndexMetadata } from '../metadata/index-metadata.ts'
import { ReplicaClock } from './replica-clock.ts'
import { DETACHED, type ReplicaNews } from './replica-news.ts'

/** How long it is waited for a replica that is in the middle of a search. */
const DETACH_MS = 2_000

/** Tells one replica what it must know of an engine, and keeps for it what it may still show. */
export class ReplicaFeed {
  readonly clock = new ReplicaClock()
  readonly #post: (news: ReplicaNews) => void
  readonly #onClose: (feed: ReplicaFeed) => void
  readonly #held = new Map<number, () => void>()
  #nextView = 1
  #onDetached: () => void = () => {}

  constructor(post: (news: ReplicaNews) => void, onClose: (feed: ReplicaFeed) => void) {
    this.#post = post
    this.#onClose = onClose
  }

  reset(): void {
    this.#tell({ kind: 'reset' })
  }

  settings(persistent: FlatSettings, transient: FlatSettings): void {
    this.#tell({ kind: 'settings', persistent, transient })
  }

  index(number: number, metadata: IndexMetadata): void {
    this.#tell({ kind: 'index', number, metadata, dictionaries: exportLoadedDictionaries() })
  }

  removed(name: string): void {
    this.#tell({ kind: 'removed', name })
  }

  analyzers(name: string): void {
    this.#tell({ kind: 'analyzers', name })
  }

  view(name: string, { segments, release }: HeldView): void {
    const view = this.#nextView++
    this.#held.set(view, release)
    this.#tell({
      kind: 'view',
      name,
      view,
      segments: segments.map((s) => ({
        name: s.name,
        bytes: s.stored.bytes,
        liveDocs: s.liveDocs,
        numDocs: s.numDocs,
      })),
    })
  }

  committed(isBehind: boolean): void {
    this.clock.committed()
    this.clock.isBehind = isBehind
  }

  /** Something was written that the store's tables may not have yet. To be told before it is answered. */
  written(isBehind: boolean): void {
    this.clock.isBehind = isBehind
  }

  /** Settles when the replica has the store open no more (until {@link reset}), or after a while. */
  detach(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, DETACH_MS)
      this.#onDetached = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#tell({ kind: 'detach' })
    })
  }

  /** The replica shows a view no more, or has let go of the store. */
  released(view: number): void {
    if (view === DETACHED) this.#onDetached()
    this.#held.get(view)?.()
    this.#held.delete(view)
  }

  /** The replica is gone. */
  close(): void {
    for (const release of this.#held.values()) release()
    this.#held.clear()
    this.#onDetached()
    this.#onClose(this)
  }

  #tell(news: ReplicaNews): void {
    this.#post(news)
    this.clock.posted()
  }
}
