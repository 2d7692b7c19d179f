/** Bits of a page. */
const PAGE_BITS = 2 ** 16

/** A set of sequence numbers, a bit each, in pages where there are any. */
export class SequenceSet {
  readonly #pages = new Map<number, Uint32Array>()
  #max = -1

  /** The greatest; -1 when there is none. */
  get max(): number {
    return this.#max
  }

  add(seqNo: number): void {
    const number = Math.floor(seqNo / PAGE_BITS)
    let page = this.#pages.get(number)
    if (page === undefined) {
      page = new Uint32Array(PAGE_BITS / 32)
      this.#pages.set(number, page)
    }
    const bit = seqNo % PAGE_BITS
    page[bit >>> 5] = (page[bit >>> 5] as number) | (1 << (bit & 31))
    if (seqNo > this.#max) this.#max = seqNo
  }

  has(seqNo: number): boolean {
    const page = this.#pages.get(Math.floor(seqNo / PAGE_BITS))
    if (page === undefined) return false
    const bit = seqNo % PAGE_BITS
    return ((page[bit >>> 5] as number) & (1 << (bit & 31))) !== 0
  }

  /** Those with `from <= seqNo <= to`, in order. */
  between(from: number, to: number): number[] {
    const found: number[] = []
    const end = Math.min(to, this.#max)
    for (let seqNo = from; seqNo <= end; ) {
      const page = this.#pages.get(Math.floor(seqNo / PAGE_BITS))
      if (page === undefined) {
        seqNo = (Math.floor(seqNo / PAGE_BITS) + 1) * PAGE_BITS
        continue
      }
      const bit = seqNo % PAGE_BITS
      const word = page[bit >>> 5] as number
      if (word === 0 && (bit & 31) === 0) seqNo += 32
      else {
        if ((word & (1 << (bit & 31))) !== 0) found.push(seqNo)
        seqNo++
      }
    }
    return found
  }
}
