import { totalmem } from 'node:os'

const MIB = 2 ** 20

/** What this process may use: of a container when it has a limit. */
const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

/**
 * Bytes that all kept arrays may take together: a thirty-second of the memory, within bounds. Where the terms that are
 * asked for do not fit, each is made anew for every query: the frequent ones of a million documents take 300 MiB.
 */
export const MAX_KEPT_BYTES = Math.min(Math.max(memory / 32, 64 * MIB), 512 * MIB)
/** What stays when there are more. */
const STAYING_BYTES = MAX_KEPT_BYTES * 0.875
/** Smaller ones are not counted: they are bounded by what they are kept with. */
const MIN_BYTES = 1024

/** Something made of arrays that is dropped when memory is wanted for others, least recently used first. */
export class KeptArrays<T extends { readonly sizeBytes: number }> {
  #value: T | undefined
  #lastUse = 0
  #wasAsked = false

  /** What is kept, if it still is. */
  get value(): T | undefined {
    this.#lastUse = ++clock
    return this.#value
  }

  /** Whether it was asked for before: what costs much is only made for those who come again. */
  isAskedAgain(): boolean {
    const before = this.#wasAsked
    this.#wasAsked = true
    return before
  }

  /** Keeps something. */
  set(value: T): void {
    this.#value = value
    if (value.sizeBytes < MIN_BYTES) return
    kept.add(new WeakRef<KeptArrays<{ readonly sizeBytes: number }>>(this))
    bytes += value.sizeBytes
    if (bytes > MAX_KEPT_BYTES) KeptArrays.#dropOldest()
  }

  static #dropOldest(): void {
    const living: KeptArrays<{ readonly sizeBytes: number }>[] = []
    for (const ref of kept) {
      const arrays = ref.deref()
      if (arrays !== undefined && arrays.#value !== undefined) living.push(arrays)
    }
    living.sort((a, b) => b.#lastUse - a.#lastUse)
    kept.clear()
    bytes = 0
    for (const arrays of living) {
      const sizeBytes = arrays.#value?.sizeBytes ?? 0
      if (bytes + sizeBytes > STAYING_BYTES) arrays.#value = undefined
      else {
        bytes += sizeBytes
        kept.add(new WeakRef(arrays))
      }
    }
  }
}

/** All that are counted; weakly, so that what belonged to a view goes with it. */
const kept = new Set<WeakRef<KeptArrays<{ readonly sizeBytes: number }>>>()
let bytes = 0
let clock = 0
