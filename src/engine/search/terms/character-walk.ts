import type { TermDictionary } from '../../index/segment-reader.ts'
import type { TermRange } from './prefix-terms.ts'
import { termPrefixes } from './term-prefixes.ts'
import { termSuffixes } from './term-suffixes.ts'

/** An automaton over characters that keeps its states on a stack, one level a character. */
export interface CharacterAutomaton {
  /** Goes from level `depth` to `depth + 1` by a code point; false: no term from here on can match. */
  step(depth: number, codePoint: number): boolean
  /** Whether the state at a level accepts. */
  accepts(depth: number): boolean
}

/**
 * Runs an automaton over the terms of a dictionary in order. What terms share is walked once, and where it fails all terms
 * with that beginning are skipped: the work is that of walking a trie.
 *
 * @param accept  called for each term the automaton accepts, in order, with the number of its characters
 */
export function walkTerms(
  terms: TermDictionary,
  { from, to }: TermRange,
  automaton: CharacterAutomaton,
  accept: (ordinal: number, characters: number) => void,
): void {
  const { termBytes, termOffsets } = terms
  const prefixes = termPrefixes(terms)
  const { shared } = prefixes
  // Byte at which each level's characters end.
  const ends: number[] = [0]
  let depth = 0
  for (let ordinal = from; ordinal < to; ) {
    const start = termOffsets[ordinal] as number
    const length = (termOffsets[ordinal + 1] as number) - start
    if (ordinal === from) depth = 0
    else {
      const common = shared[ordinal] as number
      while ((ends[depth] as number) > common) depth--
    }
    let at = ends[depth] as number
    let failed = false
    while (at < length) {
      const first = termBytes[start + at] as number
      let codePoint = first
      let width = 1
      if (first >= 0x80) {
        width = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
        codePoint = first & (0xff >>> (width + 1))
        for (let i = 1; i < width; i++) codePoint = (codePoint << 6) | ((termBytes[start + at + i] as number) & 0x3f)
      }
      at += width
      if (!automaton.step(depth, codePoint)) {
        failed = true
        break
      }
      ends[++depth] = at
    }
    if (failed) {
      // The terms between share at least the failed beginning, so what the next one shares with its forerunner it shares
      // with this one too.
      ordinal = prefixes.skip(ordinal, at)
      continue
    }
    if (automaton.accepts(depth)) accept(ordinal, depth)
    ordinal++
  }
}

/**
 * The same from the last character to the first, over the terms in the order of their ends.
 *
 * @param range  ranks in that order (term-suffixes.ts)
 */
export function walkTermsBackwards(
  terms: TermDictionary,
  { from, to }: TermRange,
  automaton: CharacterAutomaton,
  accept: (ordinal: number, characters: number) => void,
): void {
  const { termBytes, termOffsets } = terms
  const suffixes = termSuffixes(terms)
  const { ordinals, shared } = suffixes
  const ends: number[] = [0]
  let depth = 0
  for (let rank = from; rank < to; ) {
    const ordinal = ordinals[rank] as number
    const start = termOffsets[ordinal] as number
    const end = termOffsets[ordinal + 1] as number
    const length = end - start
    const common = rank === from ? 0 : (shared[rank] as number)
    while ((ends[depth] as number) > common) depth--
    let at = ends[depth] as number
    let failed = false
    while (at < length) {
      let byte = termBytes[end - 1 - at] as number
      let codePoint = byte
      at++
      if (byte >= 0x80) {
        codePoint = 0
        for (let shift = 0; ; shift += 6) {
          if (byte >= 0xc0) {
            // The first byte of two, three or four.
            codePoint |= (byte & (shift === 6 ? 0x1f : shift === 12 ? 0x0f : 0x07)) << shift
            break
          }
          codePoint |= (byte & 0x3f) << shift
          if (at === length) break
          byte = termBytes[end - 1 - at] as number
          at++
        }
      }
      if (!automaton.step(depth, codePoint)) {
        failed = true
        break
      }
      ends[++depth] = at
    }
    if (failed) {
      rank = suffixes.skip(rank, at)
      continue
    }
    if (automaton.accepts(depth)) accept(ordinal, depth)
    rank++
  }
}
