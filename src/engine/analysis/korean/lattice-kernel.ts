import { arraysIn, type KernelCode, kernelCode, openKernel, type SharedMemory } from '../../kernel.ts'
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

interface KernelExports {
  openDictionary(...places: number[]): number
  openLattice(...places: number[]): void
  gather: LatticeKernel['gather']
  addKnown: LatticeKernel['addKnown']
  addNode: LatticeKernel['addNode']
  bestFor: LatticeKernel['bestFor']
}

/** A thread's instance of kernels/lattice.ts for one dictionary, and the arrays it works on. */
export class LatticeKernel {
  readonly arrays: LatticeArrays
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
  readonly #units: Uint16Array

  constructor(code: KernelCode, memory: SharedMemory, dictionary: KoreanDictionary) {
    const { trie, columns, leftClassCount } = dictionary
    const kernel = openKernel<KernelExports>(code, memory)
    const mostWords = kernel.openDictionary(
      trie.nodes.byteOffset,
      trie.nodes.length / TRIE_NODE_INTS - 1,
      columns.labels.byteOffset,
      trie.roots.byteOffset,
      trie.pairs.byteOffset,
      trie.pairBits,
      columns.entries.byteOffset,
      columns.featureFlags.byteOffset,
      dictionary.unitLefts.byteOffset,
      dictionary.unitLeftStarts.byteOffset,
      columns.connectionCosts.byteOffset,
      dictionary.leastCosts.byteOffset,
      dictionary.rightClassCount,
    )
    const ints = arraysIn(memory, Int32Array)
    this.arrays = {
      memory: ints(rootOf(leftClassCount) + MAX_NODES * NODE_INTS),
      places: ints((MAX_UNITS + 1) * PLACE_INTS),
      ended: ints(MAX_ENDED),
    }
    this.#units = arraysIn(memory, Uint16Array)(MAX_UNITS)
    kernel.openLattice(
      this.arrays.memory.byteOffset,
      this.arrays.memory.byteLength,
      this.arrays.memory.byteOffset + STATE_INTS * 4,
      this.arrays.places.byteOffset,
      this.arrays.ended.byteOffset,
      this.#units.byteOffset,
      ints(KEYS + MAX_ENDED + 1).byteOffset,
      ints(MAX_ENDED).byteOffset,
      ints(mostWords).byteOffset,
    )
    this.gather = kernel.gather
    this.addKnown = kernel.addKnown
    this.addNode = kernel.addNode
    this.bestFor = kernel.bestFor
  }

  /** Takes a text over; false when it is too long. */
  take(units: Uint16Array, length: number): boolean {
    if (length > MAX_UNITS) return false
    for (let i = 0; i < length; i++) this.#units[i] = units[i]!
    return true
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
