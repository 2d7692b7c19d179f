import type { TokenBuffer } from '../analysis/token-buffer.ts'

/** Stands in a pair for a word that was left out. */
const FILLER = '_'

/**
 * Pairs of neighbouring tokens, as phrases are indexed (Lucene's FixedShingleFilter of two). Each token is paired with
 * all that stand at the place behind it; a gap is paired as {@link FILLER}; what has no place behind it makes no pair.
 *
 * @param followsGraph  the place behind a token is the one it ends at (from Lucene 8 on), not simply the next
 * @param out           cleared and filled
 */
export function phraseShingles(tokens: TokenBuffer, followsGraph: boolean, out: TokenBuffer): TokenBuffer {
  out.clear()
  const { terms, startOffsets, endOffsets, positionIncrements, positionLengths, length } = tokens
  const { trailingPositionIncrement, finalOffset } = tokens
  for (let i = 0; i < length; i++) {
    const term = terms[i] as string
    const start = startOffsets[i] as number
    let increment = positionIncrements[i] as number
    const push = (second: string, end: number): void => {
      out.push(`${term} ${second}`, start, end, 'shingle', increment)
      increment = 0
    }
    let next = i + 1
    let remaining = (followsGraph ? (positionLengths[i] as number) : 1) - increment0(positionIncrements, next)
    while (next < length && remaining > 0) remaining -= increment0(positionIncrements, ++next)
    if (next >= length) {
      if (trailingPositionIncrement > 0) push(FILLER, endOffsets[i] as number)
      continue
    }
    const isGap = (positionIncrements[next] as number) > 1
    for (let other = next; other < length; other++) {
      if (other > next && positionIncrements[other] !== 0) break
      // Lucene 7 pairs a gap but once.
      if (isGap && other > next && !followsGraph) break
      const gap = isGap && other === next
      push(gap ? FILLER : (terms[other] as string), endOffsets[gap ? i : other] as number)
    }
  }
  out.trailingPositionIncrement = trailingPositionIncrement
  out.finalOffset = finalOffset
  return out
}

function increment0(increments: readonly number[], i: number): number {
  return increments[i] ?? 0
}
