import { keyHash } from './key-hash.ts'

/** So many ids of an index are remembered: some 8 to 16 bytes each. */
const MOST_IDS = 2 ** 22
/** Sets that grow apart from each other, so that none takes long to. */
const PARTS_BITS = 4

/**
 * Which ids indices have ever had, of those that had none when this process first asked: an id that is not among them need not be
 * looked for. (Most ids of a bulk load are new, and a look into the table costs ten times as much.)
 */
export class KnownIds {
  readonly #isEmpty: (indexNumber: number) => boolean
  /** By index number; undefined: not known. */
  readonly #ofIndex = new Map<number, HashSet | undefined>()

  /** @param isEmpty  whether no id of an index is anywhere; asked once, before the first is added */
  constructor(isEmpty: (indexNumber: number) => boolean) {
    this.#isEmpty = isEmpty
  }

  /** False only for an id that the index has never had. @param key  of the ids table */
  mayHave(key: Buffer): boolean {
    return this.#setOf(key)?.has(keyHash(key)) ?? true
  }

  add(key: Buffer): void {
    const known = this.#setOf(key)
    if (known === undefined) return
    known.add(keyHash(key))
    if (known.size > MOST_IDS) this.forget(key.readUInt32BE(0))
  }

  /** Remembers nothing of an index any more. */
  forget(indexNumber: number): void {
    this.#ofIndex.set(indexNumber, undefined)
  }

  #setOf(key: Buffer): HashSet | undefined {
    const indexNumber = key.readUInt32BE(0)
    const known = this.#ofIndex.get(indexNumber)
    if (known !== undefined || this.#ofIndex.has(indexNumber)) return known
    const begun = this.#isEmpty(indexNumber) ? new HashSet() : undefined
    this.#ofIndex.set(indexNumber, begun)
    return begun
  }
}

/** A set of hashes of 32 bits. */
class HashSet {
  /** By the highest bits. */
  readonly #parts = Array.from({ length: 2 ** PARTS_BITS }, () => new Part())
  size = 0

  has(hash: number): boolean {
    return this.#part(hash).has(hash)
  }

  add(hash: number): void {
    if (this.#part(hash).add(hash)) this.size++
  }

  #part(hash: number): Part {
    return this.#parts[hash >>> (32 - PARTS_BITS)] as Part
  }
}

class Part {
  /** A power of two of them, at most half taken; 0: free, which a hash of 0 never is. */
  #slots = new Int32Array(16)
  #size = 0

  has(hash: number): boolean {
    return this.#slots[this.#slotOf(hash || 1)] !== 0
  }

  /** @returns false when it was there */
  add(hash: number): boolean {
    const slot = this.#slotOf(hash || 1)
    if (this.#slots[slot] !== 0) return false
    this.#slots[slot] = hash || 1
    if (++this.#size * 2 > this.#slots.length) this.#grow()
    return true
  }

  /** The slot that has a hash, or would. */
  #slotOf(hash: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = hash & mask
    while (slots[slot] !== 0 && slots[slot] !== hash) slot = (slot + 1) & mask
    return slot
  }

  #grow(): void {
    const before = this.#slots
    this.#slots = new Int32Array(before.length * 2)
    for (const hash of before) if (hash !== 0) this.#slots[this.#slotOf(hash)] = hash
  }
}
