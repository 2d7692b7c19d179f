/** Where a double's bits are read. */
const DOUBLE = new Float64Array(1)
const BITS = new Int32Array(DOUBLE.buffer)

/** Cells of a table of all possible pairs at most: 1 MiB. */
const MAX_CELLS = 1 << 18

/**
 * Numbers the pairs (bucket of the aggregation around, key) in the order they come: bucket ordinals.
 * Open addressing over typed arrays; keys are doubles (term ordinals, rounded times, numbers), -0 and NaN as themselves.
 * Where keys are few ordinals, a table of all possible pairs says the same without hashing, as long as it stays small.
 */
export class BucketHash {
  size = 0
  parents = new Int32Array(8)
  keys = new Float64Array(8)
  #table: Int32Array
  /** Keys are whole numbers below it; 0: they may be anything. */
  readonly #width: number
  /** Bucket ordinal + 1 by parent and key, while that is small; 0: there is none. */
  #cells: Int32Array | undefined
  #starts: Int32Array | undefined
  #byParent: Int32Array | undefined

  /** @param width  keys are whole numbers from 0 up to below it; undefined: they may be anything */
  constructor(width = 0) {
    this.#width = width
    if (width > 0 && width <= MAX_CELLS) this.#cells = new Int32Array(width)
    this.#table = this.#cells === undefined ? new Int32Array(64).fill(-1) : new Int32Array(0)
  }

  /** Ordinal of a pair, added when new. */
  add(parent: number, key: number): number {
    const cells = this.#cells
    if (cells === undefined) return this.#addHashed(parent, key)
    const at = parent * this.#width + key
    const found = at < cells.length ? (cells[at] as number) : 0
    return found > 0 ? found - 1 : this.#addCell(parent, key, at)
  }

  #addCell(parent: number, key: number, at: number): number {
    let cells = this.#cells as Int32Array
    if (at >= cells.length) {
      const needed = (parent + 1) * this.#width
      if (needed > MAX_CELLS) {
        this.#cells = undefined
        this.#rehash(this.size)
        return this.#addHashed(parent, key)
      }
      cells = new Int32Array(Math.min(MAX_CELLS, needed * 2))
      cells.set(this.#cells as Int32Array)
      this.#cells = cells
    }
    const ordinal = this.#append(parent, key)
    cells[at] = ordinal + 1
    return ordinal
  }

  #append(parent: number, key: number): number {
    const ordinal = this.size++
    if (ordinal === this.keys.length) this.#growKeys()
    this.keys[ordinal] = key
    this.parents[ordinal] = parent
    this.#starts = undefined
    return ordinal
  }

  #addHashed(parent: number, key: number): number {
    const mask = this.#table.length - 1
    let at = this.#hash(parent, key) & mask
    for (;;) {
      const found = this.#table[at] as number
      if (found < 0) break
      if (isSame(this.keys[found] as number, key) && this.parents[found] === parent) return found
      at = (at + 1) & mask
    }
    const ordinal = this.#append(parent, key)
    this.#table[at] = ordinal
    if (this.size * 2 > this.#table.length) this.#rehash(this.#table.length)
    return ordinal
  }

  /** Ordinal of a pair, or -1. */
  find(parent: number, key: number): number {
    if (this.#cells !== undefined) return (this.#cells[parent * this.#width + key] ?? 0) - 1
    const mask = this.#table.length - 1
    let at = this.#hash(parent, key) & mask
    for (;;) {
      const found = this.#table[at] as number
      if (found < 0 || (isSame(this.keys[found] as number, key) && this.parents[found] === parent)) return found
      at = (at + 1) & mask
    }
  }

  /** Ordinals of the pairs of one bucket, in the order they came. */
  ofParent(parent: number): Int32Array {
    if (this.#starts === undefined) this.#group()
    const starts = this.#starts as unknown as Int32Array
    if (parent < 0 || parent + 1 >= starts.length) return new Int32Array(0)
    return (this.#byParent as Int32Array).subarray(starts[parent], starts[parent + 1])
  }

  #hash(parent: number, key: number): number {
    DOUBLE[0] = key
    let h = Math.imul((BITS[0] as number) ^ Math.imul(BITS[1] as number, 0x9e3779b1), 0x85ebca6b)
    h = Math.imul(h ^ (h >>> 15) ^ parent, 0xc2b2ae35)
    return h ^ (h >>> 13)
  }

  #growKeys(): void {
    const keys = new Float64Array(this.keys.length * 2)
    keys.set(this.keys)
    this.keys = keys
    const parents = new Int32Array(keys.length)
    parents.set(this.parents)
    this.parents = parents
  }

  /** @param room  pairs there must be room for, and as many again */
  #rehash(room: number): void {
    let length = Math.max(64, this.#table.length)
    while (length < room * 4) length *= 4
    const table = new Int32Array(length).fill(-1)
    const mask = table.length - 1
    for (let ordinal = 0; ordinal < this.size; ordinal++) {
      let at = this.#hash(this.parents[ordinal] as number, this.keys[ordinal] as number) & mask
      while ((table[at] as number) >= 0) at = (at + 1) & mask
      table[at] = ordinal
    }
    this.#table = table
  }

  #group(): void {
    let parentCount = 0
    for (let i = 0; i < this.size; i++) parentCount = Math.max(parentCount, (this.parents[i] as number) + 1)
    const starts = new Int32Array(parentCount + 1)
    for (let i = 0; i < this.size; i++) starts[(this.parents[i] as number) + 1]!++
    for (let i = 0; i < parentCount; i++) starts[i + 1] = (starts[i + 1] as number) + (starts[i] as number)
    const at = starts.slice()
    const byParent = new Int32Array(this.size)
    for (let i = 0; i < this.size; i++) byParent[at[this.parents[i] as number]!++] = i
    this.#starts = starts
    this.#byParent = byParent
  }
}

/** NaN is a key like any other. */
const isSame = (a: number, b: number): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b))
