import type { Readable } from 'node:stream'
import type { BackendResponse } from '../backend.ts'
import { ServiceError } from '../errors.ts'
import { type ClusterAnswer, readAnswer } from './cluster-client.ts'

/** Answers up to this size are gathered, which is quicker than a stream; longer ones pass as they come. */
export const GATHER_BYTES = 64 * 1024

/** Headers that concern the connection to the node, or that a caller has no business with. */
const WITHHELD: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
])

/** Headers of an answer that go on to the client. */
export function passedHeaders(answer: ClusterAnswer): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {}
  const named = new Set((answer.headers.connection ?? '').toLowerCase().split(/\s*,\s*/))
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value === undefined || WITHHELD.has(name) || named.has(name)) continue
    headers[name] = value
  }
  // A line each: clients read a header as one of them.
  if (headers['warning'] !== undefined) headers['warning'] = answer.headersDistinct['warning'] as string[]
  return headers
}

/** Passes an answer on as it came. @throws {ServiceError} 503 when it breaks off before it begins to be sent */
export async function passAnswer(method: string, answer: ClusterAnswer): Promise<BackendResponse> {
  const status = answer.statusCode as number
  const headers = passedHeaders(answer)
  if (method === 'HEAD') {
    answer.resume()
    return { status, headers, body: Buffer.alloc(0) }
  }
  const length = Number(answer.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  return { status, headers, body: length <= GATHER_BYTES ? await readAnswer(answer) : (answer as Readable) }
}

/**
 * Sees to it that what is between the domain and the cluster is not taken for the caller's: that its credentials are not taken,
 * or that it is sent elsewhere, where a caller would go without a signature.
 *
 * @throws {ServiceError}
 */
export function checkOwn(answer: ClusterAnswer): void {
  const status = answer.statusCode as number
  if (status !== 401 && !(status >= 300 && status < 400 && status !== 304)) return
  answer.resume()
  throw new ServiceError(
    'no_node_available_exception',
    status === 401
      ? 'the cluster does not take the credentials the domain has for it'
      : `the cluster sends the domain elsewhere with status ${status}, which is not followed`,
  )
}
