import { NO_MORE_DOCS } from '../../index/segment-reader.ts'
import { type BitSet, countBits, nextBit } from './bit-set.ts'
import type { ScoreWindow, WindowSource } from './window-bulk-scorer.ts'

/** Documents of a set, all of which score alike: 32 at a time. */
export class SetWindowSource implements WindowSource {
  doc: number
  readonly cost: number
  readonly maxScore: number
  readonly #set: BitSet

  /** @param score  at least 0 */
  constructor(set: BitSet, score: number) {
    this.cost = countBits(set)
    this.maxScore = score
    this.#set = set
    this.doc = this.#firstFrom(0)
  }

  fill(window: ScoreWindow): void {
    this.#fill(window, undefined)
  }

  fillWanted(window: ScoreWindow, wanted: Int32Array): void {
    this.#fill(window, wanted)
  }

  #fill({ base, end, sums, bits, counts }: ScoreWindow, wanted: Int32Array | undefined): void {
    const set = this.#set
    const first = base >>> 5
    const words = Math.min(bits.length, set.length - first)
    for (let i = 0; i < words; i++) {
      const own = set[first + i] as number
      if (own === 0) continue
      bits[i] = (bits[i] as number) | own
      for (let word = wanted === undefined ? own : own & (wanted[i] as number); word !== 0; ) {
        const low = word & -word
        word ^= low
        const at = (i << 5) + 31 - Math.clz32(low)
        sums[at] = (sums[at] as number) + this.maxScore
        if (counts !== undefined) counts[at] = (counts[at] as number) + 1
      }
    }
    this.doc = this.#firstFrom(end)
  }

  #firstFrom(doc: number): number {
    const next = nextBit(this.#set, doc)
    return next < 0 ? NO_MORE_DOCS : next
  }
}
