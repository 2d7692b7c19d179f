import { withBatchBuffer } from '../batch-buffer.ts'
import { hasBit } from '../bit-set.ts'
import { firstAtLeast } from '../scored-postings.ts'
import type { BatchSink } from '../scorer.ts'
import type { SimilarityWeight } from '../similarity/term-similarity.ts'
import type { TopScorer } from '../top-scorer.ts'
import { PLACE_MARGIN, type TermPlaces } from './phrase-places.ts'
import { documentAt, MIN_WINDOWED, placeWindows, windowMaximum } from './place-windows.ts'

/** Lists of places that are less than so many times as long as the rarest word's are gone through with it, longer ones by leaps. */
const MERGED_SHARE = 8

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
  /** Those with bits first, which are asked the quickest; rare ones first among each kind. */
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
    const hasBits = ({ term }: PlacedWord): boolean => term.bits !== undefined
    this.#others = [...others.filter(hasBits), ...others.filter((word) => !hasBits(word))]
    this.#starts = starts
    this.#norms = norms
    this.#similarity = similarity
  }

  collect(sink: BatchSink, accept: Uint32Array | undefined, floor: () => number, limit: number): number {
    const starts = this.#starts
    const norms = this.#norms
    const similarity = this.#similarity
    const lead = this.#lead.term
    const windows = lead.places.length > Math.max(limit, MIN_WINDOWED) ? placeWindows(lead, starts, norms) : undefined
    const ends = windows === undefined ? [lead.places.length] : windows.starts.subarray(1)
    const walk = new PhraseWalk(this.#lead, this.#others)
    return withBatchBuffer(({ docs, scores }) => {
      let found = 0
      let least = floor()
      let doc = 0
      // Batches start small, so that the floor rises soon.
      let batch = 64
      let once: Float32Array | undefined
      for (let window = 0, from = 0; window < ends.length; from = ends[window++] as number) {
        // Enough are counted: only those that come among the best are wanted.
        if (found > limit && windows !== undefined && windowMaximum(windows, window, similarity) <= least) continue
        const size = walk.follow(from, ends[window] as number)
        const { matches } = walk
        if (size > 256) once ??= scoresOfOne(similarity)
        let count = 0
        for (let i = 0; i < size; ) {
          const place = matches[i] as number
          if (place >= (starts[doc + 1] as number)) doc = documentAt(starts, doc + 1, place)
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
        if (count === 0) continue
        sink(docs, scores, count)
        least = floor()
      }
      return found
    })
  }
}

/** Goes through the places of a phrase's rarest word and keeps those where the others stand, too. */
class PhraseWalk {
  readonly #lead: PlacedWord
  readonly #others: readonly PlacedWord[]
  /** Where each of the others was looked up last. */
  readonly #look: Int32Array
  /** Good until the next {@link follow}. */
  matches = new Int32Array(0)

  constructor(lead: PlacedWord, others: readonly PlacedWord[]) {
    this.#lead = lead
    this.#others = others
    this.#look = new Int32Array(others.length)
  }

  /**
   * Finds where the phrase stands: answers how many places of its first word are now the first of {@link matches}, ascending.
   *
   * @param from  part of the lead's places; behind that of the call before
   */
  follow(from: number, to: number): number {
    const { term, offset: before } = this.#lead
    if (this.matches.length < to - from) this.matches = new Int32Array(to - from)
    let count = this.#keep(term.places, from, to, 0)
    for (let i = 1; i < this.#others.length && count > 0; i++) count = this.#keep(this.matches, 0, count, i)
    const matches = this.matches
    if (before > 0) for (let i = 0; i < count; i++) matches[i] = (matches[i] as number) - before
    return count
  }

  /** Keeps those of the lead's places which one of the others stands beside as in the phrase; answers how many. */
  #keep(list: Int32Array, from: number, to: number, other: number): number {
    const { term, offset } = this.#others[other] as PlacedWord
    const distance = offset - this.#lead.offset
    if (term.bits !== undefined) return this.#ask(list, from, to, distance, term.bits)
    return term.places.length < MERGED_SHARE * this.#lead.term.places.length
      ? this.#merge(list, from, to, distance, other)
      : this.#leap(list, from, to, distance, other)
  }

  #ask(list: Int32Array, from: number, to: number, distance: number, bits: Uint32Array): number {
    const kept = this.matches
    let count = 0
    for (let i = from; i < to; i++) {
      const place = list[i] as number
      const wanted = place + distance
      kept[count] = place
      // No branch: whether a word follows is hard to foretell.
      count += ((bits[wanted >>> 5] as number) >>> wanted) & 1
    }
    return count
  }

  /** Two lists alike in length: step by step, without a branch that chance decides. */
  #merge(list: Int32Array, from: number, to: number, distance: number, other: number): number {
    const kept = this.matches
    const { places } = (this.#others[other] as PlacedWord).term
    const size = places.length
    // Windows may have been passed over.
    let at = firstAtLeast(places, this.#look[other] as number, size, (list[from] as number) + distance)
    let count = 0
    for (let i = from; i < to && at < size; ) {
      const place = list[i] as number
      const ahead = (places[at] as number) - distance - place
      kept[count] = place
      // The sign bits of differences below 2^31.
      const isReached = (-1 - ahead) >>> 31
      const isPassed = (ahead - 1) >>> 31
      count += isReached & isPassed
      i += isReached
      at += isPassed
    }
    this.#look[other] = at
    return count
  }

  /** A list much longer than the other: in steps that double, since the next place is usually near. */
  #leap(list: Int32Array, from: number, to: number, distance: number, other: number): number {
    const kept = this.matches
    const { places } = (this.#others[other] as PlacedWord).term
    const size = places.length
    let at = this.#look[other] as number
    let count = 0
    for (let i = from; i < to; i++) {
      const place = list[i] as number
      const wanted = place + distance
      if (at < size && (places[at] as number) < wanted) {
        let step = 4
        while (at + step < size && (places[at + step] as number) < wanted) {
          at += step
          step <<= 1
        }
        at = firstAtLeast(places, at, Math.min(size, at + step + 1), wanted)
      }
      if (at >= size) break
      if (places[at] === wanted) kept[count++] = place
    }
    this.#look[other] = at
    return count
  }
}

/** Scores of a phrase that a document has once, by norm. */
function scoresOfOne(similarity: SimilarityWeight): Float32Array {
  return Float32Array.from({ length: 256 }, (_, norm) => similarity.score(1, norm))
}

/** Whether words may be placed: none is too far from the first. */
export function fitsMargin(offset: number): boolean {
  return offset >= 0 && offset < PLACE_MARGIN
}
