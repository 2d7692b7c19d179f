/** Documents of the largest segment whose column is kept for later searches: 8 MiB. */
const MAX_KEPT = 2 ** 20
/** Columns that are kept in all. */
const MAX_SPARE = 2

const spare: Float64Array<ArrayBuffer>[] = []

/**
 * Columns as long as segments for the values that one search computes, lent until its aggregations are answered. To make one,
 * all zero, takes half a millisecond for 180,000 documents, of which a search may match a few hundred; and since V8 does not count what
 * such arrays take as young, 50 KB a search are a full collection for every few hundred.
 */
export class ScratchColumns {
  readonly #lent: Float64Array<ArrayBuffer>[] = []

  /** At least so many numbers, whatever they are. */
  take(length: number): Float64Array<ArrayBuffer> {
    const at = spare.findIndex((column) => column.length >= length)
    const column = at < 0 ? new Float64Array(length) : (spare.splice(at, 1)[0] as Float64Array<ArrayBuffer>)
    this.#lent.push(column)
    return column
  }

  /** As many counts, all zero. */
  counts(length: number): Int32Array {
    return new Int32Array(this.take((length + 1) >>> 1).buffer, 0, length).fill(0)
  }

  /** Nobody reads what was taken any more. */
  giveBack(): void {
    for (const column of this.#lent.splice(0)) {
      if (column.length > MAX_KEPT) continue
      spare.push(column)
      if (spare.length > MAX_SPARE) spare.shift()
    }
  }
}
