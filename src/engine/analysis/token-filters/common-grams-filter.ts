import type { TokenFilter } from '../analyzer.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import { RewritingFilter } from './rewriting-filter.ts'

const GRAM = 'gram'

/** Adds pairs of neighbours of which at least one is a common word (`the_quick`). @source Lucene, CommonGramsFilter */
export function commonGramsFilter(isCommon: (term: string) => boolean): TokenFilter {
  return new RewritingFilter((tokens, out) => {
    let lastWasCommon = false
    for (let i = 0; i < tokens.length; i++) {
      const term = tokens.terms[i] as string
      const common = isCommon(term)
      if (i > 0 && (lastWasCommon || common)) {
        const gram = `${tokens.terms[i - 1]}_${term}`
        out.push(gram, tokens.startOffsets[i - 1] as number, tokens.endOffsets[i] as number, GRAM, 0)
        out.positionLengths[out.length - 1] = 2
      }
      out.append(tokens, i)
      lastWasCommon = common
    }
  })
}

/** What {@link commonGramsFilter} gives, without the single words that are part of a pair. @source Lucene, CommonGramsQueryFilter */
export function commonGramsQueryFilter(isCommon: (term: string) => boolean): TokenFilter {
  const grams = commonGramsFilter(isCommon)
  const query = new RewritingFilter((tokens, out) => {
    for (let i = 0; i < tokens.length; i++) {
      const isGram = tokens.types[i] === GRAM
      if (i + 1 < tokens.length ? !isGram && tokens.types[i + 1] === GRAM : !isGram && tokens.types[i - 1] === GRAM)
        continue
      out.append(tokens, i)
      if (!isGram) continue
      out.positionIncrements[out.length - 1] = 1
      out.positionLengths[out.length - 1] = 1
    }
  })
  return {
    filter(tokens: TokenBuffer) {
      grams.filter(tokens)
      query.filter(tokens)
    },
  }
}
