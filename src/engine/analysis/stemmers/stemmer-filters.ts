import { ServiceError } from '../../../errors.ts'
import type { TokenFilter } from '../analyzer.ts'
import type { TokenFilterFactory } from '../factories.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import { StemFilter } from '../token-filters/term-mapping-filter.ts'
import { refuseWhenUsed } from '../unusable.ts'
import { wordTest } from '../word-lists.ts'
import { porterStem } from './porter.ts'
import { SNOWBALL_STEMMERS, STEMMERS, type Stemmer } from './stemmer-types.ts'

const capitalize = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

function unknownStemmer(language: string): ServiceError {
  return new ServiceError('illegal_argument_exception', `Invalid stemmer class specified: ${language}`, {
    cause: new ServiceError('class_not_found_exception', `org.tartarus.snowball.ext.${language}Stemmer`),
  })
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
  const key = language.toLowerCase()
  if (key === 'possessive_english' || key === 'possessiveenglish') return possessiveFilter()
  const stem = Object.hasOwn(STEMMERS, key) ? STEMMERS[key] : snowballStemmer(language)
  return new StemFilter(stem as Stemmer)
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
    return new StemFilter((term) => (isExcluded(term) ? term : stem(term)))
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

const snowball = (language: string): TokenFilterFactory => {
  const stem = SNOWBALL_STEMMERS[language]
  return stem === undefined
    ? () => {
        throw unknownStemmer(language)
      }
    : withExclusions(stem)
}
const stemmer = (language: string): TokenFilterFactory => {
  const stem = STEMMERS[language]
  return stem === undefined
    ? () => {
        throw unknownStemmer(language)
      }
    : withExclusions(stem)
}

/** Filters that stem, by their type in the settings. */
export const stemmerFilters: Readonly<Record<string, TokenFilterFactory>> = {
  arabic_stem: stemmer('arabic'),
  brazilian_stem: stemmer('brazilian'),
  czech_stem: stemmer('czech'),
  dutch_stem: snowball('Dutch'),
  french_stem: snowball('French'),
  german_stem: stemmer('german_caumanns'),
  kstem: stemmer('kstem'),
  porter_stem: () => new StemFilter(porterStem),
  russian_stem: snowball('Russian'),
  snowball: ({ settings }) => {
    const language = settings.text('language') ?? settings.text('name') ?? 'English'
    return refuseWhenUsed(() => new StemFilter(snowballStemmer(language)))
  },
  stemmer: makeStemmer,
  stemmer_override: makeOverride,
}
