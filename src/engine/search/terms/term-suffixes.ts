import type { TermDictionary } from '../../index/segment-reader.ts'

/** Bytes of a term's end that fit a sort key beside its ordinal. */
const KEY_BYTES = 5
const ORDINAL_BITS = 24n

/** The terms of a dictionary in the order of their bytes read backwards, and what neighbours share: a trie of suffixes. */
export class TermSuffixes {
  /** Ordinals by rank. */
  readonly ordinals: Uint32Array
  /** Trailing bytes that a term shares with the one ranked before it, 255 at most. */
  readonly shared: Uint8Array
  readonly #nextLess: Uint32Array
  readonly #terms: TermDictionary

  constructor(terms: TermDictionary) {
    const { size } = terms
    this.#terms = terms
    this.ordinals = sortedBackwards(terms)
    const shared = new Uint8Array(size)
    for (let i = 1; i < size; i++) {
      shared[i] = sharedEnd(terms, this.ordinals[i - 1] as number, this.ordinals[i] as number)
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

  /** Ranks of the terms that end with a text; `to` is exclusive. */
  endingWith(suffix: Uint8Array): { readonly from: number; readonly to: number } {
    const border = (after: boolean): number => {
      let low = 0
      let high = this.ordinals.length
      while (low < high) {
        const middle = (low + high) >>> 1
        const order = compareEnd(this.#terms, this.ordinals[middle] as number, suffix)
        if (order < 0 || (after && order === 0)) low = middle + 1
        else high = middle
      }
      return low
    }
    return { from: border(false), to: border(true) }
  }

  /** The first rank after `rank` whose term does not end with the last `length` bytes of that one's. */
  skip(rank: number, length: number): number {
    const { shared } = this
    const nextLess = this.#nextLess
    let next = rank + 1
    while (next < shared.length && (shared[next] as number) >= length) next = nextLess[next] as number
    return next
  }
}

/** Sorts natively by the last bytes and the ordinal in one 64-bit key; equal ends are sorted out one by one. */
function sortedBackwards(terms: TermDictionary): Uint32Array {
  const { size, termBytes, termOffsets } = terms
  const ordinals = new Uint32Array(size)
  if (size >= 1 << Number(ORDINAL_BITS)) throw new Error('a dictionary of too many terms')
  const keys = new BigUint64Array(size)
  const halves = new Uint32Array(keys.buffer)
  const at = (ordinal: number, fromEnd: number): number => {
    const place = (termOffsets[ordinal + 1] as number) - 1 - fromEnd
    return place >= (termOffsets[ordinal] as number) ? (termBytes[place] as number) : 0
  }
  for (let i = 0; i < size; i++) {
    halves[2 * i + 1] = (at(i, 0) << 24) | (at(i, 1) << 16) | (at(i, 2) << 8) | at(i, 3)
    halves[2 * i] = (at(i, 4) << 24) | i
  }
  keys.sort()
  for (let i = 0; i < size; i++) ordinals[i] = (halves[2 * i] as number) & 0xffffff
  const sameEnd = (a: number, b: number): boolean => {
    for (let k = 0; k < KEY_BYTES; k++) if (at(a, k) !== at(b, k)) return false
    return true
  }
  for (let from = 0; from < size; ) {
    let to = from + 1
    while (to < size && sameEnd(ordinals[from] as number, ordinals[to] as number)) to++
    if (to - from > 1) ordinals.subarray(from, to).sort((a, b) => compareBackwards(terms, a, b))
    from = to
  }
  return ordinals
}

function sharedEnd({ termBytes, termOffsets }: TermDictionary, a: number, b: number): number {
  const endA = termOffsets[a + 1] as number
  const endB = termOffsets[b + 1] as number
  const limit = Math.min(endA - (termOffsets[a] as number), endB - (termOffsets[b] as number), 255)
  let n = 0
  while (n < limit && termBytes[endA - 1 - n] === termBytes[endB - 1 - n]) n++
  return n
}

function compareBackwards({ termBytes, termOffsets }: TermDictionary, a: number, b: number): number {
  const endA = termOffsets[a + 1] as number
  const endB = termOffsets[b + 1] as number
  const lengthA = endA - (termOffsets[a] as number)
  const lengthB = endB - (termOffsets[b] as number)
  const limit = Math.min(lengthA, lengthB)
  for (let n = 1; n <= limit; n++) {
    const difference = (termBytes[endA - n] as number) - (termBytes[endB - n] as number)
    if (difference !== 0) return difference
  }
  return lengthA - lengthB
}

/** Order of a term, read backwards, and an end; 0 when the term has that end. */
function compareEnd({ termBytes, termOffsets }: TermDictionary, ordinal: number, suffix: Uint8Array): number {
  const start = termOffsets[ordinal] as number
  let at = (termOffsets[ordinal + 1] as number) - 1
  for (let i = suffix.length - 1; i >= 0; i--, at--) {
    if (at < start) return -1
    const difference = (termBytes[at] as number) - (suffix[i] as number)
    if (difference !== 0) return difference
  }
  return 0
}

const made = new WeakMap<TermDictionary, TermSuffixes>()

/** A dictionary's suffixes, worked out when first asked for (some 10 ms for 50,000 terms, 9 bytes a term). */
export function termSuffixes(terms: TermDictionary): TermSuffixes {
  let suffixes = made.get(terms)
  if (suffixes === undefined) {
    suffixes = new TermSuffixes(terms)
    made.set(terms, suffixes)
  }
  return suffixes
}
