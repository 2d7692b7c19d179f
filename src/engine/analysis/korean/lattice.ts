import { ServiceError } from '../../../errors.ts'
import {
  ENTRY_COST,
  ENTRY_FEATURE,
  ENTRY_RIGHT,
  ENTRY_UNITS,
  FEATURE_SPACE_PENALTY,
  SPACE_PENALTY,
} from './dictionary-columns.ts'
import type { KoreanDictionary } from './korean-dictionary.ts'
import { CANNOT, type LatticeKernel, latticeKernelOf } from './lattice-kernel.ts'
import {
  ENDED_COUNT,
  FIRST_LIST,
  FURTHEST,
  type LatticeArrays,
  LEFT_INTS,
  NO_NODE,
  NODE_INTS,
  NODES_END,
  PLACE_INTS,
  rootOf,
  SECOND_LIST,
  STAMP,
  STATE_INTS,
} from './lattice-layout.ts'
import { pruneNodes } from './lattice-pruning.ts'

const INITIAL_NODES = 1 << 12
const INITIAL_PLACES = 1 << 10
const INITIAL_ENDED = 1 << 8
const NOTHING = new Int32Array(0)
/** Arrays above this size are given back after the text that needed them. */
const KEPT_INTS = 1 << 20
/** A lattice of a gigabyte: some five million units that no place settles. */
const MAX_INTS = 1 << 28
/** Stamps start over at the next text: none has so many places. */
const LATE_STAMP = 1 << 30

/**
 * The words of a text as a graph, and the cheapest path to each: the part of a morphological analyzer that seunjeon and
 * nori share.
 *
 * ```
 *        ┌─ 학교/NNG ─┬─ 에서/JKB ─┐        a node ends at a place and points back to its cheapest
 *   root ┼─ 학/NNG ─┬─ 교/NNG ─┬─ 에/JKB …   predecessor; at a place only the cheapest node of each
 *        └─ …                                right class can win
 * ```
 *
 * The cheapest predecessor of a word depends on its left class alone, hence is worked out once a place and class. This is the
 * plain way, which tries every node in order. Where it can, the kernel does the same to the same arrays, faster.
 */
export class Lattice {
  /** The node every path starts from. */
  readonly root: number

  readonly #dictionary: KoreanDictionary
  readonly #kernel: LatticeKernel | undefined
  /** Whether the kernel has the text. */
  #taken = false
  /** The kernel while it does the work. */
  #working: LatticeKernel | undefined
  #arrays: LatticeArrays
  #own: LatticeArrays | undefined
  #units: Uint16Array = new Uint16Array(0)
  #length = 0

  constructor(dictionary: KoreanDictionary) {
    this.#dictionary = dictionary
    this.#kernel = latticeKernelOf(dictionary)
    this.root = rootOf(dictionary.leftClassCount)
    this.#arrays = { memory: NOTHING, places: NOTHING, ended: NOTHING }
  }

  /** Number of nodes, the root among them. */
  get nodeCount(): number {
    return (this.#arrays.memory[NODES_END]! - this.root) / NODE_INTS
  }

  /** Furthest place a node ends at. */
  get furthest(): number {
    return this.#arrays.memory[FURTHEST]!
  }

  /** Takes the first `length` units of a text, until {@link done}; no node ends at any of its places yet. */
  begin(units: Uint16Array, length: number): void {
    this.#units = units
    this.#length = length
    const shared = this.#kernel?.take(units, length)
    this.#taken = shared !== undefined
    this.#working = this.#taken ? this.#kernel : undefined
    this.#arrays = shared ?? this.#ownArrays(length)
    const { memory: m, places } = this.#arrays
    places.fill(NO_NODE, 0, (length + 1) * PLACE_INTS)
    m[FURTHEST] = 0
    if (m[STAMP]! > LATE_STAMP) m.fill(0, 0, this.root)
  }

  /** Has done with the text. */
  done(): void {
    if (this.#taken) this.#kernel?.release()
    this.#taken = false
  }

  #ownArrays(length: number): LatticeArrays {
    const ints = (length + 1) * PLACE_INTS
    const own = this.#own
    if (own === undefined || own.places.length < ints || own.places.length > Math.max(ints, KEPT_INTS)) {
      this.#own = {
        memory: new Int32Array(this.root + INITIAL_NODES * NODE_INTS),
        places: new Int32Array(Math.max(ints, INITIAL_PLACES * PLACE_INTS)),
        ended: new Int32Array(INITIAL_ENDED),
      }
    } else if (own.memory.length > KEPT_INTS) own.memory = own.memory.slice(0, this.root + INITIAL_NODES * NODE_INTS)
    return this.#own!
  }

  /** Goes on the plain way, with what the kernel has done. */
  #leaveKernel(): void {
    const { memory, places, ended } = this.#arrays
    this.#working = undefined
    const nodesEnd = memory[NODES_END]!
    this.#arrays = {
      memory: grown(memory.subarray(0, nodesEnd), nodesEnd + INITIAL_NODES * NODE_INTS),
      places: places.slice(0, (this.#length + 1) * PLACE_INTS),
      ended: ended.slice(),
    }
    this.#own = this.#arrays
  }

  /** Forgets all nodes but a root at `place`, of the given right class, and makes it the only live one. */
  reset(place: number, rightClass: number): void {
    const m = this.#arrays.memory
    const root = this.root
    m[NODES_END] = root + NODE_INTS
    m[root] = 0
    m[root + 1] = rightClass
    m[root + 2] = NO_NODE
    m[root + 3] = place
    m[root + 4] = place
    m[root + 6] = NO_NODE
    this.#gather(root, NO_NODE)
  }

  /** Makes the root the only node that ends at its place. */
  listRoot(): void {
    const row = this.end(this.root) * PLACE_INTS
    this.#arrays.places[row] = this.root
    this.#arrays.places[row + 1] = this.root
  }

  total(node: number): number {
    return this.#arrays.memory[node]!
  }
  right(node: number): number {
    return this.#arrays.memory[node + 1]!
  }
  previous(node: number): number {
    return this.#arrays.memory[node + 2]!
  }
  start(node: number): number {
    return this.#arrays.memory[node + 3]!
  }
  end(node: number): number {
    return this.#arrays.memory[node + 4]!
  }
  /** Dictionary entry; from the dictionary's entry count on a user word; below 0 unknown word of class -1 - entry. */
  entry(node: number): number {
    return this.#arrays.memory[node + 5]!
  }
  /** Next node of the list. */
  next(node: number): number {
    return this.#arrays.memory[node + 6]!
  }
  /** First node of a list at a place. */
  first(place: number, list: number): number {
    return this.#arrays.places[place * PLACE_INTS + list]!
  }
  /** Last node of a list at a place; counts only where there is a first. */
  last(place: number, list: number): number {
    return this.#arrays.places[place * PLACE_INTS + list + 1]!
  }

  /** Forgets the nodes that end at places `[from, to]`. */
  clearPlaces(from: number, to: number): void {
    this.#arrays.places.fill(NO_NODE, from * PLACE_INTS, (to + 1) * PLACE_INTS)
  }

  /** Moves to a place: the nodes that end there become the live ones. */
  gatherLive(place: number): void {
    this.#gather(this.first(place, FIRST_LIST), this.first(place, SECOND_LIST))
  }

  #gather(first: number, second: number): void {
    if (this.#working !== undefined) {
      if (this.#working.gather(first, second) !== CANNOT) return
      this.#leaveKernel()
    }
    const arrays = this.#arrays
    const m = arrays.memory
    let count = 0
    for (const list of [first, second]) {
      for (let node = list; node !== NO_NODE; node = m[node + 6]!) {
        if (count === arrays.ended.length) arrays.ended = grown(arrays.ended, count * 2)
        arrays.ended[count++] = node
      }
    }
    m[STAMP]!++
    m[ENDED_COUNT] = count
  }

  /** Whether a word can begin at the current place. */
  get hasLive(): boolean {
    return this.#arrays.memory[ENDED_COUNT]! > 0
  }

  /**
   * Adds the dictionary's words that begin with unit `start`, to the first list.
   *
   * @param spaced  a space stands before them
   * @returns       whether there are any
   */
  addKnown(start: number, spaced: boolean): boolean {
    if (this.#working !== undefined) {
      const answer = this.#working.addKnown(start, this.#length, spaced ? 1 : 0)
      if (answer !== CANNOT) return answer === 1
      this.#leaveKernel()
    }
    const { trie, columns } = this.#dictionary
    const { entries, featureFlags } = columns
    const before = this.nodeCount
    let state = trie.roots[this.#units[start]!]!
    for (let end = start + 1; state !== 0; end++) {
      const last = trie.firstEntry(state + 1)
      for (let entry = trie.firstEntry(state); entry < last; entry++) {
        const e = entry * ENTRY_UNITS
        const cost = (entries[e + ENTRY_COST]! << 16) >> 16
        const penalized = spaced && (featureFlags[entries[e + ENTRY_FEATURE]!]! & FEATURE_SPACE_PENALTY) !== 0
        this.addNode(start, end, entries[e]!, entries[e + ENTRY_RIGHT]!, cost, penalized, entry, FIRST_LIST)
      }
      if (end === this.#length) break
      state = trie.child(state, this.#units[end]!)
    }
    return this.nodeCount > before
  }

  /**
   * Adds a word that begins at the current place. Plain parameters, as this runs some times a character.
   *
   * @param penalized  it costs {@link SPACE_PENALTY} more here
   * @param list       FIRST_LIST or SECOND_LIST of the place where it ends
   */
  addNode(
    start: number,
    end: number,
    left: number,
    right: number,
    cost: number,
    penalized: boolean,
    entry: number,
    list: number,
  ): void {
    const allCost = penalized ? cost + SPACE_PENALTY : cost
    if (this.#working !== undefined) {
      if (this.#working.addNode(start, end, left, right, allCost, entry, list) !== CANNOT) return
      this.#leaveKernel()
    }
    const way = this.#wayTo(left)
    const node = this.#arrays.memory[NODES_END]!
    if (node === this.#arrays.memory.length) this.#grow()
    const { memory: m, places } = this.#arrays
    m[NODES_END] = node + NODE_INTS
    // A wrapped sum is the originals', too.
    m[node] = m[way + 1]! + allCost
    m[node + 1] = right
    m[node + 2] = m[way + 2]!
    m[node + 3] = start
    m[node + 4] = end
    m[node + 5] = entry
    m[node + 6] = NO_NODE
    const row = end * PLACE_INTS + list
    if (places[row] === NO_NODE) places[row] = node
    else m[places[row + 1]! + 6] = node
    places[row + 1] = node
    if (end > m[FURTHEST]!) m[FURTHEST] = end
  }

  /** The live node from which a word of that left class is cheapest. */
  bestFor(left: number): number {
    return this.#working?.bestFor(left) ?? this.#arrays.memory[this.#wayTo(left) + 2]!
  }

  /** Row of a left class: every live node is tried in the order of the lists, the first of equals wins. */
  #wayTo(left: number): number {
    const { memory: m, ended } = this.#arrays
    const row = STATE_INTS + left * LEFT_INTS
    if (m[row] === m[STAMP]) return row
    const { columns, rightClassCount } = this.#dictionary
    const costs = columns.connectionCosts
    const costRow = left * rightClassCount
    const count = m[ENDED_COUNT]!
    let best = NO_NODE
    let bestTotal = 0
    for (let i = 0; i < count; i++) {
      const node = ended[i]!
      const total = (m[node]! + costs[costRow + m[node + 1]!]!) | 0
      if (best !== NO_NODE && total >= bestTotal) continue
      best = node
      bestTotal = total
    }
    m[row] = m[STAMP]!
    m[row + 1] = bestTotal
    m[row + 2] = best
    return row
  }

  /**
   * Drops the nodes that no path alive goes through: see {@link pruneNodes}.
   *
   * @param from     no list of a place before this one is needed any more
   * @param settled  takes the last node that all paths go through, before it becomes the root; not the root itself
   */
  prune(from: number, settled: (node: number) => void): void {
    pruneNodes(this.#arrays, this.root, from, settled)
  }

  #grow(): void {
    const { memory } = this.#arrays
    if (memory.length > MAX_INTS / 2) {
      throw new ServiceError(
        'illegal_argument_exception',
        'the text holds a run too long to analyze: break it by a space, a line feed or another script',
      )
    }
    this.#arrays.memory = grown(memory, this.root + (memory.length - this.root) * 2)
  }
}

function grown(array: Int32Array, length: number): Int32Array {
  const copy = new Int32Array(length)
  copy.set(array)
  return copy
}
