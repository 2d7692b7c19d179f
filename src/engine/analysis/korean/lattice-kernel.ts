import { addRoom, type KernelCode, kernelCode, openKernel, type SharedMemory } from '../../kernel.ts'
import { slotsOf } from './dictionary-image.ts'
import type { KoreanDictionary } from './korean-dictionary.ts'
import { type LatticeArrays, NODE_INTS, PLACE_INTS, rootOf, STATE_INTS } from './lattice-layout.ts'
import { TRIE_NODE_INTS } from './word-trie.ts'

/** What the kernel answers when the plain way must go on. */
export const CANNOT = 2

/** Units of the longest text. Memory that no text needs is never touched, hence none. */
const MAX_UNITS = 1 << 20
/** More than seunjeon's lattice holds before it is pruned. */
const MAX_NODES = 3 << 16
/** As in kernels/lattice.ts. */
const MAX_ENDED = 1 << 13
const KEYS = 16
const PLACES_INTS = (MAX_UNITS + 1) * PLACE_INTS

interface KernelExports {
  openDictionary(...places: number[]): number
  openLattice(...places: number[]): void
  gather: LatticeKernel['gather']
  addKnown: LatticeKernel['addKnown']
  addNode: LatticeKernel['addNode']
  bestFor: LatticeKernel['bestFor']
}

/** A place in the dictionary's memory where one text at a time is analyzed. */
interface Slot {
  readonly arrays: LatticeArrays
  readonly units: Uint16Array
  /** Where {@link KernelExports.openLattice} is to find everything. */
  readonly places: readonly number[]
}

/**
 * A thread's instance of kernels/lattice.ts for one dictionary. For each text it takes a slot that no thread works in, so
 * that threads may come and go: one that is ended in the middle of a text leaves a slot behind it that nobody uses.
 */
export class LatticeKernel {
  /** Makes the nodes of two lists the live ones; answers 1 when there are any, or CANNOT. */
  readonly gather: (first: number, second: number) => number
  /** Adds the words that begin with a unit; answers 1 when there are any, or CANNOT. */
  readonly addKnown: (start: number, length: number, spaced: number) => number
  /** Adds one word; CANNOT for want of room. */
  readonly addNode: (
    start: number,
    end: number,
    left: number,
    right: number,
    cost: number,
    entry: number,
    list: number,
  ) => number
  /** The live node from which a word of that left class is cheapest. */
  readonly bestFor: (left: number) => number
  readonly #memory: SharedMemory
  readonly #openLattice: KernelExports['openLattice']
  readonly #memoryInts: number
  readonly #mostWords: number
  readonly #slots: (Slot | undefined)[] = []
  readonly #claims: Int32Array
  #taken = false
  /** The slot the kernel is open for. */
  #current = -1

  constructor(code: KernelCode, memory: SharedMemory, dictionary: KoreanDictionary) {
    const { columns, tables } = dictionary
    const kernel = openKernel<KernelExports>(code, memory)
    this.#memory = memory
    this.#claims = slotsOf(memory)
    this.#memoryInts = rootOf(dictionary.leftClassCount) + MAX_NODES * NODE_INTS
    this.#openLattice = kernel.openLattice
    this.#mostWords = kernel.openDictionary(
      columns.nodes.byteOffset,
      columns.nodes.length / TRIE_NODE_INTS - 1,
      columns.labels.byteOffset,
      tables.roots.byteOffset,
      tables.pairs.byteOffset,
      tables.pairs.length / 2,
      columns.entries.byteOffset,
      columns.featureFlags.byteOffset,
      tables.unitLefts.byteOffset,
      tables.unitLeftStarts.byteOffset,
      columns.connectionCosts.byteOffset,
      tables.leastCosts.byteOffset,
      dictionary.rightClassCount,
    )
    this.gather = kernel.gather
    this.addKnown = kernel.addKnown
    this.addNode = kernel.addNode
    this.bestFor = kernel.bestFor
  }

  /**
   * Takes a text over until {@link release}.
   *
   * @returns the arrays it works on; undefined when it has one already, this one is too long or no slot is left
   */
  take(units: Uint16Array, length: number): LatticeArrays | undefined {
    const slot = this.#taken || length > MAX_UNITS ? undefined : this.#claim()
    if (slot === undefined) return undefined
    this.#taken = true
    for (let i = 0; i < length; i++) slot.units[i] = units[i]!
    return slot.arrays
  }

  /** Lets other threads work where this one did. */
  release(): void {
    this.#taken = false
    Atomics.store(this.#claims, this.#current * 2, 0)
  }

  #claim(): Slot | undefined {
    const claims = this.#claims
    // The one used last first: what is in it may still be near.
    if (this.#current >= 0 && Atomics.compareExchange(claims, this.#current * 2, 0, 1) === 0) {
      return this.#slots[this.#current]
    }
    for (let number = 0; number < claims.length / 2; number++) {
      if (Atomics.compareExchange(claims, number * 2, 0, 1) !== 0) continue
      this.#slots[number] ??= this.#open(number)
      const slot = this.#slots[number]
      if (slot === undefined) {
        Atomics.store(claims, number * 2, 0)
        return undefined
      }
      this.#current = number
      this.#openLattice(...slot.places)
      return slot
    }
    return undefined
  }

  /** A slot as it lies in memory; makes room for it if it is new. Only for who has claimed it. */
  #open(number: number): Slot | undefined {
    let at = this.#placeOf(number)
    if (at === 0) return undefined
    const { buffer } = this.#memory
    const ints = (length: number): Int32Array => {
      const view = new Int32Array(buffer, at, length)
      at += view.byteLength
      return view
    }
    const arrays = { memory: ints(this.#memoryInts), places: ints(PLACES_INTS), ended: ints(MAX_ENDED) }
    const units = new Uint16Array(buffer, ints(MAX_UNITS / 2).byteOffset, MAX_UNITS)
    const { memory, places, ended } = arrays
    const lattice = [memory.byteOffset, memory.byteLength, memory.byteOffset + STATE_INTS * 4]
    const scratch = [ints(KEYS + MAX_ENDED + 1), ints(MAX_ENDED), ints(this.#mostWords)]
    const others = [places, ended, units, ...scratch].map(({ byteOffset }) => byteOffset)
    return { arrays, units, places: [...lattice, ...others] }
  }

  /** Where a slot begins; 0 when there is no more room. */
  #placeOf(number: number): number {
    const row = number * 2 + 1
    if (this.#claims[row] === 0) {
      const ints = this.#memoryInts + PLACES_INTS + MAX_UNITS / 2 + KEYS + 3 * MAX_ENDED + 1 + this.#mostWords
      this.#claims[row] = addRoom(this.#memory, ints * 4) ?? 0
    }
    return this.#claims[row]!
  }
}

const kernels = new WeakMap<KoreanDictionary, LatticeKernel | undefined>()

/** This thread's kernel for a dictionary; undefined where there is none, or no memory to share with it. */
export function latticeKernelOf(dictionary: KoreanDictionary): LatticeKernel | undefined {
  if (!kernels.has(dictionary)) {
    const code = kernelCode('lattice')
    const { memory } = dictionary
    kernels.set(dictionary, code && memory && new LatticeKernel(code, memory, dictionary))
  }
  return kernels.get(dictionary)
}
