import { NO_MORE_DOCS } from '../../index/segment-reader.ts'
import type { BatchBuffer } from './batch-buffer.ts'
import { hasBit } from './bit-set.ts'
import { firstAtLeast, type ScoredPostings, WINDOW_SHIFT, WINDOW_WORDS } from './scored-postings.ts'
import { BOUND_SLACK } from './top-scorer.ts'

const fround = Math.fround
/** Windows of terms that are rare: 4,096 documents. */
const RARE_SHIFT = 12
/** Postings that a small window should have, all terms together, to be worth its while. */
const MIN_POSTINGS = 24
/** Candidates are chosen with a little less than the floor, since sums are rounded; exact comparison comes last. */
const NEARLY = 1 - 1e-6
const ONE_WORD = new Uint32Array(1)

/**
 * A walk through the documents of several terms whose scores add up, a window at a time: in each window the matches can be
 * counted and those above a floor found, apart from each other.
 */
export class TermWindows {
  /** Ascending by best score. */
  readonly #terms: readonly ScoredPostings[]
  readonly #shift: number
  readonly #buffer: BatchBuffer
  readonly #accept: Uint32Array | undefined
  /** By term: next place, where the window ends, best score in it. */
  readonly #at: Int32Array
  readonly #to: Int32Array
  readonly #best: Float64Array
  #base = 0

  /** @param shift  documents of a window, as a power of two */
  constructor(terms: readonly ScoredPostings[], shift: number, buffer: BatchBuffer, accept: Uint32Array | undefined) {
    this.#terms = [...terms].sort((a, b) => a.max - b.max)
    this.#shift = shift
    this.#buffer = buffer
    this.#accept = accept
    this.#at = new Int32Array(terms.length)
    this.#to = new Int32Array(terms.length)
    this.#best = new Float64Array(terms.length)
  }

  /** Documents of a window for some terms, as a power of two. */
  static shiftFor(terms: readonly ScoredPostings[]): number {
    let count = 0
    let windows = 0
    for (const term of terms) {
      count += term.count
      if (term.maxima !== undefined) windows = term.maxima.length
    }
    return windows > 0 && count >= windows * MIN_POSTINGS ? WINDOW_SHIFT : RARE_SHIFT
  }

  /** Leaves the window behind; answers the next document, NO_MORE_DOCS when there is none. */
  next(): number {
    const terms = this.#terms
    const at = this.#at
    at.set(this.#to)
    let next = NO_MORE_DOCS
    for (let i = 0; i < terms.length; i++) {
      const { docs, count } = terms[i] as ScoredPostings
      const place = at[i] as number
      if (place < count && (docs[place] as number) < next) next = docs[place] as number
    }
    return next
  }

  /**
   * Goes to a window that is not before {@link next}'s document.
   *
   * @returns no score in it is larger
   */
  open(window: number): number {
    const terms = this.#terms
    const at = this.#at
    this.#base = window << this.#shift
    const end = (window + 1) << this.#shift
    const isSmall = this.#shift === WINDOW_SHIFT
    let bound = 0
    for (let i = 0; i < terms.length; i++) {
      const { docs, count, starts, maxima, max } = terms[i] as ScoredPostings
      const from = at[i] as number
      let to = from
      let best = max
      if (starts !== undefined) {
        if (isSmall) {
          to = starts[window + 1] as number
          best = (maxima as Float32Array)[window] as number
        } else to = starts[Math.min((window + 1) << (this.#shift - WINDOW_SHIFT), starts.length - 1)] as number
      } else while (to < count && (docs[to] as number) < end) to++
      if (to === from) best = 0
      this.#to[i] = to
      this.#best[i] = best
      bound += best
    }
    return fround(bound * BOUND_SLACK)
  }

  /** Number of matches of the only term that has any in the window; -1 when several have. */
  get countOfOne(): number {
    let found = 0
    for (let i = 0; i < this.#terms.length; i++) {
      const size = (this.#to[i] as number) - (this.#at[i] as number)
      if (size === 0) continue
      if (found > 0) return -1
      found = size
    }
    return found
  }

  /** Sets the bit of each match in the window, accepted or not: bit 0 is the window's first document. */
  mark(bits: Int32Array): void {
    const terms = this.#terms
    const firstWord = this.#base >>> 5
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i] as ScoredPostings
      const from = this.#at[i] as number
      const to = this.#to[i] as number
      if (from === to) continue
      if (term.bits !== undefined && to - from >= WINDOW_WORDS && this.#shift === WINDOW_SHIFT) {
        const all = term.bits
        for (let w = 0; w < WINDOW_WORDS; w++) bits[w] = (bits[w] as number) | (all[firstWord + w] as number)
      } else mark(term.docs, from, to, this.#base, bits)
    }
  }

  /**
   * Leaves the window's accepted documents with scores above a floor in the buffer, ascending; all of them when it is below 0.
   *
   * @returns how many
   */
  score(least: number): number {
    return least < 0 ? this.#all() : this.#bestOnes(least)
  }

  /** Scores all matches. */
  #all(): number {
    const { bits, sums, docs, scores } = this.#buffer
    const base = this.#base
    for (let i = 0; i < this.#terms.length; i++) {
      const term = this.#terms[i] as ScoredPostings
      mark(term.docs, this.#at[i] as number, this.#to[i] as number, base, bits)
      addScores(term, this.#at[i] as number, this.#to[i] as number, base, sums)
    }
    const words = 1 << (this.#shift - 5)
    const accept = this.#accept
    let count = 0
    for (let w = 0; w < words; w++) {
      let word = bits[w] as number
      if (word === 0) continue
      bits[w] = 0
      const allowed = accept === undefined ? -1 : (accept[(base >>> 5) + w] as number)
      while (word !== 0) {
        const low = word & -word
        word ^= low
        const place = (w << 5) + 31 - Math.clz32(low)
        const sum = sums[place] as number
        sums[place] = 0
        if ((allowed & low) === 0) continue
        docs[count] = base + place
        scores[count++] = sum
      }
    }
    return count
  }

  /** Scores what may exceed the floor, which is not negative. */
  #bestOnes(least: number): number {
    const terms = this.#terms
    const best = this.#best
    const { sums } = this.#buffer
    const base = this.#base
    let minor = 0
    let reach = 0
    for (; minor < terms.length - 1; minor++) {
      const more = reach + (best[minor] as number)
      if (fround(more * BOUND_SLACK) > least) break
      reach = more
    }
    let size = 0
    for (let i = minor; i < terms.length; i++) {
      const from = this.#at[i] as number
      const to = this.#to[i] as number
      addScores(terms[i] as ScoredPostings, from, to, base, sums)
      size += to - from
    }
    const isScanned = size > 1 << this.#shift
    const count = isScanned ? this.#scan(least, reach) : this.#gather(minor, least, reach)
    if (!isScanned && count > 1) sortByDoc(this.#buffer.docs, this.#buffer.candidates, count)
    return this.#complete(count, minor, least)
  }

  /** Candidates in order: a walk over the window's sums, which are left clean. */
  #scan(least: number, reach: number): number {
    const { docs, sums, candidates } = this.#buffer
    const near = least * NEARLY - reach
    const base = this.#base
    const size = 1 << this.#shift
    let count = 0
    for (let i = 0; i < size; i++) {
      const sum = sums[i] as number
      if (sum === 0) continue
      sums[i] = 0
      if (sum <= near) continue
      docs[count] = base + i
      candidates[count++] = sum
    }
    return count
  }

  /**
   * Candidates in the order of the terms: where there are few postings, a second walk over them is shorter. Asks the bits of
   * the three best minor terms before a document becomes a candidate, without a branch for each.
   */
  #gather(minor: number, least: number, reach: number): number {
    const { docs: out, sums, candidates } = this.#buffer
    const terms = this.#terms
    const base = this.#base
    const near = least * NEARLY
    const bits0 = minor > 0 ? (terms[minor - 1] as ScoredPostings).bits : undefined
    const bits1 = minor > 1 ? (terms[minor - 2] as ScoredPostings).bits : undefined
    const bits2 = minor > 2 ? (terms[minor - 3] as ScoredPostings).bits : undefined
    const best0 = bits0 === undefined ? 0 : (this.#best[minor - 1] as number)
    const best1 = bits1 === undefined ? 0 : (this.#best[minor - 2] as number)
    const best2 = bits2 === undefined ? 0 : (this.#best[minor - 3] as number)
    // Where there is nothing to ask, something is asked that counts for nothing.
    const asked0 = bits0 ?? bits1 ?? bits2 ?? ONE_WORD
    const asked1 = bits1 ?? asked0
    const asked2 = bits2 ?? asked0
    const lastWord = asked0.length - 1
    // A little more, since it is a difference.
    const rest = Math.max(0, reach - best0 - best1 - best2) * BOUND_SLACK
    let count = 0
    for (let i = minor; i < terms.length; i++) {
      const { docs } = terms[i] as ScoredPostings
      const to = this.#to[i] as number
      for (let at = this.#at[i] as number; at < to; at++) {
        const doc = docs[at] as number
        const sum = sums[doc - base] as number
        sums[doc - base] = 0
        const word = Math.min(doc >>> 5, lastWord)
        const bound =
          sum +
          rest +
          (((asked0[word] as number) >>> doc) & 1) * best0 +
          (((asked1[word] as number) >>> doc) & 1) * best1 +
          (((asked2[word] as number) >>> doc) & 1) * best2
        // A sum that was taken already is 0.
        if (bound <= near || sum === 0) continue
        out[count] = doc
        candidates[count++] = sum
      }
    }
    return count
  }

  /** Adds what minor terms give the candidates, and drops those that stay at the floor or below. */
  #complete(count: number, minor: number, least: number): number {
    const { docs, scores, candidates } = this.#buffer
    const accept = this.#accept
    let kept = 0
    for (let c = 0; c < count; c++) {
      const doc = docs[c] as number
      if (accept !== undefined && !hasBit(accept, doc)) continue
      let sum = candidates[c] as number
      for (let i = minor - 1; i >= 0; i--) {
        const term = this.#terms[i] as ScoredPostings
        if (term.bits !== undefined && !hasBit(term.bits, doc)) continue
        const to = this.#to[i] as number
        const place = firstAtLeast(term.docs, this.#at[i] as number, to, doc)
        if (place < to && term.docs[place] === doc) sum += term.scores[place] as number
      }
      const score = fround(sum)
      if (score <= least) continue
      docs[kept] = doc
      scores[kept++] = score
    }
    return kept
  }
}

/** Insertion sort: these are few. */
function sortByDoc(docs: Int32Array, scores: Float64Array, count: number): void {
  for (let i = 1; i < count; i++) {
    const doc = docs[i] as number
    const score = scores[i] as number
    let at = i
    for (; at > 0 && (docs[at - 1] as number) > doc; at--) {
      docs[at] = docs[at - 1] as number
      scores[at] = scores[at - 1] as number
    }
    docs[at] = doc
    scores[at] = score
  }
}

function mark(docs: Int32Array, from: number, to: number, base: number, bits: Int32Array): void {
  for (let i = from; i < to; i++) {
    const at = (docs[i] as number) - base
    bits[at >>> 5] = (bits[at >>> 5] as number) | (1 << (at & 31))
  }
}

function addScores({ docs, scores }: ScoredPostings, from: number, to: number, base: number, sums: Float64Array): void {
  for (let i = from; i < to; i++) {
    const at = (docs[i] as number) - base
    sums[at] = (sums[at] as number) + (scores[i] as number)
  }
}
