import { setMaxListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { createSecureContext, rootCertificates } from 'node:tls'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { ClientError } from './client-error.ts'
import type { Connection, WireRequest, WireResponse } from './connection.ts'
import type { Endpoint } from './endpoint.ts'

const inflate = promisify(gunzip)

const MAX_HEADER_BYTES = 256 * 1024

/**
 * Carries requests over node:https with kept-alive sockets. Chosen over undici and fetch because it sends path and
 * headers exactly as they were signed (fetch adds headers and normalises paths) and brings no dependency.
 * The server's certificate is always verified; there is no switch to turn that off.
 */
export class NodeConnection implements Connection {
  readonly #endpoint: Endpoint
  readonly #agent: HttpAgent | HttpsAgent

  /**
   * @param ca  further certificate authorities to trust, PEM (beside Node's own and NODE_EXTRA_CA_CERTS)
   */
  constructor(endpoint: Endpoint, options: { readonly ca?: string | undefined; readonly maxSockets?: number } = {}) {
    this.#endpoint = endpoint
    const pool = { keepAlive: true, maxSockets: options.maxSockets ?? 64 }
    this.#agent = endpoint.secure
      ? // Said so that NODE_TLS_REJECT_UNAUTHORIZED cannot say otherwise.
        new HttpsAgent({ ...pool, ...trust(options.ca), minVersion: 'TLSv1.2', rejectUnauthorized: true })
      : new HttpAgent(pool)
  }

  async send(
    request: WireRequest,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<WireResponse> {
    const { message, body } = await this.#exchange(request, options).catch((cause: unknown) => {
      // A header that cannot be sent: Node throws before there is a connection.
      if (!(cause instanceof TypeError)) throw cause
      throw new ClientError('configuration', `the request cannot be sent: ${cause.message}`, { cause })
    })
    const headers: Record<string, string> = {}
    for (const [name, value] of Object.entries(message.headers)) {
      if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
    }
    const status = message.statusCode ?? 0
    try {
      // An answer to HEAD tells the encoding of a body that it does not have.
      const packed = headers['content-encoding'] === 'gzip' && body.length > 0
      return { status, headers, body: packed ? await inflate(body) : body }
    } catch (cause) {
      throw new ClientError('response', `the answer cannot be inflated: ${(cause as Error).message}`, { status, cause })
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  #exchange(
    request: WireRequest,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<{ message: IncomingMessage; body: Buffer }> {
    const { hostname, port, secure } = this.#endpoint
    const authority = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`
    // One signal may be that of any number of requests at a time: no sign of a leak.
    if (options.signal !== undefined) setMaxListeners(0, options.signal)
    return new Promise((resolve, reject) => {
      const fail = (cause: NodeJS.ErrnoException) => {
        reject(
          options.signal?.aborted
            ? options.signal.reason
            : new ClientError('connection', `cannot reach ${authority}: ${cause.message.trim()}`, {
                type: cause.code,
                cause,
              }),
        )
      }
      const outgoing = (secure ? httpsRequest : httpRequest)({
        agent: this.#agent,
        hostname,
        port,
        method: request.method,
        path: request.target,
        // Warnings of deprecations come as headers.
        maxHeaderSize: MAX_HEADER_BYTES,
        headers: {
          ...request.headers,
          ...(request.body === undefined ? {} : { 'content-length': request.body.byteLength }),
        },
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      })
      const timer = setTimeout(() => {
        const reason = `${authority} did not answer within ${options.timeoutMs} ms`
        reject(new ClientError('timeout', reason))
        outgoing.destroy()
      }, options.timeoutMs)
      outgoing.on('error', (error) => {
        clearTimeout(timer)
        fail(error)
      })
      outgoing.once('response', (message) => {
        const chunks: Buffer[] = []
        message.on('data', (chunk: Buffer) => chunks.push(chunk))
        message.once('error', fail)
        message.once('close', () => {
          clearTimeout(timer)
          // A connection that breaks in the middle of an answer ends without `complete`: half an answer is none.
          if (message.complete) resolve({ message, body: Buffer.concat(chunks) })
          else
            fail(Object.assign(new Error('the connection broke in the middle of the answer'), { code: 'ECONNRESET' }))
        })
      })
      outgoing.end(request.body)
    })
  }
}

/**
 * What a connection trusts when a further authority is named. A `ca` option alone would take the place of Node's own
 * authorities and of NODE_EXTRA_CA_CERTS, so all three go into one context, read once.
 */
function trust(ca: string | undefined) {
  if (ca === undefined) return {}
  if (!ca.includes('-----BEGIN '))
    throw new ClientError(
      'configuration',
      'ca holds no certificate in PEM form: it is the text of a file, not its name',
    )
  const extra = process.env['NODE_EXTRA_CA_CERTS']
  return {
    secureContext: createSecureContext({
      minVersion: 'TLSv1.2',
      ca: [...rootCertificates, ...(extra ? [readIfThere(extra)] : []), ca],
    }),
  }
}

/** Node itself only warns when the file is missing. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
