import type { AlikeSets } from './alike-sets.ts'
import { withBatchBuffer } from './batch-buffer.ts'
import { type BitSet, popCount } from './bit-set.ts'
import { docSetBits } from './doc-set.ts'
import type { Leaf } from './leaf.ts'
import type { BatchSink } from './scorer.ts'
import { NO_TOP, type TopScorer } from './top-scorer.ts'

/** Documents are handed out so many at a time: a floor that rises soon spares the others. */
const BATCH = 256

/** Sets with fewer documents than one in so many are quicker gone through one by one. */
const MOST_SPARSE = 64

/** The best documents of sets in each of which all score alike; undefined where there are better ways. */
export function topAlike(alike: AlikeSets | undefined, leaf: Leaf): TopScorer | undefined {
  if (alike === undefined) return undefined
  if (alike.sets.length === 0) return NO_TOP
  const { maxDoc } = leaf.segment
  const most = Math.max(...alike.sets.map(({ count }) => count))
  if (most * MOST_SPARSE < maxDoc) return undefined
  return new TopAlike(
    alike.sets.map((set) => docSetBits(set, maxDoc)),
    alike,
  )
}

/**
 * 32 documents at a time: any of the sets tells how many match, and a document is looked at by itself only where it is in one
 * without which no score exceeds the floor. Once none exceeds it and enough are counted, the rest is passed over.
 */
class TopAlike implements TopScorer {
  readonly #sets: readonly BitSet[]
  /** Score by the sets that a document is in, a bit each. */
  readonly #scores: Float64Array
  /** Sets, those that score least alone first. */
  readonly #ascending: readonly number[]

  constructor(sets: readonly BitSet[], alike: AlikeSets) {
    this.#sets = sets
    this.#scores = new Float64Array(2 ** sets.length)
    for (let mask = 1; mask < this.#scores.length; mask++) this.#scores[mask] = alike.score(mask)
    const alone = (set: number): number => this.#scores[1 << set] as number
    this.#ascending = sets.map((_, set) => set).sort((a, b) => alone(a) - alone(b))
  }

  collect(sink: BatchSink, accept: Uint32Array | undefined, floor: () => number, limit: number): number {
    const sets = this.#sets
    const table = this.#scores
    const words = (sets[0] as BitSet).length
    let least = floor()
    let needed = this.#neededFor(least)
    let found = 0
    return withBatchBuffer(({ docs, scores }) => {
      let size = 0
      const hand = (): void => {
        sink(docs, scores, size)
        size = 0
        least = floor()
        needed = this.#neededFor(least)
      }
      for (let w = 0; w < words; w++) {
        const allowed = accept === undefined ? -1 : (accept[w] as number)
        if (found <= limit) {
          let any = 0
          for (let s = 0; s < sets.length; s++) any |= (sets[s] as BitSet)[w] as number
          any &= allowed
          if (any === 0) continue
          found += popCount(any)
        } else if (needed.length === 0) break
        let word = 0
        for (let s = 0; s < needed.length; s++) word |= (needed[s] as BitSet)[w] as number
        word &= allowed
        while (word !== 0) {
          const low = word & -word
          word ^= low
          let mask = 0
          for (let s = 0; s < sets.length; s++) if ((((sets[s] as BitSet)[w] as number) & low) !== 0) mask |= 1 << s
          const score = table[mask] as number
          if (score <= least && least >= 0) continue
          docs[size] = (w << 5) + 31 - Math.clz32(low)
          scores[size++] = score
        }
        if (size > BATCH) hand()
      }
      if (size > 0) hand()
      return found
    })
  }

  /** The sets one of which a document must be in to exceed a floor. */
  #neededFor(least: number): BitSet[] {
    let minor = 0
    let mask = 0
    if (least >= 0) {
      for (; minor < this.#ascending.length; minor++) {
        mask |= 1 << (this.#ascending[minor] as number)
        if ((this.#scores[mask] as number) > least) break
      }
    }
    return this.#ascending.slice(minor).map((set) => this.#sets[set] as BitSet)
  }
}
