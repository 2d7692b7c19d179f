import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import { BucketHash } from '../bucket-hash.ts'
import type { DocBatch } from '../doc-batch.ts'
import { type CompositeKeys, CompositeSource, type CompositeSourceDefinition } from './composite-source.ts'

/**
 * Numbers the combinations of values of several sources: each source has a hash of pairs of what stands before it and its own
 * key, so the last one's ordinals are the buckets.
 */
export class CombinationKeys {
  readonly sources: readonly CompositeSource[]
  readonly #hashes: readonly BucketHash[]

  /** @param isComposite  whether the first source leads as that of a `composite` does */
  constructor(definitions: readonly CompositeSourceDefinition[], context: AggregationContext, isComposite: boolean) {
    this.sources = definitions.map((source, i) => new CompositeSource(source, context, isComposite && i === 0))
    this.#hashes = this.sources.map(() => new BucketHash())
  }

  openSegment(segment: SegmentScope): void {
    for (const source of this.sources) source.openSegment(segment)
  }

  /** Keys of a batch's documents, by source. */
  read(batch: DocBatch): readonly CompositeKeys[] {
    return this.sources.map((source) => source.read(batch))
  }

  /** Number of a source's key behind `before`: the number of the keys before it; for the first source the caller's own. */
  add(level: number, before: number, key: number): number {
    return (this.#hashes[level] as BucketHash).add(before, key)
  }

  /** Combinations there are. */
  get size(): number {
    return (this.#hashes.at(-1) as BucketHash).size
  }

  /** A combination's keys, and what stands before the first of them. */
  tupleOf(bucket: number): { readonly keys: Float64Array; readonly parent: number } {
    const keys = new Float64Array(this.sources.length)
    let at = bucket
    for (let level = this.#hashes.length - 1; level >= 0; level--) {
      const hash = this.#hashes[level] as BucketHash
      keys[level] = hash.keys[at] as number
      at = hash.parents[at] as number
    }
    return { keys, parent: at }
  }

  /** Keys by combination, put together once each while the function lives. */
  rememberedKeys(): (bucket: number) => Float64Array {
    const known = new Map<number, Float64Array>()
    return (bucket) => {
      let keys = known.get(bucket)
      if (keys === undefined) {
        keys = this.tupleOf(bucket).keys
        known.set(bucket, keys)
      }
      return keys
    }
  }

  /** Order of two combinations' keys. */
  compare(a: Float64Array, b: Float64Array): number {
    for (let level = 0; level < a.length; level++) {
      const order = (this.sources[level] as CompositeSource).compare(a[level] as number, b[level] as number)
      if (order !== 0) return order
    }
    return 0
  }
}
