import { ServiceError } from '../../../errors.ts'
import type { TokenFilter } from '../analyzer.ts'
import type { TokenFilterFactory } from '../factories.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import { StemFilter } from '../token-filters/term-mapping-filter.ts'
import { refuseWhenUsed } from '../unusable.ts'
import { wordTest } from '../word-lists.ts'
import { cachedStemmer } from './cached-stemmer.ts'
import { porterStem } from './porter.ts'
import { SNOWBALL_STEMMERS, STEMMERS, type Stemmer } from './stemmer-types.ts'

const capitalize = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

function unknownStemmer(language: string): ServiceError {
  return new ServiceError('illegal_argument_exception', `Invalid stemmer class specified: ${language}`, {
    cause: new ServiceError('class_not_found_exception', `org.tartarus.snowball.ext.${language}Stemmer`),
  })
}

/** Stemmers the real server has beside these, in lower case. */
const UNSUPPORTED = new Set('dutchkp dutch_kp greek kp kstem lightenglish light_english lovins turkish'.split(' '))

/** @throws {ServiceError} illegal_argument_exception for a stemmer only the real server has */
export function checkStemmer(language: string): void {
  if (UNSUPPORTED.has(language.toLowerCase()))
    throw new ServiceError('illegal_argument_exception', `stemmer [${language}] is not supported`)
}

/** The stemmer of a `snowball` filter. @throws {ServiceError} illegal_argument_exception for a language there is none of */
export const snowballStemmer = (language: string): Stemmer => {
  const name = capitalize(language)
  const stem = Object.hasOwn(SNOWBALL_STEMMERS, name) ? SNOWBALL_STEMMERS[name] : undefined
  if (stem === undefined) throw unknownStemmer(name)
  return stem
}

const makeStemmer: TokenFilterFactory = ({ settings }) => {
  const language = settings.text('language') ?? settings.text('name') ?? 'porter'
  checkStemmer(language)
  const key = language.toLowerCase()
  if (key === 'possessive_english' || key === 'possessiveenglish') return possessiveFilter()
  const stem = Object.hasOwn(STEMMERS, key) ? STEMMERS[key] : snowballStemmer(language)
  return new StemFilter(cachedStemmer(stem as Stemmer))
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
  (stem: Stemmer): TokenFilterFactory =>
  ({ settings }) => {
    const exclusions = settings.list('stem_exclusion') ?? []
    const isExcluded = wordTest(exclusions.length === 1 && exclusions[0] === '_none_' ? [] : exclusions, false)
    const stemOf = cachedStemmer(stem)
    return new StemFilter((term) => (isExcluded(term) ? term : stemOf(term)))
  }

const makeOverride: TokenFilterFactory = ({ settings, configDir }) => {
  const rules = settings.words('rules', configDir)
  if (rules === undefined) {
    throw new ServiceError(
      'illegal_argument_exception',
      'stemmer override filter requires either `rules` or `rules_path` to be configured',
    )
  }
  const stems = new Map<string, string>()
  for (const rule of rules) {
    const [from, to, ...more] = rule.split(/(?<!\\)=>/).map((side) => side.replace(/\\(.)/g, '$1').trim())
    if (!from || !to || more.length > 0)
      throw new ServiceError('runtime_exception', `Invalid Keyword override Rule:${rule}`)
    // Of two rules for a word the first counts.
    if (!stems.has(from)) stems.set(from, to)
  }
  return new OverrideFilter(stems)
}

/** Gives words stems of their own and protects these from the stemmers behind. */
class OverrideFilter implements TokenFilter {
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
  arabic_stem: withExclusions(STEMMERS['arabic'] as Stemmer),
  brazilian_stem: withExclusions(STEMMERS['brazilian'] as Stemmer),
  czech_stem: withExclusions(STEMMERS['czech'] as Stemmer),
  dutch_stem: withExclusions(SNOWBALL_STEMMERS['Dutch'] as Stemmer),
  french_stem: withExclusions(SNOWBALL_STEMMERS['French'] as Stemmer),
  german_stem: withExclusions(STEMMERS['german_caumanns'] as Stemmer),
  kstem: () => {
    throw new ServiceError(
      'illegal_argument_exception',
      'token filter type [kstem] is not supported; use [porter_stem]',
    )
  },
  porter_stem: () => new StemFilter(cachedStemmer(porterStem)),
  russian_stem: withExclusions(SNOWBALL_STEMMERS['Russian'] as Stemmer),
  snowball: ({ settings }) => {
    const language = settings.text('language') ?? settings.text('name') ?? 'English'
    checkStemmer(language)
    return refuseWhenUsed(() => new StemFilter(cachedStemmer(snowballStemmer(language))))
  },
  stemmer: makeStemmer,
  stemmer_override: makeOverride,
}
