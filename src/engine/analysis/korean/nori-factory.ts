import { ServiceError } from '../../../errors.ts'
import type { EngineVersion } from '../../engine-version.ts'
import type { Analyzer, TokenFilter, Tokenizer } from '../analyzer.ts'
import { ChainAnalyzer } from '../chain-analyzer.ts'
import type { FactoryContext } from '../factories.ts'
import { LOWERCASE } from '../token-filters/lowercase-filter.ts'
import { readWords } from '../word-lists.ts'
import { koreanDictionaryFor } from './dictionaries.ts'
import { NORI_TAGS } from './korean-attributes.ts'
import { checkOptions, configLines } from './korean-settings.ts'
import { DEFAULT_STOP_TAGS, partOfSpeechStopFilter, readingFormFilter } from './nori-filters.ts'
import type { NoriRules } from './nori-lattice.ts'
import { type DecompoundMode, NoriTokenizer } from './nori-tokenizer.ts'
import { readNoriUserDictionary } from './nori-user-dictionary.ts'
import { UserLexicon } from './user-lexicon.ts'

/** What nori does by engine version: Lucene 7.7, 8.7 and 9.12. */
const RULES: Record<EngineVersion, NoriRules> = {
  'Elasticsearch_6.8': { everyUserWord: true, digitsApart: false, skipsSpaceRuns: true },
  'Elasticsearch_7.10': { everyUserWord: false, digitsApart: true, skipsSpaceRuns: true },
  'OpenSearch_2.19': { everyUserWord: false, digitsApart: true, skipsSpaceRuns: false },
}

const DICTIONARY_OPTIONS = ['decompound_mode', 'user_dictionary', 'user_dictionary_rules']
const STOP_TAG_OPTIONS = ['stoptags', 'stoptags_path']

/**
 * Makes a `nori_tokenizer` from its settings.
 *
 * @throws {ServiceError} illegal_argument_exception that names an unknown option, mode or a bad user rule
 */
export function makeNoriTokenizer(context: FactoryContext): Tokenizer {
  checkOptions(context, 'nori_tokenizer', [...DICTIONARY_OPTIONS, 'discard_punctuation'])
  return noriTokenizer(context, () => context.settings.boolean('discard_punctuation', true))
}

/** Makes a `nori` analyzer: the tokenizer, then stop tags, reading forms and lower case. */
export function makeNoriAnalyzer(context: FactoryContext): Analyzer {
  checkOptions(context, 'nori', [...DICTIONARY_OPTIONS, ...STOP_TAG_OPTIONS])
  return new ChainAnalyzer(context.name, {
    charFilters: [],
    tokenizer: noriTokenizer(context, () => true),
    tokenFilters: [stopFilter(context), readingFormFilter, LOWERCASE],
  })
}

/** Makes a `nori_part_of_speech` filter. @throws {ServiceError} illegal_argument_exception that names an unknown tag */
export function makePartOfSpeechFilter(context: FactoryContext): TokenFilter {
  checkOptions(context, 'nori_part_of_speech', STOP_TAG_OPTIONS)
  return stopFilter(context)
}

function stopFilter(context: FactoryContext): TokenFilter {
  const tags = readWords(context, 'stoptags') ?? DEFAULT_STOP_TAGS
  return partOfSpeechStopFilter(
    tags.map((given) => {
      const tag = given.toUpperCase()
      if (NORI_TAGS.includes(tag)) return tag
      throw new ServiceError(
        'illegal_argument_exception',
        `No enum constant org.apache.lucene.analysis.ko.POS.Tag.${tag}`,
      )
    }),
  )
}

/** @param discards  asked last, since the real server reads settings in that order */
function noriTokenizer(context: FactoryContext, discards: () => boolean): Tokenizer {
  const { settings, engineVersion } = context
  const decompoundMode = toMode(settings.text('decompound_mode', 'discard'))
  if (settings.has('user_dictionary') && settings.has('user_dictionary_rules')) {
    throw new ServiceError(
      'illegal_argument_exception',
      'It is not allowed to use [user_dictionary] in conjunction with [user_dictionary_rules]',
    )
  }
  const lines = configLines(context, 'user_dictionary') ?? settings.list('user_dictionary_rules') ?? []
  const dictionary = koreanDictionaryFor('nori')
  const words = readNoriUserDictionary(lines, dictionary)
  return new NoriTokenizer({
    dictionary,
    user: words.length === 0 ? undefined : new UserLexicon(words, dictionary),
    rules: RULES[engineVersion],
    decompoundMode,
    discardPunctuation: discards(),
  })
}

function toMode(given: string): DecompoundMode {
  const mode = given.toLowerCase()
  if (mode === 'none' || mode === 'discard' || mode === 'mixed') return mode
  throw new ServiceError(
    'illegal_argument_exception',
    `No enum constant org.apache.lucene.analysis.ko.KoreanTokenizer.DecompoundMode.${given.toUpperCase()}`,
  )
}
