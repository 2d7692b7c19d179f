import { SPACE_PENALTY } from './dictionary-columns.ts'
import type { KoreanDictionary } from './korean-dictionary.ts'

/** No node: the end of a list, and what precedes the root. */
export const NO_NODE = 0

/** The node every path starts from. */
export const ROOT_NODE = 1

const INITIAL_NODES = 1 << 12

/**
 * The words of a text as a graph, and the cheapest path to each: the part of a morphological analyzer that seunjeon and
 * nori share. Nodes are rows of typed arrays, reused from text to text.
 *
 * ```
 *        ┌─ 학교/NNG ─┬─ 에서/JKB ─┐        a node ends at a place and points back to its cheapest
 *   root ┼─ 학/NNG ─┬─ 교/NNG ─┬─ 에/JKB …   predecessor; at a place only the cheapest node of each
 *        └─ …                                right class can win, so only those are tried
 * ```
 *
 * The cheapest predecessor of a word depends on its left class alone, hence is worked out once a place and class.
 */
export class Lattice {
  nodeCount = ROOT_NODE + 1
  /** Cost of the cheapest path up to and with the node; 32 bits that wrap, as in the originals. */
  total = new Int32Array(INITIAL_NODES)
  right = new Uint16Array(INITIAL_NODES)
  previous = new Int32Array(INITIAL_NODES)
  start = new Int32Array(INITIAL_NODES)
  end = new Int32Array(INITIAL_NODES)
  /** Dictionary entry; from the dictionary's entry count on a user word; below 0 unknown word of class -1 - entry. */
  entry = new Int32Array(INITIAL_NODES)
  /** Next node that ends at the same place. */
  next = new Int32Array(INITIAL_NODES)

  /** The nodes a word at the current place can follow, in the order in which the first of equals wins. */
  liveCount = 0
  liveNode = new Int32Array(64)
  #liveTotal = new Int32Array(64)
  #liveRight = new Int32Array(64)

  readonly #costs: Int16Array
  readonly #rightClassCount: number
  /** Stamps say whether the row of a class belongs to the current place. */
  #stamp = 0
  readonly #rightStamp: Int32Array
  readonly #leftStamp: Int32Array
  readonly #leftTotal: Int32Array
  readonly #leftNode: Int32Array

  constructor(dictionary: KoreanDictionary) {
    this.#costs = dictionary.columns.connectionCosts
    this.#rightClassCount = dictionary.rightClassCount
    this.#rightStamp = new Int32Array(dictionary.rightClassCount)
    this.#leftStamp = new Int32Array(dictionary.leftClassCount)
    this.#leftTotal = new Int32Array(dictionary.leftClassCount)
    this.#leftNode = new Int32Array(dictionary.leftClassCount)
  }

  /** Forgets all nodes but a root at `place`, of the given right class, and makes it the only live one. */
  reset(place: number, rightClass: number): void {
    this.nodeCount = ROOT_NODE + 1
    this.total[ROOT_NODE] = 0
    this.right[ROOT_NODE] = rightClass
    this.previous[ROOT_NODE] = NO_NODE
    this.start[ROOT_NODE] = place
    this.end[ROOT_NODE] = place
    this.next[ROOT_NODE] = NO_NODE
    this.beginPlace()
    this.addLive(ROOT_NODE)
  }

  /** Moves to another place: no node is live there yet. */
  beginPlace(): void {
    this.liveCount = 0
    // 2^31 places are some hundred gigabytes of text; starting over then costs two fills.
    if (++this.#stamp === 0x7fffffff) {
      this.#rightStamp.fill(0)
      this.#leftStamp.fill(0)
      this.#stamp = 1
    }
  }

  /** Makes the nodes of a list live, but those a node of the same right class undercuts. */
  addLiveList(first: number): void {
    for (let node = first; node !== NO_NODE; node = this.next[node]!) this.addLive(node)
  }

  /** Makes a node live unless a node of the same right class is as cheap; drops that one if it is dearer. */
  addLive(node: number): void {
    const right = this.right[node]!
    const total = this.total[node]!
    let count = this.liveCount
    if (this.#rightStamp[right] === this.#stamp) {
      let i = 0
      while (this.#liveRight[i] !== right) i++
      if (this.#liveTotal[i]! <= total) return
      // The order among the rest decides between equals: close the gap, go to the end.
      for (count--; i < count; i++) {
        this.liveNode[i] = this.liveNode[i + 1]!
        this.#liveTotal[i] = this.#liveTotal[i + 1]!
        this.#liveRight[i] = this.#liveRight[i + 1]!
      }
    } else this.#rightStamp[right] = this.#stamp
    if (count === this.liveNode.length) this.#growLive()
    this.liveNode[count] = node
    this.#liveTotal[count] = total
    this.#liveRight[count] = right
    this.liveCount = count + 1
  }

  /**
   * Adds a word that begins at the current place. Plain parameters, as this runs some eight times a character.
   *
   * @param penalized  it costs {@link SPACE_PENALTY} more here
   * @returns          the node; its `next` is NO_NODE
   */
  addNode(
    start: number,
    end: number,
    left: number,
    right: number,
    cost: number,
    penalized: boolean,
    entry: number,
  ): number {
    if (this.#leftStamp[left] !== this.#stamp) this.#connect(left)
    const node = this.nodeCount
    if (node === this.total.length) this.#growNodes()
    this.nodeCount = node + 1
    this.total[node] = this.#leftTotal[left]! + cost + (penalized ? SPACE_PENALTY : 0)
    this.previous[node] = this.#leftNode[left]!
    this.right[node] = right
    this.start[node] = start
    this.end[node] = end
    this.entry[node] = entry
    this.next[node] = NO_NODE
    return node
  }

  /** The live node from which a word of that left class is cheapest. */
  bestFor(left: number): number {
    if (this.#leftStamp[left] !== this.#stamp) this.#connect(left)
    return this.#leftNode[left]!
  }

  #connect(left: number): void {
    const row = left * this.#rightClassCount
    const costs = this.#costs
    const liveTotal = this.#liveTotal
    const liveRight = this.#liveRight
    let best = 0
    // Sums wrap at 32 bits, as the originals' do.
    let bestTotal = (liveTotal[0]! + costs[row + liveRight[0]!]!) | 0
    for (let i = 1; i < this.liveCount; i++) {
      const total = (liveTotal[i]! + costs[row + liveRight[i]!]!) | 0
      if (total < bestTotal) {
        bestTotal = total
        best = i
      }
    }
    this.#leftStamp[left] = this.#stamp
    this.#leftTotal[left] = bestTotal
    this.#leftNode[left] = this.liveNode[best]!
  }

  /** Forgets nodes below `root`, which becomes the root; returns by how much the numbers of the others went down. */
  rebase(root: number): number {
    const shift = root - ROOT_NODE
    const count = this.nodeCount - shift
    for (const column of [this.total, this.right, this.start, this.end, this.entry]) {
      column.copyWithin(ROOT_NODE, root, this.nodeCount)
    }
    for (let node = ROOT_NODE; node < count; node++) {
      this.previous[node] = Math.max(this.previous[node + shift]! - shift, NO_NODE)
      this.next[node] = Math.max(this.next[node + shift]! - shift, NO_NODE)
    }
    this.previous[ROOT_NODE] = NO_NODE
    this.nodeCount = count
    for (let i = 0; i < this.liveCount; i++) this.liveNode[i]! -= shift
    return shift
  }

  #growNodes(): void {
    const size = this.total.length * 2
    this.total = grown(this.total, new Int32Array(size))
    this.previous = grown(this.previous, new Int32Array(size))
    this.start = grown(this.start, new Int32Array(size))
    this.end = grown(this.end, new Int32Array(size))
    this.entry = grown(this.entry, new Int32Array(size))
    this.next = grown(this.next, new Int32Array(size))
    this.right = grown(this.right, new Uint16Array(size))
  }

  #growLive(): void {
    const size = this.liveNode.length * 2
    this.liveNode = grown(this.liveNode, new Int32Array(size))
    this.#liveTotal = grown(this.#liveTotal, new Int32Array(size))
    this.#liveRight = grown(this.#liveRight, new Int32Array(size))
  }
}

function grown<T extends Int32Array | Uint16Array>(from: T, to: T): T {
  to.set(from)
  return to
}
