import { ServiceError } from '../errors.ts'
import { illegalArgument } from '../illegal-argument.ts'

/** What bodies and answers are in. */
export type ContentFormat = 'json' | 'yaml'

const TOKEN = "[A-z0-9!#$%&'*+.^_`|~-]+"
const MEDIA_TYPE = new RegExp(`^${TOKEN}/\\s*${TOKEN}\\s*$`)

/** What is told by a header, or by `format`. */
interface Named {
  /** Without its parameters, in small letters. */
  readonly type: string
  readonly isMediaType: boolean
  readonly format: ContentFormat | undefined
}

/** Of the few that clients send again and again. */
const known = new Map<string, Named>()
const MOST_KNOWN = 100

function named(text: string): Named {
  const before = known.get(text)
  if (before !== undefined) return before
  const end = text.indexOf(';')
  const plain = end < 0 ? text : text.slice(0, end).trimEnd()
  const type = plain.trim().toLowerCase()
  const isYaml = type === 'yaml' || type === 'application/yaml'
  const isJson =
    type === 'json' ||
    type === 'application/json' ||
    type === 'application/vnd.elasticsearch+json' ||
    type.startsWith('application/*')
  const read: Named = {
    type,
    isMediaType: MEDIA_TYPE.test(plain),
    format: isYaml ? 'yaml' : isJson ? 'json' : undefined,
  }
  if (known.size < MOST_KNOWN) known.set(text, read)
  return read
}

/**
 * Refuses a `Content-Type` that names no media type, whatever is asked and whether there is a body.
 *
 * @param header  several joined by line feeds
 * @throws {ServiceError} content_type_header_exception
 */
export function checkContentType(header: string | undefined): void {
  if (header === undefined || named(header).isMediaType) return
  const isNothing = /^(?:[ \t]*;)+$/.test(header)
  const fault = isNothing ? 'empty Content-Type header' : `invalid Content-Type header [${header}]`
  const reason = header.includes('\n') ? 'only one Content-Type header should be provided' : fault
  const cause = illegalArgument(reason)
  throw new ServiceError('content_type_header_exception', `java.lang.IllegalArgumentException: ${reason}`, { cause })
}

/** Whether a text is of the form of a media type. */
export const isMediaType = (text: string): boolean => named(text).isMediaType

/** A `Content-Type` without its parameters, in small letters. */
export const mediaType = (header: string): string => named(header).type

/** What `format`, `Accept` or `Content-Type` name; undefined where it is nothing that answers are in. */
export const namedFormat = (name: string | undefined): ContentFormat | undefined =>
  name === undefined ? undefined : named(name).format
