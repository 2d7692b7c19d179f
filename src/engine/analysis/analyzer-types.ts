import { ServiceError } from '../../errors.ts'
import type { TokenFilter, Tokenizer } from './analyzer.ts'
import { ChainAnalyzer } from './chain-analyzer.ts'
import type { AnalyzerFactory, FactoryContext } from './factories.ts'
import { JavaPattern } from './java-pattern.ts'
import { koreanAnalyzers } from './korean/korean-analysis.ts'
import { languageAnalyzers, normalizing } from './language-analyzers.ts'
import { cachedStemmer } from './stemmers/cached-stemmer.ts'
import { possessiveFilter, snowballStemmer } from './stemmers/stemmer-filters.ts'
import { stopWordsNamed } from './stop-words.ts'
import { readSeparator } from './token-filter-types.ts'
import { foldToAscii } from './token-filters/ascii-folding-filter.ts'
import { classicFilter } from './token-filters/classic-filter.ts'
import { fingerprintFilter } from './token-filters/fingerprint-filter.ts'
import { LOWERCASE, turkishLowerCase } from './token-filters/lowercase-filter.ts'
import { stopFilter } from './token-filters/stop-filter.ts'
import { StemFilter, TermMappingFilter } from './token-filters/term-mapping-filter.ts'
import { checkTokenLength } from './tokenizer-types.ts'
import { CharClassTokenizer, KeywordTokenizer } from './tokenizers/char-class-tokenizers.ts'
import { ClassicTokenizer } from './tokenizers/classic-tokenizer.ts'
import { PatternTokenizer } from './tokenizers/pattern-tokenizer.ts'
import { StandardTokenizer } from './tokenizers/standard-tokenizer.ts'
import { isLetter, isWhitespace } from './unicode/java-character.ts'
import { unicodeVersion } from './unicode/word-break.ts'
import { refuseWhenUsed } from './unusable.ts'
import { readNamedWords, wordTest } from './word-lists.ts'

const lower = LOWERCASE
/** An analyzer of a type. @param lowered  whether beginnings of words are lower-cased too, as its whole words are */
const chain = (
  name: string,
  lowered: 'lowered' | 'as they are',
  tokenizer: Tokenizer,
  ...tokenFilters: readonly TokenFilter[]
): ChainAnalyzer => {
  const normalizer = normalizing(name, lowered === 'lowered' ? [lower] : [])
  return new ChainAnalyzer(name, { charFilters: [], tokenizer, tokenFilters, normalizer })
}

const SNOWBALL_STOP_WORDS: Readonly<Record<string, string>> = {
  English: '_english_',
  Dutch: '_dutch_',
  German: '_german_',
  German2: '_german_',
  French: '_french_',
}

const stops = (context: FactoryContext, fallback: string) => {
  const words = readNamedWords(context, 'stopwords', stopWordsNamed(fallback, context.engineVersion) ?? [])
  return words.length === 0 ? [] : [stopFilter(wordTest(words, context.settings.boolean('stopwords_case', false)))]
}

const standardTokenizer = ({ engineVersion }: FactoryContext, maxTokenLength?: number): StandardTokenizer =>
  new StandardTokenizer(unicodeVersion(engineVersion), maxTokenLength)

/** The standard tokenizer with the settings' `max_token_length`. */
const standardOfLength = (context: FactoryContext) => {
  const length = context.settings.integer('max_token_length', 255)
  return refuseWhenUsed(() => standardTokenizer(context, checkTokenLength(length)))
}

const unsupported =
  (type: string): AnalyzerFactory =>
  () => {
    throw new ServiceError('illegal_argument_exception', `analyzer type [${type}] is not supported`)
  }

/** Analyzers by their type in the settings (beside `custom`); each also stands ready under its own name. */
export const ANALYZER_TYPES: Readonly<Record<string, AnalyzerFactory>> = {
  standard: (c) => chain(c.name, 'lowered', standardOfLength(c), lower, ...stops(c, '_none_')),
  simple: (c) => chain(c.name, 'lowered', new CharClassTokenizer(isLetter, { lowercase: true })),
  whitespace: (c) => chain(c.name, 'as they are', new CharClassTokenizer((char) => !isWhitespace(char))),
  keyword: (c) => chain(c.name, 'as they are', new KeywordTokenizer()),
  stop: (c) =>
    chain(c.name, 'lowered', new CharClassTokenizer(isLetter, { lowercase: true }), ...stops(c, '_english_')),
  pattern: (c) =>
    chain(
      c.name,
      c.settings.boolean('lowercase', true) ? 'lowered' : 'as they are',
      new PatternTokenizer(new JavaPattern(c.settings.text('pattern', '\\W+'), c.settings.text('flags', '')), -1),
      ...(c.settings.boolean('lowercase', true) ? [lower] : []),
      ...stops(c, '_none_'),
    ),
  fingerprint: (c) =>
    chain(
      c.name,
      'as they are',
      standardTokenizer(c),
      lower,
      new TermMappingFilter(foldToAscii),
      ...stops(c, '_none_'),
      fingerprintFilter(readSeparator(c.settings.text('separator')), c.settings.integer('max_output_size', 255)),
    ),
  // Its name promises more than the real server's does.
  standard_html_strip: (c) => {
    if (c.engineVersion !== 'Elasticsearch_6.8' && !c.isStored) {
      throw new ServiceError(
        'illegal_argument_exception',
        '[standard_html_strip] analyzer is not supported for new indices, use a custom analyzer using [standard] tokenizer and [html_strip] char_filter, plus [lowercase] filter',
      )
    }
    return chain(c.name, 'as they are', standardTokenizer(c), lower, ...stops(c, '_none_'))
  },
  snowball: (c) => {
    const language = c.settings.text('language') ?? c.settings.text('name') ?? 'English'
    const stems = refuseWhenUsed(() => new StemFilter(cachedStemmer(snowballStemmer(language, c.engineVersion))))
    return chain(
      c.name,
      'as they are',
      standardTokenizer(c),
      ...(/^(?:English|Porter|Lovins)$/.test(language) ? [possessiveFilter()] : []),
      language === 'Turkish' ? new TermMappingFilter(turkishLowerCase) : lower,
      ...stops(c, SNOWBALL_STOP_WORDS[language] ?? '_none_'),
      stems,
    )
  },
  classic: (c) => chain(c.name, 'lowered', new ClassicTokenizer(255), classicFilter(), lower, ...stops(c, '_english_')),
  chinese: (c) =>
    chain(
      c.name,
      'lowered',
      standardTokenizer(c),
      lower,
      stopFilter(wordTest(stopWordsNamed('_english_', c.engineVersion) ?? [], false)),
    ),
  ...languageAnalyzers,
  thai: unsupported('thai'),
  ...koreanAnalyzers,
}
