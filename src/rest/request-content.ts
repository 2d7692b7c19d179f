import { createRequire } from 'node:module'
import type { parse } from 'yaml'
import type { BackendRequest } from '../backend.ts'
import { ServiceError } from '../errors.ts'
import { type Json, writeJson } from './json/json-writer.ts'

const require = createRequire(import.meta.url)

/** Endpoints whose body is lines: the only ones `application/x-ndjson` is for. */
const LINES = new Set(['bulk', 'msearch', 'msearch_template'])

const CONTENT_TYPES = /^application\/(?:(?:vnd\.elasticsearch\+)?(?:json|x-ndjson)|yaml)$/

/**
 * The body as JSON: as it came, or converted where it is YAML or in wider units than UTF-8's.
 *
 * The vendor types of later clients are taken, whatever version they name.
 * @throws {ServiceError} 406 with the header as its reason for any other type, 400 for YAML that is none
 */
export function requestContent(request: BackendRequest, endpoint: string): Buffer {
  const { body, headers } = request
  if (body.length === 0) return body
  const header = headers['content-type']
  const type = header?.split(';')[0]?.trim().toLowerCase() ?? ''
  const isLines = type.endsWith('x-ndjson')
  if (!CONTENT_TYPES.test(type) || (isLines && !LINES.has(endpoint))) {
    throw new ServiceError('status_exception', `Content-Type header [${header ?? ''}] is not supported`, {
      status: 406,
    })
  }
  if (type === 'application/yaml') return fromYaml(body)
  return isLines || (body[0] !== 0 && body[1] !== 0) ? body : fromWideUnits(body)
}

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
