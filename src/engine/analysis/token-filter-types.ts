import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { parseJavaInteger } from '../java/java-number.ts'
import type { TokenFilter } from './analyzer.ts'
import { luceneGeneration } from './automaton/lucene-generation.ts'
import type { FlatAnalysisSettings } from './component-settings.ts'
import type { FactoryContext, TokenFilterFactory } from './factories.ts'
import { JavaPattern } from './java-pattern.ts'
import { koreanTokenFilterFactories } from './korean/korean-analysis.ts'
import { normalizeArabic, normalizePersian } from './normalization/arabic.ts'
import { normalizeBengali } from './normalization/bengali.ts'
import { normalizeCjkWidth } from './normalization/cjk-width.ts'
import { normalizeDecimalDigits } from './normalization/decimal-digits.ts'
import { normalizeGerman } from './normalization/german.ts'
import { normalizeHindi } from './normalization/hindi.ts'
import { normalizeIndic } from './normalization/indic.ts'
import { foldScandinavian, normalizeScandinavian } from './normalization/scandinavian.ts'
import { normalizeSerbian } from './normalization/serbian.ts'
import { normalizeSorani } from './normalization/sorani.ts'
import { stemmerFilters } from './stemmers/stemmer-filters.ts'
import { cutApostrophe } from './token-filters/apostrophe.ts'
import { asciiFoldingFilter } from './token-filters/ascii-folding-filter.ts'
import { BIGRAM_SCRIPTS, cjkBigramFilter } from './token-filters/cjk-bigram-filter.ts'
import { classicFilter } from './token-filters/classic-filter.ts'
import { commonGramsFilter, commonGramsQueryFilter } from './token-filters/common-grams-filter.ts'
import { type CompoundOptions, dictionaryCompoundFilter } from './token-filters/compound-filter.ts'
import { concatenateGraphFilter } from './token-filters/concatenate-graph-filter.ts'
import { delimitedTermFreq } from './token-filters/delimited-term-freq-filter.ts'
import { DroppingFilter } from './token-filters/dropping-filter.ts'
import { elisionFilter } from './token-filters/elision-filter.ts'
import { fingerprintFilter } from './token-filters/fingerprint-filter.ts'
import { flattenGraphFilter } from './token-filters/flatten-graph-filter.ts'
import { hyphenationCompoundFilter } from './token-filters/hyphenation-compound-filter.ts'
import { HyphenationPatterns } from './token-filters/hyphenation-patterns.ts'
import { KeywordMarkerFilter } from './token-filters/keyword-marker-filter.ts'
import { KeywordRepeatFilter } from './token-filters/keyword-repeat-filter.ts'
import { limitFilter } from './token-filters/limit-filter.ts'
import { makeLowercase } from './token-filters/lowercase-filter.ts'
import { minHashFilter } from './token-filters/min-hash-filter.ts'
import { makeMultiplexer } from './token-filters/multiplexer-filter.ts'
import { makeEdgeNGrams, makeNGrams } from './token-filters/ngram-filter.ts'
import { notForSynonyms } from './token-filters/not-for-synonyms.ts'
import { patternCaptureFilter } from './token-filters/pattern-capture-filter.ts'
import { delimitedPayloadFilter, PAYLOAD_ENCODERS, typeAsPayloadFilter } from './token-filters/payload-filters.ts'
import { makeCondition, makePredicate } from './token-filters/script-filters.ts'
import { makeShingles } from './token-filters/shingle-filter.ts'
import { makeStop } from './token-filters/stop-filter.ts'
import { makeSynonyms } from './token-filters/synonym-factory.ts'
import { StemFilter, TermMappingFilter } from './token-filters/term-mapping-filter.ts'
import { uniqueFilter } from './token-filters/unique-filter.ts'
import { wordDelimiterFilter } from './token-filters/word-delimiter-filter.ts'
import { wordDelimiterGraphFilter } from './token-filters/word-delimiter-graph-filter.ts'
import { readWordDelimiterOptions, type WordDelimiterOptions } from './token-filters/word-delimiter-options.ts'
import { trimWhitespace } from './unicode/java-character.ts'
import { upperCase } from './unicode/lower-case.ts'
import { refuseWhenUsed } from './unusable.ts'
import { readNamedWords, readWordSet, readWords, wordTest } from './word-lists.ts'

const mapping =
  (map: (term: string) => string): TokenFilterFactory =>
  () =>
    new TermMappingFilter(map)

/** As {@link mapping}, for what leaves protected words alone. */
const mappingUnprotected =
  (map: (term: string) => string): TokenFilterFactory =>
  () =>
    new StemFilter(map)

/** A filter that new indices of later versions cannot have. */
const onlyInSix =
  (make: TokenFilterFactory, reason: string): TokenFilterFactory =>
  (context) => {
    if (context.engineVersion === 'Elasticsearch_6.8' || context.isStored) return make(context)
    throw illegalArgument(reason)
  }

const asciifolding: TokenFilterFactory = ({ settings }) =>
  asciiFoldingFilter(settings.boolean('preserve_original', false))

const commonGrams: TokenFilterFactory = (context) => {
  const { settings, configDir, engineVersion, name } = context
  const ignoreCase = settings.boolean('ignore_case', false)
  const isForQueries = settings.boolean('query_mode', false)
  if (settings.list('common_words') === undefined && settings.fileLines('common_words', configDir) === undefined) {
    throw illegalArgument(
      'missing or empty [common_words] or [common_words_path] configuration for common_grams token filter',
    )
  }
  const isCommon = wordTest(readNamedWords(context, 'common_words', []), ignoreCase)
  const filter = isForQueries ? commonGramsQueryFilter(isCommon) : commonGramsFilter(isCommon)
  return notForSynonyms(filter, name, engineVersion)
}

const concatenateGraph: TokenFilterFactory = ({ settings }) => {
  const separator = settings.text('token_separator', ' ')
  if (separator.length > 1) throw illegalArgument('token_separator must be either empty or a single character')
  const maxExpansions = settings.integer('max_graph_expansions', 10_000)
  const preservesIncrements = settings.boolean('preserve_position_increments', false)
  return refuseWhenUsed(() => {
    if (maxExpansions < 1 && maxExpansions !== -1)
      throw illegalArgument(`limit must be -1 (which means no limit), or > 0; got: ${maxExpansions}`)
    return concatenateGraphFilter({ separator, preservesIncrements, maxExpansions })
  })
}

const cjkBigram: TokenFilterFactory = ({ settings, name, engineVersion }) => {
  const ignored = settings.list('ignored_scripts') ?? []
  const types = Object.entries(BIGRAM_SCRIPTS).flatMap(([script, type]) => (ignored.includes(script) ? [] : [type]))
  const unigrams = settings.boolean('output_unigrams', false)
  const filter = cjkBigramFilter(new Set(types), unigrams)
  return unigrams ? notForSynonyms(filter, name, engineVersion) : filter
}

const keep: TokenFilterFactory = (context) => {
  const { settings } = context
  const given = [settings.list('keep_words') !== undefined, settings.text('keep_words_path') !== undefined]
  if (given[0] === given[1])
    throw illegalArgument('keep requires either `keep_words` or `keep_words_path` to be configured')
  refuseOldSetting(context, 'enable_position_increments')
  const isKept = readWordSet(context, 'keep_words') ?? (() => false)
  return new DroppingFilter((tokens, i) => isKept(tokens.terms[i] as string))
}

const keepTypes: TokenFilterFactory = ({ settings }) => {
  const types = settings.list('types')
  if (types === undefined) throw illegalArgument('keep_types requires `types` to be configured')
  const mode = settings.text('mode', 'include')
  if (!/^(?:include|exclude)$/i.test(mode)) {
    throw illegalArgument(`\`keep_types\` tokenfilter mode can only be [include] or [exclude] but was [${mode}].`)
  }
  const set = new Set(types)
  const include = mode.toLowerCase() === 'include'
  return new DroppingFilter((tokens, i) => set.has(tokens.types[i] as string) === include)
}

const length: TokenFilterFactory = (context) => {
  const min = context.settings.integer('min', 0)
  const max = context.settings.integer('max', 0x7fffffff)
  refuseOldSetting(context, 'enable_position_increments')
  return refuseWhenUsed(() => {
    if (min < 0) throw illegalArgument('minimum length must be greater than or equal to zero')
    // The real server's words, though they mean the reverse.
    if (min > max) throw illegalArgument('maximum length must not be greater than minimum length')
    return new DroppingFilter((tokens, i) => {
      const size = (tokens.terms[i] as string).length
      return size >= min && size <= max
    })
  })
}

const keywordMarker: TokenFilterFactory = (context) => {
  const { settings } = context
  const ignoreCase = settings.boolean('ignore_case', false)
  const pattern = settings.text('keywords_pattern')
  if (pattern !== undefined) {
    if (settings.has('keywords') || settings.has('keywords_path'))
      throw illegalArgument('cannot specify both `keywords_pattern` and `keywords` or `keywords_path`')
    const compiled = new JavaPattern(pattern)
    return new KeywordMarkerFilter((term) => compiled.wholeMatch(term) !== undefined)
  }
  const words = readWords(context, 'keywords')
  if (words === undefined) {
    throw illegalArgument(
      'keyword filter requires either `keywords`, `keywords_path`, or `keywords_pattern` to be configured',
    )
  }
  return new KeywordMarkerFilter(wordTest(words, ignoreCase))
}

const fingerprint: TokenFilterFactory = ({ settings, name, engineVersion }) =>
  notForSynonyms(
    fingerprintFilter(readSeparator(settings.text('separator')), settings.integer('max_output_size', 255)),
    name,
    engineVersion,
  )

/** Reads a fingerprint's separator. @throws {ServiceError} illegal_argument_exception unless it is one character */
export function readSeparator(separator: string | undefined): string {
  if (separator === undefined) return ' '
  if (separator.length === 1) return separator
  throw illegalArgument(`Setting [separator] must be a single, non-null character. [${separator}] was provided.`)
}

function readCompoundOptions(context: FactoryContext): CompoundOptions {
  const { settings, name } = context
  const options = {
    minWordSize: settings.integer('min_word_size', 5),
    minSubwordSize: settings.integer('min_subword_size', 2),
    maxSubwordSize: settings.integer('max_subword_size', 15),
    onlyLongestMatch: settings.boolean('only_longest_match', false),
  }
  const words = readWords(context, 'word_list')
  if (words === undefined)
    throw illegalArgument(`word_list must be provided for [${name}], either as a path to a file, or directly`)
  for (const [label, size] of [
    ['minWordSize', options.minWordSize],
    ['minSubwordSize', options.minSubwordSize],
    ['maxSubwordSize', options.maxSubwordSize],
  ] as const) {
    if (size < 0) throw illegalArgument(`${label} cannot be negative`)
  }
  // What is longer than all words, and by more than the letter that may join them, is none: looking for that may take hours.
  const longest = words.reduce((most, { length }) => Math.max(most, length), 0) + 1
  return {
    ...options,
    maxSubwordSize: Math.min(options.maxSubwordSize, longest),
    isWord: wordTest(words, settings.boolean('word_list_case', false)),
  }
}

const dictionaryDecompounder: TokenFilterFactory = (context) => dictionaryCompoundFilter(readCompoundOptions(context))

const hyphenationDecompounder: TokenFilterFactory = (context) => {
  const { settings, configDir, engineVersion } = context
  const options = readCompoundOptions(context)
  const xml = settings.fileText('hyphenation_patterns_path', configDir)
  if (xml === undefined) throw illegalArgument('hyphenation_patterns_path is a required setting.')
  const isLucene9 = luceneGeneration(engineVersion) >= 9
  const flag = (name: string): boolean => isLucene9 && settings.boolean(name, false)
  return hyphenationCompoundFilter(
    {
      ...options,
      patterns: new HyphenationPatterns(xml),
      noSubMatches: flag('no_sub_matches'),
      noOverlappingMatches: flag('no_overlapping_matches'),
    },
    isLucene9,
  )
}

const patternCapture: TokenFilterFactory = ({ settings, name }) => {
  const patterns = settings.list('patterns', { whole: true })
  if (patterns === undefined) throw illegalArgument(`required setting 'patterns' is missing for token filter [${name}]`)
  const compiled = patterns.map((pattern) => new JavaPattern(pattern))
  return patternCaptureFilter(compiled, settings.boolean('preserve_original', true))
}

const patternReplace: TokenFilterFactory = ({ settings, name }) => {
  const pattern = settings.text('pattern')
  if (pattern === undefined)
    throw illegalArgument(`pattern is missing for [${name}] token filter of type 'pattern_replace'`)
  const compiled = new JavaPattern(pattern, settings.text('flags', ''))
  const replacement = compiled.replacement(settings.text('replacement', ''))
  const all = settings.boolean('all', true)
  return new TermMappingFilter((term) => compiled.replace(term, replacement, all))
}

const elision: TokenFilterFactory = (context) => {
  const { settings, configDir } = context
  const ignoresCase = settings.boolean('articles_case', false)
  // Those in the settings count, even none, before those of a file.
  const given = settings.has('articles') ? (settings.list('articles') ?? []) : settings.fileLines('articles', configDir)
  if (given !== undefined) return elisionFilter(wordTest(given, ignoresCase))
  // Without articles the real server fails, from 7.0 on when it is made, before at the first apostrophe.
  if (context.engineVersion !== 'Elasticsearch_6.8')
    throw illegalArgument('elision filter requires [articles] or [articles_path] setting')
  return elisionFilter(() => {
    throw new ServiceError('null_pointer_exception', 'elision filter requires [articles] or [articles_path] setting')
  })
}

const delimitedPayload: TokenFilterFactory = ({ settings }) => {
  const encoding = settings.text('encoding', 'float')
  const delimiter = settings.text('delimiter', '|')
  if (delimiter === '') throw new ServiceError('string_index_out_of_bounds_exception', 'String index out of range: 0')
  const encoder = Object.hasOwn(PAYLOAD_ENCODERS, encoding) ? PAYLOAD_ENCODERS[encoding] : undefined
  return delimitedPayloadFilter(
    delimiter.slice(0, 1),
    encoder ?? (PAYLOAD_ENCODERS['float'] as (text: string) => Uint8Array),
  )
}

const minHash: TokenFilterFactory = ({ settings }) => {
  // Lucene reads these by itself.
  const integer = (name: string, fallback: number): number => {
    const text = settings.text(name)
    if (text === undefined) return fallback
    const number = parseJavaInteger(text, 32)
    if (number === undefined) throw new ServiceError('number_format_exception', `For input string: "${text}"`)
    return Number(number)
  }
  const hashCount = integer('hash_count', 1)
  const bucketCount = integer('bucket_count', 512)
  const hashSetSize = integer('hash_set_size', 1)
  const rotation = settings.text('with_rotation')
  const withRotation = rotation === undefined ? bucketCount > 1 : rotation.toLowerCase() === 'true'
  const options = { hashCount, bucketCount, hashSetSize, withRotation }
  return refuseWhenUsed(() => minHashFilter(options))
}

const hunspell: TokenFilterFactory = ({ settings, engineVersion }) => {
  const locale = settings.text('locale') ?? settings.text('language') ?? settings.text('lang')
  if (locale === undefined)
    throw illegalArgument('missing [locale | language | lang] configuration for hunspell token filter')
  const reason = `ailed to load hunspell dictionary for locale: ${locale}`
  if (engineVersion === 'OpenSearch_2.19') throw new ServiceError('illegal_state_exception', `F${reason}`)
  throw new ServiceError('illegal_state_exception', `f${reason}`, {
    cause: new ServiceError('exception', `Could not find hunspell dictionary [${locale}]`),
  })
}

const wordDelimiter =
  (make: (options: WordDelimiterOptions) => TokenFilter, isGraph: boolean): TokenFilterFactory =>
  (context) =>
    notForSynonyms(make(readWordDelimiterOptions(context, isGraph)), context.name, context.engineVersion)

function refuseOldSetting(context: FactoryContext, setting: string): void {
  if (context.settings.has(setting))
    throw illegalArgument(`${setting} is not supported anymore. Please fix your analysis chain`)
}

/** Token filters by their type in the settings; each also stands ready under its own name where it needs no settings. */
export const TOKEN_FILTER_TYPES: Readonly<Record<string, TokenFilterFactory>> = {
  apostrophe: mapping(cutApostrophe),
  arabic_normalization: mapping(normalizeArabic),
  asciifolding,
  bengali_normalization: mappingUnprotected(normalizeBengali),
  cjk_bigram: cjkBigram,
  cjk_width: mapping(normalizeCjkWidth),
  classic: classicFilter,
  common_grams: commonGrams,
  concatenate_graph: concatenateGraph,
  condition: makeCondition,
  decimal_digit: mapping(normalizeDecimalDigits),
  delimited_payload: delimitedPayload,
  delimited_payload_filter: onlyInSix(
    delimitedPayload,
    '[delimited_payload_filter] is not supported for new indices, use [delimited_payload] instead',
  ),
  delimited_term_freq: delimitedTermFreq,
  dictionary_decompounder: dictionaryDecompounder,
  edge_ngram: makeEdgeNGrams,
  edgeNGram: makeEdgeNGrams,
  elision,
  fingerprint,
  flatten_graph: flattenGraphFilter,
  german_normalization: mapping(normalizeGerman),
  hindi_normalization: mappingUnprotected(normalizeHindi),
  hunspell,
  hyphenation_decompounder: hyphenationDecompounder,
  indic_normalization: mapping(normalizeIndic),
  keep,
  keep_types: keepTypes,
  keyword_marker: keywordMarker,
  keyword_repeat: ({ name, engineVersion }) => notForSynonyms(new KeywordRepeatFilter(), name, engineVersion),
  length,
  limit: ({ settings }) => {
    const count = settings.integer('max_token_count', 1)
    const consumesAll = settings.boolean('consume_all_tokens', false)
    return refuseWhenUsed(() => limitFilter(count, consumesAll))
  },
  lowercase: makeLowercase,
  min_hash: minHash,
  multiplexer: makeMultiplexer,
  ngram: makeNGrams,
  nGram: makeNGrams,
  pattern_capture: patternCapture,
  pattern_replace: patternReplace,
  persian_normalization: mapping(normalizePersian),
  predicate_token_filter: makePredicate,
  remove_duplicates: () => uniqueFilter(true),
  reverse: mapping((term) => Array.from(term).reverse().join('')),
  scandinavian_folding: mapping(foldScandinavian),
  scandinavian_normalization: mapping(normalizeScandinavian),
  serbian_normalization: mapping(normalizeSerbian),
  shingle: makeShingles,
  sorani_normalization: mapping(normalizeSorani),
  standard: onlyInSix(() => ({ filter: () => {} }), 'The [standard] token filter has been removed.'),
  stop: makeStop,
  synonym: makeSynonyms('synonym'),
  synonym_graph: makeSynonyms('synonym_graph'),
  trim: (context) => {
    refuseOldSetting(context, 'update_offsets')
    return new TermMappingFilter(trimWhitespace)
  },
  truncate: ({ settings }) => {
    const size = settings.integer('length', -1)
    if (size <= 0) throw illegalArgument('length parameter must be provided')
    return new StemFilter((term) => term.slice(0, size))
  },
  type_as_payload: typeAsPayloadFilter,
  unique: ({ settings }) => uniqueFilter(settings.boolean('only_on_same_position', false)),
  uppercase: mapping(upperCase),
  word_delimiter: wordDelimiter(wordDelimiterFilter, false),
  word_delimiter_graph: wordDelimiter(wordDelimiterGraphFilter, true),
  ...stemmerFilters,
  ...koreanTokenFilterFactories,
}

/** Types that only stand ready under their own name; the settings cannot name them as a type. */
export const READY_TOKEN_FILTERS: ReadonlySet<string> = new Set(['keyword_repeat', 'type_as_payload'])

/** Filters that cannot stand ready under their own name: they need settings. */
export const TOKEN_FILTERS_WITH_SETTINGS: ReadonlySet<string> = new Set([
  'common_grams',
  'condition',
  'dictionary_decompounder',
  'hunspell',
  'hyphenation_decompounder',
  'keep',
  'keep_types',
  'keyword_marker',
  'pattern_capture',
  'pattern_replace',
  'predicate_token_filter',
  'stemmer_override',
  'synonym',
  'synonym_graph',
  'truncate',
])

/** Settings of the built-ins that stand ready with others than their type's defaults, or though their type needs settings. */
export const TOKEN_FILTER_PRESETS: Readonly<Record<string, FlatAnalysisSettings>> = {
  common_grams: { common_words: [] },
  edge_ngram: { max_gram: '1' },
  edgeNGram: { max_gram: '1' },
  elision: {
    articles: ['l', 'm', 't', 'qu', 'n', 's', 'j', 'd', 'c', 'jusqu', 'quoiqu', 'lorsqu', 'puisqu'],
    articles_case: 'true',
  },
  truncate: { length: '10' },
}
