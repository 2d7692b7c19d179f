import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/**
 * Reads a locale, `de`, `de-AT` or `de_AT_variant`, and answers it as Java writes it: `de_AT`; none for the root's.
 *
 * @throws {ServiceError} illegal_argument_exception for one whose language or country there is not
 */
export function readLocale(text: string): string {
  // The one that comes first divides.
  const parts = text.split(/^[^-]*_/.test(text) ? '_' : '-')
  const [language = '', country = '', variant = ''] = parts
  if (parts.length > 3)
    throw illegalArgument(`Locales can have at most 3 parts but got ${parts.length}: [${parts.join(', ')}]`)
  if (parts.length === 1 && language.toUpperCase() === 'ROOT') return ''
  // Codes of three letters are taken as they are.
  const code = language.toLowerCase()
  if (!/^(?:|[a-z]{3})$/.test(code) && !isKnown(code, LANGUAGES)) throw unknown('language', language, code)
  const place = country.toUpperCase()
  if (place !== '' && !isKnown(place, COUNTRIES)) throw unknown('country', country, place)
  return [code, place, variant].join('_').replace(/_+$/, '')
}

const isKnown = (code: string, names: Intl.DisplayNames): boolean =>
  /^[a-z]{2}$/i.test(code) && names.of(code) !== undefined

function unknown(what: string, given: string, code: string): ServiceError {
  const cause = new ServiceError('missing_resource_exception', `Couldn't find 3-letter ${what} code for ${code}`)
  return illegalArgument(`Unknown ${what}: ${given}`, cause)
}
