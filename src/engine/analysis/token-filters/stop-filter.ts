import { ServiceError } from '../../../errors.ts'
import type { TokenFilter } from '../analyzer.ts'
import type { TokenFilterFactory } from '../factories.ts'
import { stopWordsNamed } from '../stop-words.ts'
import { readNamedWords, type WordTest, wordTest } from '../word-lists.ts'
import { DroppingFilter } from './dropping-filter.ts'

/** Drops stop words. */
export function stopFilter(isStopWord: WordTest): TokenFilter {
  return new DroppingFilter((tokens, i) => !isStopWord(tokens.terms[i] as string))
}

/** Makes a `stop` filter. */
export const makeStop: TokenFilterFactory = (context) => {
  const { settings } = context
  const removesTrailing = settings.boolean('remove_trailing', true)
  const ignoresCase = settings.boolean('ignore_case', false)
  const words = readNamedWords(context, 'stopwords', stopWordsNamed('_english_', context.engineVersion) ?? [])
  if (settings.has('enable_position_increments')) {
    throw new ServiceError(
      'illegal_argument_exception',
      'enable_position_increments is not supported anymore. Please fix your analysis chain',
    )
  }
  // The words that stand in for none are tested by the letter, whatever the settings say.
  const isGiven = settings.has('stopwords') || settings.has('stopwords_path')
  const isStopWord = wordTest(words, ignoresCase && isGiven)
  if (removesTrailing) return stopFilter(isStopWord)
  // Someone still types the last word: unless something follows, it is not known to be a whole one.
  return {
    filter(tokens) {
      const last = tokens.length - 1
      const typing = last >= 0 && tokens.endOffsets[last] === tokens.finalOffset
      if (typing) tokens.keywords[last] = true
      const { trailingPositionIncrement } = tokens
      new DroppingFilter((t, i) => (typing && i === last) || !isStopWord(t.terms[i] as string)).filter(tokens)
      tokens.trailingPositionIncrement = trailingPositionIncrement
    },
  }
}
