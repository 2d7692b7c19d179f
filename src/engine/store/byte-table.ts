import { keyHash, keyHashAt } from './key-hash.ts'
import { sortedByWords } from './sort-words.ts'

/** Bytes before those of an entry: the length of its key (u16) and of its value (u8). */
const HEADER_BYTES = 3
const FIRST_BYTES = 4_096
const FIRST_SLOTS = 128

/** A map of short keys to short values as bytes in one piece, which leaves nothing to collect: keys below 64 KiB, values below 256 bytes. */
export class ByteTable {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES)
  #end = 0
  /** Where entries begin, plus one; 0 for none. A power of two of them, less than half full. */
  #slots = new Int32Array(FIRST_SLOTS)
  /** Length of what all keys begin with: told with each, since to look at all of them held up whoever waited. */
  #prefix = 0
  size = 0

  get(key: Buffer): Buffer | undefined {
    const at = (this.#slots[this.#slotOf(key)] as number) - 1
    return at < 0 ? undefined : this.#valueAt(at)
  }

  /** Puts an entry in place of one with the same key. */
  set(key: Buffer, value: Buffer): void {
    if (this.size * 2 >= this.#slots.length) this.#grow()
    const slot = this.#slotOf(key)
    if (this.#slots[slot] === 0) {
      this.size++
      this.#noteKey(key)
    }
    this.#slots[slot] = this.#append(key, value) + 1
  }

  /**
   * The places of all entries, until the next is set: those of neighbouring keys beside each other, but where they have the four
   * bytes in common that tell most apart.
   */
  places(): Int32Array {
    const slots = this.#slots
    const words = new Uint32Array(this.size)
    const places = new Int32Array(this.size)
    let count = 0
    for (let slot = 0; slot < slots.length; slot++) {
      const at = (slots[slot] as number) - 1
      if (at < 0) continue
      words[count] = this.#wordAt(at, this.#prefix)
      places[count++] = slot
    }
    return sortedByWords(places, words)
  }

  /** The entry at a place. Its bytes stay as they are. */
  entry(place: number): readonly [key: Buffer, value: Buffer] {
    const at = (this.#slots[place] as number) - 1
    return [this.#keyAt(at), this.#valueAt(at)]
  }

  /** Four bytes of a key as a number; what is behind its end counts as 0. */
  #wordAt(at: number, from: number): number {
    const start = at + HEADER_BYTES
    const end = start + this.#keyLength(at)
    let word = 0
    for (let i = start + from; i < start + from + 4; i++) word = word * 256 + (i < end ? (this.#bytes[i] as number) : 0)
    return word
  }

  /** The first entry stands at 0. */
  #noteKey(key: Buffer): void {
    const most = this.#end === 0 ? key.length : Math.min(this.#prefix, key.length)
    let length = 0
    if (this.#end === 0) length = most
    else while (length < most && this.#bytes[HEADER_BYTES + length] === key[length]) length++
    this.#prefix = length
  }

  #append(key: Buffer, value: Buffer): number {
    const at = this.#end
    const keyStart = at + HEADER_BYTES
    const end = keyStart + key.length + value.length
    if (end > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(end, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, at)
      this.#bytes = larger
    }
    const bytes = this.#bytes
    bytes[at] = key.length & 255
    bytes[at + 1] = key.length >>> 8
    bytes[at + 2] = value.length
    for (let i = 0; i < key.length; i++) bytes[keyStart + i] = key[i] as number
    for (let i = 0; i < value.length; i++) bytes[keyStart + key.length + i] = value[i] as number
    this.#end = end
    return at
  }

  #keyLength(at: number): number {
    return (this.#bytes[at] as number) + (this.#bytes[at + 1] as number) * 256
  }

  #keyAt(at: number): Buffer {
    return this.#bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + this.#keyLength(at))
  }

  #valueAt(at: number): Buffer {
    const start = at + HEADER_BYTES + this.#keyLength(at)
    return this.#bytes.subarray(start, start + (this.#bytes[at + 2] as number))
  }

  /** The slot that has a key, or would. */
  #slotOf(key: Buffer): number {
    const slots = this.#slots
    const mask = slots.length - 1
    for (let slot = keyHash(key) & mask; ; slot = (slot + 1) & mask) {
      const place = slots[slot] as number
      if (place === 0 || this.#isAt(place - 1, key)) return slot
    }
  }

  #isAt(at: number, key: Buffer): boolean {
    if (this.#keyLength(at) !== key.length) return false
    const bytes = this.#bytes
    // From the end: it is there that they differ.
    for (let i = key.length - 1, end = at + HEADER_BYTES; i >= 0; i--) if (bytes[end + i] !== key[i]) return false
    return true
  }

  #grow(): void {
    const before = this.#slots
    const slots = new Int32Array(before.length * 2)
    const mask = slots.length - 1
    for (let i = 0; i < before.length; i++) {
      const place = before[i] as number
      if (place === 0) continue
      const start = place - 1 + HEADER_BYTES
      let slot = keyHashAt(this.#bytes, start, start + this.#keyLength(place - 1)) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = place
    }
    this.#slots = slots
  }
}
