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
  FIRST_LIST,
  FIRST_LIVE,
  LEFT_INTS,
  LIVE_INTS,
  NO_NODE,
  NODE_INTS,
  PLACE_INTS,
  RIGHT_INTS,
  SECOND_LIST,
} from './lattice-layout.ts'
import { pruneNodes } from './lattice-pruning.ts'
import type { WordTrie } from './word-trie.ts'

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
/** More than any key with a connection cost added; fills the first live rows where there are fewer nodes. */
const NO_KEY = 1 << 30
/** Where the keys of live nodes behind the first {@link FIRST_LIVE} stand. */
const REST = FIRST_LIVE * LIVE_INTS

/** A lattice of a gigabyte: some five million units that no place settles. */
const MAX_INTS = 1 << 28

/** Totals beyond this might wrap at 32 bits when a word is added. */
const SAFE_TOTAL = (1 << 30) - 1
const MAX_INT = 0x7fffffff

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
  #memory: Int32Array
  #nodesEnd: number

  /** By place: first and last node of either list. */
  #places = new Int32Array(INITIAL_PLACES * PLACE_INTS)
  /** Furthest place a node ends at. */
  furthest = 0

  readonly #trie: WordTrie
  readonly #unitLefts: Uint16Array
  readonly #unitLeftStarts: Int32Array
  readonly #oneLeft = new Uint16Array(1)
  #leftList = new Uint16Array(64)
  readonly #entries: Uint16Array
  readonly #featureFlags: Uint8Array
  readonly #costs: Int16Array
  readonly #leastCosts: Int16Array
  readonly #rightClassCount: number
  readonly #ended: number
  readonly #rights: number
  readonly #lefts: number
  #stamp = 0
  #restEnd = REST
  #restSorted = false
  #endedEnd: number
  /** Least total of the nodes that end at the current place. */
  #base = 0
  /** Below 0 when a total is not safe. */
  #unsafe = 0
  /** Totals might wrap or rows are too many for keys: candidates are tried one by one. */
  #withoutKeys = false

  constructor(dictionary: KoreanDictionary) {
    const { columns, rightClassCount, leftClassCount } = dictionary
    this.#trie = dictionary.trie
    this.#unitLefts = dictionary.unitLefts
    this.#unitLeftStarts = dictionary.unitLeftStarts
    this.#entries = columns.entries
    this.#featureFlags = columns.featureFlags
    this.#costs = columns.connectionCosts
    this.#leastCosts = dictionary.leastCosts
    this.#rightClassCount = rightClassCount
    const maxEnded = MAX_ENDED + rightClassCount
    this.#ended = REST + MAX_ENDED + 1
    this.#rights = this.#ended + maxEnded
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

  /** Moves to a place: the nodes that end there become the live ones. */
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
    this.#base = SAFE_TOTAL
    this.#unsafe = 0
    this.#nextStamp()
  }

  #nextStamp(): void {
    // 2^31 places are some hundred gigabytes of text; starting over then costs a fill.
    if (++this.#stamp === MAX_INT) {
      this.#memory.fill(0, this.#rights, this.root)
      this.#stamp = 1
    }
  }

  /** Takes over a list of nodes that end at the current place. No branch depends on their totals. */
  #gather(first: number): void {
    const m = this.#memory
    const limit = this.#rights
    let base = this.#base
    let unsafe = this.#unsafe
    let row = this.#endedEnd
    for (let node = first; node !== NO_NODE; node = m[node + 6]!) {
      if (row === limit) row = this.#dropUndercut()
      m[row++] = node
      const total = m[node]!
      const less = (total - base) | 0
      base = (base + (less & (less >> 31))) | 0
      unsafe |= (SAFE_TOTAL + total) | (SAFE_TOTAL - total)
    }
    this.#base = base
    this.#unsafe = unsafe
    this.#endedEnd = row
  }

  /** Drops the rows, all of them taken, whose node another one of its right class undercuts; answers where the rest end. */
  #dropUndercut(): number {
    const m = this.#memory
    const ended = this.#ended
    const rights = this.#rights
    this.#nextStamp()
    for (let row = ended; row < rights; row++) {
      const rightRow = rights + m[m[row]! + 1]! * RIGHT_INTS
      if (m[rightRow] === this.#stamp) {
        const before = m[rightRow + 1]!
        if (m[m[before]!]! <= m[m[row]!]!) {
          m[row] = NO_NODE
          continue
        }
        m[before] = NO_NODE
      }
      m[rightRow] = this.#stamp
      m[rightRow + 1] = row
    }
    let to = ended
    for (let row = ended; row < rights; row++) if (m[row] !== NO_NODE) m[to++] = m[row]!
    return to
  }

  /**
   * Makes live rows of the nodes gathered: the first few by key, found without a branch that depends on a total, and the
   * keys of the rest in any order, as many places never look at them. (Sorting all of them took a fifth of the time: some ten
   * wrong guesses of the processor a place.) A node undercut by another of its right class is just never the least.
   */
  #rankLive(): void {
    const ended = this.#ended
    const endedEnd = this.#endedEnd
    this.#withoutKeys = this.#unsafe < 0 || endedEnd - ended > MAX_ENDED
    if (this.#withoutKeys) return
    const m = this.#memory
    const base = this.#base
    let key0 = NO_KEY
    let key1 = NO_KEY
    let key2 = NO_KEY
    let key3 = NO_KEY
    let key4 = NO_KEY
    let rest = REST
    for (let row = ended; row < endedEnd; row++) {
      const over = (m[m[row]!]! - base - HOPELESS) | 0
      let key = ((HOPELESS + (over & (over >> 31))) << KEY_BITS) | (row - ended)
      let less = (key - key0) | 0
      less &= less >> 31
      key0 = (key0 + less) | 0
      key = (key - less) | 0
      less = (key - key1) | 0
      less &= less >> 31
      key1 = (key1 + less) | 0
      key = (key - less) | 0
      less = (key - key2) | 0
      less &= less >> 31
      key2 = (key2 + less) | 0
      key = (key - less) | 0
      less = (key - key3) | 0
      less &= less >> 31
      key3 = (key3 + less) | 0
      key = (key - less) | 0
      less = (key - key4) | 0
      less &= less >> 31
      key4 = (key4 + less) | 0
      key = (key - less) | 0
      m[rest] = key
      rest = (rest + ((key - NO_KEY) >>> 31)) | 0
    }
    m[0] = key0
    m[1] = m[m[ended + (key0 & ROW_MASK)]! + 1]!
    m[2] = key1
    m[3] = m[m[ended + (key1 & ROW_MASK)]! + 1]!
    m[4] = key2
    m[5] = m[m[ended + (key2 & ROW_MASK)]! + 1]!
    m[6] = key3
    m[7] = m[m[ended + (key3 & ROW_MASK)]! + 1]!
    m[8] = key4
    m[9] = m[m[ended + (key4 & ROW_MASK)]! + 1]!
    this.#restEnd = rest
    this.#restSorted = false
  }

  #sortRest(): void {
    const m = this.#memory
    const restEnd = this.#restEnd
    for (let row = REST + 1; row < restEnd; row++) {
      const key = m[row]!
      let to = row
      for (; to > REST && m[to - 1]! > key; to--) m[to] = m[to - 1]!
      m[to] = key
    }
    this.#restSorted = true
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
    this.#connect(this.#unitLefts, starts[node]!, starts[node + 1]!)
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
          const count = this.#listLefts(first, last, 0)
          if (count > 0) this.#connect(this.#leftList, 0, count)
          this.#addWords(start, end, first, last, spaced)
        }
        if (end === length) break
        state = trie.deepChild(state, units[end]!)
      }
    }
    return this.#nodesEnd > firstNode
  }

  /** Lists the left classes of entries that have no way yet; answers how many there are now. */
  #listLefts(entry: number, last: number, listed: number): number {
    const m = this.#memory
    const entries = this.#entries
    let list = this.#leftList
    if (listed + last - entry > list.length) {
      list = new Uint16Array((listed + last - entry) * 2)
      list.set(this.#leftList)
      this.#leftList = list
    }
    let count = listed
    for (let e = entry; e < last; e++) {
      const left = entries[e * ENTRY_UNITS]!
      if (m[this.#lefts + left * LEFT_INTS] === this.#stamp) continue
      m[this.#lefts + left * LEFT_INTS] = this.#stamp
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
    while (node + (last - first) * NODE_INTS > this.#memory.length) this.#grow()
    const m = this.#memory
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
    const leftRow = this.#lefts + left * LEFT_INTS
    if (this.#memory[leftRow] !== this.#stamp) this.#connectOne(left)
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
    if (this.#memory[leftRow] !== this.#stamp) this.#connectOne(left)
    return this.#memory[leftRow + 2]!
  }

  #connectOne(left: number): void {
    this.#oneLeft[0] = left
    this.#connect(this.#oneLeft, 0, 1)
  }

  /**
   * Finds the cheapest way to words of left classes `lefts[from]` to `lefts[to]`, exclusive. The first block of
   * candidates takes no branch, and is tried for all classes before any is tried further: a branch that waits for a cost
   * keeps the processor from asking for the next ones, and most come from afar.
   */
  #connect(lefts: Uint16Array, from: number, to: number): void {
    if (this.#withoutKeys) {
      for (let i = from; i < to; i++) this.#connectWithoutKeys(lefts[i]!)
      return
    }
    const m = this.#memory
    const costs = this.#costs
    const stride = this.#rightClassCount
    const rows = this.#lefts
    const key0 = m[0]!
    const right0 = m[1]!
    const key1 = m[2]!
    const right1 = m[3]!
    const key2 = m[4]!
    const right2 = m[5]!
    const key3 = m[6]!
    const right3 = m[7]!
    for (let i = from; i < to; i++) {
      const left = lefts[i]!
      const costRow = left * stride
      let best = (key0 + (costs[costRow + right0]! << KEY_BITS)) | 0
      let less = (key1 + (costs[costRow + right1]! << KEY_BITS) - best) | 0
      best = (best + (less & (less >> 31))) | 0
      less = (key2 + (costs[costRow + right2]! << KEY_BITS) - best) | 0
      best = (best + (less & (less >> 31))) | 0
      less = (key3 + (costs[costRow + right3]! << KEY_BITS) - best) | 0
      best = (best + (less & (less >> 31))) | 0
      m[rows + left * LEFT_INTS + 1] = best
    }
    const stamp = this.#stamp
    const base = this.#base
    const ended = this.#ended
    const key4 = m[8]!
    const right4 = m[9]!
    for (let i = from; i < to; i++) {
      const left = lefts[i]!
      const leftRow = rows + left * LEFT_INTS
      let best = m[leftRow + 1]!
      const least = this.#leastCosts[left]! << KEY_BITS
      if (((key4 + least) | 0) <= best) {
        const less = (key4 + (costs[left * stride + right4]! << KEY_BITS) - best) | 0
        best = (best + (less & (less >> 31))) | 0
        if (this.#restEnd > REST) best = this.#tryRest(left * stride, least, best)
      }
      m[leftRow] = stamp
      // A wrapped sum is the originals', too.
      m[leftRow + 1] = base + (best >> KEY_BITS)
      m[leftRow + 2] = m[ended + (best & ROW_MASK)]!
    }
  }

  /** Tries the live nodes behind the first few, until one could not win; answers the least key. */
  #tryRest(costRow: number, least: number, found: number): number {
    if (!this.#restSorted) this.#sortRest()
    const m = this.#memory
    const costs = this.#costs
    const ended = this.#ended
    const restEnd = this.#restEnd
    let best = found
    for (let row = REST; row < restEnd; row++) {
      const key = m[row]!
      if (((key + least) | 0) > best) break
      const right = m[m[ended + (key & ROW_MASK)]! + 1]!
      const less = (key + (costs[costRow + right]! << KEY_BITS) - best) | 0
      best = (best + (less & (less >> 31))) | 0
    }
    return best
  }

  /** The plain way: every candidate in the order of the lists, the first of equals wins, sums wrap as the originals' do. */
  #connectWithoutKeys(left: number): void {
    const m = this.#memory
    const leftRow = this.#lefts + left * LEFT_INTS
    const costRow = left * this.#rightClassCount
    let best = NO_NODE
    let bestTotal = 0
    for (let row = this.#ended; row < this.#endedEnd; row++) {
      const node = m[row]!
      const total = (m[node]! + this.#costs[costRow + m[node + 1]!]!) | 0
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
