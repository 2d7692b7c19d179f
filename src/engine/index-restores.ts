import type { EngineVersion } from './engine-version.ts'
import type { IndexShard } from './index/index-shard.ts'
import type { WorkSlices } from './index/work-slices.ts'
import type { IndexRemovals } from './index-removals.ts'
import type { IndexMetadata } from './metadata/index-metadata.ts'
import { validateNewIndexName } from './metadata/validate-name.ts'
import type { OpenIndex, OpenIndices } from './open-indices.ts'
import { closedMeanwhile, RestoringIndex } from './snapshot/restoring-index.ts'
import type { IndexRestoration } from './snapshot/snapshot-host.ts'
import type { WriteGate } from './write-gate.ts'

/** What indices are restored with. */
export interface IndexRestoresOptions {
  readonly version: EngineVersion
  readonly indices: OpenIndices
  readonly removals: IndexRemovals
  readonly gate: WriteGate
  readonly slices: WorkSlices
}

/** Brings indices in that nobody sees until all of them are whole. */
export class IndexRestores {
  readonly #o: IndexRestoresOptions

  constructor(options: IndexRestoresOptions) {
    this.#o = options
  }

  async begin(metadata: IndexMetadata): Promise<IndexRestoration> {
    const { indices, removals, gate, slices } = this.#o
    gate.check()
    const index = indices.make(metadata)
    // Until it is published it counts as removed: a start after a crash leaves nothing of it.
    removals.announce(index.number)
    await gate.committed()
    indices.hide(index)
    indices.open(index)
    return new RestoringIndex({
      number: index.number,
      metadata: () => index.metadata,
      shard: index.shard as IndexShard,
      slices,
      checkWritable: () => gate.check(metadata.name),
      committed: () => gate.committed(metadata.name),
      written: (writing) => gate.written(writing, metadata.name),
      abandon: async () => {
        if (!indices.unhide(index)) return
        indices.close(index)?.abandon()
        await indices.discard(index)
      },
    })
  }

  /** Shows restored indices with one commit; closed ones of their names give way. */
  async publish(restorations: readonly IndexRestoration[]): Promise<void> {
    const { indices, removals, gate, version } = this.#o
    await Promise.all(restorations.map(({ metadata }) => indices.find(metadata.name)?.closing))
    gate.check()
    const numbers = new Set(restorations.map(({ number }) => number))
    const restored = [...indices.hidden].filter(({ number }) => numbers.has(number))
    if (restored.length !== numbers.size) throw closedMeanwhile()
    const others = new Map(indices.metadata)
    for (const { metadata } of restored) {
      if (others.get(metadata.name)?.state === 'close') others.delete(metadata.name)
    }
    for (const { metadata } of restored) validateNewIndexName(metadata.name, others, version)
    const replaced: OpenIndex[] = []
    for (const index of restored) {
      const before = indices.find(index.metadata.name)
      if (before !== undefined) {
        replaced.push(before)
        indices.takeAway(before)
      }
      removals.revoke(index.number)
      indices.show(index)
    }
    await gate.committed()
    for (const index of replaced) await indices.discard(index)
  }
}
