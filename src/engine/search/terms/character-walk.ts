import type { TermRange } from './prefix-terms.ts'
import type { TermTrie } from './term-trie.ts'

/** An automaton over characters that keeps its states on a stack, one level a character. */
export interface CharacterAutomaton {
  /** Goes from level `depth` to `depth + 1` by a code point; false: no text from here on can match. */
  step(depth: number, codePoint: number): boolean
  /** Whether the state at a level accepts. */
  accepts(depth: number): boolean
}

/**
 * Runs an automaton over sorted texts. What they share is walked once, and where it fails all texts with that beginning are
 * skipped.
 *
 * @param accept  called for each text the automaton accepts, in order, with the number of its characters
 */
export function walkTrie(
  trie: TermTrie,
  { from, to }: TermRange,
  automaton: CharacterAutomaton,
  accept: (text: number, characters: number) => void,
): void {
  const { bytes, offsets, shared } = trie
  // Byte at which each level's characters end.
  const ends: number[] = [0]
  let depth = 0
  for (let text = from; text < to; ) {
    const start = offsets[text] as number
    const length = (offsets[text + 1] as number) - start
    const common = text === from ? 0 : (shared[text] as number)
    while ((ends[depth] as number) > common) depth--
    let at = ends[depth] as number
    let failed = false
    while (at < length) {
      const first = bytes[start + at] as number
      let codePoint = first
      let width = 1
      if (first >= 0x80) {
        width = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
        codePoint = first & (0xff >>> (width + 1))
        for (let i = 1; i < width; i++) codePoint = (codePoint << 6) | ((bytes[start + at + i] as number) & 0x3f)
      }
      at += width
      if (!automaton.step(depth, codePoint)) {
        failed = true
        break
      }
      ends[++depth] = at
    }
    if (failed) {
      // The texts between share at least the failed beginning, so what the next one shares with its forerunner it shares
      // with this one too.
      text = trie.skip(text, at)
      continue
    }
    if (automaton.accepts(depth)) accept(text, depth)
    text++
  }
}
