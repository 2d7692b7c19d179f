import type { TermDictionary } from '../../index/segment-reader.ts'
import type { TermRange } from './prefix-terms.ts'
import { termPrefixes } from './term-prefixes.ts'

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
 * @param accept  called for each term the automaton accepts, in order, with the number of its characters; false stops
 */
export function walkTerms(
  terms: TermDictionary,
  { from, to }: TermRange,
  automaton: CharacterAutomaton,
  accept: (ordinal: number, characters: number) => boolean | undefined,
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
      ordinal = prefixes.skip(ordinal, at)
      // The terms between share at least the failed beginning, so what the next one shares with its forerunner it shares
      // with this one too.
      continue
    }
    if (automaton.accepts(depth) && accept(ordinal, depth) === false) return
    ordinal++
  }
}
