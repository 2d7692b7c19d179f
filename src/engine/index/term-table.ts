import { GrowableBytes, GrowableInt32Array } from './growable-array.ts'

/** FNV-1a's start, as the signed 32-bit number all hashes here are. */
const FNV_OFFSET = 0x811c9dc5 | 0

/** Longest word that {@link TermTable.readWord} reads: the standard tokenizer's default limit. */
export const LONGEST_WORD = 255

/** ASCII letters and digits in lower case; 0 for all else. */
const LOWER_CASE = Uint8Array.from({ length: 128 }, (_, unit) => {
  const char = String.fromCharCode(unit)
  return /[0-9A-Za-z]/.test(char) ? char.toLowerCase().charCodeAt(0) : 0
})

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
  readonly #hashes = new GrowableInt32Array(32)
  /** Term number + 1 by hash; 0 is free. Its size is a power of two, at most half full. */
  #slots = new Int32Array(64)
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
    const ends = this.ends.values
    const hashes = this.#hashes.values
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = (hash ^ (hash >>> 15)) & mask
    for (let entry = slots[slot] as number; entry !== 0; entry = slots[slot] as number) {
      const id = entry - 1
      if (hashes[id] === hash) {
        const from = id === 0 ? 0 : (ends[id - 1] as number)
        if ((ends[id] as number) - from === length) {
          let i = 0
          while (i < length && bytes[from + i] === bytes[start + i]) i++
          if (i === length) return id
        }
      }
      slot = (slot + 1) & mask
    }
    const id = this.ends.length
    slots[slot] = id + 1
    this.bytes.length += length
    this.ends.push(this.bytes.length)
    this.#hashes.push(hash)
    if (id * 2 >= mask) this.#grow()
    return id
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2)
    const mask = slots.length - 1
    const hashes = this.#hashes.values
    for (let id = 0; id < this.size; id++) {
      const hash = hashes[id] as number
      let slot = (hash ^ (hash >>> 15)) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = id + 1
    }
    this.#slots = slots
  }
}
