import type { TermDictionary } from '../../index/segment-reader.ts'

/** What neighbouring terms of a dictionary share, for walks that give up on a prefix and skip all terms with it. */
export class TermPrefixes {
  /** Leading bytes that a term shares with the one before it, 255 at most. */
  readonly shared: Uint8Array
  /** For a term, the next one that shares less with its forerunner. */
  readonly #nextLess: Uint32Array

  constructor({ size, termBytes, termOffsets }: TermDictionary) {
    const shared = new Uint8Array(size)
    for (let i = 1; i < size; i++) {
      const before = termOffsets[i - 1] as number
      const start = termOffsets[i] as number
      const limit = Math.min(start - before, (termOffsets[i + 1] as number) - start, 255)
      let n = 0
      while (n < limit && termBytes[before + n] === termBytes[start + n]) n++
      shared[i] = n
    }
    const nextLess = new Uint32Array(size)
    for (let i = size - 1; i >= 0; i--) {
      let next = i + 1
      while (next < size && (shared[next] as number) >= (shared[i] as number)) next = nextLess[next] as number
      nextLess[i] = next
    }
    this.shared = shared
    this.#nextLess = nextLess
  }

  /** The first term after `ordinal` that does not begin with its first `length` bytes. */
  skip(ordinal: number, length: number): number {
    const { shared } = this
    const nextLess = this.#nextLess
    let next = ordinal + 1
    while (next < shared.length && (shared[next] as number) >= length) next = nextLess[next] as number
    return next
  }
}

const made = new WeakMap<TermDictionary, TermPrefixes>()

/** A dictionary's shared prefixes, worked out when first asked for (some ms for 200,000 terms, 5 bytes a term). */
export function termPrefixes(terms: TermDictionary): TermPrefixes {
  let prefixes = made.get(terms)
  if (prefixes === undefined) {
    prefixes = new TermPrefixes(terms)
    made.set(terms, prefixes)
  }
  return prefixes
}
