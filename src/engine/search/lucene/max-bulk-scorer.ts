import { NO_MORE_DOCS } from '../../index/segment-reader.ts'
import { withBatchBuffer } from './batch-buffer.ts'
import type { ScoreJoin } from './disjunction-scorer.ts'
import { BATCH_SIZE, type BatchSink, type BulkScorer } from './scorer.ts'
import type { ScoreWindow, WindowSource } from './window-bulk-scorer.ts'

/** One query of several: sub-queries whose scores add up. */
export type WindowGroup = readonly WindowSource[]

interface GroupWindow {
  readonly sources: WindowGroup
  readonly window: ScoreWindow
}

/**
 * Documents of any of several queries, a window at a time: each query's scores are summed in a window of its own, then
 * joined by document. Plain equivalent: {@link "disjunction-scorer.ts"}.
 */
export class MaxBulkScorer implements BulkScorer {
  readonly cost: number
  readonly #groups: readonly WindowGroup[]
  readonly #join: ScoreJoin

  constructor(groups: readonly WindowGroup[], join: ScoreJoin) {
    this.cost = groups.flat().reduce((sum, source) => sum + source.cost, 0)
    this.#groups = groups
    this.#join = join
  }

  score(sink: BatchSink, accept: Uint32Array | undefined): void {
    this.#withWindows(0, [], (groups) => {
      withBatchBuffer(({ docs, scores, bits }) => {
        const sources = this.#groups.flat()
        for (let going = true; going; ) {
          let next = NO_MORE_DOCS
          for (const { doc } of sources) if (doc < next) next = doc
          if (next === NO_MORE_DOCS) return
          const base = next - (next % BATCH_SIZE)
          for (const group of groups) fill(group, base)
          for (const { window } of groups)
            for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] as number) | (window.bits[i] as number)
          const count = this.#empty(groups, bits, base, accept, docs, scores)
          if (count > 0) going = sink(docs, scores, count)
        }
      })
    })
  }

  /** Lends each group a window of its own. */
  #withWindows(at: number, lent: readonly GroupWindow[], use: (groups: readonly GroupWindow[]) => void): void {
    const sources = this.#groups[at]
    if (sources === undefined) {
      use(lent)
      return
    }
    withBatchBuffer(({ sums, bits }) => {
      this.#withWindows(at + 1, [...lent, { sources, window: { base: 0, end: 0, sums, bits, counts: undefined } }], use)
    })
  }

  /** Moves what the windows hold to a batch and cleans them. */
  #empty(
    groups: readonly GroupWindow[],
    bits: Int32Array,
    base: number,
    accept: Uint32Array | undefined,
    docs: Int32Array,
    scores: Float32Array,
  ): number {
    const join = this.#join
    const found = new Float64Array(groups.length)
    let count = 0
    for (let i = 0; i < bits.length; i++) {
      let word = bits[i] as number
      if (word === 0) continue
      bits[i] = 0
      const allowed = accept === undefined ? -1 : (accept[(base >>> 5) + i] as number)
      while (word !== 0) {
        const low = word & -word
        word ^= low
        const at = (i << 5) + 31 - Math.clz32(low)
        let n = 0
        for (let g = 0; g < groups.length; g++) {
          const { window } = groups[g] as GroupWindow
          if (((window.bits[i] as number) & low) === 0) continue
          found[n++] = Math.fround(window.sums[at] as number)
          window.sums[at] = 0
        }
        if ((allowed & low) === 0) continue
        docs[count] = base + at
        scores[count++] = join(found, n)
      }
      for (let g = 0; g < groups.length; g++) (groups[g] as GroupWindow).window.bits[i] = 0
    }
    return count
  }
}

function fill({ sources, window }: GroupWindow, base: number): void {
  window.base = base
  window.end = base + BATCH_SIZE
  for (const source of sources) if (source.doc < window.end) source.fill(window)
}
