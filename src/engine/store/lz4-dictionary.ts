import { damagedRecord } from './damaged-record.ts'
import type { Lz4Code } from './lz4-code.ts'
import { type DictionaryTables, type Lz4Kernel, lz4Kernel } from './lz4-kernel.ts'

/* LZ4's block format with a dictionary in front: a row of sequences of a token (count of literals, length of the match
 * less 4, four bits each), more bytes of either count where it is 15 or more, the literals, and the match's distance as
 * u16, little-endian. The last sequence has literals only: at least 5, and no match begins within the last 12 bytes.
 */

/** Distances have 16 bits. */
const MOST_DISTANCE = 65_535
/** The longest dictionary: its places have 16 bits too, and 0 is none. */
export const MOST_DICTIONARY_BYTES = 65_534
/** The longest source that is compressed: a longer one would hold up its thread. */
export const MOST_SOURCE_BYTES = 64 * 1024

const MIN_MATCH = 4
const LEAST_MATCH = 5
const LAST_LITERALS = 5
const MATCH_LIMIT = 12
const LITTLE = 15

/** After so many bytes without a match (2 ^ HURRY_BITS), some are left out between looks, more and more of them. */
const HURRY_BITS = 5
const MISSES_TO_HURRY = 1 << (HURRY_BITS + 1)

/** Bits of a hash by which the places of a dictionary are found, and those of a source, of which there are fewer. */
const HASH_BITS = 15
const SEEN_BITS = 12
const HASH_FACTOR = 0x9e37_79b1

/** Where four bytes were seen last in a source, by their hash; what is less than `seenFrom` is of an earlier source. */
const seen = new Int32Array(1 << SEEN_BITS)
let seenFrom = 1
/** The dictionary, and what is compressed or comes out behind it. */
let plain = new Uint8Array(0)
/** The same, four bytes at a time: one load where bytes alone would be four. */
let plainWords = new DataView(plain.buffer)
let plainOf: Lz4Dictionary | undefined
let packed = new Uint8Array(0)
/** What is packed, in codes. */
let coded = new Uint8Array(0)

/** Compresses and restores short texts that have much in common with a sample of their kind. */
export class Lz4Dictionary {
  readonly bytes: Uint8Array
  /** What compressed texts are put into besides. */
  readonly code: Lz4Code | undefined
  /** Positions in the dictionary, plus one, by the hash of the four bytes there. */
  readonly #positions = new Uint16Array(1 << HASH_BITS)
  /** The same twice as fast; undefined: without a code, or where there is no kernel. */
  readonly #kernel: Lz4Kernel | undefined
  readonly #tables: DictionaryTables

  /**
   * @param bytes            at most {@link MOST_DICTIONARY_BYTES} of them
   * @param options.isPlain  does without the kernel
   */
  constructor(bytes: Uint8Array, code?: Lz4Code, options: { readonly isPlain?: boolean } = {}) {
    this.bytes = bytes
    this.code = code
    this.#kernel = code === undefined || options.isPlain === true ? undefined : lz4Kernel()
    this.#tables = { bytes, tables: [this.#positions, ...(code?.tables ?? [])] }
    const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    for (let at = 0; at + MIN_MATCH <= bytes.length; at++) {
      this.#positions[Math.imul(words.getInt32(at, true), HASH_FACTOR) >>> (32 - HASH_BITS)] = at + 1
    }
  }

  /** The compressed form; undefined where it would not be less than `most` bytes. */
  compress(source: Uint8Array, most = source.length): Buffer | undefined {
    if (source.length > MOST_SOURCE_BYTES) return undefined
    if (this.#kernel !== undefined) return this.#kernel.compress(this.#tables, source, most)
    const code = this.code
    // Codes make up for what packing may add.
    const length = this.#pack(source, code === undefined ? most : Number.POSITIVE_INFINITY)
    if (length < 0) return undefined
    if (code === undefined) return Buffer.from(packed.subarray(0, length))
    if (coded.length < 2 * packed.length) coded = new Uint8Array(2 * packed.length)
    const bytes = code.encode(packed, length, coded)
    return bytes > most ? undefined : Buffer.from(coded.subarray(0, bytes))
  }

  /** Packs a source into {@link packed}. @returns how many bytes that takes; -1 where they would be more than `most` */
  #pack(source: Uint8Array, most: number): number {
    const begin = this.bytes.length
    const end = begin + source.length
    this.#layOut(end)
    plain.set(source, begin)
    makeRoom(source.length)
    const base = beginSeen(end)
    const bytes = plain
    const words = plainWords
    const out = packed
    const positions = this.#positions
    let anchor = begin
    let length = 0
    let misses = 0
    for (let at = begin; at < end - MATCH_LIMIT; ) {
      const word = words.getInt32(at, true)
      const hash = Math.imul(word, HASH_FACTOR)
      const slot = hash >>> (32 - SEEN_BITS)
      let known = (seen[slot] as number) - base
      seen[slot] = base + at
      // Where these bytes were before in the text, or in the dictionary, as near as is known.
      if (known < 0 || at - known > MOST_DISTANCE || words.getInt32(known, true) !== word) {
        known = (positions[hash >>> (32 - HASH_BITS)] as number) - 1
        if (known < 0 || at - known > MOST_DISTANCE || words.getInt32(known, true) !== word) {
          misses++
          at += misses < MISSES_TO_HURRY ? 1 : misses >>> HURRY_BITS
          continue
        }
      }
      misses = 0
      let from = known
      let start = at
      while (start > anchor && from > 0 && bytes[start - 1] === bytes[from - 1]) {
        start--
        from--
      }
      let next = at + MIN_MATCH
      for (let same = known + MIN_MATCH; next < end - LAST_LITERALS && bytes[next] === bytes[same]; next++) same++
      // A short one is hardly less than its bytes are, and costs time.
      if (next - start < LEAST_MATCH) {
        at++
        continue
      }
      // Room for the counts, the literals and those at the end: what does not fit in is not worth it.
      if (length + (start - anchor) + ((next - anchor) >>> 7) + 16 > most) return -1
      const match = next - start - MIN_MATCH
      length = putLiterals(out, length, bytes, anchor, start, Math.min(match, LITTLE))
      const distance = start - from
      out[length++] = distance
      out[length++] = distance >>> 8
      if (match >= LITTLE) length = putMore(out, length, match - LITTLE)
      at = next
      anchor = next
    }
    if (length + (end - anchor) + ((end - anchor) >>> 7) + 2 > most) return -1
    return putLiterals(out, length, bytes, anchor, end, 0)
  }

  /**
   * What was compressed.
   *
   * @param length  its length in bytes
   * @throws {Error} when it was not compressed with this dictionary, or is damaged
   */
  restore(bytes: Uint8Array, length: number): Buffer {
    if (length > MOST_SOURCE_BYTES) throw damagedRecord('a compressed source')
    if (this.#kernel !== undefined) {
      const source = this.#kernel.restore(this.#tables, bytes, length)
      if (source === undefined) throw damagedRecord('a compressed source')
      return source
    }
    if (this.code === undefined) return this.#unpack(bytes, length)
    makeRoom(length)
    return this.#unpack(packed.subarray(0, this.code.decode(bytes, length, packed)), length)
  }

  #unpack(bytes: Uint8Array, length: number): Buffer {
    const begin = this.bytes.length
    this.#layOut(begin + length)
    const out = plain
    let to = begin
    for (let at = 0; at < bytes.length; ) {
      const token = bytes[at++] as number
      let literals = token >>> 4
      if (literals === LITTLE) {
        for (let more = 255; more === 255; literals += more) more = bytes[at++] ?? 0
      }
      if (to + literals > begin + length) throw damagedRecord('a compressed source')
      for (const end = to + literals; to < end; ) out[to++] = bytes[at++] as number
      if (at >= bytes.length) break
      const distance = (bytes[at] as number) | ((bytes[at + 1] as number) << 8)
      at += 2
      let match = (token & LITTLE) + MIN_MATCH
      if (match === LITTLE + MIN_MATCH) {
        for (let more = 255; more === 255; match += more) more = bytes[at++] ?? 0
      }
      let from = to - distance
      if (from < 0 || distance === 0 || to + match > begin + length) throw damagedRecord('a compressed source')
      for (const end = to + match; to < end; ) out[to++] = out[from++] as number
    }
    if (to !== begin + length) throw damagedRecord('a compressed source')
    return Buffer.from(out.subarray(begin, to))
  }

  #layOut(length: number): void {
    if (plain.length < length) {
      plain = new Uint8Array(length * 2)
      plainWords = new DataView(plain.buffer)
      plainOf = undefined
    }
    if (plainOf === this) return
    plain.set(this.bytes)
    plainOf = this
  }
}

/** Makes room to pack a source of a length. */
function makeRoom(length: number): void {
  if (packed.length < length + (length >>> 7) + 64) packed = new Uint8Array(length + (length >>> 7) + 1024)
}

/** Makes room among the positions seen; answers what is added to those of the next text. */
function beginSeen(length: number): number {
  if (seenFrom + length > 2 ** 30) {
    seen.fill(0)
    seenFrom = 1
  }
  const base = seenFrom
  seenFrom += length
  return base
}

/** A token and its literals; answers where they end. @param match  its part for the match */
function putLiterals(out: Uint8Array, at: number, bytes: Uint8Array, from: number, to: number, match: number): number {
  const literals = to - from
  let length = at
  out[length++] = (Math.min(literals, LITTLE) << 4) | match
  if (literals >= LITTLE) length = putMore(out, length, literals - LITTLE)
  for (let i = from; i < to; i++) out[length++] = bytes[i] as number
  return length
}

/** What of a count is more than 15. */
function putMore(out: Uint8Array, at: number, more: number): number {
  let length = at
  let left = more
  for (; left >= 255; left -= 255) out[length++] = 255
  out[length++] = left
  return length
}
