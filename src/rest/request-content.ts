import { createRequire } from 'node:module'
import type { parse } from 'yaml'
import type { BackendRequest } from '../backend.ts'
import { ServiceError } from '../errors.ts'
import { illegalArgument } from '../illegal-argument.ts'
import { isMediaType, mediaType } from './content-type.ts'
import type { Dialect } from './dialects/dialect.ts'
import { type Json, writeJson } from './json/json-writer.ts'

const require = createRequire(import.meta.url)

/** Endpoints whose body is lines. */
const LINES = new Set(['bulk', 'msearch', 'msearch_template'])

/** The endpoint whose body is bytes. */
const BYTES = 'indices.put_inverted'

/** Types of JSON; the vendor types of later clients are taken, whatever version they name. */
const JSON_TYPES = /^application\/(?:vnd\.elasticsearch\+)?json$/
const LINE_TYPES = /^application\/(?:vnd\.elasticsearch\+)?x-ndjson$/
/** Further ones of OpenSearch. */
const OPENSEARCH_TYPES = /^application\/(?:\*|vnd\.opensearch\+(?:json|x-ndjson))$/

/**
 * The body as JSON: as it came, or converted where it is YAML or in wider units than UTF-8's.
 *
 * @throws {ServiceError} 406 with the header as its reason for any other type, 400 for YAML that is none
 */
export function requestContent({ body, headers }: BackendRequest, endpoint: string, dialect: Dialect): Buffer {
  if (body.length === 0) return body
  const header = headers['content-type'] ?? ''
  const type = mediaType(header)
  if (type === 'application/yaml') {
    if (LINES.has(endpoint)) throw notAcceptable('[YAML] does not support stream parsing. Use JSON or SMILE instead')
    return fromYaml(body)
  }
  if (endpoint === BYTES && type === 'application/octet-stream') return body
  const isLines = LINE_TYPES.test(type)
  // 6.x knows lines where they are read alone, and nothing behind their type.
  const isTaken = isLines
    ? !dialect.typed || (LINES.has(endpoint) && !header.includes(';'))
    : JSON_TYPES.test(type) || (!dialect.takesTypedPaths && OPENSEARCH_TYPES.test(type))
  if (!isTaken) throw notAcceptable(`header [${header}] is not supported`)
  return isLines || body.length < 2 || (body[0] !== 0 && body[1] !== 0) ? body : fromWideUnits(body)
}

/**
 * A body that the parameter `source` holds, as JSON.
 *
 * @param type  `source_content_type`
 * @throws {ServiceError} illegal_argument_exception, illegal_state_exception for a type it cannot be of, parse_exception
 */
export function sourceContent(source: string, type: string, dialect: Dialect): string | Buffer {
  const media = mediaType(type)
  if (media === 'application/yaml') return fromYaml(Buffer.from(source))
  if (dialect.typed || JSON_TYPES.test(media) || LINE_TYPES.test(media)) return source
  if (!isMediaType(type)) throw illegalArgument(`invalid Content-Type header [${type}]`)
  throw new ServiceError('illegal_state_exception', `Unknown value for source_content_type [${type}]`, { status: 400 })
}

const notAcceptable = (what: string): ServiceError =>
  new ServiceError('status_exception', `Content-Type ${what}`, { status: 406 })

/** JSON in UTF-16 or UTF-32, as the zeros around its first character tell, in UTF-8. */
function fromWideUnits(body: Buffer): Buffer {
  const width = body.length % 4 === 0 && ((body[0] === 0 && body[1] === 0) || (body[2] === 0 && body[3] === 0)) ? 4 : 2
  const isLittle = body[0] !== 0
  if (width === 2) {
    // Swapping bytes takes pairs of them.
    const units = Buffer.from(body.subarray(0, body.length & ~1))
    return Buffer.from((isLittle ? units : units.swap16()).toString('utf16le'))
  }
  let text = ''
  for (let at = 0; at < body.length; at += 4) {
    const point = isLittle ? body.readUInt32LE(at) : body.readUInt32BE(at)
    text += point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point)
  }
  return Buffer.from(text)
}

function fromYaml(body: Buffer): Buffer {
  // Loaded by the first body that is YAML: it costs a start 40 ms.
  const { parse: parseYaml } = require('yaml') as { parse: typeof parse }
  try {
    return Buffer.from(writeJson(parseYaml(body.toString(), { intAsBigInt: true, merge: false }) as Json))
  } catch (error) {
    const [reason] = (error as Error).message.split('\n')
    throw new ServiceError('parse_exception', `Failed to parse YAML content: ${reason}`)
  }
}
