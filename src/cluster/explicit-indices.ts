import { ServiceError } from '../errors.ts'
import { type JsonValue, parseJson } from '../rest/body/parse-json.ts'
import { readBulkLines, readSearchLines } from './bulk-lines.ts'
import type { ClusterCall } from './cluster-call.ts'
import { namedIndices } from './named-indices.ts'

/**
 * Refuses indices named in bodies of several requests (`rest.action.multi.allow_explicit_index: false`).
 *
 * @throws {ServiceError} illegal_argument_exception
 */
export async function checkExplicitIndices({ body }: ClusterCall, endpoint: string): Promise<void> {
  for (const part of await parts(body, endpoint)) {
    if (namedIndices(part).names.size > 0) {
      throw new ServiceError('illegal_argument_exception', `explicit index in ${endpoint} is not allowed`)
    }
  }
}

async function parts(body: Buffer, endpoint: string): Promise<readonly JsonValue[]> {
  if (body.length === 0) return []
  switch (endpoint) {
    case 'bulk':
      return (await readBulkLines(body)).map(({ meta }) => meta)
    case 'msearch':
    case 'msearch_template':
      return readSearchLines(body).map(({ header }) => header)
    case 'mget':
    case 'mtermvectors':
      return [parseJson(body)]
    default:
      return []
  }
}
