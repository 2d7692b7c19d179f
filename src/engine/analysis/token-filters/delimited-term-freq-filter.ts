import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { parseJavaInteger } from '../../java/java-number.ts'
import type { TokenFilter } from '../analyzer.ts'
import type { TokenFilterFactory } from '../factories.ts'
import type { TokenBuffer } from '../token-buffer.ts'

const FREQUENCY = 'org.apache.lucene.analysis.tokenattributes.TermFrequencyAttribute'

/** A frequency that a text gives one of its words: `word|3`. @source Lucene, DelimitedTermFrequencyTokenFilter */
export const delimitedTermFreq: TokenFilterFactory = ({ settings }) => {
  const delimiter = settings.text('delimiter', '|')
  if (delimiter.length !== 1)
    throw illegalArgument(`Setting [delimiter] must be a single, non-null character. [${delimiter}] was provided.`)
  return delimitedTermFreqFilter(delimiter)
}

function delimitedTermFreqFilter(delimiter: string): TokenFilter {
  return {
    attribute: 'termFrequency',
    filter(tokens) {
      for (let i = 0; i < tokens.length; i++) {
        const term = tokens.terms[i] as string
        const at = term.indexOf(delimiter)
        if (at < 0) continue
        const termFrequency = readFrequency(term.slice(at + 1))
        tokens.terms[i] = term.slice(0, at)
        tokens.attributes[i] = { ...tokens.attributes[i], [FREQUENCY]: { termFrequency } }
      }
    },
  }
}

function readFrequency(text: string): number {
  if (text === '') throw new ServiceError('number_format_exception', 'chars length is 0')
  const number = text.startsWith('+') ? undefined : parseJavaInteger(text, 32)
  if (number === undefined) throw new ServiceError('number_format_exception', 'Unable to parse')
  if (number < 1) throw illegalArgument(`Term frequency must be 1 or greater; got ${number}`)
  return Number(number)
}

/** How often a token counts as its word: once, unless its text says otherwise. */
export function termFrequencyOf(tokens: TokenBuffer, index: number): number {
  const given = tokens.attributes[index]?.[FREQUENCY]?.['termFrequency']
  return typeof given === 'number' ? given : 1
}
