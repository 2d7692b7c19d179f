import { promisify } from 'node:util'
import { gunzip, gunzipSync, inflate } from 'node:zlib'
import type { HttpLimits } from './http-limits.ts'
import { bodyTooLarge } from './receive-body.ts'
import { WireError } from './wire-error.ts'

const gunzipLater = promisify(gunzip)
const inflateLater = promisify(inflate)

/** Up to this size inflating on the spot is cheaper than a trip to the thread pool. */
const AT_ONCE_BYTES = 4096

/** Data never shrinks more than this in earnest; from 1 MB on what does is a bomb. */
const MAX_RATIO = 100
const RATIO_FROM_BYTES = 1024 * 1024

/**
 * Undoes `Content-Encoding`.
 *
 * @param encoding  the header, lower-cased; undefined: the body as it is
 * @throws {WireError} 415 for one other than gzip, deflate, identity; 400 for a body that is not what it says;
 *                     413 for one that is too big when inflated, or a bomb (> 1 MB and > 100 times its size)
 */
export function inflateBody(body: Buffer, encoding: string | undefined, limits: HttpLimits): Buffer | Promise<Buffer> {
  if (encoding === undefined || encoding === 'identity' || encoding === '' || body.length === 0) return body
  if (encoding !== 'gzip' && encoding !== 'x-gzip' && encoding !== 'deflate') {
    throw WireError.of(415, 'illegal_argument_exception', `Content-Encoding [${encoding}] is not supported`)
  }
  const options = {
    maxOutputLength: Math.min(limits.maxBodyBytes, Math.max(RATIO_FROM_BYTES, body.length * MAX_RATIO)),
  }
  const refuse = (error: unknown): never => {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw bodyTooLarge(limits.maxBodyBytes)
    throw WireError.of(400, 'illegal_argument_exception', `the body is not valid ${encoding} data`)
  }
  if (encoding === 'deflate') return inflateLater(body, options).catch(refuse)
  if (body.length > AT_ONCE_BYTES) return gunzipLater(body, options).catch(refuse)
  try {
    return gunzipSync(body, options)
  } catch (error) {
    return refuse(error)
  }
}
