import { withBatchBuffer } from './batch-buffer.ts'
import { hasBit } from './bit-set.ts'
import { PLACE_MARGIN, type TermPlaces } from './phrase-places.ts'
import { firstAtLeast } from './scored-postings.ts'
import type { BatchSink } from './scorer.ts'
import type { SimilarityWeight } from './term-similarity.ts'
import type { TopScorer } from './top-scorer.ts'

/** A word of a phrase. */
export interface PlacedWord {
  readonly term: TermPlaces
  /** Distance from the phrase's first word; below {@link PLACE_MARGIN}. */
  readonly offset: number
}

/**
 * The best documents with an exact phrase. All occurrences of a word in a segment are one ascending list, so a phrase is an
 * intersection of lists, without a step by document: the rarest word leads, frequent ones are asked by bits. Plain
 * equivalent: the scorer of {@link "phrase-query.ts"}.
 */
export class TopPhrase implements TopScorer {
  readonly #lead: PlacedWord
  /** Rare ones first. */
  readonly #others: readonly PlacedWord[]
  readonly #starts: Int32Array
  readonly #norms: Uint8Array
  readonly #similarity: SimilarityWeight

  /**
   * @param words   at least two
   * @param starts  where each document's places begin
   */
  constructor(words: readonly PlacedWord[], starts: Int32Array, norms: Uint8Array, similarity: SimilarityWeight) {
    const [lead, ...others] = [...words].sort((a, b) => a.term.places.length - b.term.places.length) as [
      PlacedWord,
      ...PlacedWord[],
    ]
    this.#lead = lead
    this.#others = others
    this.#starts = starts
    this.#norms = norms
    this.#similarity = similarity
  }

  collect(sink: BatchSink, accept: Uint32Array | undefined, floor: () => number): number {
    const starts = this.#starts
    const norms = this.#norms
    const similarity = this.#similarity
    return withBatchBuffer(({ docs, scores }) => {
      let found = 0
      let count = 0
      let least = floor()
      let doc = 0
      // Batches start small, so that the floor rises soon.
      let batch = 64
      const matches = this.#matches()
      const size = matches.length
      const once = size > 256 ? scoresOfOne(similarity) : undefined
      for (let i = 0; i < size; ) {
        const place = matches[i] as number
        if (place >= (starts[doc + 1] as number)) doc = docAt(starts, doc + 1, place)
        const end = starts[doc + 1] as number
        const first = i++
        while (i < size && (matches[i] as number) < end) i++
        if (accept !== undefined && !hasBit(accept, doc)) continue
        found++
        const freq = i - first
        const norm = norms[doc] as number
        const score = freq === 1 && once !== undefined ? (once[norm] as number) : similarity.score(freq, norm)
        if (score <= least) continue
        docs[count] = doc
        scores[count++] = score
        if (count < batch) continue
        sink(docs, scores, count)
        least = floor()
        count = 0
        batch = 1024
      }
      if (count > 0) sink(docs, scores, count)
      return found
    })
  }

  /** Places of the first word where the phrase stands. */
  #matches(): Int32Array {
    const { term, offset } = this.#lead
    let matches = term.places
    let before = offset
    for (const other of this.#others) {
      matches = follow(matches, other.offset - before, other.term)
      before = other.offset
      if (matches.length === 0) break
    }
    if (before === 0) return matches
    const first = new Int32Array(matches.length)
    for (let i = 0; i < first.length; i++) first[i] = (matches[i] as number) - before
    return first
  }
}

/** Those places `distance` behind (before, if negative) one of the list's where the term stands, too. */
function follow(list: Int32Array, distance: number, { places, bits }: TermPlaces): Int32Array {
  const out = new Int32Array(list.length)
  let count = 0
  if (bits !== undefined) {
    for (let i = 0; i < list.length; i++) {
      const wanted = (list[i] as number) + distance
      out[count] = wanted
      // No branch: whether a word follows is hard to foretell.
      count += ((bits[wanted >>> 5] as number) >>> wanted) & 1
    }
    return out.subarray(0, count)
  }
  const size = places.length
  let at = 0
  for (let i = 0; i < list.length; i++) {
    const wanted = (list[i] as number) + distance
    if (at < size && (places[at] as number) < wanted) {
      // Doubling steps: the next one is usually near.
      let step = 4
      while (at + step < size && (places[at + step] as number) < wanted) {
        at += step
        step <<= 1
      }
      at = firstAtLeast(places, at, Math.min(size, at + step + 1), wanted)
    }
    if (at >= size) break
    if (places[at] === wanted) out[count++] = wanted
  }
  return out.subarray(0, count)
}

/** The document a place belongs to, at `from` or behind. */
function docAt(starts: Int32Array, from: number, place: number): number {
  let low = from
  let step = 1
  while (low + step < starts.length - 1 && (starts[low + step] as number) <= place) {
    low += step
    step <<= 1
  }
  let high = Math.min(low + step, starts.length - 1)
  // The last document that begins at the place or before.
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((starts[middle] as number) <= place) low = middle
    else high = middle
  }
  return low
}

/** Scores of a phrase that a document has once, by norm. */
function scoresOfOne(similarity: SimilarityWeight): Float32Array {
  return Float32Array.from({ length: 256 }, (_, norm) => similarity.score(1, norm))
}

/** Whether words may be placed: none is too far from the first. */
export function fitsMargin(offset: number): boolean {
  return offset >= 0 && offset < PLACE_MARGIN
}
