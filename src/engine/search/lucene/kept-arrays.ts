/** Bytes that all kept arrays may take together. */
const MAX_BYTES = 96 * 1024 * 1024
/** What stays when there are more. */
const STAYING_BYTES = 64 * 1024 * 1024
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
    if (bytes > MAX_BYTES) KeptArrays.#dropOldest()
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
