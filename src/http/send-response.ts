import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createDeflate, createGzip, deflate, deflateSync, gzip, gzipSync } from 'node:zlib'
import { type BackendResponse, bytesOf } from '../backend.ts'

const gzipLater = promisify(gzip)
const deflateLater = promisify(deflate)

/** Compressing up to this size on the spot costs less than a millisecond; more goes to the thread pool. */
const AT_ONCE_BYTES = 32 * 1024

/** The real servers' default level. */
const LEVEL = { level: 3 }

/** Bytes of a body as it is; 0 of one that comes by and by. */
export function bodySize(body: BackendResponse['body']): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  if (Buffer.isBuffer(body)) return body.length
  return body instanceof Readable ? 0 : total(body)
}

/**
 * Sends an answer, compressed when the client accepts that and it is worth it.
 *
 * @param size            {@link bodySize} of it
 * @param acceptEncoding  the request's header
 */
export function sendResponse(
  response: ServerResponse,
  answer: BackendResponse,
  size: number,
  options: {
    readonly acceptEncoding: string | undefined
    readonly compressFromBytes: number
  },
): void {
  const { body } = answer
  if (body instanceof Readable) {
    sendStream(response, answer, body, options)
    return
  }
  const headers: Record<string, string | number | string[]> = {
    'content-length': size,
    ...answer.headers,
  }
  const encoding =
    options.acceptEncoding === undefined || size < options.compressFromBytes || 'content-encoding' in headers
      ? undefined
      : chooseEncoding(options.acceptEncoding)
  if (encoding === undefined) {
    response.writeHead(answer.status, headers)
    if (typeof body === 'string' || Buffer.isBuffer(body)) response.end(body)
    else {
      response.cork()
      for (const part of body) response.write(part)
      response.end()
      response.uncork()
    }
    return
  }
  headers['content-encoding'] = encoding
  headers['vary'] = 'accept-encoding'
  const bytes = bytesOf(body)
  const finish = (compressed: Buffer) => {
    headers['content-length'] = compressed.length
    response.writeHead(answer.status, headers)
    response.end(compressed)
  }
  if (size <= AT_ONCE_BYTES) finish(encoding === 'gzip' ? gzipSync(bytes, LEVEL) : deflateSync(bytes, LEVEL))
  else {
    const compress = encoding === 'gzip' ? gzipLater(bytes, LEVEL) : deflateLater(bytes, LEVEL)
    compress.then(finish).catch(() => response.destroy())
  }
}

function sendStream(
  response: ServerResponse,
  answer: BackendResponse,
  body: Readable,
  options: {
    readonly acceptEncoding: string | undefined
  },
): void {
  const headers: Record<string, string | string[]> = { ...answer.headers }
  const encoding =
    options.acceptEncoding === undefined || 'content-encoding' in headers
      ? undefined
      : chooseEncoding(options.acceptEncoding)
  // An answer that breaks off ends its connection, so that half of it cannot be taken for the whole.
  const done = (error: Error | null | undefined) => {
    if (error) response.destroy()
  }
  if (encoding === undefined) {
    response.writeHead(answer.status, headers)
    pipeline(body, response, done)
    return
  }
  delete headers['content-length']
  response.writeHead(answer.status, { ...headers, 'content-encoding': encoding, vary: 'accept-encoding' })
  pipeline(body, encoding === 'gzip' ? createGzip(LEVEL) : createDeflate(LEVEL), response, done)
}

/** The better of gzip and deflate by the client's weights; gzip when they are equal; undefined for neither. */
function chooseEncoding(acceptEncoding: string): 'gzip' | 'deflate' | undefined {
  let gzipWeight = -1
  let deflateWeight = -1
  let anyWeight = -1
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name, ...parameters] = part.split(';').map((text) => text.trim())
    const q = parameters.find((text) => text.startsWith('q='))
    const weight = q === undefined ? 1 : Number(q.slice(2))
    if (!Number.isFinite(weight)) continue
    if (name === 'gzip' || name === 'x-gzip') gzipWeight = weight
    else if (name === 'deflate') deflateWeight = weight
    else if (name === '*') anyWeight = weight
  }
  if (gzipWeight < 0) gzipWeight = anyWeight
  if (deflateWeight < 0) deflateWeight = anyWeight
  if (gzipWeight > 0 && gzipWeight >= deflateWeight) return 'gzip'
  return deflateWeight > 0 ? 'deflate' : undefined
}

function total(parts: readonly Buffer[]): number {
  let size = 0
  for (const part of parts) size += part.length
  return size
}
