import type { TokenFilter } from '../analyzer.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import { isKoreanNumeral, isNumeralPunctuation, normalizeKoreanNumber } from './korean-number.ts'

/**
 * Joins numerals that follow each other to one normalised number (`nori_number`). The tokenizer must keep punctuation,
 * or `3`, `2` of `3.2` become 32.
 *
 * As in Lucene, a number has the position and attributes of the token behind it, which was read to find its end; and
 * where a stacked token interrupts it, the tokens read so far but the first are lost and their digits go to the next number.
 */
export class NoriNumberFilter implements TokenFilter {
  readonly attribute = 'keyword'

  filter(tokens: TokenBuffer): void {
    const { terms, keywords, positionIncrements, positionLengths, startOffsets, endOffsets } = tokens
    const count = tokens.length
    let numeral = ''
    let fallThrough = 0
    let to = 0
    // A token read past the end of a number is passed on as it is.
    let passOn = -1
    for (let i = 0; i < count; i++) {
      const term = terms[i]!
      if (i === passOn) tokens.move(i, to++)
      else if (keywords[i]) tokens.move(i, to++)
      else if (fallThrough > 0) {
        fallThrough--
        tokens.move(i, to++)
      } else if (positionIncrements[i] === 0) {
        fallThrough = positionLengths[i]! - 1
        tokens.move(i, to++)
      } else if (!isKoreanNumeral(term)) tokens.move(i, to++)
      else {
        const start = startOffsets[i]!
        let end = i
        let next = i
        do {
          end = next
          numeral += terms[end]!
          next = end + 1
        } while (next < count && positionIncrements[next] !== 0 && belongsToNumber(terms[next]!))
        if (next < count && positionIncrements[next] === 0) {
          numeral = numeral.slice(0, numeral.length - terms[end]!.length)
          fallThrough = positionLengths[next]! - 1
          tokens.move(i, to++)
        } else {
          const endOffset = endOffsets[end]!
          tokens.move(Math.min(next, count - 1), to)
          terms[to] = normalizeKoreanNumber(numeral)
          startOffsets[to] = start
          endOffsets[to] = endOffset
          to++
          numeral = ''
        }
        passOn = next
        i = next - 1
      }
    }
    tokens.length = to
  }
}

function belongsToNumber(term: string): boolean {
  return isKoreanNumeral(term) || isNumeralPunctuation(term)
}
