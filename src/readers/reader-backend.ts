import { AccessDenial } from '../access/access-denial.ts'
import type { Backend, BackendResponse } from '../backend.ts'
import { ElsewhereError } from '../engine/replica/elsewhere-error.ts'
import type { ReplicaEngine } from '../engine/replica/replica-engine.ts'
import type { EdgeRequest } from '../http/edge-routes.ts'
import type { HttpBackend } from '../http/http-server.ts'
import type { WireRequest } from '../http/wire-request.ts'
import type { ForwardedAnswer, FromReader } from './reader-messages.ts'

/** Endpoints that a reader answers itself: they read documents and nothing else, and remember nothing. */
export const READ_ENDPOINTS: ReadonlySet<string> = new Set([
  'count',
  'exists',
  'exists_source',
  'explain',
  'field_caps',
  'get',
  'get_source',
  'indices.analyze',
  'indices.validate_query',
  'mget',
  'msearch',
  'mtermvectors',
  'search',
  'termvectors',
])

/** Sends a message to the writer; buffers in `transfer` are handed over. */
export type PostToWriter = (message: FromReader, transfer?: ArrayBuffer[]) => void

/** Bodies from this size on are handed over rather than copied, where they have a buffer to themselves. */
const TRANSFERRED_BYTES = 64 * 1024

/** Answers what it can from a replica, and asks the writer for everything else. */
export class ReaderBackend implements HttpBackend {
  readonly #replica: ReplicaEngine
  readonly #local: Backend
  readonly #post: PostToWriter
  readonly #waiting = new Map<number, { resolve: (r: BackendResponse) => void; reject: (e: Error) => void }>()
  #nextId = 1

  /** @param local  over the replica, for {@link READ_ENDPOINTS} */
  constructor(replica: ReplicaEngine, local: Backend, post: PostToWriter) {
    this.#replica = replica
    this.#local = local
    this.#post = post
  }

  handle(request: WireRequest): Promise<BackendResponse> {
    // A scroll is open in one place for all threads.
    if (request.query.has('scroll')) return this.#forward(request)
    this.#replica.sync()
    return this.#local.handle(request).catch((error: unknown) => {
      if (error instanceof ElsewhereError) return this.#forward(request)
      throw error
    })
  }

  /** A path of the domain itself (`/-/pool/…`): the writer's. */
  edge(request: EdgeRequest): Promise<BackendResponse> {
    return this.#ask((id) => this.#post({ kind: 'edge', id, request }))
  }

  /** An answer of the writer. */
  answered(id: number, answer: ForwardedAnswer): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (answer.kind === 'response') {
      const { status, headers, body } = answer
      waiting?.resolve({ status, headers, body: typeof body === 'string' ? body : asBuffer(body) })
    } else if (answer.kind === 'denial') {
      const { status, body, reason, fields } = answer
      waiting?.reject(new AccessDenial(status, JSON.parse(body) as Record<string, unknown>, reason, fields))
    } else waiting?.reject(new Error(answer.message))
  }

  #forward(request: WireRequest): Promise<BackendResponse> {
    return this.#ask((id) => {
      request.onAbort = () => {
        if (this.#waiting.has(id)) this.#post({ kind: 'aborted', id })
      }
      const { method, rawTarget, rawHeaders, headers, query, sourceIp, body, bodySha256 } = request
      const forwarded = { method, rawTarget, rawHeaders, headers: { ...headers }, query, sourceIp, body, bodySha256 }
      const isLarge = body.length >= TRANSFERRED_BYTES && body.length === body.buffer.byteLength
      this.#post({ kind: 'request', id, request: forwarded }, isLarge ? [body.buffer as ArrayBuffer] : [])
    })
  }

  #ask(send: (id: number) => void): Promise<BackendResponse> {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      send(id)
    })
  }
}

function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, length)
}
