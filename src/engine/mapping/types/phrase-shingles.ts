import type { TokenBuffer } from '../../analysis/token-buffer.ts'

/** How neighbouring tokens are joined. */
export interface ShingleOptions {
  /** Tokens of each shingle, 2 or more. */
  readonly size: number
  /** Stands for a word that was left out. */
  readonly filler: '_' | ''
  /** The place behind a token is the one it ends at (from Lucene 8 on), not simply the next. */
  readonly followsGraph: boolean
}

/** Pairs of words, as phrases are indexed. */
export const phrasePairs = (followsGraph: boolean): ShingleOptions => ({ size: 2, filler: '_', followsGraph })

/**
 * Runs of neighbouring tokens, all of one size (Lucene's FixedShingleFilter). Each token is joined with all that stand at
 * the places behind it; a gap is joined as the filler; what has too few places behind it makes none.
 *
 * @param out       cleared and filled; another than `tokens`
 * @param trailing  places that come behind the last token, to be filled
 */
export function phraseShingles(
  tokens: TokenBuffer,
  options: ShingleOptions,
  out: TokenBuffer,
  trailing = tokens.trailingPositionIncrement,
): TokenBuffer {
  out.clear()
  const { terms, startOffsets, endOffsets, positionIncrements, length } = tokens
  const { size, filler, followsGraph } = options
  const filled = ` ${filler}`
  let start = 0
  // Of all that begin with one token the first takes its place, even where it came to nothing.
  let increment = 0
  const push = (text: string, words: number, end: number): void => {
    out.push(text + filled.repeat(size - words), start, end, 'shingle', increment)
  }
  const extend = (text: string, words: number, token: number, end: number): void => {
    const next = nextPlace(tokens, token, followsGraph)
    if (next >= length) {
      if (words + trailing >= size) push(text, words, end)
      increment = 0
      return
    }
    for (let other = next; other < length; other++) {
      const step = positionIncrements[other] as number
      if (other > next && step !== 0) break
      // Lucene 7 joins a gap but once.
      if (other > next && !followsGraph && (positionIncrements[next] as number) > 1) break
      if (words + step > size) push(text, words, end)
      else {
        const gap = Math.max(step - 1, 0)
        const joined = `${text}${filled.repeat(gap)} ${terms[other]}`
        const joinedEnd = endOffsets[other] as number
        if (words + gap + 1 < size) extend(joined, words + gap + 1, other, joinedEnd)
        else push(joined, size, joinedEnd)
      }
      increment = 0
    }
  }
  for (let i = 0; i < length; i++) {
    start = startOffsets[i] as number
    increment = positionIncrements[i] as number
    extend(terms[i] as string, 1, i, endOffsets[i] as number)
  }
  out.trailingPositionIncrement = trailing
  out.finalOffset = tokens.finalOffset
  return out
}

/** The first token at the place behind one, or as many as there are tokens. */
function nextPlace(
  { positionIncrements, positionLengths, length }: TokenBuffer,
  token: number,
  followsGraph: boolean,
): number {
  let remaining = followsGraph ? (positionLengths[token] as number) : 1
  for (let next = token + 1; next < length; next++) {
    remaining -= positionIncrements[next] as number
    if (remaining <= 0) return next
  }
  return length
}
