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
 * The body as JSON: as it came, or converted where it is YAML.
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
  return type === 'application/yaml' ? fromYaml(body) : body
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
