import { ServiceError } from '../../errors.ts'
import type { TokenFilter } from './analyzer.ts'
import type { FlatAnalysisSettings } from './component-settings.ts'
import type { FactoryContext, TokenFilterFactory } from './factories.ts'
import { JavaPattern } from './java-pattern.ts'
import { koreanTokenFilterFactories } from './korean/korean-analysis.ts'
import { STOP_WORDS } from './stop-words.ts'
import type { TokenBuffer } from './token-buffer.ts'
import { foldToAscii } from './token-filters/ascii-folding-filter.ts'
import { DroppingFilter } from './token-filters/dropping-filter.ts'
import { type EmittedToken, ExpandingFilter } from './token-filters/expanding-filter.ts'
import { greekLowerCase, irishLowerCase, LOWERCASE, turkishLowerCase } from './token-filters/lowercase-filter.ts'
import { porterStem } from './token-filters/porter-stemmer.ts'
import { ShingleFilter } from './token-filters/shingle-filter.ts'
import { SynonymFilter } from './token-filters/synonym-filter.ts'
import { StemFilter, TermMappingFilter } from './token-filters/term-mapping-filter.ts'
import { wordDelimiterFilter } from './token-filters/word-delimiter-filter.ts'
import { lowerCase, upperCase } from './unicode/lower-case.ts'

const term = (tokens: TokenBuffer, i: number): string => tokens.terms[i] as string

/** Words of a `stopwords` list: names of sets are replaced by their words. @throws {ServiceError} for an unknown set */
export function readStopWords(
  context: FactoryContext,
  fallback = '_english_',
  listName = 'stopwords',
): readonly string[] {
  const file = context.settings.fileLines(listName, context.configDir)
  const words = file ?? context.settings.list(listName) ?? [fallback]
  return words.flatMap((word) => {
    if (!/^_.+_$/.test(word)) return [word]
    const set = STOP_WORDS[word]
    // A name that is no set is a word like any other, as in the real server.
    return set ?? [word]
  })
}

/** A filter that drops stop words. */
export function stopFilter(words: readonly string[], ignoreCase = false): TokenFilter {
  const set = new Set(ignoreCase ? words.map(lowerCase) : words)
  return new DroppingFilter((tokens, i) => !set.has(ignoreCase ? lowerCase(term(tokens, i)) : term(tokens, i)))
}

const lowercase: TokenFilterFactory = ({ settings }) => {
  const language = settings.text('language')
  switch (language?.toLowerCase()) {
    case undefined:
      return LOWERCASE
    case 'greek':
      return new TermMappingFilter(greekLowerCase)
    case 'turkish':
      return new TermMappingFilter(turkishLowerCase)
    case 'irish':
      return new TermMappingFilter(irishLowerCase)
    default:
      throw new ServiceError('illegal_argument_exception', `language [${language}] not support for lower case`)
  }
}

const STEMMERS: Readonly<Record<string, (word: string) => string>> = {
  english: porterStem,
  porter: porterStem,
  porter2: porterStem,
  possessive_english: (word) => word.replace(/['\u2019\uff07][sS]$/, ''),
  minimal_english: minimalEnglishStem,
}

/** Harman's «S» stemmer. */
function minimalEnglishStem(word: string): string {
  if (word.length < 3 || !word.endsWith('s')) return word
  if (word.endsWith('us') || word.endsWith('ss')) return word
  if (word.endsWith('ies') && word.length > 3 && !/[ae]ies$/.test(word)) return `${word.slice(0, -3)}y`
  if (word.endsWith('es') && /[aeo]es$/.test(word)) return word
  return word.slice(0, -1)
}

const stemmer: TokenFilterFactory = ({ settings, name }) => {
  const language = settings.text('language') ?? settings.text('name') ?? 'porter'
  const stem = STEMMERS[language.toLowerCase()]
  if (stem === undefined)
    throw new ServiceError('illegal_argument_exception', `stemmer [${language}] of [${name}] is not supported`)
  return new StemFilter(stem)
}

const ngrams =
  (edge: boolean): TokenFilterFactory =>
  ({ settings }) => {
    const min = settings.integer('min_gram', 1)
    const max = settings.integer('max_gram', 2)
    const back = edge && settings.text('side') === 'back'
    if (min > max) throw new ServiceError('illegal_argument_exception', 'minGram must not be greater than maxGram')
    return new ExpandingFilter((tokens, i) => {
      const chars = Array.from(term(tokens, i))
      const out: EmittedToken[] = []
      for (let start = 0; start < (edge ? 1 : chars.length); start++) {
        for (let size = min; size <= max && start + size <= chars.length; size++) {
          out.push({ term: (back ? chars.slice(chars.length - size) : chars.slice(start, start + size)).join('') })
        }
      }
      return out
    })
  }

const wordDelimiter: TokenFilterFactory = ({ settings }) =>
  wordDelimiterFilter({
    generateWordParts: settings.boolean('generate_word_parts', true),
    generateNumberParts: settings.boolean('generate_number_parts', true),
    catenateWords: settings.boolean('catenate_words', false),
    catenateNumbers: settings.boolean('catenate_numbers', false),
    catenateAll: settings.boolean('catenate_all', false),
    splitOnCaseChange: settings.boolean('split_on_case_change', true),
    preserveOriginal: settings.boolean('preserve_original', false),
    splitOnNumerics: settings.boolean('split_on_numerics', true),
    stemEnglishPossessive: settings.boolean('stem_english_possessive', true),
    protectedWords: new Set(settings.list('protected_words') ?? []),
  })

const synonym: TokenFilterFactory = ({ settings, configDir, name, analyzers }) => {
  const rules = settings.fileLines('synonyms', configDir) ?? settings.list('synonyms')
  if (rules === undefined) {
    throw new ServiceError(
      'illegal_argument_exception',
      'synonym requires either `synonyms` or `synonyms_path` to be configured',
    )
  }
  if (settings.text('format') === 'wordnet')
    throw new ServiceError(
      'illegal_argument_exception',
      `format [wordnet] of synonym filter [${name}] is not supported`,
    )
  const words = analyzers.analyzer('whitespace')
  const analyze = (text: string) => {
    const tokens = words?.analyze(text)
    return tokens === undefined ? [] : tokens.terms.slice(0, tokens.length)
  }
  return new SynonymFilter(splitRules(rules, settings.fileLines('synonyms', configDir) !== undefined), {
    expand: settings.boolean('expand', true),
    lenient: settings.boolean('lenient', false),
    analyze,
  })
}

/** A list setting may have been cut at the commas of its rules: only whole lists come as arrays. */
function splitRules(rules: readonly string[], _fromFile: boolean): readonly string[] {
  return rules.filter((rule) => rule.trim() !== '' && !rule.startsWith('#'))
}

const keep: TokenFilterFactory = (context) => {
  const words = context.settings.fileLines('keep_words', context.configDir) ?? context.settings.list('keep_words')
  if (words === undefined)
    throw new ServiceError(
      'illegal_argument_exception',
      'keep requires either `keep_words` or `keep_words_path` to be configured',
    )
  const ignoreCase = context.settings.boolean('keep_words_case', false)
  const set = new Set(ignoreCase ? words.map(lowerCase) : words)
  return new DroppingFilter((tokens, i) => set.has(ignoreCase ? lowerCase(term(tokens, i)) : term(tokens, i)))
}

const limit: TokenFilterFactory = ({ settings }) => {
  const max = settings.integer('max_token_count', 1)
  return {
    filter(tokens) {
      tokens.length = Math.min(tokens.length, max)
    },
  }
}

const unique: TokenFilterFactory = ({ settings }) => {
  const samePosition = settings.boolean('only_on_same_position', false)
  return {
    filter(tokens) {
      let seen = new Set<string>()
      new DroppingFilter((t, i) => {
        if (samePosition && (t.positionIncrements[i] as number) > 0) seen = new Set()
        if (seen.has(term(t, i))) return false
        seen.add(term(t, i))
        return true
      }).filter(tokens)
    },
  }
}

const keywordMarker: TokenFilterFactory = (context) => {
  const { settings } = context
  const pattern = settings.text('keywords_pattern')
  const words = settings.fileLines('keywords', context.configDir) ?? settings.list('keywords')
  if (pattern === undefined && words === undefined) {
    throw new ServiceError(
      'illegal_argument_exception',
      'keyword filter requires either `keywords`, `keywords_path`, or `keywords_pattern` to be configured',
    )
  }
  const ignoreCase = settings.boolean('ignore_case', false)
  const set = new Set((words ?? []).map((w) => (ignoreCase ? lowerCase(w) : w)))
  const compiled = pattern === undefined ? undefined : new JavaPattern(pattern)
  return {
    filter(tokens) {
      for (let i = 0; i < tokens.length; i++) {
        const t = term(tokens, i)
        if (compiled === undefined ? set.has(ignoreCase ? lowerCase(t) : t) : compiled.matchesAll(t))
          tokens.keywords[i] = true
      }
    },
  }
}

const stemmerOverride: TokenFilterFactory = (context) => {
  const rules = context.settings.fileLines('rules', context.configDir) ?? context.settings.list('rules')
  if (rules === undefined)
    throw new ServiceError(
      'illegal_argument_exception',
      'stemmer override filter requires either `rules` or `rules_path` to be configured',
    )
  const map = new Map<string, string>()
  for (const rule of rules) {
    const [from, to, ...more] = rule.split('=>').map((s) => s.trim())
    if (!from || !to || more.length > 0)
      throw new ServiceError('illegal_argument_exception', `Invalid Keyword override Rule:${rule}`)
    map.set(from, to)
  }
  return {
    filter(tokens) {
      for (let i = 0; i < tokens.length; i++) {
        const to = map.get(term(tokens, i))
        if (to === undefined || tokens.keywords[i]) continue
        tokens.terms[i] = to
        tokens.keywords[i] = true
      }
    },
  }
}

const patternReplace: TokenFilterFactory = ({ settings }) => {
  const pattern = settings.text('pattern')
  if (pattern === undefined)
    throw new ServiceError(
      'illegal_argument_exception',
      "pattern is missing for [pattern_replace] token filter of type 'pattern_replace'",
    )
  const all = settings.boolean('all', true)
  const compiled = new JavaPattern(pattern, settings.text('flags', ''))
  const replacement = compiled.replacement(settings.text('replacement', ''))
  return new TermMappingFilter((t) => compiled.replace(t, replacement, all))
}

const patternCapture: TokenFilterFactory = ({ settings }) => {
  const patterns = (settings.list('patterns') ?? []).map((p) => new JavaPattern(p))
  const preserve = settings.boolean('preserve_original', true)
  return new ExpandingFilter((tokens, i) => {
    const t = term(tokens, i)
    const out: EmittedToken[] = preserve ? [{ term: t }] : []
    for (const pattern of patterns) {
      for (const match of pattern.matches(t)) {
        for (const group of Object.values(match.groups ?? {}))
          if (group !== undefined && group !== '' && !(preserve && group === t)) out.push({ term: group })
      }
    }
    return out.length === 0 ? [{ term: t }] : out
  })
}

const elision: TokenFilterFactory = (context) => {
  const words = context.settings.fileLines('articles', context.configDir) ?? context.settings.list('articles')
  if (words === undefined)
    throw new ServiceError(
      'illegal_argument_exception',
      'elision filter requires [articles] or [articles_path] setting',
    )
  const ignoreCase = context.settings.boolean('articles_case', false)
  const set = new Set(words.map((w) => (ignoreCase ? lowerCase(w) : w)))
  return elisionFilter(set, ignoreCase)
}

/** Drops an article and its apostrophe: `l'avion` → `avion`. */
export function elisionFilter(articles: ReadonlySet<string>, ignoreCase: boolean): TokenFilter {
  return new TermMappingFilter((t) => {
    const at = t.search(/['\u2019]/)
    if (at < 0) return t
    const article = t.slice(0, at)
    return articles.has(ignoreCase ? lowerCase(article) : article) ? t.slice(at + 1) : t
  })
}

const fingerprint: TokenFilterFactory = ({ settings }) => {
  const separator = settings.text('separator', ' ')
  const max = settings.integer('max_output_size', 255)
  return {
    filter(tokens) {
      if (tokens.length === 0) return
      const joined = [...new Set(tokens.terms.slice(0, tokens.length))].sort().join(separator)
      const { finalOffset } = tokens
      tokens.clear()
      tokens.finalOffset = finalOffset
      if (joined.length <= max) tokens.push(joined, 0, finalOffset, 'fingerprint')
    },
  }
}

const WIDTHS: (t: string) => string = (t) =>
  t
    .replace(/[\uff01-\uff5e]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0))
    .replace(/[\uff65-\uff9f]+/g, (s) => s.normalize('NFKC'))

const unsupported =
  (type: string): TokenFilterFactory =>
  ({ name }) => {
    throw new ServiceError('illegal_argument_exception', `token filter type [${type}] of [${name}] is not supported`)
  }

/** Token filters by their type in the settings; each also stands ready under its own name where it needs no settings. */
export const TOKEN_FILTER_TYPES: Readonly<Record<string, TokenFilterFactory>> = {
  lowercase,
  uppercase: () => new TermMappingFilter(upperCase),
  asciifolding: ({ settings }) =>
    settings.boolean('preserve_original', false)
      ? new ExpandingFilter((tokens, i) => {
          const t = term(tokens, i)
          const folded = foldToAscii(t)
          return folded === t ? undefined : [{ term: folded }, { term: t }]
        })
      : new TermMappingFilter(foldToAscii),
  stop: (context) => stopFilter(readStopWords(context), context.settings.boolean('ignore_case', false)),
  stemmer,
  porter_stem: () => new StemFilter(porterStem),
  kstem: unsupported('kstem'),
  snowball: ({ settings, name }) => {
    const language = settings.text('language', 'English')
    if (!/^(English|Porter)$/i.test(language))
      throw new ServiceError(
        'illegal_argument_exception',
        `language [${language}] of snowball filter [${name}] is not supported`,
      )
    return new StemFilter(porterStem)
  },
  keyword_marker: keywordMarker,
  stemmer_override: stemmerOverride,
  synonym,
  synonym_graph: synonym,
  shingle: ({ settings }) =>
    new ShingleFilter({
      minShingleSize: settings.integer('min_shingle_size', 2),
      maxShingleSize: settings.integer('max_shingle_size', 2),
      outputUnigrams: settings.boolean('output_unigrams', true),
      outputUnigramsIfNoShingles: settings.boolean('output_unigrams_if_no_shingles', false),
      tokenSeparator: settings.text('token_separator', ' '),
      fillerToken: settings.text('filler_token', '_'),
    }),
  word_delimiter: wordDelimiter,
  word_delimiter_graph: wordDelimiter,
  ngram: ngrams(false),
  nGram: ngrams(false),
  edge_ngram: ngrams(true),
  edgeNGram: ngrams(true),
  trim: () => new TermMappingFilter((t) => t.trim()),
  truncate: ({ settings }) => {
    const length = settings.integer('length', 10)
    if (length <= 0) throw new ServiceError('illegal_argument_exception', 'length parameter must be provided')
    return new StemFilter((t) => t.slice(0, length))
  },
  unique,
  length: ({ settings }) => {
    const min = settings.integer('min', 0)
    const max = settings.integer('max', 0x7fffffff)
    return new DroppingFilter((tokens, i) => {
      const length = Array.from(term(tokens, i)).length
      return length >= min && length <= max
    })
  },
  reverse: () => new TermMappingFilter((t) => Array.from(t).reverse().join('')),
  elision,
  apostrophe: () => new TermMappingFilter((t) => t.replace(/['\u2019].*$/s, '')),
  pattern_replace: patternReplace,
  pattern_capture: patternCapture,
  limit,
  keep,
  keep_types: ({ settings }) => {
    const types = new Set(settings.list('types') ?? [])
    const exclude = settings.text('mode') === 'exclude'
    return new DroppingFilter((tokens, i) => types.has(tokens.types[i] as string) !== exclude)
  },
  decimal_digit: () => new TermMappingFilter((t) => t.replace(/\p{Nd}/gu, digitValue)),
  cjk_width: () => new TermMappingFilter(WIDTHS),
  classic: () => new TermMappingFilter((t) => t.replace(/['\u2019][sS]$/, '')),
  fingerprint,
  standard: () => ({ filter: () => {} }),
  flatten_graph: () => ({ filter: () => {} }),
  ...Object.fromEntries(
    [
      'cjk_bigram',
      'common_grams',
      'delimited_payload',
      'delimited_payload_filter',
      'dictionary_decompounder',
      'hyphenation_decompounder',
      'hunspell',
      'condition',
      'predicate_token_filter',
      'multiplexer',
      'min_hash',
      'phonetic',
      'icu_folding',
      'icu_normalizer',
      'icu_collation',
      'arabic_normalization',
      'german_normalization',
      'hindi_normalization',
      'indic_normalization',
      'persian_normalization',
      'scandinavian_normalization',
      'scandinavian_folding',
      'serbian_normalization',
      'sorani_normalization',
    ].map((type) => [type, unsupported(type)] as const),
  ),
  ...koreanTokenFilterFactories,
}

function digitValue(digit: string): string {
  // Digits of a script stand in runs of ten that begin with its zero.
  const code = digit.codePointAt(0) as number
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String(code - zero)
}

/** Filters that cannot stand ready under their own name: they need settings. */
export const TOKEN_FILTERS_WITH_SETTINGS: ReadonlySet<string> = new Set([
  'stemmer_override',
  'keyword_marker',
  'synonym',
  'synonym_graph',
  'keep',
  'keep_types',
  'pattern_replace',
  'pattern_capture',
  'elision',
])

/** Settings of the built-ins that stand ready with others than their type's defaults. */
export const TOKEN_FILTER_PRESETS: Readonly<Record<string, FlatAnalysisSettings>> = {}
