import { NO_MORE_DOCS } from '../../index/segment-reader.ts'
import { type BatchBuffer, withBatchBuffer } from './batch-buffer.ts'
import { popCount } from './bit-set.ts'
import type { ScoredPostings } from './scored-postings.ts'
import type { BatchSink } from './scorer.ts'
import { TermWindows } from './term-windows.ts'
import type { TopScorer } from './top-scorer.ts'

/** Terms whose scores add up. */
export type TermGroup = readonly ScoredPostings[]

/**
 * The best documents of any of several terms, window by window (block-max MaxScore): a window whose best scores do not
 * add up to the floor is only counted; in others the terms that cannot lift a document above the floor by themselves are
 * only looked up for documents that the others brought near it. Of several groups of terms the best one counts (dis_max).
 */
export class TopDisjunction implements TopScorer {
  readonly #groups: readonly TermGroup[]

  constructor(groups: readonly TermGroup[]) {
    this.#groups = groups
  }

  collect(sink: BatchSink, accept: Uint32Array | undefined, floor: () => number, limit: number): number {
    const shift = TermWindows.shiftFor(this.#groups.flat())
    return withBatchBuffer((buffer) => {
      const groups = this.#groups.map((terms) => new TermWindows(terms, shift, buffer, accept))
      return withBatchBuffer((joined) => walk(groups, shift, { buffer, joined, accept, sink, floor, limit }))
    })
  }
}

interface WalkOptions {
  /** Where the groups leave what they find. */
  readonly buffer: BatchBuffer
  /** Where the groups' finds meet. */
  readonly joined: BatchBuffer
  readonly accept: Uint32Array | undefined
  readonly sink: BatchSink
  readonly floor: () => number
  readonly limit: number
}

function walk(groups: readonly TermWindows[], shift: number, options: WalkOptions): number {
  const { buffer, joined, accept, sink, floor, limit } = options
  const words = 1 << (shift - 5)
  let found = 0
  let least = floor()
  for (;;) {
    let next = NO_MORE_DOCS
    for (let g = 0; g < groups.length; g++) next = Math.min(next, (groups[g] as TermWindows).next())
    if (next === NO_MORE_DOCS) return found
    const window = next >>> shift
    const firstWord = window << (shift - 5)
    const isEmpty = accept !== undefined && !anyBit(accept, firstWord, words)
    let scored = 0
    let group = 0
    for (let g = 0; g < groups.length; g++) {
      const bound = (groups[g] as TermWindows).open(window)
      if (bound <= least && least >= 0) continue
      scored++
      group = g
    }
    if (isEmpty) continue
    if (found <= limit) found += countMatches(groups, buffer.bits, words, accept, firstWord)
    if (scored === 0) continue
    let count = 0
    if (scored === 1) {
      count = (groups[group] as TermWindows).score(least)
      if (count > 0) sink(buffer.docs, buffer.scores, count)
    } else {
      count = best(groups, least, buffer, joined, window << shift, words)
      if (count > 0) sink(joined.docs, joined.scores, count)
    }
    if (count > 0) least = floor()
  }
}

function anyBit(bits: Uint32Array, from: number, words: number): boolean {
  const to = Math.min(bits.length, from + words)
  for (let word = from; word < to; word++) if (bits[word] !== 0) return true
  return false
}

/** Number of accepted matches in the window; leaves the bits clean. */
function countMatches(
  groups: readonly TermWindows[],
  bits: Int32Array,
  words: number,
  accept: Uint32Array | undefined,
  firstWord: number,
): number {
  if (groups.length === 1 && accept === undefined) {
    const one = (groups[0] as TermWindows).countOfOne
    if (one >= 0) return one
  }
  for (let g = 0; g < groups.length; g++) (groups[g] as TermWindows).mark(bits)
  let count = 0
  for (let w = 0; w < words; w++) {
    let word = bits[w] as number
    if (word === 0) continue
    bits[w] = 0
    // A match is a document, so there is a word for it.
    if (accept !== undefined) word &= accept[firstWord + w] as number
    if (word !== 0) count += popCount(word)
  }
  return count
}

/** What the groups find in the window, the better score of each document; answers how many. */
function best(
  groups: readonly TermWindows[],
  least: number,
  { docs, scores }: BatchBuffer,
  joined: BatchBuffer,
  base: number,
  words: number,
): number {
  const { sums, bits } = joined
  for (let g = 0; g < groups.length; g++) {
    const count = (groups[g] as TermWindows).score(least)
    for (let i = 0; i < count; i++) {
      const at = (docs[i] as number) - base
      bits[at >>> 5] = (bits[at >>> 5] as number) | (1 << (at & 31))
      if ((scores[i] as number) > (sums[at] as number)) sums[at] = scores[i] as number
    }
  }
  let count = 0
  for (let w = 0; w < words; w++) {
    let word = bits[w] as number
    bits[w] = 0
    while (word !== 0) {
      const low = word & -word
      word ^= low
      const at = (w << 5) + 31 - Math.clz32(low)
      joined.docs[count] = base + at
      joined.scores[count++] = sums[at] as number
      sums[at] = 0
    }
  }
  return count
}
