import type { TermDictionary } from '../../index/segment-reader.ts'
import type { SortKey } from '../search-request.ts'
import type { RankedHeap } from './ranked-heap.ts'
import type { SegmentSort, SegmentTexts, SortValue } from './segment-sort.ts'

/**
 * The numbers that the values of a sort key are told by. Those of texts are ordinals of the segment that is gone through, as in
 * Lucene: in each segment texts that were kept from others are given places among its terms, between two of them where it has
 * not got them.
 */
export class KeyRanks {
  /** What stands for {@link #afterValue} in this segment; undefined where that is. */
  after: number | undefined
  readonly #key: SortKey
  readonly #place: number
  readonly #afterValue: SortValue | undefined
  /** Whether the values are texts; undefined: none was seen. */
  #isText: boolean | undefined
  #dictionary: TermDictionary | undefined

  /**
   * @param place  of the key among all keys
   * @param after  what those that are wanted come after
   */
  constructor(key: SortKey, place: number, after: SortValue | undefined) {
    this.#key = key
    this.#place = place
    this.#afterValue = after
  }

  /**
   * Goes over to a segment: ranks of what is kept are from now on comparable with its own.
   *
   * @param termOf  the term of an entry of the heap, in its segment
   * @returns       false: they cannot be
   */
  enter({ rank, texts }: SegmentSort, heap: RankedHeap, termOf: (entry: number) => Uint8Array): boolean {
    const isText = texts !== undefined
    if (rank === undefined || (this.#isText ?? isText) !== isText) return false
    if (this.#isText === undefined) {
      this.#isText = isText
      if (this.#afterValue !== undefined) {
        this.after = isText ? this.#firstRank(this.#afterValue) : rankOf(this.#afterValue, this.#key)
        if (this.after === undefined) return false
      }
    }
    const dictionary = texts?.dictionary
    if (dictionary === undefined || dictionary === this.#dictionary) return true
    this.#dictionary = dictionary
    this.#rankAnew(dictionary, heap, termOf, texts as SegmentTexts)
    return true
  }

  /** A rank for `search_after` before any text was seen; undefined: it is none that texts are compared with by their bytes. */
  #firstRank(after: SortValue): number | undefined {
    if (after === null) {
      const isFirst = this.#key.kind === 'field' && this.#key.missing === '_first'
      return isFirst ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
    }
    return typeof after === 'string' && after.isWellFormed() ? 0 : undefined
  }

  #rankAnew(
    dictionary: TermDictionary,
    heap: RankedHeap,
    entryTerm: (entry: number) => Uint8Array,
    { termOf }: SegmentTexts,
  ): void {
    /** By rank: its term, or an entry that has it. */
    const known = new Map<number, Uint8Array | number>()
    const { after } = this
    if (after !== undefined && Number.isFinite(after)) known.set(after, termOf(this.#afterValue as string))
    for (let entry = 0; entry < heap.size; entry++) {
      const rank = heap.rank(entry, this.#place)
      if (Number.isFinite(rank) && !known.has(rank)) known.set(rank, entry)
    }
    if (known.size === 0) return
    const sign = this.#key.order === 'asc' ? 1 : -1
    const ranks = Float64Array.from(known.keys()).sort()
    if (sign < 0) ranks.reverse()
    const places = new Map<number, number>()
    let border = 0
    for (let i = 0; i < ranks.length; i++) {
      const rank = ranks[i] as number
      const own = known.get(rank) as Uint8Array | number
      const term = typeof own === 'number' ? entryTerm(own) : own
      border = dictionary.ceiling(term, border)
      const isThere = border < dictionary.size && Buffer.compare(dictionary.term(border), term) === 0
      // All that stand between the same two terms stay apart, in their order.
      places.set(rank, sign * (isThere ? border : border - 1 + (i + 1) / (ranks.length + 1)))
    }
    const placeOf = (rank: number): number => places.get(rank) ?? rank
    heap.rankAnew(this.#place, placeOf)
    if (after !== undefined) this.after = placeOf(after)
  }
}

/** A value as a number that stands as the key has it; undefined where that is not exact. */
export function rankOf(value: SortValue, { order }: SortKey): number | undefined {
  if (value === null) return undefined
  const number = Number(value)
  if (
    Number.isNaN(number) ||
    Object.is(number, -0) ||
    (typeof value === 'bigint' && Math.abs(number) > 2 ** 53 && Math.abs(number) < 2 ** 63)
  ) {
    return undefined
  }
  return order === 'desc' ? -number : number
}
