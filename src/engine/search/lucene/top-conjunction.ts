import { type BatchBuffer, withBatchBuffer } from './batch-buffer.ts'
import { hasBit, popCount } from './bit-set.ts'
import { firstAtLeast, type ScoredPostings, WINDOW_SHIFT, WINDOW_WORDS } from './scored-postings.ts'
import { BATCH_SIZE, type BatchSink } from './scorer.ts'
import { BOUND_SLACK, type TopScorer } from './top-scorer.ts'

const fround = Math.fround
/** Documents handed out at once at most: small, so that the floor rises soon. */
const SINK_SIZE = 128

/**
 * The best documents of all of several terms. The rarest term leads; others are asked by bits where they are frequent. Where
 * the best scores of a window do not add up to the floor, its matches are only counted.
 */
export class TopConjunction implements TopScorer {
  readonly #lead: ScoredPostings
  /** Rare ones first. */
  readonly #others: readonly ScoredPostings[]

  /** @param terms  at least two */
  constructor(terms: readonly ScoredPostings[]) {
    const [lead, ...others] = [...terms].sort((a, b) => a.count - b.count) as [ScoredPostings, ...ScoredPostings[]]
    this.#lead = lead
    this.#others = others
  }

  collect(sink: BatchSink, accept: Uint32Array | undefined, floor: () => number, limit: number): number {
    return withBatchBuffer((buffer) => {
      const walk = new Walk(this.#lead, this.#others, buffer, accept, sink, floor)
      return walk.collect(limit)
    })
  }
}

class Walk {
  readonly #lead: ScoredPostings
  readonly #others: readonly ScoredPostings[]
  readonly #buffer: BatchBuffer
  readonly #accept: Uint32Array | undefined
  readonly #sink: BatchSink
  readonly #floor: () => number
  /** Where each of the others was looked up last. */
  readonly #look: Int32Array
  #least: number

  constructor(
    lead: ScoredPostings,
    others: readonly ScoredPostings[],
    buffer: BatchBuffer,
    accept: Uint32Array | undefined,
    sink: BatchSink,
    floor: () => number,
  ) {
    this.#lead = lead
    this.#others = others
    this.#buffer = buffer
    this.#accept = accept
    this.#sink = sink
    this.#floor = floor
    this.#look = new Int32Array(others.length)
    this.#least = floor()
  }

  collect(limit: number): number {
    const { starts } = this.#lead
    const others = this.#others
    if (starts === undefined) {
      let rest = 0
      for (let i = 0; i < others.length; i++) rest += (others[i] as ScoredPostings).max
      return this.#range(0, this.#lead.count, rest, true)
    }
    let found = 0
    const windows = starts.length - 1
    for (let window = 0; window < windows; window++) {
      const from = starts[window] as number
      const to = starts[window + 1] as number
      if (from === to) continue
      // The lead has windows, so those that are more frequent have them, too.
      const own = (this.#lead.maxima as Float32Array)[window] as number
      let rest = 0
      let isEmpty = false
      for (let i = 0; i < others.length; i++) {
        const best = ((others[i] as ScoredPostings).maxima as Float32Array)[window] as number
        if (best === 0 && this.#isEmpty(others[i] as ScoredPostings, window)) isEmpty = true
        rest += best
      }
      if (isEmpty) continue
      if (fround((own + rest) * BOUND_SLACK) > this.#least) found += this.#range(from, to, rest, found <= limit)
      else if (found <= limit) found += this.#count(window, from, to)
    }
    return found
  }

  #isEmpty({ starts }: ScoredPostings, window: number): boolean {
    const all = starts as Int32Array
    return all[window] === all[window + 1]
  }

  /**
   * Goes through a part of the lead; answers how many match.
   *
   * @param rest  no more than this comes from the others
   */
  #range(from: number, to: number, rest: number, isCounted: boolean): number {
    let found = 0
    for (let at = from; at < to; at += BATCH_SIZE)
      found += this.#batch(at, Math.min(to, at + BATCH_SIZE), rest, isCounted)
    return found
  }

  #batch(from: number, to: number, rest: number, isCounted: boolean): number {
    const lead = this.#lead
    const others = this.#others
    const leadScores = lead.scores
    const { docs, scores, places } = this.#buffer
    let size = 0
    if (isCounted) for (let at = from; at < to; at++) places[size++] = at
    else {
      // Scores alone tell which are worth a look.
      const near = this.#least / BOUND_SLACK - rest
      for (let at = from; at < to; at++) if ((leadScores[at] as number) >= near) places[size++] = at
    }
    for (let i = 0; i < others.length && size > 0; i++) {
      const { bits } = others[i] as ScoredPostings
      size = bits === undefined ? this.#keepFound(i, size) : keepSet(lead.docs, places, size, bits)
    }
    if (this.#accept !== undefined) size = keepSet(lead.docs, places, size, this.#accept)
    let count = 0
    for (let c = 0; c < size; c++) {
      const place = places[c] as number
      let sum = leadScores[place] as number
      if (fround((sum + rest) * BOUND_SLACK) <= this.#least) continue
      const doc = lead.docs[place] as number
      for (let i = 0; i < others.length; i++) sum += (others[i] as ScoredPostings).scores[this.#find(i, doc)] as number
      const score = fround(sum)
      if (score <= this.#least) continue
      docs[count] = doc
      scores[count++] = score
      if (count < SINK_SIZE) continue
      this.#sink(docs, scores, count)
      this.#least = this.#floor()
      count = 0
    }
    if (count > 0) {
      this.#sink(docs, scores, count)
      this.#least = this.#floor()
    }
    this.#look.fill(0)
    return size
  }

  /** Keeps those of the lead's places whose document one of the others has. */
  #keepFound(i: number, size: number): number {
    const { places } = this.#buffer
    const { docs } = this.#lead
    let kept = 0
    for (let c = 0; c < size; c++) {
      const place = places[c] as number
      if (this.#find(i, docs[place] as number) >= 0) places[kept++] = place
    }
    this.#look[i] = 0
    return kept
  }

  /** Place of a document in one of the others; -1 when it is not there. */
  #find(i: number, doc: number): number {
    const { docs, starts, count } = this.#others[i] as ScoredPostings
    let from = this.#look[i] as number
    let to = count
    if (starts !== undefined) {
      const window = doc >>> WINDOW_SHIFT
      from = Math.max(from, starts[window] as number)
      to = starts[window + 1] as number
    } else {
      // Doubling steps: the next one is usually near.
      let step = 8
      while (from + step < count && (docs[from + step] as number) < doc) {
        from += step
        step <<= 1
      }
      to = Math.min(count, from + step + 1)
    }
    const place = firstAtLeast(docs, from, to, doc)
    this.#look[i] = place
    return place < to && docs[place] === doc ? place : -1
  }

  /** Matches in a window. */
  #count(window: number, from: number, to: number): number {
    const lead = this.#lead
    const others = this.#others
    const accept = this.#accept
    const { bits } = lead
    let found = 0
    if (bits === undefined) {
      next: for (let at = from; at < to; at++) {
        const doc = lead.docs[at] as number
        if (accept !== undefined && !hasBit(accept, doc)) continue
        for (let i = 0; i < others.length; i++) {
          const other = others[i] as ScoredPostings
          if (other.bits !== undefined ? !hasBit(other.bits, doc) : this.#find(i, doc) < 0) continue next
        }
        found++
      }
      return found
    }
    const first = window * WINDOW_WORDS
    for (let w = first; w < first + WINDOW_WORDS; w++) {
      let word = bits[w] as number
      if (word === 0) continue
      for (let i = 0; i < others.length; i++) word &= ((others[i] as ScoredPostings).bits as Uint32Array)[w] as number
      if (word !== 0 && accept !== undefined) word &= accept[w] as number
      if (word !== 0) found += popCount(word)
    }
    return found
  }
}

/** Keeps those of some places whose document is in a set. No branch: chance decides. */
function keepSet(docs: Int32Array, places: Int32Array, size: number, bits: Uint32Array): number {
  let kept = 0
  for (let c = 0; c < size; c++) {
    const place = places[c] as number
    const doc = docs[place] as number
    places[kept] = place
    kept += ((bits[doc >>> 5] as number) >>> doc) & 1
  }
  return kept
}
