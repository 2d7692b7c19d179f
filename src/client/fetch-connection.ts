import { ClientError } from './client-error.ts'
import type { Connection, WireRequest, WireResponse } from './connection.ts'
import type { Endpoint } from './endpoint.ts'
import { hasDotSegment } from './request-path.ts'

/**
 * Carries requests over `fetch`, for browsers. The browser verifies the certificate and sets Host and Content-Length
 * itself; `accept-encoding` and `host` are signed or left out accordingly by the caller, never sent from here.
 */
export class FetchConnection implements Connection {
  readonly #origin: string

  constructor(endpoint: Endpoint) {
    this.#origin = `${endpoint.secure ? 'https' : 'http'}://${endpoint.host}`
  }

  async send(
    request: WireRequest,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal },
  ): Promise<WireResponse> {
    // fetch would go up the path, and the signature with it: a document's deletion became its index'.
    if (hasDotSegment(request.target, { encoded: true })) {
      throw new ClientError('configuration', `a browser cannot ask for [${request.target}]: . and .. are no ids there`)
    }
    const timeout = AbortSignal.timeout(options.timeoutMs)
    const signal = options.signal === undefined ? timeout : AbortSignal.any([timeout, options.signal])
    const { host: _, 'accept-encoding': __, ...headers } = request.headers
    try {
      const response = await fetch(this.#origin + request.target, {
        method: request.method,
        headers,
        signal,
        redirect: 'error',
        ...(request.body === undefined ? {} : { body: request.body as Uint8Array<ArrayBuffer> }),
      })
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: new Uint8Array(await response.arrayBuffer()),
      }
    } catch (cause) {
      if (options.signal?.aborted) throw options.signal.reason
      if (timeout.aborted)
        throw new ClientError('timeout', `${this.#origin} did not answer within ${options.timeoutMs} ms`)
      throw new ClientError('connection', `cannot reach ${this.#origin}: ${(cause as Error).message}`, { cause })
    }
  }

  close(): void {}
}
