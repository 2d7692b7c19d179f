/**
 * A set of words in level order, for finding every word that begins at a place of a text.
 *
 * Nodes are numbered level by level; node 0 is the root, the children of a node are neighbours sorted by unit.
 * `labels[n]` is the UTF-16 unit that leads to n; children of n are `[firstChild[n], firstChild[n + 1])`;
 * the entries of the word that ends at n are `[firstEntry[n], firstEntry[n + 1])`.
 */
export interface TrieColumns {
  readonly labels: Uint16Array
  readonly firstChild: Uint32Array
  readonly firstEntry: Uint32Array
}

/** Finds children in a {@link TrieColumns}; the first step is a table look-up. */
export class WordTrie {
  readonly firstEntry: Uint32Array
  readonly #labels: Uint16Array
  readonly #firstChild: Uint32Array
  /** Child of the root by unit; 0 is none. */
  readonly roots: Uint32Array

  constructor(columns: TrieColumns) {
    this.#labels = columns.labels
    this.#firstChild = columns.firstChild
    this.firstEntry = columns.firstEntry
    this.roots = new Uint32Array(0x10000)
    for (let child = columns.firstChild[0]!; child < columns.firstChild[1]!; child++) {
      this.roots[columns.labels[child]!] = child
    }
  }

  /** The node one unit further, or 0. */
  child(node: number, unit: number): number {
    let low = this.#firstChild[node]!
    const end = this.#firstChild[node + 1]!
    const labels = this.#labels
    let high = end
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
  const firstChild: number[] = []
  const firstEntry: number[] = []
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
      firstEntry.push(entries)
      firstChild.push(labels.length)
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
  firstChild.push(labels.length)
  firstEntry.push(entries)
  return {
    columns: {
      labels: Uint16Array.from(labels),
      firstChild: Uint32Array.from(firstChild),
      firstEntry: Uint32Array.from(firstEntry),
    },
    order,
  }
}
