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
import { FIRST_LIST, LEFT_INTS, NO_NODE, NODE_INTS, PLACE_INTS, SECOND_LIST } from './lattice-layout.ts'
import { pruneNodes } from './lattice-pruning.ts'
import { LiveNodes } from './live-nodes.ts'
import type { WordTrie } from './word-trie.ts'

const INITIAL_NODES = 1 << 12
const INITIAL_PLACES = 1 << 10
/** Arrays above this size are given back after the text that needed them. */
const KEPT_INTS = 1 << 20

/** A lattice of a gigabyte: some five million units that no place settles. */
const MAX_INTS = 1 << 28

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
 * The cheapest predecessor of a word depends on its left class alone, hence is worked out once a place and class. The
 * candidates are tried cheapest first: the first four always, then until one could not win at the left class's lowest
 * connection cost.
 */
export class Lattice {
  /** The node every path starts from. */
  readonly root: number
  #nodesEnd: number

  /** By place: first and last node of either list. */
  #places = new Int32Array(INITIAL_PLACES * PLACE_INTS)
  /** Furthest place a node ends at. */
  furthest = 0

  readonly #trie: WordTrie
  readonly #unitLefts: Uint16Array
  readonly #unitLeftStarts: Int32Array
  #leftList = new Uint16Array(64)
  readonly #entries: Uint16Array
  readonly #featureFlags: Uint8Array
  readonly #live: LiveNodes
  readonly #lefts: number
  constructor(dictionary: KoreanDictionary) {
    const { columns } = dictionary
    this.#trie = dictionary.trie
    this.#unitLefts = dictionary.unitLefts
    this.#unitLeftStarts = dictionary.unitLeftStarts
    this.#entries = columns.entries
    this.#featureFlags = columns.featureFlags
    this.#live = new LiveNodes(dictionary, INITIAL_NODES)
    this.#lefts = this.#live.lefts
    this.root = this.#live.root
    this.#nodesEnd = this.root + NODE_INTS
  }

  /** Number of nodes, the root among them. */
  get nodeCount(): number {
    return (this.#nodesEnd - this.root) / NODE_INTS
  }

  /** Makes room for places 0 to `length`, where no node ends yet. */
  clear(length: number): void {
    const ints = (length + 1) * PLACE_INTS
    const held = this.#places.length
    if (ints > held || (held > KEPT_INTS && ints <= KEPT_INTS)) {
      this.#places = new Int32Array(Math.max(ints, Math.min(held * 2, KEPT_INTS)))
    } else this.#places.fill(NO_NODE, 0, ints)
    this.furthest = 0
    const { memory } = this.#live
    if (memory.length > KEPT_INTS) this.#live.memory = memory.slice(0, this.root + INITIAL_NODES * NODE_INTS)
  }

  /** Forgets all nodes but a root at `place`, of the given right class, and makes it the only live one. */
  reset(place: number, rightClass: number): void {
    const m = this.#live.memory
    const root = this.root
    this.#nodesEnd = root + NODE_INTS
    m[root] = 0
    m[root + 1] = rightClass
    m[root + 2] = NO_NODE
    m[root + 3] = place
    m[root + 4] = place
    m[root + 6] = NO_NODE
    this.#live.begin()
    this.#live.gather(root)
    this.#live.rank()
  }

  /** Makes the root the only node that ends at its place. */
  listRoot(): void {
    const row = this.end(this.root) * PLACE_INTS
    this.#places[row] = this.root
    this.#places[row + 1] = this.root
  }

  total(node: number): number {
    return this.#live.memory[node]!
  }
  right(node: number): number {
    return this.#live.memory[node + 1]!
  }
  previous(node: number): number {
    return this.#live.memory[node + 2]!
  }
  start(node: number): number {
    return this.#live.memory[node + 3]!
  }
  end(node: number): number {
    return this.#live.memory[node + 4]!
  }
  /** Dictionary entry; from the dictionary's entry count on a user word; below 0 unknown word of class -1 - entry. */
  entry(node: number): number {
    return this.#live.memory[node + 5]!
  }
  /** Next node of the list. */
  next(node: number): number {
    return this.#live.memory[node + 6]!
  }
  /** First node of a list at a place. */
  first(place: number, list: number): number {
    return this.#places[place * PLACE_INTS + list]!
  }
  /** Last node of a list at a place; counts only where there is a first. */
  last(place: number, list: number): number {
    return this.#places[place * PLACE_INTS + list + 1]!
  }

  /** Forgets the nodes that end at places `[from, to]`. */
  clearPlaces(from: number, to: number): void {
    this.#places.fill(NO_NODE, from * PLACE_INTS, (to + 1) * PLACE_INTS)
  }

  /** Moves to a place: the nodes that end there become the live ones. */
  gatherLive(place: number): void {
    const live = this.#live
    live.begin()
    const row = place * PLACE_INTS
    live.gather(this.#places[row + FIRST_LIST]!)
    live.gather(this.#places[row + SECOND_LIST]!)
    live.rank()
  }

  /** Whether a word can begin at the current place. */
  get hasLive(): boolean {
    return this.#live.any
  }

  /**
   * Adds the dictionary's words that begin with unit `start`, to the first list.
   *
   * @param length  end of the text
   * @param spaced  a space stands before them
   * @returns       whether there are any
   */
  addKnown(units: Uint16Array, start: number, length: number, spaced: boolean): boolean {
    const trie = this.#trie
    const node = trie.roots[units[start]!]!
    if (node === 0) return false
    const starts = this.#unitLeftStarts
    this.#live.connect(this.#unitLefts, starts[node]!, starts[node + 1]!)
    const firstNode = this.#nodesEnd
    const one = trie.firstEntry(node)
    const oneEnd = trie.firstEntry(node + 1)
    if (one < oneEnd) this.#addWords(start, start + 1, one, oneEnd, spaced)
    let end = start + 1
    if (end < length) {
      let state = trie.second(node, units[end]!)
      while (state !== 0) {
        end++
        const first = trie.firstEntry(state)
        const last = trie.firstEntry(state + 1)
        if (first < last) {
          const count = this.#listLefts(first, last)
          if (count > 0) this.#live.connect(this.#leftList, 0, count)
          this.#addWords(start, end, first, last, spaced)
        }
        if (end === length) break
        state = trie.deepChild(state, units[end]!)
      }
    }
    return this.#nodesEnd > firstNode
  }

  /** Lists the left classes of entries that have no way yet; answers how many. */
  #listLefts(first: number, last: number): number {
    const { memory: m, stamp } = this.#live
    const entries = this.#entries
    if (last - first > this.#leftList.length) this.#leftList = new Uint16Array((last - first) * 2)
    const list = this.#leftList
    let count = 0
    for (let entry = first; entry < last; entry++) {
      const left = entries[entry * ENTRY_UNITS]!
      const leftRow = this.#lefts + left * LEFT_INTS
      if (m[leftRow] === stamp) continue
      m[leftRow] = stamp
      list[count++] = left
    }
    return count
  }

  /** Adds the words of one surface, whose left classes are connected. */
  #addWords(start: number, end: number, first: number, last: number, spaced: boolean): void {
    const entries = this.#entries
    const places = this.#places
    const lefts = this.#lefts
    let node = this.#nodesEnd
    while (node + (last - first) * NODE_INTS > this.#live.memory.length) this.#grow()
    const m = this.#live.memory
    const row = end * PLACE_INTS
    if (places[row] === NO_NODE) places[row] = node
    else m[places[row + 1]! + 6] = node
    for (let entry = first, e = first * ENTRY_UNITS; entry < last; entry++, e += ENTRY_UNITS) {
      const leftRow = lefts + entries[e]! * LEFT_INTS
      let total = m[leftRow + 1]! + ((entries[e + ENTRY_COST]! << 16) >> 16)
      if (spaced && (this.#featureFlags[entries[e + ENTRY_FEATURE]!]! & FEATURE_SPACE_PENALTY) !== 0) {
        total += SPACE_PENALTY
      }
      m[node] = total
      m[node + 1] = entries[e + ENTRY_RIGHT]!
      m[node + 2] = m[leftRow + 2]!
      m[node + 3] = start
      m[node + 4] = end
      m[node + 5] = entry
      node += NODE_INTS
      m[node - NODE_INTS + 6] = node
    }
    m[node - NODE_INTS + 6] = NO_NODE
    places[row + 1] = node - NODE_INTS
    this.#nodesEnd = node
    if (end > this.furthest) this.furthest = end
  }

  /**
   * Adds a word that begins at the current place. Plain parameters, as this runs some ten times a character.
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
    const live = this.#live
    const leftRow = this.#lefts + left * LEFT_INTS
    if (live.memory[leftRow] !== live.stamp) live.connectOne(left)
    const node = this.#nodesEnd
    if (node === this.#live.memory.length) this.#grow()
    this.#nodesEnd = node + NODE_INTS
    const m = this.#live.memory
    m[node] = m[leftRow + 1]! + cost + (penalized ? SPACE_PENALTY : 0)
    m[node + 1] = right
    m[node + 2] = m[leftRow + 2]!
    m[node + 3] = start
    m[node + 4] = end
    m[node + 5] = entry
    m[node + 6] = NO_NODE
    const places = this.#places
    const row = end * PLACE_INTS + list
    if (places[row] === NO_NODE) places[row] = node
    else m[places[row + 1]! + 6] = node
    places[row + 1] = node
    if (end > this.furthest) this.furthest = end
  }

  /** The live node from which a word of that left class is cheapest. */
  bestFor(left: number): number {
    const live = this.#live
    const leftRow = this.#lefts + left * LEFT_INTS
    if (live.memory[leftRow] !== live.stamp) live.connectOne(left)
    return this.#live.memory[leftRow + 2]!
  }

  /**
   * Drops the nodes that no path alive goes through: see {@link pruneNodes}.
   *
   * @param from     no list of a place before this one is needed any more
   * @param settled  takes the last node that all paths go through, before it becomes the root; not the root itself
   */
  prune(from: number, settled: (node: number) => void): void {
    const { root, furthest } = this
    this.#nodesEnd = pruneNodes(
      {
        memory: this.#live.memory,
        root,
        nodesEnd: this.#nodesEnd,
        ended: this.#live.ended,
        endedEnd: this.#live.endedEnd,
        places: this.#places,
        from,
        furthest,
      },
      settled,
    )
  }

  #grow(): void {
    if (this.#live.memory.length > MAX_INTS / 2) {
      throw new ServiceError(
        'illegal_argument_exception',
        'the text holds a run too long to analyze: break it by a space, a line feed or another script',
      )
    }
    const grown = new Int32Array(this.root + (this.#live.memory.length - this.root) * 2)
    grown.set(this.#live.memory)
    this.#live.memory = grown
  }
}
