/**
 * A set of words in level order, for finding every word that begins at a place of a text.
 *
 * Nodes are numbered level by level; node 0 is the root, the children of a node are neighbours sorted by unit.
 * `labels[n]` is the UTF-16 unit that leads to n. `nodes` has rows of {@link TRIE_NODE_INTS}, and one more at the end:
 * first child and first entry of n; both end where those of n + 1 begin. The entries are those of the word that ends at n.
 */
export interface TrieColumns {
  readonly labels: Uint16Array
  readonly nodes: Uint32Array
}

/** Integers of a node in {@link TrieColumns.nodes}, and where its first entry stands. Together, as they are read together. */
export const TRIE_NODE_INTS = 2
export const TRIE_ENTRY = 1

/** Odd, and its multiples differ most in their high bits. */
const GOLDEN = 0x9e3779b1

/** What is worked out of a trie for looking children up: the first step by unit, the second in a hash table. */
export interface TrieTables {
  /** Child of the root by unit; 0 is none. */
  readonly roots: Uint16Array
  /** Rows of 2: first-level node and unit, node of the second level; 0 is none. Open addressing, half full at most. */
  readonly pairs: Int32Array
}

/** Works out a trie's tables. */
export function trieTables({ labels, nodes }: TrieColumns): TrieTables {
  const firstLevelEnd = nodes[TRIE_NODE_INTS]!
  const roots = new Uint16Array(0x10000)
  for (let child = 1; child < firstLevelEnd; child++) roots[labels[child]!] = child
  const secondLevelEnd = nodes[firstLevelEnd * TRIE_NODE_INTS] ?? firstLevelEnd
  const pairs = new Int32Array(2 << Math.max(1, Math.ceil(Math.log2((secondLevelEnd - firstLevelEnd) * 2 + 1))))
  const shift = pairShift(pairs)
  for (let node = 1; node < firstLevelEnd; node++) {
    const end = nodes[(node + 1) * TRIE_NODE_INTS]!
    for (let child = nodes[node * TRIE_NODE_INTS]!; child < end; child++) {
      const key = (node << 16) | labels[child]!
      let row = (Math.imul(key, GOLDEN) >>> shift) * 2
      while (pairs[row + 1] !== 0) row = (row + 2) & (pairs.length - 1)
      pairs[row] = key
      pairs[row + 1] = child
    }
  }
  return { roots, pairs }
}

/** How far a hash is shifted to number a row of pairs. */
function pairShift(pairs: Int32Array): number {
  return Math.clz32(pairs.length / 2) + 1
}

/**
 * Finds children in a {@link TrieColumns}. Nodes of the first level have hundreds of children, and searching them touches
 * more memory than all the rest of the walk: hence {@link TrieTables}.
 */
export class WordTrie {
  readonly nodes: Uint32Array
  readonly roots: Uint16Array
  /** Nodes of the first level are 1 to this one, exclusive. */
  readonly firstLevelEnd: number
  readonly #labels: Uint16Array
  readonly #pairs: Int32Array
  readonly #pairShift: number

  constructor(columns: TrieColumns, tables: TrieTables = trieTables(columns)) {
    this.nodes = columns.nodes
    this.roots = tables.roots
    this.firstLevelEnd = columns.nodes[TRIE_NODE_INTS]!
    this.#labels = columns.labels
    this.#pairs = tables.pairs
    this.#pairShift = pairShift(tables.pairs)
  }

  /** First entry of the word that ends at a node; those before `firstEntry(node + 1)` are its. */
  firstEntry(node: number): number {
    return this.nodes[node * TRIE_NODE_INTS + TRIE_ENTRY]!
  }

  /** The node one unit further, or 0. */
  child(node: number, unit: number): number {
    return node < this.firstLevelEnd ? this.second(node, unit) : this.deepChild(node, unit)
  }

  /** The node one unit further than a node of the first level; 0 for none, or if the node is 0. */
  second(node: number, unit: number): number {
    const pairs = this.#pairs
    const key = (node << 16) | unit
    const last = pairs.length - 1
    for (let row = (Math.imul(key, GOLDEN) >>> this.#pairShift) * 2; ; row = (row + 2) & last) {
      const child = pairs[row + 1]!
      const other = pairs[row]! ^ key
      // Another key and a child: one branch instead of two, as only together they are foretold.
      if (((other | -other) & -child) >= 0) return child
    }
  }

  /** The node one unit further than a node behind the first level, or 0. */
  deepChild(node: number, unit: number): number {
    let low = this.nodes[node * TRIE_NODE_INTS]!
    const labels = this.#labels
    let high = this.nodes[(node + 1) * TRIE_NODE_INTS]!
    while (high - low > 4) {
      const middle = (low + high) >>> 1
      if (labels[middle]! <= unit) low = middle
      else high = middle
    }
    for (; low < high; low++) if (labels[low] === unit) return low
    return 0
  }
}

/**
 * Lays words out as a trie.
 *
 * @param words        distinct, sorted by UTF-16 unit (JavaScript's own string order)
 * @param entryCounts  entries of each word; they are numbered in the trie's order of nodes, see `order`
 * @returns            the columns, and for each word in node order its index in `words`
 */
export function buildTrie(
  words: readonly string[],
  entryCounts: ArrayLike<number>,
): { columns: TrieColumns; order: Uint32Array } {
  const labels: number[] = [0]
  const nodes: number[] = []
  const order = new Uint32Array(words.length)
  let ordered = 0
  let entries = 0
  // Ranges of words below each node of the level being laid out: [from, to) pairs.
  let level: number[] = [0, words.length]
  for (let depth = 0; level.length > 0; depth++) {
    const next: number[] = []
    for (let i = 0; i < level.length; i += 2) {
      let from = level[i]!
      const to = level[i + 1]!
      nodes.push(labels.length, entries)
      if (from < to && words[from]!.length === depth) {
        order[ordered++] = from
        entries += entryCounts[from]!
        from++
      }
      while (from < to) {
        const unit = words[from]!.charCodeAt(depth)
        let end = from + 1
        while (end < to && words[end]!.charCodeAt(depth) === unit) end++
        labels.push(unit)
        next.push(from, end)
        from = end
      }
    }
    level = next
  }
  nodes.push(labels.length, entries)
  return {
    columns: {
      labels: Uint16Array.from(labels),
      nodes: Uint32Array.from(nodes),
    },
    order,
  }
}
