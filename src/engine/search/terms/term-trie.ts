import { partitionPoint } from '../../algorithms/partition-point.ts'
import type { TermDictionary } from '../../index/segment-reader.ts'

/** Sorted texts and what neighbours share: walked like a trie, by skipping all texts with a beginning. */
export class TermTrie {
  /** All texts one behind the other; text i is bytes `offsets[i]` to `offsets[i + 1]`. */
  readonly bytes: Uint8Array
  readonly offsets: Uint32Array
  /** Leading bytes that a text shares with the one before it, 255 at most. */
  readonly shared: Uint8Array
  /** For a text, the next one that shares less with its forerunner. */
  readonly #nextLess: Uint32Array

  constructor(bytes: Uint8Array, offsets: Uint32Array) {
    const size = offsets.length - 1
    const shared = new Uint8Array(size)
    for (let i = 1; i < size; i++) {
      const before = offsets[i - 1] as number
      const start = offsets[i] as number
      const limit = Math.min(start - before, (offsets[i + 1] as number) - start, 255)
      let n = 0
      while (n < limit && bytes[before + n] === bytes[start + n]) n++
      shared[i] = n
    }
    const nextLess = new Uint32Array(size)
    for (let i = size - 1; i >= 0; i--) {
      let next = i + 1
      while (next < size && (shared[next] as number) >= (shared[i] as number)) next = nextLess[next] as number
      nextLess[i] = next
    }
    this.bytes = bytes
    this.offsets = offsets
    this.shared = shared
    this.#nextLess = nextLess
  }

  /** The first text after one that does not begin with its first `length` bytes. */
  skip(text: number, length: number): number {
    const { shared } = this
    const nextLess = this.#nextLess
    let next = text + 1
    while (next < shared.length && (shared[next] as number) >= length) next = nextLess[next] as number
    return next
  }

  /** The texts that begin with some bytes; `to` is exclusive. */
  beginningWith(prefix: Uint8Array): { readonly from: number; readonly to: number } {
    return {
      from: partitionPoint(this.shared.length, (place) => this.#compare(place, prefix) < 0),
      to: partitionPoint(this.shared.length, (place) => this.#compare(place, prefix) <= 0),
    }
  }

  /** Order of a text and a prefix; 0 when it begins with it. */
  #compare(text: number, prefix: Uint8Array): number {
    const { bytes } = this
    let at = this.offsets[text] as number
    const end = this.offsets[text + 1] as number
    for (let i = 0; i < prefix.length; i++, at++) {
      if (at === end) return -1
      const difference = (bytes[at] as number) - (prefix[i] as number)
      if (difference !== 0) return difference
    }
    return 0
  }
}

const made = new WeakMap<TermDictionary, TermTrie>()

/** A dictionary as a trie, made when first asked for (some ms for 200,000 terms, 5 bytes a term). */
export function termTrie(terms: TermDictionary): TermTrie {
  let trie = made.get(terms)
  if (trie === undefined) {
    trie = new TermTrie(terms.termBytes, terms.termOffsets)
    made.set(terms, trie)
  }
  return trie
}
