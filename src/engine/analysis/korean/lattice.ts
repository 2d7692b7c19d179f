import { ServiceError } from '../../../errors.ts'
import { SPACE_PENALTY } from './dictionary-columns.ts'
import type { KoreanDictionary } from './korean-dictionary.ts'

/** No node: the end of a list, and what precedes the root. */
export const NO_NODE = 0

/** The two lists of nodes that end at a place; those of the first come before those of the second. */
export const FIRST_LIST = 0
export const SECOND_LIST = 2

/* All a lattice keeps stands in one array of 32-bit integers: a typed array costs a check each time another one is used.
 *   live    R rows of 4: total, right class, node, order      the nodes a word at the current place can follow
 *   rights  R rows of 2: stamp, live row                      by right class; counts where the stamp is the place's
 *   lefts   L rows of 4: stamp, total, node, unused           cheapest way to a word of a left class
 *   nodes   rows of 8: total, right class, previous node, start, end, entry, next node of the list, unused
 * A node's number is where its row begins.
 */
const LIVE_INTS = 4
const RIGHT_INTS = 2
const LEFT_INTS = 4
const NODE_INTS = 8
const INITIAL_NODES = 1 << 12
const PLACE_INTS = 4
const INITIAL_PLACES = 1 << 10
/** Arrays above this size are given back after the text that needed them. */
const KEPT_INTS = 1 << 20

/** A lattice of a gigabyte: some five million units that no place settles. */
const MAX_INTS = 1 << 28

/** Totals beyond this might wrap at 32 bits when a word is added. */
const SAFE_TOTAL = 1 << 30
const MAX_INT = 0x7fffffff

/**
 * The words of a text as a graph, and the cheapest path to each: the part of a morphological analyzer that seunjeon and
 * nori share.
 *
 * ```
 *        ┌─ 학교/NNG ─┬─ 에서/JKB ─┐        a node ends at a place and points back to its cheapest
 *   root ┼─ 학/NNG ─┬─ 교/NNG ─┬─ 에/JKB …   predecessor; at a place only the cheapest node of each
 *        └─ …                                right class can win, so only those are tried
 * ```
 *
 * The cheapest predecessor of a word depends on its left class alone, hence is worked out once a place and class. The
 * candidates are tried cheapest first, until one could not win at the left class's lowest connection cost: two of eight on
 * average, and a branch that is easily foretold (a fifth faster than trying all).
 */
export class Lattice {
  /** The node every path starts from. */
  readonly root: number
  #memory: Int32Array
  #nodesEnd: number

  /** By place: first and last node of either list. */
  #places = new Int32Array(INITIAL_PLACES * PLACE_INTS)
  /** Furthest place a node ends at. */
  furthest = 0

  readonly #costs: Int16Array
  readonly #leastCosts: Int16Array
  readonly #rightClassCount: number
  readonly #rights: number
  readonly #lefts: number
  #stamp = 0
  #liveEnd = 0
  #order = 0
  #mayWrap = false

  constructor(dictionary: KoreanDictionary) {
    this.#costs = dictionary.columns.connectionCosts
    this.#leastCosts = dictionary.leastCosts
    this.#rightClassCount = dictionary.rightClassCount
    this.#rights = dictionary.rightClassCount * LIVE_INTS
    this.#lefts = this.#rights + dictionary.rightClassCount * RIGHT_INTS
    this.root = Math.ceil((this.#lefts + dictionary.leftClassCount * LEFT_INTS) / NODE_INTS) * NODE_INTS
    this.#memory = new Int32Array(this.root + INITIAL_NODES * NODE_INTS)
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
    if (this.#memory.length > KEPT_INTS) this.#memory = this.#memory.slice(0, this.root + INITIAL_NODES * NODE_INTS)
  }

  /** Forgets all nodes but a root at `place`, of the given right class, and makes it the only live one. */
  reset(place: number, rightClass: number): void {
    const m = this.#memory
    const root = this.root
    this.#nodesEnd = root + NODE_INTS
    m[root] = 0
    m[root + 1] = rightClass
    m[root + 2] = NO_NODE
    m[root + 3] = place
    m[root + 4] = place
    m[root + 6] = NO_NODE
    this.#beginPlace()
    this.#addLive(root)
  }

  /** Makes the root the only node that ends at its place. */
  listRoot(): void {
    const row = this.end(this.root) * PLACE_INTS
    this.#places[row] = this.root
    this.#places[row + 1] = this.root
  }

  total(node: number): number {
    return this.#memory[node]!
  }
  right(node: number): number {
    return this.#memory[node + 1]!
  }
  previous(node: number): number {
    return this.#memory[node + 2]!
  }
  start(node: number): number {
    return this.#memory[node + 3]!
  }
  end(node: number): number {
    return this.#memory[node + 4]!
  }
  /** Dictionary entry; from the dictionary's entry count on a user word; below 0 unknown word of class -1 - entry. */
  entry(node: number): number {
    return this.#memory[node + 5]!
  }
  /** Next node of the list. */
  next(node: number): number {
    return this.#memory[node + 6]!
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

  /** Moves to a place: the nodes that end there become the live ones, but those a node of the same right class undercuts. */
  gatherLive(place: number): void {
    this.#beginPlace()
    const m = this.#memory
    for (let node = this.first(place, FIRST_LIST); node !== NO_NODE; node = m[node + 6]!) this.#addLive(node)
    for (let node = this.first(place, SECOND_LIST); node !== NO_NODE; node = m[node + 6]!) this.#addLive(node)
    this.#sortLive()
  }

  /** Whether a word can begin at the current place. */
  get hasLive(): boolean {
    return this.#liveEnd > 0
  }

  /** The live nodes. */
  liveNodes(): number[] {
    const nodes: number[] = []
    for (let row = 0; row < this.#liveEnd; row += LIVE_INTS) nodes.push(this.#memory[row + 2]!)
    return nodes
  }

  #beginPlace(): void {
    this.#liveEnd = 0
    this.#order = 0
    this.#mayWrap = false
    // 2^31 places are some hundred gigabytes of text; starting over then costs a fill.
    if (++this.#stamp === MAX_INT) {
      this.#memory.fill(0, this.#rights, this.root)
      this.#stamp = 1
    }
  }

  #addLive(node: number): void {
    const m = this.#memory
    const total = m[node]!
    const right = m[node + 1]!
    const rightRow = this.#rights + right * RIGHT_INTS
    let live = this.#liveEnd
    if (m[rightRow] === this.#stamp) {
      live = m[rightRow + 1]!
      if (m[live]! <= total) return
    } else {
      m[rightRow] = this.#stamp
      m[rightRow + 1] = live
      m[live + 1] = right
      this.#liveEnd = live + LIVE_INTS
    }
    m[live] = total
    m[live + 2] = node
    // Of equals the one that came first wins.
    m[live + 3] = this.#order++
    if (total > SAFE_TOTAL || total < -SAFE_TOTAL) this.#mayWrap = true
  }

  /** Sorts the live nodes by total: insertion, as they are some eight. */
  #sortLive(): void {
    const m = this.#memory
    const liveEnd = this.#liveEnd
    for (let i = LIVE_INTS; i < liveEnd; i += LIVE_INTS) {
      const total = m[i]!
      if (m[i - LIVE_INTS]! <= total) continue
      const right = m[i + 1]!
      const node = m[i + 2]!
      const order = m[i + 3]!
      let to = i
      do {
        m[to] = m[to - LIVE_INTS]!
        m[to + 1] = m[to - LIVE_INTS + 1]!
        m[to + 2] = m[to - LIVE_INTS + 2]!
        m[to + 3] = m[to - LIVE_INTS + 3]!
        to -= LIVE_INTS
      } while (to > 0 && m[to - LIVE_INTS]! > total)
      m[to] = total
      m[to + 1] = right
      m[to + 2] = node
      m[to + 3] = order
    }
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
    const leftRow = this.#lefts + left * LEFT_INTS
    if (this.#memory[leftRow] !== this.#stamp) this.#connect(left, leftRow)
    const node = this.#nodesEnd
    if (node === this.#memory.length) this.#grow()
    this.#nodesEnd = node + NODE_INTS
    const m = this.#memory
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
    const leftRow = this.#lefts + left * LEFT_INTS
    if (this.#memory[leftRow] !== this.#stamp) this.#connect(left, leftRow)
    return this.#memory[leftRow + 2]!
  }

  #connect(left: number, leftRow: number): void {
    const m = this.#memory
    const costs = this.#costs
    const costRow = left * this.#rightClassCount
    const least = this.#leastCosts[left]!
    const liveEnd = this.#liveEnd
    let best = 0
    // Sums wrap at 32 bits, as the originals' do.
    let bestTotal = (m[best]! + costs[costRow + m[best + 1]!]!) | 0
    let limit = this.#mayWrap ? MAX_INT : bestTotal - least
    for (let live = LIVE_INTS; live < liveEnd; live += LIVE_INTS) {
      const before = m[live]!
      if (before > limit) break
      const total = (before + costs[costRow + m[live + 1]!]!) | 0
      if (total > bestTotal || (total === bestTotal && m[live + 3]! >= m[best + 3]!)) continue
      best = live
      bestTotal = total
      if (!this.#mayWrap) limit = total - least
    }
    m[leftRow] = this.#stamp
    m[leftRow + 1] = bestTotal
    m[leftRow + 2] = m[best + 2]!
  }

  /**
   * Forgets nodes below `root`, which becomes the root.
   *
   * @param from  no list of a place before this one is needed any more
   */
  rebase(root: number, from: number): void {
    const m = this.#memory
    const shift = root - this.root
    m.copyWithin(this.root, root, this.#nodesEnd)
    this.#nodesEnd -= shift
    for (let node = this.root; node < this.#nodesEnd; node += NODE_INTS) {
      m[node + 2] = Math.max(m[node + 2]! - shift, NO_NODE)
      m[node + 6] = Math.max(m[node + 6]! - shift, NO_NODE)
    }
    m[this.root + 2] = NO_NODE
    for (let live = 0; live < this.#liveEnd; live += LIVE_INTS) m[live + 2]! -= shift
    const places = this.#places
    for (let i = from * PLACE_INTS; i < (this.furthest + 1) * PLACE_INTS; i++) {
      places[i] = Math.max(places[i]! - shift, NO_NODE)
    }
  }

  #grow(): void {
    if (this.#memory.length > MAX_INTS / 2) {
      throw new ServiceError(
        'illegal_argument_exception',
        'the text holds a run too long to analyze: break it by a space, a line feed or another script',
      )
    }
    const grown = new Int32Array(this.root + (this.#memory.length - this.root) * 2)
    grown.set(this.#memory)
    this.#memory = grown
  }
}
