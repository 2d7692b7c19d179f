import type { TermDictionary } from './segment-reader.ts'

/** Bytes of a term that fit into one number, each as one of 257 digits. */
const PREFIX = 6

/**
 * Goes through the terms of several dictionaries in the order of their bytes; those that have the same one are at it
 * together. Mostly the first six bytes decide, compared as one number.
 */
export class MultiTerms {
  readonly #dictionaries: readonly (TermDictionary | undefined)[]
  /** Each dictionary's next term. */
  readonly #next: Int32Array
  /** How those begin; infinity behind the last. */
  readonly #keys: Float64Array
  /** Dictionaries that have the current term, ascending. Valid up to {@link matchCount}. */
  readonly matches: Int32Array
  matchCount = 0

  /** @param dictionaries  undefined: one without terms */
  constructor(dictionaries: readonly (TermDictionary | undefined)[]) {
    this.#dictionaries = dictionaries
    this.#next = new Int32Array(dictionaries.length)
    this.#keys = Float64Array.from(dictionaries, (dictionary) => prefixKey(dictionary, 0))
    this.matches = new Int32Array(dictionaries.length)
  }

  /** Moves on to the next term. @returns false when there is none */
  next(): boolean {
    for (let i = 0; i < this.matchCount; i++) {
      const of = this.matches[i] as number
      const ordinal = (this.#next[of] as number) + 1
      this.#next[of] = ordinal
      this.#keys[of] = prefixKey(this.#dictionaries[of], ordinal)
    }
    let count = 0
    let smallest = Number.POSITIVE_INFINITY
    for (let i = 0; i < this.#keys.length; i++) {
      const key = this.#keys[i] as number
      if (key > smallest || key === Number.POSITIVE_INFINITY) continue
      const order = key < smallest ? -1 : this.#compareRest(i, this.matches[0] as number)
      if (order > 0) continue
      if (order < 0) count = 0
      smallest = key
      this.matches[count++] = i
    }
    this.matchCount = count
    return count > 0
  }

  /** Ordinal of the current term in a dictionary that has it. */
  ordinal(of: number): number {
    return this.#next[of] as number
  }

  /** What the current term stands in: `bytes` from {@link from} to {@link to}. */
  get bytes(): Uint8Array {
    return this.#first.termBytes
  }

  get from(): number {
    return this.#first.termOffsets[this.ordinal(this.matches[0] as number)] as number
  }

  get to(): number {
    return this.#first.termOffsets[this.ordinal(this.matches[0] as number) + 1] as number
  }

  /** The first dictionary that has the current term. */
  get #first(): TermDictionary {
    return this.#dictionaries[this.matches[0] as number] as TermDictionary
  }

  /** Compares two terms that begin alike. */
  #compareRest(a: number, b: number): number {
    const { termBytes: left, termOffsets: leftOffsets } = this.#dictionaries[a] as TermDictionary
    const { termBytes: right, termOffsets: rightOffsets } = this.#dictionaries[b] as TermDictionary
    const endLeft = leftOffsets[this.ordinal(a) + 1] as number
    const endRight = rightOffsets[this.ordinal(b) + 1] as number
    let i = (leftOffsets[this.ordinal(a)] as number) + PREFIX
    let j = (rightOffsets[this.ordinal(b)] as number) + PREFIX
    for (; i < endLeft && j < endRight; i++, j++) {
      const difference = (left[i] as number) - (right[j] as number)
      if (difference !== 0) return difference
    }
    return Math.max(0, endLeft - i) - Math.max(0, endRight - j)
  }
}

/** One more than each byte, so that a term comes before those that go on with a zero byte. */
function prefixKey(dictionary: TermDictionary | undefined, ordinal: number): number {
  if (dictionary === undefined || ordinal >= dictionary.size) return Number.POSITIVE_INFINITY
  const { termBytes, termOffsets } = dictionary
  const start = termOffsets[ordinal] as number
  const end = termOffsets[ordinal + 1] as number
  let key = 0
  for (let at = start; at < start + PREFIX; at++) key = key * 257 + (at < end ? (termBytes[at] as number) + 1 : 0)
  return key
}
