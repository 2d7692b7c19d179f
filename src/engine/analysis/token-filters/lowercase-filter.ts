import { ServiceError } from '../../../errors.ts'
import type { TokenFilter } from '../analyzer.ts'
import type { TokenFilterFactory } from '../factories.ts'
import { lowerCase } from '../unicode/lower-case.ts'
import { refuseWhenUsed } from '../unusable.ts'
import { TermMappingFilter } from './term-mapping-filter.ts'

/** The `lowercase` filter without a language. One object, so that a chain can tell that it begins with it. */
export const LOWERCASE = new TermMappingFilter(lowerCase)

/** Greek lower case: accents and diaereses dropped, final sigma unified. @source Lucene, GreekLowerCaseFilter */
export function greekLowerCase(term: string): string {
  return lowerCase(term).replace(/[άέήίϊΐόύϋΰώς]/g, (char) => GREEK.get(char) ?? char)
}

const GREEK: ReadonlyMap<string, string> = new Map(
  Array.from('άέήίϊΐόύϋΰώς', (char, i) => [char, 'αεηιιιουυυωσ'[i] as string]),
)

/** Turkish lower case: dotted and dotless i kept apart; a dot above behind a capital I makes it `i`. @source Lucene, TurkishLowerCaseFilter */
export function turkishLowerCase(term: string): string {
  if (!/[Iİ]/.test(term)) return lowerCase(term)
  const dotted = term.replace(/I((?:(?!\u0307)\p{Mn})*)\u0307/gu, 'i$1')
  return lowerCase(dotted.replace(/İ/g, 'i').replace(/I/g, 'ı'))
}

/** Irish lower case: `n` and `t` before a capital vowel are set off by a hyphen. @source Lucene, IrishLowerCaseFilter */
export function irishLowerCase(term: string): string {
  const text = /^[nt][AEIOUÁÉÍÓÚ]/.test(term) ? `${term[0]}-${term.slice(1)}` : term
  // The original looks at UTF-16 units, so what lies beyond the basic plane stays.
  return /[\ud800-\udfff]/.test(text) ? text.replace(/[^\ud800-\udfff]+/g, lowerCase) : lowerCase(text)
}

/** Makes a `lowercase` filter. */
export const makeLowercase: TokenFilterFactory = ({ settings }) => {
  const language = settings.text('language')
  switch (language?.toLowerCase()) {
    case undefined:
      return LOWERCASE
    case 'greek':
      return new TermMappingFilter(greekLowerCase)
    case 'irish':
      return new TermMappingFilter(irishLowerCase)
    case 'turkish':
      return new TermMappingFilter(turkishLowerCase)
    default:
      return refuseWhenUsed<TokenFilter>(() => {
        throw new ServiceError('illegal_argument_exception', `language [${language}] not support for lower case`)
      })
  }
}
