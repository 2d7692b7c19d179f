import type { KoreanDictionary } from './korean-dictionary.ts'
import { FIRST_LIVE, LEFT_INTS, LIVE_INTS, NO_NODE, NODE_INTS, RIGHT_INTS } from './lattice-layout.ts'

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

/** Totals beyond this might wrap at 32 bits when a word is added. */
const SAFE_TOTAL = (1 << 30) - 1
const MAX_INT = 0x7fffffff

/**
 * The nodes of a lattice that a word at the current place can follow, and which of them is cheapest for which word. Keeps
 * the array that the whole lattice stands in.
 */
export class LiveNodes {
  /** Laid out as `lattice-layout.ts` says. */
  memory: Int32Array
  /** Where the ways to left classes stand; one whose stamp is {@link LiveNodes.stamp} is the current place's. */
  readonly lefts: number
  /** Where the nodes begin. */
  readonly root: number
  stamp = 0
  /** Where the nodes that end at the current place stand. */
  readonly ended: number
  endedEnd: number

  readonly #costs: Int16Array
  readonly #leastCosts: Int16Array
  readonly #rightClassCount: number
  readonly #rights: number
  readonly #oneLeft = new Uint16Array(1)
  #restEnd = REST
  #restSorted = false
  /** Least total of the nodes that end at the current place. */
  #base = 0
  /** Below 0 when a total is not safe. */
  #unsafe = 0
  /** Totals might wrap or rows are too many for keys: candidates are tried one by one. */
  #withoutKeys = false

  /** @param room  for so many nodes */
  constructor({ columns, leastCosts, rightClassCount, leftClassCount }: KoreanDictionary, room: number) {
    this.#costs = columns.connectionCosts
    this.#leastCosts = leastCosts
    this.#rightClassCount = rightClassCount
    this.ended = REST + MAX_ENDED + 1
    this.#rights = this.ended + MAX_ENDED + rightClassCount
    this.lefts = this.#rights + rightClassCount * RIGHT_INTS
    this.root = Math.ceil((this.lefts + leftClassCount * LEFT_INTS) / NODE_INTS) * NODE_INTS
    this.memory = new Int32Array(this.root + room * NODE_INTS)
    this.endedEnd = this.ended
  }

  /** Whether there are any. */
  get any(): boolean {
    return this.endedEnd > this.ended
  }

  /** Moves to another place, where nothing ends yet. */
  begin(): void {
    this.endedEnd = this.ended
    this.#base = SAFE_TOTAL
    this.#unsafe = 0
    this.#nextStamp()
  }

  #nextStamp(): void {
    // 2^31 places are some hundred gigabytes of text; starting over then costs a fill.
    if (++this.stamp === MAX_INT) {
      this.memory.fill(0, this.#rights, this.root)
      this.stamp = 1
    }
  }

  /** Takes over a list of nodes that end at the current place. No branch depends on their totals. */
  gather(first: number): void {
    const m = this.memory
    const limit = this.#rights
    let base = this.#base
    let unsafe = this.#unsafe
    let row = this.endedEnd
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
    this.endedEnd = row
  }

  /** Drops the rows, all of them taken, whose node another one of its right class undercuts; answers where the rest end. */
  #dropUndercut(): number {
    const m = this.memory
    const ended = this.ended
    const rights = this.#rights
    this.#nextStamp()
    for (let row = ended; row < rights; row++) {
      const rightRow = rights + m[m[row]! + 1]! * RIGHT_INTS
      if (m[rightRow] === this.stamp) {
        const before = m[rightRow + 1]!
        if (m[m[before]!]! <= m[m[row]!]!) {
          m[row] = NO_NODE
          continue
        }
        m[before] = NO_NODE
      }
      m[rightRow] = this.stamp
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
  rank(): void {
    const ended = this.ended
    const endedEnd = this.endedEnd
    this.#withoutKeys = this.#unsafe < 0 || endedEnd - ended > MAX_ENDED
    if (this.#withoutKeys) return
    const m = this.memory
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
    const m = this.memory
    const restEnd = this.#restEnd
    for (let row = REST + 1; row < restEnd; row++) {
      const key = m[row]!
      let to = row
      for (; to > REST && m[to - 1]! > key; to--) m[to] = m[to - 1]!
      m[to] = key
    }
    this.#restSorted = true
  }

  /** Finds the cheapest way to words of a left class. */
  connectOne(left: number): void {
    this.#oneLeft[0] = left
    this.connect(this.#oneLeft, 0, 1)
  }

  /**
   * Finds the cheapest way to words of left classes `lefts[from]` to `lefts[to]`, exclusive. The first block of
   * candidates takes no branch, and is tried for all classes before any is tried further: a branch that waits for a cost
   * keeps the processor from asking for the next ones, and most come from afar.
   */
  connect(lefts: Uint16Array, from: number, to: number): void {
    if (this.#withoutKeys) {
      for (let i = from; i < to; i++) this.#connectWithoutKeys(lefts[i]!)
      return
    }
    const m = this.memory
    const costs = this.#costs
    const stride = this.#rightClassCount
    const rows = this.lefts
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
    const stamp = this.stamp
    const base = this.#base
    const ended = this.ended
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
    const m = this.memory
    const costs = this.#costs
    const ended = this.ended
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
    const m = this.memory
    const leftRow = this.lefts + left * LEFT_INTS
    const costRow = left * this.#rightClassCount
    let best = NO_NODE
    let bestTotal = 0
    for (let row = this.ended; row < this.endedEnd; row++) {
      const node = m[row]!
      const total = (m[node]! + this.#costs[costRow + m[node + 1]!]!) | 0
      if (best !== NO_NODE && total >= bestTotal) continue
      best = node
      bestTotal = total
    }
    m[leftRow] = this.stamp
    m[leftRow + 1] = bestTotal
    m[leftRow + 2] = best
  }
}
