import { BucketObjects } from '../bucket-numbers.ts'
import type { RequestMemory } from '../request-breaker.ts'

/** What values go into and a number is read off. */
interface Sketch {
  add(value: number): void
  /** What it keeps on the heap, about. */
  readonly sizeBytes: number
}

/** A sketch by bucket. What they take is counted as values come, so that many buckets end their search and not the process. */
export class BucketSketches<S extends Sketch> extends BucketObjects<S> {
  readonly #memory: RequestMemory

  constructor(memory: RequestMemory, create: () => S) {
    super(create)
    this.#memory = memory
  }

  /**
   * Adds values, each to its bucket's sketch.
   *
   * @throws {ServiceError} circuit_breaking_exception
   */
  addAll(buckets: Int32Array, values: ArrayLike<number>, count: number): void {
    for (let i = 0; i < count; ) {
      const bucket = buckets[i] as number
      const before = this.get(bucket)?.sizeBytes ?? 0
      const sketch = this.at(bucket)
      do sketch.add(values[i++] as number)
      while (i < count && buckets[i] === bucket)
      const { sizeBytes } = sketch
      if (sizeBytes !== before) this.#memory.take(sizeBytes - before)
    }
  }
}
