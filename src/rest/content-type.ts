import { ServiceError } from '../errors.ts'

/** What bodies and answers are in. */
export type ContentFormat = 'json' | 'yaml'

const TOKEN = "[A-z0-9!#$%&'*+.^_`|~-]+"
const MEDIA_TYPE = new RegExp(`^${TOKEN}/\\s*${TOKEN}\\s*$`)
const PARAMETERS = /[ \t]*;.*/s

/**
 * Refuses a `Content-Type` that names no media type, whatever is asked and whether there is a body.
 *
 * @param header  several joined by line feeds
 * @throws {ServiceError} content_type_header_exception
 */
export function checkContentType(header: string | undefined): void {
  if (header === undefined || MEDIA_TYPE.test(header.replace(PARAMETERS, ''))) return
  const isNothing = /^(?:[ \t]*;)+$/.test(header)
  const fault = isNothing ? 'empty Content-Type header' : `invalid Content-Type header [${header}]`
  const reason = header.includes('\n') ? 'only one Content-Type header should be provided' : fault
  const cause = new ServiceError('illegal_argument_exception', reason)
  throw new ServiceError('content_type_header_exception', `java.lang.IllegalArgumentException: ${reason}`, { cause })
}

/** A `Content-Type` without its parameters, in small letters. */
export const mediaType = (header: string): string => header.replace(PARAMETERS, '').trim().toLowerCase()

/** What `format` or `Accept` name; undefined where it is nothing that answers are in. */
export function namedFormat(name: string | undefined): ContentFormat | undefined {
  const plain = name?.replace(/;.*/s, '').toLowerCase() ?? ''
  if (plain === 'yaml' || plain === 'application/yaml') return 'yaml'
  return plain === 'json' || plain === 'application/json' || plain.startsWith('application/*') ? 'json' : undefined
}
