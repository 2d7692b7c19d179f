import { ServiceError } from '../../../errors.ts'
import type { EngineVersion } from '../../engine-version.ts'
import type { TokenFilter } from '../analyzer.ts'
import { isCommentLine } from '../comment-line.ts'
import type { TokenFilterFactory } from '../factories.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import { StemFilter } from '../token-filters/term-mapping-filter.ts'
import { refuseWhenUsed } from '../unusable.ts'
import { wordTest } from '../word-lists.ts'
import { wrongRule } from '../wrong-rule.ts'
import { cachedStemmer } from './cached-stemmer.ts'
import { stemKrovetz } from './kstem.ts'
import { porterStem } from './porter.ts'
import { stemPersian } from './semitic.ts'
import { SNOWBALL_STEMMERS, STEMMERS, type Stemmer, stemmerOf } from './stemmer-types.ts'

const capitalize = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

function unknownStemmer(language: string): ServiceError {
  return new ServiceError('illegal_argument_exception', `Invalid stemmer class specified: ${language}`, {
    cause: new ServiceError('class_not_found_exception', `org.tartarus.snowball.ext.${language}Stemmer`),
  })
}

/** Stemmers that OpenSearch has beside these, in lower case. */
const UNSUPPORTED = new Set(['greek', 'serbian', 'yiddish'])

/** The stemmer of a `snowball` filter. @throws {ServiceError} illegal_argument_exception for a language there is none of */
export const snowballStemmer = (language: string, version: EngineVersion): Stemmer => {
  const name = capitalize(language)
  const stem = stemmerOf(name, SNOWBALL_STEMMERS, version)
  if (stem !== undefined) return stem
  const key = name.toLowerCase()
  if (version === 'OpenSearch_2.19' && UNSUPPORTED.has(key))
    throw new ServiceError('illegal_argument_exception', `stemmer [${language}] is not supported`)
  throw unknownStemmer(name)
}

const makeStemmer: TokenFilterFactory = ({ settings, engineVersion }) => {
  const language = settings.text('language') ?? settings.text('name') ?? 'porter'
  // `lightFrench` is `light_french`, but not all of them have a name of both kinds.
  const key = language.toLowerCase().replace(/^(light|plural|minimal(?!galician|norwegian))(?=[a-z])/, '$1_')
  if (key === 'possessive_english' || key === 'possessiveenglish') return possessiveFilter()
  // Caumanns' has a filter of its own, `german_stem`, and no name here.
  const named = key === 'german_caumanns' ? undefined : stemmerOf(key, STEMMERS, engineVersion)
  const stem = named ?? snowballStemmer(language, engineVersion)
  return new StemFilter(cachedStemmer(stem))
}

/** Takes `'s` off, of protected words too. */
export function possessiveFilter(): TokenFilter {
  return {
    filter(tokens) {
      for (let i = 0; i < tokens.length; i++)
        tokens.terms[i] = (tokens.terms[i] as string).replace(/['\u2019\uff07][sS]$/, '')
    },
  }
}

/** A stemmer of one language, with `stem_exclusion`: words it leaves alone. */
const withExclusions =
  (language: string, stemmers = STEMMERS): TokenFilterFactory =>
  ({ settings, engineVersion }) => {
    const exclusions = settings.list('stem_exclusion') ?? []
    const isExcluded = wordTest(exclusions.length === 1 && exclusions[0] === '_none_' ? [] : exclusions, false)
    const stemOf = cachedStemmer(stemmerOf(language, stemmers, engineVersion) as Stemmer)
    return new StemFilter((term) => (isExcluded(term) ? term : stemOf(term)))
  }

const makeOverride: TokenFilterFactory = ({ settings, configDir, engineVersion }) => {
  const rules = settings.words('rules', configDir)
  if (rules === undefined) {
    throw new ServiceError(
      'illegal_argument_exception',
      'stemmer override filter requires either `rules` or `rules_path` to be configured',
    )
  }
  const stems = new Map<string, string>()
  const isOlder = engineVersion === 'Elasticsearch_6.8'
  const complain = (rule: string, line: number): ServiceError =>
    wrongRule(engineVersion, line, `Invalid Keyword override Rule:${rule}`, `Invalid keyword override rule: ${rule}`)
  for (const [i, rule] of rules.entries()) {
    if (isCommentLine(rule, engineVersion)) continue
    const [from, to, ...more] = isOlder
      ? rule.split(/(?<!\\)=>/).map((side) => side.replace(/\\(.)/g, '$1').trim())
      : rule.split('=>').map((side) => side.trim())
    if (!from || !to || more.length > 0) throw complain(rule, i)
    const words = isOlder ? [from] : from.split(',').map((word) => word.trim())
    if (!isOlder && (to.includes(',') || words.includes(''))) throw complain(rule, i)
    // Of two rules for a word the first counts.
    for (const word of words) if (!stems.has(word)) stems.set(word, to)
  }
  return new OverrideFilter(stems)
}

/** Gives words stems of their own and protects these from the stemmers behind. */
export class OverrideFilter implements TokenFilter {
  readonly attribute = 'keyword'
  readonly #stems: ReadonlyMap<string, string>

  constructor(stems: ReadonlyMap<string, string>) {
    this.#stems = stems
  }

  filter(tokens: TokenBuffer): void {
    for (let i = 0; i < tokens.length; i++) {
      const stem = tokens.keywords[i] === true ? undefined : this.#stems.get(tokens.terms[i] as string)
      if (stem === undefined) continue
      tokens.terms[i] = stem
      tokens.keywords[i] = true
    }
  }
}

/** Filters that stem, by their type in the settings. */
export const stemmerFilters: Readonly<Record<string, TokenFilterFactory>> = {
  arabic_stem: withExclusions('arabic'),
  brazilian_stem: withExclusions('brazilian'),
  czech_stem: withExclusions('czech'),
  dutch_stem: withExclusions('Dutch', SNOWBALL_STEMMERS),
  french_stem: withExclusions('French', SNOWBALL_STEMMERS),
  german_stem: withExclusions('german_caumanns'),
  kstem: () => new StemFilter(cachedStemmer(stemKrovetz)),
  persian_stem: () => new StemFilter(stemPersian),
  porter_stem: () => new StemFilter(cachedStemmer(porterStem)),
  russian_stem: withExclusions('Russian', SNOWBALL_STEMMERS),
  snowball: ({ settings, engineVersion }) => {
    const language = settings.text('language') ?? settings.text('name') ?? 'English'
    return refuseWhenUsed(() => new StemFilter(cachedStemmer(snowballStemmer(language, engineVersion))))
  },
  stemmer: makeStemmer,
  stemmer_override: makeOverride,
}
