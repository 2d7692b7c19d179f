import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { AccessDenial } from '../access/access-denial.ts'
import { canonicalPath } from '../access/canonical-path.ts'
import type { Door } from '../access/door.ts'
import type { Backend, BackendResponse } from '../backend.ts'
import { type EdgeRequest, type EdgeRoute, findEdgeRoute } from '../http/edge-routes.ts'
import type { HttpLog } from '../http/http-server.ts'
import type { ForwardedAnswer, ForwardedRequest } from './reader-messages.ts'

/** An answer and what of it is handed over rather than copied. */
export interface DeskAnswer {
  readonly answer: ForwardedAnswer
  readonly transfer: ArrayBuffer[]
}

/** What the desk stands before. */
export interface RequestDeskOptions {
  readonly backend: Backend
  readonly door: Door
  readonly edgeRoutes: ReadonlyMap<string, EdgeRoute>
  /** Over TLS. */
  readonly secure: boolean
  readonly log: HttpLog
}

/**
 * Where the writer answers requests that came in at reader threads. The door is asked again: what may change something
 * is let in by the writer alone, whatever a reader believes.
 */
export class RequestDesk {
  readonly #o: RequestDeskOptions
  readonly #signals = new Map<string, { aborted: boolean }>()

  constructor(options: RequestDeskOptions) {
    this.#o = options
  }

  /** @param key  names the request for {@link abort} */
  async answer(key: string, request: ForwardedRequest): Promise<DeskAnswer> {
    const signal = { aborted: false }
    this.#signals.set(key, signal)
    try {
      return await this.#ask(() => this.#handle(request, signal))
    } finally {
      this.#signals.delete(key)
    }
  }

  answerEdge(request: EdgeRequest): Promise<DeskAnswer> {
    return this.#ask(async () => {
      const route = findEdgeRoute(this.#o.edgeRoutes, request.path)
      if (route === undefined) throw new Error(`no route ${request.path}`)
      const { body } = request
      return route({ ...request, body: Buffer.from(body.buffer, body.byteOffset, body.length) })
    })
  }

  /** The client of a request has hung up. */
  abort(key: string): void {
    const signal = this.#signals.get(key)
    if (signal !== undefined) signal.aborted = true
  }

  #handle(request: ForwardedRequest, signal: { readonly aborted: boolean }): Promise<BackendResponse> {
    const { method, rawTarget, rawHeaders, sourceIp, headers, query, body, bodySha256 } = request
    const at = rawTarget.indexOf('?')
    const rawPath = at < 0 ? rawTarget : rawTarget.slice(0, at)
    const rawQuery = at < 0 ? '' : rawTarget.slice(at + 1)
    const path = canonicalPath(rawPath)
    const { door, secure, backend } = this.#o
    const entry = door.admit({ method, rawPath, rawQuery, path, rawHeaders, sourceIp, secure })
    entry.enter(bodySha256)
    return backend.handle({
      method,
      segments: path.segments,
      rawTarget,
      query,
      headers,
      body: Buffer.from(body.buffer, body.byteOffset, body.length),
      signal,
      authorize: (indices, api, asked) => entry.authorize(indices, api, asked),
    })
  }

  async #ask(handle: () => Promise<BackendResponse>): Promise<DeskAnswer> {
    try {
      return await portable(await handle())
    } catch (error) {
      if (error instanceof AccessDenial) {
        const { status, body, message: reason, fields } = error
        return { answer: { kind: 'denial', status, body, reason, fields }, transfer: [] }
      }
      this.#o.log('error', { err: error }, 'request of a reader thread failed')
      return { answer: { kind: 'failure', message: String((error as Error).message) }, transfer: [] }
    }
  }
}

async function portable({ status, headers, body }: BackendResponse): Promise<DeskAnswer> {
  if (typeof body === 'string') return { answer: { kind: 'response', status, headers, body }, transfer: [] }
  const whole = body instanceof Readable ? await buffer(body) : Buffer.isBuffer(body) ? body : Buffer.concat(body)
  // A copy of its own: a buffer may be a small part of a large one, which would go along.
  const bytes = new Uint8Array(whole)
  return { answer: { kind: 'response', status, headers, body: bytes }, transfer: [bytes.buffer] }
}
