import { type CanonicalPath, canonicalPath } from '../access/signature/canonical-path.ts'
import { UrlDecodeError } from '../access/signature/url-decode.ts'
import type { HttpDialect } from './http-dialect.ts'
import type { HttpLimits } from './http-limits.ts'
import { parseQuery } from './parse-query.ts'
import { longHeader, longLine } from './parser-error.ts'
import { WireError } from './wire-error.ts'
import type { WireMessage } from './wire-message.ts'

/** Methods that reach the router; for others the real server has no handler. */
export const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'TRACE',
])

/** @throws {WireError} for what the parser lets pass though it has more than one reading, or is too long */
export function checkFraming(message: WireMessage, limits: HttpLimits, dialect: HttpDialect): void {
  const target = message.url as string
  if (target.length + (message.method as string).length + 10 > limits.maxLineBytes) throw longLine(limits, dialect)
  const raw = message.rawHeaders
  let size = 0
  let hosts = 0
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string
    // The ends of lines do not count.
    size += name.length + (raw[i + 1] as string).length + 2
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (size > limits.maxHeaderBytes) throw longHeader(limits, dialect)
  if (hosts !== 1) {
    if (hosts > 1) throw WireError.of(400, 'illegal_argument_exception', 'more than one Host header')
    throw WireError.edge(400, 'Invalid Host Header')
  }
  if (message.httpVersionMajor !== 1) {
    throw WireError.of(400, 'illegal_argument_exception', `HTTP version [${message.httpVersion}] is not supported`)
  }
  const coding = message.headers['transfer-encoding']
  if (coding !== undefined && message.httpVersionMinor === 0) {
    throw WireError.of(400, 'illegal_argument_exception', 'Transfer-Encoding is not known to HTTP/1.0')
  }
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    throw WireError.of(400, 'illegal_argument_exception', `Transfer-Encoding [${coding}] is not supported`)
  }
  if (target.charCodeAt(0) !== 0x2f || !/^[\x21-\x7e]*$/.test(target)) {
    throw WireError.plain(
      400,
      `no handler found for uri [${target.replace(/[^\x20-\x7e]/g, '?')}] and method [${message.method}]`,
    )
  }
}

/** Declared length of the body: 0 when there is none, undefined when it comes in chunks. */
export function bodyLength(message: WireMessage): number | undefined {
  if (message.headers['transfer-encoding'] !== undefined) return undefined
  const length = message.headers['content-length']
  return length === undefined ? 0 : Number(length)
}

/** @throws {WireError} illegal_argument_exception for what cannot be decoded */
export function readPath(rawPath: string, { plusIsBlank }: HttpDialect): CanonicalPath {
  try {
    return canonicalPath(rawPath, plusIsBlank)
  } catch (error) {
    if (error instanceof UrlDecodeError) throw WireError.of(400, 'illegal_argument_exception', error.message)
    throw error
  }
}

/** The query's parameters, without those of a signature. @throws {WireError} bad_parameter_exception */
export function readQuery(rawQuery: string): ReadonlyMap<string, string> {
  try {
    const query = parseQuery(rawQuery)
    if (!rawQuery.includes('X-Amz-')) return query
    // A signature in the query is the door's business alone.
    return new Map([...query].filter(([name]) => !name.startsWith('X-Amz-')))
  } catch (error) {
    if (!(error instanceof UrlDecodeError)) throw error
    const cause = { type: 'illegal_argument_exception', reason: error.message }
    throw WireError.of(400, 'bad_parameter_exception', `java.lang.IllegalArgumentException: ${error.message}`, {
      cause,
    })
  }
}

/** What is said of a method that reaches nothing. */
export function methodRefusal(message: WireMessage): WireError {
  return message.method === 'CONNECT'
    ? WireError.plain(405, `Incorrect HTTP method for uri [${message.url}] and method [CONNECT]`)
    : WireError.of(400, 'illegal_argument_exception', `Unexpected http method: ${message.method}`)
}
