import { GrowableBytes, GrowableInt32Array } from './growable-array.ts'

/** FNV-1a's start, as the signed 32-bit number all hashes here are. */
const FNV_OFFSET = 0x811c9dc5 | 0

/** Longest word that {@link TermTable.readWord} reads: the standard tokenizer's default limit. */
export const LONGEST_WORD = 255

/** ASCII letters and digits in lower case; 0 for all else. */
const LOWER_CASE = Uint8Array.from({ length: 256 }, (_, unit) => {
  const char = String.fromCharCode(unit)
  return /[0-9A-Za-z]/.test(char) ? char.toLowerCase().charCodeAt(0) : 0
})

const SAME = Uint8Array.from({ length: 256 }, (_, byte) => byte)
/** ASCII letters in lower case, all else as it is. */
const LOWER = SAME.map((byte) => LOWER_CASE[byte] || byte)

/**
 * Numbers terms 0, 1, 2, … in the order they come first.
 *
 * An open-addressing hash table over the terms' UTF-8 bytes: no string is kept, so nothing of it is the garbage
 * collector's work, and the terms can be handed to another thread as they are.
 */
export class TermTable {
  readonly bytes = new GrowableBytes(256)
  /** Where the bytes of term i end; they begin where those of the term before end. */
  readonly ends = new GrowableInt32Array(32)
  /**
   * Four numbers a slot, together so that a look-up touches one line of the cache: term number + 1 (0: free), hash, where
   * the bytes begin, how many. A power of two of slots, at most half of them taken.
   */
  #slots = new Int32Array(256)
  #readHash = 0

  get size(): number {
    return this.ends.length
  }

  /** The number of a term; lone surrogates are as good as U+FFFD. */
  add(term: string): number {
    const { length } = term
    this.bytes.reserve(length * 3)
    const { bytes, length: start } = this.bytes
    // Written behind the last term, where it stays if it is new.
    let hash = FNV_OFFSET
    for (let i = 0; i < length; i++) {
      const unit = term.charCodeAt(i)
      if (unit > 0x7f) return this.#addWide(term)
      bytes[start + i] = unit
      hash = Math.imul(hash ^ unit, 0x01000193)
    }
    return this.#number(hash, length)
  }

  /** The number of the term that stands in `source` from `from` to before `to`; nothing is copied unless it is new. */
  addRange(source: Uint8Array, from: number, to: number): number {
    let hash = FNV_OFFSET
    for (let i = from; i < to; i++) hash = Math.imul(hash ^ (source[i] as number), 0x01000193)
    return this.#numberOf(source, from, to - from, hash, SAME)
  }

  /**
   * Reads a word from UTF-8: ASCII letters and digits, to be numbered in lower case, and Hangul.
   *
   * @returns where it ends, for {@link addReadRange}
   */
  readRange(source: Uint8Array, from: number, to: number): number {
    let hash = FNV_OFFSET
    let at = from
    while (at < to) {
      const byte = source[at] as number
      const lower = LOWER_CASE[byte] as number
      if (lower !== 0) {
        hash = Math.imul(hash ^ lower, 0x01000193)
        at++
        continue
      }
      if (!isHangulAt(source, at)) break
      hash = Math.imul(hash ^ byte, 0x01000193)
      hash = Math.imul(hash ^ (source[at + 1] as number), 0x01000193)
      hash = Math.imul(hash ^ (source[at + 2] as number), 0x01000193)
      at += 3
    }
    this.#readHash = hash
    return at
  }

  /** The number of the word that {@link readRange} read last. */
  addReadRange(source: Uint8Array, from: number, to: number): number {
    return this.#numberOf(source, from, to - from, this.#readHash, LOWER)
  }

  /** The number of a term given in bytes. */
  addBytes(term: Uint8Array): number {
    this.bytes.reserve(term.length)
    this.bytes.bytes.set(term, this.bytes.length)
    return this.#addWritten(term.length)
  }

  /**
   * Reads ASCII letters and digits from a place of a text on, in lower case, for {@link addRead} to number.
   *
   * @returns where they end; -1 when there are more than {@link LONGEST_WORD}
   */
  readWord(text: string, from: number): number {
    this.bytes.reserve(LONGEST_WORD)
    const { bytes, length: start } = this.bytes
    const limit = Math.min(text.length, from + LONGEST_WORD)
    let hash = FNV_OFFSET
    let at = from
    for (; at < limit; at++) {
      const unit = text.charCodeAt(at)
      const lower = unit < 128 ? (LOWER_CASE[unit] as number) : 0
      if (lower === 0) break
      bytes[start + at - from] = lower
      hash = Math.imul(hash ^ lower, 0x01000193)
    }
    this.#readHash = hash
    return at === limit && at < text.length && /[0-9A-Za-z]/.test(text.charAt(at)) ? -1 : at
  }

  /** The number of the word read last. */
  addRead(length: number): number {
    return this.#number(this.#readHash, length)
  }

  /** The number of a term that stands in another array, each byte of it folded. (No options object: one a token.) */
  #numberOf(source: Uint8Array, from: number, length: number, hash: number, fold: Uint8Array): number {
    const { bytes } = this.bytes
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = ((hash ^ (hash >>> 15)) << 2) & mask
    for (let entry = slots[slot] as number; entry !== 0; entry = slots[slot] as number) {
      if (slots[slot + 1] === hash && slots[slot + 3] === length) {
        const start = slots[slot + 2] as number
        let i = 0
        while (i < length && bytes[start + i] === fold[source[from + i] as number]) i++
        if (i === length) return entry - 1
      }
      slot = (slot + 4) & mask
    }
    this.bytes.reserve(length)
    const added = this.bytes.bytes
    const end = this.bytes.length
    for (let i = 0; i < length; i++) added[end + i] = fold[source[from + i] as number] as number
    return this.#number(hash, length)
  }

  #addWide(term: string): number {
    const { bytes, length } = this.bytes
    return this.#addWritten(Buffer.from(bytes.buffer).write(term, length))
  }

  #addWritten(length: number): number {
    const { bytes, length: start } = this.bytes
    let hash = FNV_OFFSET
    for (let i = 0; i < length; i++) hash = Math.imul(hash ^ (bytes[start + i] as number), 0x01000193)
    return this.#number(hash, length)
  }

  /** The number of the term whose bytes stand behind the last one's. */
  #number(hash: number, length: number): number {
    const { bytes, length: start } = this.bytes
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = ((hash ^ (hash >>> 15)) << 2) & mask
    for (let entry = slots[slot] as number; entry !== 0; entry = slots[slot] as number) {
      if (slots[slot + 1] === hash && slots[slot + 3] === length) {
        const from = slots[slot + 2] as number
        let i = 0
        while (i < length && bytes[from + i] === bytes[start + i]) i++
        if (i === length) return entry - 1
      }
      slot = (slot + 4) & mask
    }
    const id = this.ends.length
    slots[slot] = id + 1
    slots[slot + 1] = hash
    slots[slot + 2] = start
    slots[slot + 3] = length
    this.bytes.length += length
    this.ends.push(this.bytes.length)
    if (id * 8 >= mask) this.#grow()
    return id
  }

  #grow(): void {
    const old = this.#slots
    const slots = new Int32Array(old.length * 2)
    const mask = slots.length - 1
    for (let from = 0; from < old.length; from += 4) {
      if (old[from] === 0) continue
      const hash = old[from + 1] as number
      let slot = ((hash ^ (hash >>> 15)) << 2) & mask
      while (slots[slot] !== 0) slot = (slot + 4) & mask
      for (let i = 0; i < 4; i++) slots[slot + i] = old[from + i] as number
    }
    this.#slots = slots
  }
}

/** Whether the three bytes at a place of UTF-8 are a Hangul syllable (U+AC00-D7A3) or a letter of it (U+3131-318E). */
function isHangulAt(source: Uint8Array, at: number): boolean {
  const first = source[at] as number
  const second = source[at + 1] as number
  const third = source[at + 2] as number
  switch (first) {
    case 0xe3:
      return second === 0x84 ? third >= 0xb1 : second === 0x85 || (second === 0x86 && third <= 0x8e)
    case 0xea:
      return second >= 0xb0
    case 0xeb:
    case 0xec:
      return true
    case 0xed:
      return second < 0x9e || (second === 0x9e && third <= 0xa3)
    default:
      return false
  }
}
