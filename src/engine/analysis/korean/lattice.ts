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
import {
  ENDED_INTS,
  FIRST_LIST,
  LEFT_INTS,
  LIVE_INTS,
  NO_NODE,
  NODE_INTS,
  PLACE_INTS,
  RIGHT_INTS,
  SECOND_LIST,
} from './lattice-layout.ts'
import { pruneNodes } from './lattice-pruning.ts'
import { TRIE_ENTRY, TRIE_NODE_INTS, type WordTrie } from './word-trie.ts'

const INITIAL_NODES = 1 << 12
const INITIAL_PLACES = 1 << 10
/** Arrays above this size are given back after the text that needed them. */
const KEPT_INTS = 1 << 20

const KEY_BITS = 13
/** Rows that a key can name. */
const MAX_ENDED = 1 << KEY_BITS
const ROW_MASK = MAX_ENDED - 1
/** A node this much above the place's least loses to it at any connection cost. */
const HOPELESS = 0x10000
/** More than any key with a connection cost added; fills the last block of live rows. */
const NO_KEY = 1 << 30
/** Live rows looked at without asking whether they could still win. */
const BLOCK = 4

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

  readonly #trie: WordTrie
  readonly #entries: Uint16Array
  readonly #featureFlags: Uint8Array
  readonly #costs: Int16Array
  readonly #leastCosts: Int16Array
  readonly #rightClassCount: number
  readonly #ended: number
  readonly #rights: number
  readonly #lefts: number
  #stamp = 0
  #liveCount = 0
  #endedEnd: number
  /** Least total of the nodes that end at the current place. */
  #base = 0
  /** Totals might wrap or rows are too many for keys: candidates are tried one by one. */
  #withoutKeys = false

  constructor(dictionary: KoreanDictionary) {
    const { columns, rightClassCount, leftClassCount } = dictionary
    this.#trie = dictionary.trie
    this.#entries = columns.entries
    this.#featureFlags = columns.featureFlags
    this.#costs = columns.connectionCosts
    this.#leastCosts = dictionary.leastCosts
    this.#rightClassCount = rightClassCount
    const maxEnded = MAX_ENDED + rightClassCount
    this.#ended = (maxEnded + BLOCK) * LIVE_INTS
    this.#rights = this.#ended + maxEnded * ENDED_INTS
    this.#lefts = this.#rights + rightClassCount * RIGHT_INTS
    this.root = Math.ceil((this.#lefts + leftClassCount * LEFT_INTS) / NODE_INTS) * NODE_INTS
    this.#memory = new Int32Array(this.root + INITIAL_NODES * NODE_INTS)
    this.#nodesEnd = this.root + NODE_INTS
    this.#endedEnd = this.#ended
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
    this.#gather(root)
    this.#rankLive()
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
    const row = place * PLACE_INTS
    this.#gather(this.#places[row + FIRST_LIST]!)
    this.#gather(this.#places[row + SECOND_LIST]!)
    this.#rankLive()
  }

  /** Whether a word can begin at the current place. */
  get hasLive(): boolean {
    return this.#endedEnd > this.#ended
  }

  #beginPlace(): void {
    this.#endedEnd = this.#ended
    this.#base = MAX_INT
    this.#withoutKeys = false
    // 2^31 places are some hundred gigabytes of text; starting over then costs a fill.
    if (++this.#stamp === MAX_INT) {
      this.#memory.fill(0, this.#rights, this.root)
      this.#stamp = 1
    }
  }

  /** Takes over a list of nodes that end at the current place. */
  #gather(first: number): void {
    const m = this.#memory
    const stamp = this.#stamp
    const rights = this.#rights
    let base = this.#base
    let row = this.#endedEnd
    for (let node = first; node !== NO_NODE; node = m[node + 6]!) {
      const total = m[node]!
      const right = m[node + 1]!
      const rightRow = rights + right * RIGHT_INTS
      if (m[rightRow] === stamp) {
        const before = m[rightRow + 1]!
        if (m[before]! <= total) continue
        m[before + 2] = NO_NODE
        if (row === rights) row = this.#closeGaps()
      } else m[rightRow] = stamp
      m[rightRow + 1] = row
      m[row] = total
      m[row + 1] = right
      m[row + 2] = node
      row += ENDED_INTS
      if (total < base) base = total
      if (total > SAFE_TOTAL || total < -SAFE_TOTAL) this.#withoutKeys = true
    }
    this.#base = base
    this.#endedEnd = row
  }

  /** Drops rows of nodes that were undercut; answers where the rest end. */
  #closeGaps(): number {
    const m = this.#memory
    let to = this.#ended
    for (let row = this.#ended; row < this.#rights; row += ENDED_INTS) {
      if (m[row + 2] === NO_NODE) continue
      m.copyWithin(to, row, row + ENDED_INTS)
      m[this.#rights + m[to + 1]! * RIGHT_INTS + 1] = to
      to += ENDED_INTS
    }
    return to
  }

  /** Makes live rows of the nodes gathered, sorted by key: insertion, as they are some ten. */
  #rankLive(): void {
    const ended = this.#ended
    const endedEnd = this.#endedEnd
    if (endedEnd - ended > MAX_ENDED * ENDED_INTS) this.#withoutKeys = true
    if (this.#withoutKeys) return
    const m = this.#memory
    const base = this.#base
    let liveEnd = 0
    for (let row = ended, order = 0; row < endedEnd; row += ENDED_INTS, order++) {
      const above = m[row]! - base
      if (above >= HOPELESS || m[row + 2] === NO_NODE) continue
      const key = (above << KEY_BITS) | order
      let to = liveEnd
      for (; to > 0 && m[to - LIVE_INTS]! > key; to -= LIVE_INTS) {
        m[to] = m[to - LIVE_INTS]!
        m[to + 1] = m[to - LIVE_INTS + 1]!
      }
      m[to] = key
      m[to + 1] = m[row + 1]!
      liveEnd += LIVE_INTS
    }
    this.#liveCount = liveEnd
    for (; liveEnd < BLOCK * LIVE_INTS; liveEnd += LIVE_INTS) {
      m[liveEnd] = NO_KEY
      m[liveEnd + 1] = 0
    }
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
    const { nodes } = trie
    const entries = this.#entries
    const places = this.#places
    const lefts = this.#lefts
    const stamp = this.#stamp
    let m = this.#memory
    let node = this.#nodesEnd
    const firstNode = node
    let reached = 0
    let state = trie.roots[units[start]!]!
    for (let end = start + 1; state !== 0; end++) {
      let entry = nodes[state * TRIE_NODE_INTS + TRIE_ENTRY]!
      const last = nodes[(state + 1) * TRIE_NODE_INTS + TRIE_ENTRY]!
      if (entry < last) {
        if (node + (last - entry) * NODE_INTS > m.length) {
          this.#nodesEnd = node
          this.#grow()
          m = this.#memory
        }
        const row = end * PLACE_INTS
        if (places[row] === NO_NODE) places[row] = node
        else m[places[row + 1]! + 6] = node
        for (let e = entry * ENTRY_UNITS; entry < last; entry++, e += ENTRY_UNITS) {
          const leftRow = lefts + entries[e]! * LEFT_INTS
          if (m[leftRow] !== stamp) this.#connect(entries[e]!, leftRow)
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
        reached = end
      }
      if (end === length) break
      state = trie.child(state, units[end]!)
    }
    this.#nodesEnd = node
    if (reached > this.furthest) this.furthest = reached
    return node > firstNode
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

  /** Finds the cheapest way to a word of a left class. The first block of candidates takes no loop and no branch. */
  #connect(left: number, leftRow: number): void {
    if (this.#withoutKeys) {
      this.#connectWithoutKeys(left, leftRow)
      return
    }
    const m = this.#memory
    const costs = this.#costs
    const costRow = left * this.#rightClassCount
    let best = (m[0]! + (costs[costRow + m[1]!]! << KEY_BITS)) | 0
    let less = (m[2]! + (costs[costRow + m[3]!]! << KEY_BITS) - best) | 0
    best = (best + (less & (less >> 31))) | 0
    less = (m[4]! + (costs[costRow + m[5]!]! << KEY_BITS) - best) | 0
    best = (best + (less & (less >> 31))) | 0
    less = (m[6]! + (costs[costRow + m[7]!]! << KEY_BITS) - best) | 0
    best = (best + (less & (less >> 31))) | 0
    const liveEnd = this.#liveCount
    if (liveEnd > BLOCK * LIVE_INTS) {
      const least = this.#leastCosts[left]! << KEY_BITS
      for (let live = BLOCK * LIVE_INTS; live < liveEnd; live += LIVE_INTS) {
        const key = m[live]!
        if (((key + least) | 0) > best) break
        less = (key + (costs[costRow + m[live + 1]!]! << KEY_BITS) - best) | 0
        best = (best + (less & (less >> 31))) | 0
      }
    }
    m[leftRow] = this.#stamp
    // A wrapped sum is the originals', too.
    m[leftRow + 1] = this.#base + (best >> KEY_BITS)
    m[leftRow + 2] = m[this.#ended + (best & ROW_MASK) * ENDED_INTS + 2]!
  }

  /** The plain way: every candidate in the order of the lists, the first of equals wins, sums wrap as the originals' do. */
  #connectWithoutKeys(left: number, leftRow: number): void {
    const m = this.#memory
    const costRow = left * this.#rightClassCount
    let best = NO_NODE
    let bestTotal = 0
    for (let row = this.#ended; row < this.#endedEnd; row += ENDED_INTS) {
      const node = m[row + 2]!
      if (node === NO_NODE) continue
      const total = (m[row]! + this.#costs[costRow + m[row + 1]!]!) | 0
      if (best !== NO_NODE && total >= bestTotal) continue
      best = node
      bestTotal = total
    }
    m[leftRow] = this.#stamp
    m[leftRow + 1] = bestTotal
    m[leftRow + 2] = best
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
        memory: this.#memory,
        root,
        nodesEnd: this.#nodesEnd,
        ended: this.#ended,
        endedEnd: this.#endedEnd,
        places: this.#places,
        from,
        furthest,
      },
      settled,
    )
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
