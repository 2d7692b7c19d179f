import type { CharFilter, TokenFilter } from './analyzer.ts'
import { ChainAnalyzer } from './chain-analyzer.ts'
import type { AnalyzerFactory, FactoryContext } from './factories.ts'
import { normalizeArabic, normalizePersian } from './normalization/arabic.ts'
import { normalizeBengali } from './normalization/bengali.ts'
import { normalizeCjkWidth } from './normalization/cjk-width.ts'
import { normalizeDecimalDigits } from './normalization/decimal-digits.ts'
import { normalizeGerman } from './normalization/german.ts'
import { normalizeHindi } from './normalization/hindi.ts'
import { normalizeIndic } from './normalization/indic.ts'
import { normalizeSorani } from './normalization/sorani.ts'
import { cachedStemmer } from './stemmers/cached-stemmer.ts'
import { OverrideFilter, possessiveFilter } from './stemmers/stemmer-filters.ts'
import { STEMMERS, type Stemmer, stemmerOf } from './stemmers/stemmer-types.ts'
import { stopWordsNamed } from './stop-words.ts'
import { cutApostrophe } from './token-filters/apostrophe.ts'
import { BIGRAM_SCRIPTS, cjkBigramFilter } from './token-filters/cjk-bigram-filter.ts'
import { elisionFilter } from './token-filters/elision-filter.ts'
import { KeywordMarkerFilter } from './token-filters/keyword-marker-filter.ts'
import { greekLowerCase, irishLowerCase, LOWERCASE, turkishLowerCase } from './token-filters/lowercase-filter.ts'
import { stopFilter } from './token-filters/stop-filter.ts'
import { StemFilter, TermMappingFilter } from './token-filters/term-mapping-filter.ts'
import { KeywordTokenizer } from './tokenizers/char-class-tokenizers.ts'
import { StandardTokenizer } from './tokenizers/standard-tokenizer.ts'
import { unicodeVersion } from './unicode/word-break.ts'
import { readNamedWords, wordTest } from './word-lists.ts'

/** A part of a chain: a filter, or a place for what the settings give: stop words, words that are not stemmed. */
type Part = TokenFilter | WholeWords | Stem | 'stop' | 'exclusions'

/** A filter of whole words: beginnings of words and fuzzy ones do not go through it. */
interface WholeWords {
  readonly ofWholeWords: TokenFilter
}

/** A stemmer by its name, which is not the same one in all versions. */
interface Stem {
  readonly stem: string
}

const map = (change: (term: string) => string): TokenFilter => new TermMappingFilter(change)
const stem = (language: string): Stem => ({ stem: language })
const elision = (articles: string): TokenFilter => elisionFilter(wordTest(articles.split(' '), true))
const whole = (filter: TokenFilter): WholeWords => ({ ofWholeWords: filter })
const DIGITS = map(normalizeDecimalDigits)

/** Dutch words whose stems the analyzer knows better than its stemmer, and the stemmer then leaves alone. */
const DUTCH_STEMS = new OverrideFilter(
  new Map([
    ['fiets', 'fiets'],
    ['bromfiets', 'bromfiets'],
    ['ei', 'eier'],
    ['kind', 'kinder'],
  ]),
)

/** Chains behind the standard tokenizer. @source Lucene 7.7.3, the analyzers of its language packages */
const CHAINS: Readonly<Record<string, () => readonly Part[]>> = {
  arabic: () => [LOWERCASE, DIGITS, 'stop', map(normalizeArabic), 'exclusions', stem('arabic')],
  bengali: () => [LOWERCASE, DIGITS, 'exclusions', map(normalizeIndic), map(normalizeBengali), 'stop', stem('bengali')],
  catalan: () => [elision('d l m n s t'), LOWERCASE, 'stop', 'exclusions', stem('catalan')],
  cjk: () => [
    map(normalizeCjkWidth),
    LOWERCASE,
    whole(cjkBigramFilter(new Set(Object.values(BIGRAM_SCRIPTS)), false)),
    'stop',
  ],
  dutch: () => [LOWERCASE, 'stop', 'exclusions', whole(DUTCH_STEMS), stem('dutch')],
  english: () => [whole(possessiveFilter()), LOWERCASE, 'stop', 'exclusions', stem('porter')],
  french: () => [
    elision('l m t qu n s j d c jusqu quoiqu lorsqu puisqu'),
    LOWERCASE,
    'stop',
    'exclusions',
    stem('light_french'),
  ],
  greek: () => [map(greekLowerCase), 'stop', stem('greek')],
  german: () => [LOWERCASE, 'stop', 'exclusions', map(normalizeGerman), stem('light_german')],
  hindi: () => [LOWERCASE, DIGITS, 'exclusions', map(normalizeIndic), map(normalizeHindi), 'stop', stem('hindi')],
  irish: () => [
    // What mutated words are written with before a hyphen.
    whole(stopFilter(wordTest(['h', 'n', 't'], true))),
    whole(elision('d m b')),
    map(irishLowerCase),
    'stop',
    'exclusions',
    stem('irish'),
  ],
  italian: () => [
    elision('c l all dall dell nell sull coll pell gl agl dagl degl negl sugl un m t s v d'),
    LOWERCASE,
    'stop',
    'exclusions',
    stem('light_italian'),
  ],
  persian: () => [LOWERCASE, DIGITS, map(normalizeArabic), map(normalizePersian), 'stop'],
  portuguese: () => [LOWERCASE, 'stop', 'exclusions', stem('light_portuguese')],
  sorani: () => [map(normalizeSorani), LOWERCASE, DIGITS, 'stop', 'exclusions', stem('sorani')],
  spanish: () => [LOWERCASE, 'stop', 'exclusions', stem('light_spanish')],
  turkish: () => [whole(map(cutApostrophe)), map(turkishLowerCase), 'stop', 'exclusions', stem('turkish')],
}

/** In Persian a non-joiner divides words. */
const PERSIAN_JOINERS: CharFilter = { filter: (text) => ({ text: text.replaceAll('\u200c', ' ') }) }

/** Languages with the plain chain: lower case, stop words, stemmer. */
const PLAIN =
  'armenian basque brazilian bulgarian czech danish estonian finnish galician hungarian indonesian latvian lithuanian norwegian romanian russian swedish'

/** Analyzers of languages by their type in the settings (`stopwords`, `stem_exclusion`); each also stands ready under its name. */
export const languageAnalyzers: Readonly<Record<string, AnalyzerFactory>> = Object.fromEntries(
  [...Object.keys(CHAINS), ...PLAIN.split(' ')].map((language) => {
    const parts = CHAINS[language] ?? (() => [LOWERCASE, 'stop', 'exclusions', stem(language)] as const)
    return [language, (context) => makeAnalyzer(context, `_${language}_`, parts())] as const
  }),
)

function makeAnalyzer(context: FactoryContext, stopWords: string, parts: readonly Part[]): ChainAnalyzer {
  const tokenFilters = parts.flatMap((part): TokenFilter[] => {
    if (part === 'stop') {
      const words = readNamedWords(context, 'stopwords', stopWordsNamed(stopWords, context.engineVersion) ?? [])
      return [stopFilter(wordTest(words, context.settings.boolean('stopwords_case', false)))]
    }
    if (part !== 'exclusions') {
      if (isFilter(part)) return [part]
      if ('ofWholeWords' in part) return [part.ofWholeWords]
      return [new StemFilter(cachedStemmer(stemmerOf(part.stem, STEMMERS, context.engineVersion) as Stemmer))]
    }
    const exclusions = context.settings.list('stem_exclusion') ?? []
    const none = exclusions.length === 0 || context.settings.text('stem_exclusion') === '_none_'
    return none ? [] : [new KeywordMarkerFilter(wordTest(exclusions, false))]
  })
  const charFilters = stopWords === '_persian_' ? [PERSIAN_JOINERS] : []
  const tokenizer = new StandardTokenizer(unicodeVersion(context.engineVersion))
  const normalizer = normalizing(context.name, parts.filter(isFilter))
  return new ChainAnalyzer(context.name, { charFilters, tokenizer, tokenFilters, normalizer })
}

const isFilter = (part: Part): part is TokenFilter => typeof part === 'object' && 'filter' in part

/** What beginnings of words go through: filters that work letter by letter, on the text as a whole. */
export const normalizing = (name: string, tokenFilters: readonly TokenFilter[]): ChainAnalyzer =>
  new ChainAnalyzer(name, { charFilters: [], tokenizer: new KeywordTokenizer(), tokenFilters }, 0)
