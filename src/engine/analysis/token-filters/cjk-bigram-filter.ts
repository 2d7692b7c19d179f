import type { TokenFilter } from '../analyzer.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import { RewritingFilter } from './rewriting-filter.ts'

/** Scripts that make bigrams, by the token type of the standard tokenizer. */
export const BIGRAM_SCRIPTS: Readonly<Record<string, string>> = {
  han: '<IDEOGRAPHIC>',
  hiragana: '<HIRAGANA>',
  katakana: '<KATAKANA>',
  hangul: '<HANGUL>',
}

/**
 * Makes bigrams of the characters of CJK tokens that touch each other; a lone character stays one.
 *
 * @param types  token types that take part
 * @source Lucene, CJKBigramFilter
 */
export function cjkBigramFilter(types: ReadonlySet<string>, outputUnigrams: boolean): TokenFilter {
  return new RewritingFilter((tokens, out) => {
    for (let i = 0; i < tokens.length; ) {
      if (!types.has(tokens.types[i] as string)) {
        out.append(tokens, i++)
        continue
      }
      const run = new CharacterRun()
      run.add(tokens, i++)
      // A run goes on while each token begins where the one before ended.
      while (
        i < tokens.length &&
        types.has(tokens.types[i] as string) &&
        tokens.startOffsets[i] === tokens.endOffsets[i - 1]
      )
        run.add(tokens, i++)
      run.emit(out, outputUnigrams)
    }
  })
}

/** Characters in a row, with where each stands. */
class CharacterRun {
  readonly #characters: string[] = []
  readonly #starts: number[] = []
  readonly #ends: number[] = []

  add(tokens: TokenBuffer, index: number): void {
    const term = tokens.terms[index] as string
    let start = tokens.startOffsets[index] as number
    const end = tokens.endOffsets[index] as number
    // Offsets inside the token are known only while the term is the text it covers.
    const exact = end - start === term.length
    for (const character of term) {
      this.#characters.push(character)
      this.#starts.push(start)
      this.#ends.push(exact ? start + character.length : end)
      if (exact) start += character.length
    }
  }

  emit(out: TokenBuffer, outputUnigrams: boolean): void {
    const characters = this.#characters
    const last = characters.length - 1
    for (let i = 0; i <= last; i++) {
      const start = this.#starts[i] as number
      if (outputUnigrams || last === 0) out.push(characters[i] as string, start, this.#ends[i] as number, '<SINGLE>')
      if (i === last) break
      const bigram = `${characters[i]}${characters[i + 1]}`
      out.push(bigram, start, this.#ends[i + 1] as number, '<DOUBLE>', outputUnigrams ? 0 : 1)
      if (outputUnigrams) out.positionLengths[out.length - 1] = 2
    }
  }
}
