import { ClientError } from './client-error.ts'

/** `/<index>/<type>/<id>`, each percent-encoded. @throws {ClientError} kind `configuration` when one is empty */
export function documentPath(index: string, type: string, id: string): string {
  return `/${segment(index)}/${segment(type)}/${segment(id)}`
}

/** What a search is asked of: everything, an index (comma list, pattern), or a type of it. */
export function targetPath(target: { readonly index?: string; readonly type?: string }): string {
  if (target.type !== undefined && target.index === undefined) return `/_all/${segment(target.type)}`
  return [target.index, target.type]
    .filter((part) => part !== undefined)
    .map((part) => `/${segment(part)}`)
    .join('')
}

/** Percent-encodes a path segment: everything but letters, digits and `-_~.`, and the dots of `.` and `..`, too. */
export function segment(text: string): string {
  // Callers in JavaScript leave out what a type would not let them.
  if ((text ?? '') === '') throw new ClientError('configuration', 'an index, type or id must not be empty')
  // On the way over the wire (and in its signature) they would stand for the path above.
  if (text === '.' || text === '..') return text.replaceAll('.', '%2E')
  try {
    return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  } catch (cause) {
    throw new ClientError('configuration', `[${text}] is not Unicode: it holds half a surrogate pair`, { cause })
  }
}

/**
 * A path as it may stand in a request: what has no place there (blanks, Korean, `#`) is percent-encoded, what is encoded
 * stays.
 *
 * @throws {ClientError} kind `configuration` when it does not begin with `/`, or has `.` or `..` segments, which signers
 *                       leave out and servers may not
 */
export function wirePath(path: string): string {
  if (typeof path !== 'string' || !path.startsWith('/'))
    throw new ClientError('configuration', `the path [${path}] must begin with /`)
  if (hasDotSegment(path)) {
    throw new ClientError('configuration', `the path [${path}] has a . or .. segment: write it out, or as %2E`)
  }
  return path.replace(/[^\x21-\x7e]+|["#<>\\^`{|}]/g, (part) => encodeURIComponent(part.toWellFormed()))
}

/** Whether a path climbs; `encoded`: where `%2E` is a dot, too, as for browsers. */
export function hasDotSegment(target: string, { encoded = false } = {}): boolean {
  const path = target.split('?', 1)[0] as string
  return (encoded ? path.replace(/%2e/gi, '.') : path).split('/').some((part) => part === '.' || part === '..')
}
