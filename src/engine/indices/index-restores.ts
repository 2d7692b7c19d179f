import type { EngineVersion } from '../engine-version.ts'
import type { IndexShard } from '../index/index-shard.ts'
import type { WorkSlices } from '../index/work-slices.ts'
import { type IndexMetadata, isServed } from '../metadata/index-metadata.ts'
import { validateNewIndexName } from '../metadata/validate-name.ts'
import { checkNames } from '../snapshot/restore-plan.ts'
import { closedMeanwhile, RestoringIndex } from '../snapshot/restoring-index.ts'
import type { IndexRestoration } from '../snapshot/snapshot-host.ts'
import type { IndexRemovals } from './index-removals.ts'
import type { OpenIndex, OpenIndices } from './open-indices.ts'
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
  readonly #underWay = new Map<OpenIndex, { readonly promise: Promise<void>; readonly resolve: () => void }>()

  constructor(options: IndexRestoresOptions) {
    this.#o = options
  }

  /** What there is, and what is being brought in: the names of all of them are taken. */
  get taken(): ReadonlyMap<string, IndexMetadata> {
    const { metadata, hidden } = this.#o.indices
    if (hidden.size === 0) return metadata
    return new Map([...metadata, ...[...hidden].map((index) => [index.metadata.name, index.metadata] as const)])
  }

  /** Settles once an index that is being brought in is there, or will not be; undefined: there is none of that name. */
  whenOver(name: string): Promise<void> | undefined {
    for (const [{ metadata }, over] of this.#underWay) if (metadata.name === name) return over.promise
    return undefined
  }

  async begin(metadata: IndexMetadata): Promise<IndexRestoration> {
    const { indices, removals, gate, slices } = this.#o
    gate.check()
    if (this.whenOver(metadata.name) !== undefined) validateNewIndexName(metadata.name, this.taken, this.#o.version)
    const index = indices.make(metadata)
    // Until it is published it counts as removed: a start after a crash leaves nothing of it.
    removals.announce(index.number)
    indices.hide(index)
    let resolve = () => {}
    const promise = new Promise<void>((over) => {
      resolve = over
    })
    this.#underWay.set(index, { promise, resolve })
    const abandon = async (): Promise<void> => {
      this.#over(index)
      if (!indices.unhide(index)) return
      indices.close(index)?.abandon()
      await indices.discard(index)
    }
    try {
      await gate.committed()
      if (!indices.hidden.has(index)) throw closedMeanwhile()
      indices.open(index)
    } catch (error) {
      await abandon()
      throw error
    }
    return new RestoringIndex({
      number: index.number,
      metadata: () => index.metadata,
      shard: index.shard as IndexShard,
      slices,
      checkWritable: () => gate.check(metadata.name),
      committed: () => gate.committed(metadata.name),
      written: (writing) => gate.written(writing, metadata.name),
      abandon,
    })
  }

  #over(index: OpenIndex): void {
    this.#underWay.get(index)?.resolve()
    this.#underWay.delete(index)
  }

  /**
   * Shows restored indices with one commit; closed and unavailable ones of their names give way.
   *
   * @param alongside  makes changes that belong to the same commit
   */
  async publish(restorations: readonly IndexRestoration[], alongside?: () => Promise<void>): Promise<void> {
    const { indices, removals, gate, version } = this.#o
    await Promise.all(restorations.map(({ metadata }) => indices.find(metadata.name)?.closing))
    gate.check()
    const numbers = new Set(restorations.map(({ number }) => number))
    const restored = [...indices.hidden].filter(({ number }) => numbers.has(number))
    if (restored.length !== numbers.size) throw closedMeanwhile()
    const others = new Map(indices.metadata)
    for (const { metadata } of restored) {
      const before = others.get(metadata.name)
      if (before !== undefined && !isServed(before)) others.delete(metadata.name)
    }
    for (const { metadata } of restored) {
      validateNewIndexName(metadata.name, others, version)
      checkNames(metadata, others)
      others.set(metadata.name, metadata)
    }
    const replaced: OpenIndex[] = []
    for (const index of restored) {
      const before = indices.find(index.metadata.name)
      if (before !== undefined) {
        replaced.push(before)
        indices.takeAway(before)
      }
      removals.revoke(index.number)
      indices.show(index)
      this.#over(index)
    }
    await Promise.all([gate.committed(), alongside?.()])
    for (const index of replaced) await indices.discard(index)
  }
}
