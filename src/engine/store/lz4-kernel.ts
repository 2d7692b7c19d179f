import { addRoom, createSharedMemory, type KernelCode, kernelCode, openKernel, type SharedMemory } from '../kernel.ts'

/* As in kernels/lz4.ts. */
const CODED_AT = 1 << 14
const CODED_BYTES = 7 << 14
const SCRATCH_BYTES = 1 << 18
const TABLES_AT = 0x20100
const SLOT_BYTES = 1 << 18

/** So many dictionaries are at hand; what is not touched of their memory is none. */
const MOST_SLOTS = 64

interface KernelExports {
  restore(slot: number, dictionaryLength: number, codedLength: number, length: number): number
  compress(slot: number, dictionaryLength: number, length: number): number
}

/** A dictionary and what is known of it. */
export interface DictionaryTables {
  readonly bytes: Uint8Array
  /** In the order they stand in a slot: positions by hash, symbols of tokens and of literals by the bits ahead, codes of both by symbol. */
  readonly tables: readonly (Uint16Array | Uint32Array)[]
  /** Where it was laid out last; it may be another's since. */
  slot?: Slot
}

interface Slot {
  readonly at: number
  readonly bytes: Uint8Array
  owner: DictionaryTables
}

/** A thread's instance of kernels/lz4.ts. */
export class Lz4Kernel {
  readonly #memory: SharedMemory
  readonly #kernel: KernelExports
  readonly #coded: Uint8Array
  readonly #slots: Slot[] = []
  #oldest = 0

  /** @throws {RangeError} when there is no memory for it */
  constructor(code: KernelCode) {
    this.#memory = createSharedMemory(SCRATCH_BYTES)
    this.#kernel = openKernel<KernelExports>(code, this.#memory)
    this.#coded = new Uint8Array(this.#memory.buffer, CODED_AT, CODED_BYTES)
  }

  /** What was coded; undefined when it is damaged. */
  restore(dictionary: DictionaryTables, bytes: Uint8Array, length: number): Buffer | undefined {
    if (bytes.length > CODED_BYTES) return undefined
    const slot = this.#slot(dictionary)
    this.#coded.set(bytes)
    const begin = dictionary.bytes.length
    const isWhole = this.#kernel.restore(slot.at, begin, bytes.length, length) === 1
    return isWhole ? copied(slot.bytes, begin, begin + length) : undefined
  }

  /** A source, compressed and in codes; undefined where that would be more than `most` bytes. */
  compress(dictionary: DictionaryTables, source: Uint8Array, most: number): Buffer | undefined {
    const slot = this.#slot(dictionary)
    const begin = dictionary.bytes.length
    slot.bytes.set(source, begin)
    const length = this.#kernel.compress(slot.at, begin, source.length)
    return length > most ? undefined : copied(this.#coded, 0, length)
  }

  #slot(dictionary: DictionaryTables): Slot {
    const { slot } = dictionary
    return slot?.owner === dictionary ? slot : this.#layOut(dictionary)
  }

  /** Lays a dictionary out in a new slot, or, where there are many, in that of another. */
  #layOut(dictionary: DictionaryTables): Slot {
    const slot = this.#newSlot(dictionary) ?? (this.#slots[this.#oldest++ % this.#slots.length] as Slot)
    slot.owner = dictionary
    dictionary.slot = slot
    slot.bytes.set(dictionary.bytes)
    let at = TABLES_AT
    for (const { buffer, byteOffset, byteLength } of dictionary.tables) {
      slot.bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at)
      at += byteLength
    }
    return slot
  }

  /** @throws {RangeError} when there is no room for the first one */
  #newSlot(owner: DictionaryTables): Slot | undefined {
    if (this.#slots.length === MOST_SLOTS) return undefined
    const at = addRoom(this.#memory, SLOT_BYTES)
    if (at === undefined && this.#slots.length > 0) return undefined
    if (at === undefined) throw new RangeError('there is no memory to compress with')
    const slot = { at, bytes: new Uint8Array(this.#memory.buffer, at, SLOT_BYTES), owner }
    this.#slots.push(slot)
    return slot
  }
}

function copied(bytes: Uint8Array, from: number, to: number): Buffer {
  const copy = Buffer.allocUnsafe(to - from)
  copy.set(bytes.subarray(from, to))
  return copy
}

let kernel: Lz4Kernel | undefined
let isAsked = false

/** This thread's kernel; undefined where there is none, or no memory for it. */
export function lz4Kernel(): Lz4Kernel | undefined {
  if (isAsked) return kernel
  isAsked = true
  const code = kernelCode('lz4')
  try {
    kernel = code && new Lz4Kernel(code)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return kernel
}
