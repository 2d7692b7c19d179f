import type { StoredSegment } from './stored-segment.ts'

/** So many records of a segment are looked at; of larger ones as many, evenly spread. */
const MOST_LOOKED_AT = 256

/**
 * About how many bytes the records of segments take in the store: what is to be told of an index' size, which need not cost a pass over
 * it. Exact up to 256 documents.
 */
export class RecordSizes {
  readonly #sizeOf: (seqNo: number) => number | undefined
  readonly #known = new WeakMap<StoredSegment, number>()

  /** @param sizeOf  bytes of a record in the store, 0 where there is none; undefined: not known yet */
  constructor(sizeOf: (seqNo: number) => number | undefined) {
    this.#sizeOf = sizeOf
  }

  /** A segment's, as they were when first asked for: as in the real servers, what is deleted counts until it is merged away. */
  of(segment: StoredSegment): number {
    const known = this.#known.get(segment)
    if (known !== undefined) return known
    const { rootDocs, maxDoc } = segment
    const count = rootDocs?.length ?? maxDoc
    const step = Math.max(1, count / MOST_LOOKED_AT)
    let sum = 0
    let isKnown = true
    for (let at = 0; at < count; at += step) {
      const place = Math.floor(at)
      const size = this.#sizeOf(segment.seqNo(rootDocs?.[place] ?? place))
      if (size === undefined) isKnown = false
      else sum += size
    }
    const bytes = Math.round(sum * step)
    if (isKnown) this.#known.set(segment, bytes)
    return bytes
  }
}
