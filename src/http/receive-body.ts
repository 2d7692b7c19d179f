import { createHash } from 'node:crypto'
import type { HttpLimits } from './http-limits.ts'
import type { Room } from './unverified-bytes.ts'
import { WireError } from './wire-error.ts'
import type { WireMessage } from './wire-message.ts'

/** A body as it came, with its SHA-256 where that was asked for. */
export interface ReceivedBody {
  readonly bytes: Buffer
  /** Hexadecimal; `''` when not asked for. */
  readonly sha256: string
}

/** Bodies up to this size are gathered in chunks; above, into one buffer made beforehand, which halves the memory. */
const PREALLOCATE_FROM_BYTES = 256 * 1024

/** Bodies up to this size are hashed in one go, which is cheaper than a stream of two or three chunks. */
const HASH_AT_ONCE_BYTES = 64 * 1024

/** The answer to a body that is too big, in the domain edge's words. */
export function bodyTooLarge(maxBodyBytes: number): WireError {
  return WireError.edge(413, `Request size exceeded ${maxBodyBytes} bytes`)
}

/**
 * Receives a request's body within the limits, adding what arrives to `inFlight`; the caller releases `bytes.length`.
 *
 * Answers by callback, since a promise more per request is measurable.
 */
export function receiveBody(
  request: WireMessage,
  options: {
    readonly limits: HttpLimits
    readonly inFlight: Room
    /** From `content-length`; undefined for a chunked body. */
    readonly length: number | undefined
    readonly hash: ((bytes: Buffer) => string) | undefined
  },
  done: (error: Error | undefined, body: ReceivedBody | undefined) => void,
): void {
  const { limits, inFlight, length } = options
  const chunks: Buffer[] = []
  const whole = length !== undefined && length > PREALLOCATE_FROM_BYTES ? Buffer.allocUnsafeSlow(length) : undefined
  const hashStream =
    options.hash !== undefined && (length === undefined || length > HASH_AT_ONCE_BYTES)
      ? createHash('sha256')
      : undefined
  let received = 0
  const idle = setTimeout(() => {
    finish(WireError.of(408, 'timeout_exception', `no byte of the body within ${limits.bodyIdleTimeoutMs} ms`))
  }, limits.bodyIdleTimeoutMs)

  function finish(error: Error | undefined): void {
    clearTimeout(idle)
    request.giveBodyTo(undefined)
    request.off('close', onClose)
    if (error !== undefined) {
      inFlight.release(received)
      done(error, undefined)
      return
    }
    const bytes = whole ?? (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, received))
    const sha256 = hashStream !== undefined ? hashStream.digest('hex') : (options.hash?.(bytes) ?? '')
    done(undefined, { bytes, sha256 })
  }
  function onChunk(chunk: Buffer): void {
    idle.refresh()
    if (received + chunk.length > limits.maxBodyBytes) {
      finish(bodyTooLarge(limits.maxBodyBytes))
      return
    }
    try {
      inFlight.add(chunk.length)
    } catch (error) {
      finish(error as Error)
      return
    }
    hashStream?.update(chunk)
    if (whole === undefined) chunks.push(chunk)
    else chunk.copy(whole, received)
    received += chunk.length
  }
  function onEnd(): void {
    finish(undefined)
  }
  function onClose(): void {
    finish(new ConnectionLost())
  }
  request.giveBodyTo({ chunk: onChunk, end: onEnd })
  // It comes once; `once` would make two objects more.
  request.on('close', onClose)
}

/** The client went away before its request was whole: nobody is left to answer. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}
