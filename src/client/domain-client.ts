import { isObject } from '../is-object.ts'
import { LONGEST_TIMER_MS } from '../longest-timer.ts'
import { pause, retryDelayMs } from './backoff.ts'
import {
  type BulkAnswer,
  type BulkItem,
  type BulkOperation,
  type BulkOptions,
  type BulkSummary,
  sendBulk,
} from './bulk.ts'
import { ClientError, errorFromResponse, SENT_BEFORE } from './client-error.ts'
import type { Connection, WireRequest, WireResponse } from './connection.ts'
import type { CredentialProvider, Credentials } from './credentials.ts'
import type { Endpoint } from './endpoint.ts'
import { jsonOf } from './json-of.ts'
import { documentPath, segment, targetPath, wirePath } from './request-path.ts'
import { signWireRequest } from './sign-wire-request.ts'

/** What a client needs; `Client.fromEnv()` and `Client.connect()` fill it in. */
export interface ClientSettings {
  readonly endpoint: Endpoint
  readonly connection: Connection
  /** Absent: requests go out unsigned (a domain behind an IP policy, a plain server). */
  readonly credentials?: CredentialProvider | undefined
  /** Needed with credentials. */
  readonly region?: string | undefined
  /** Signing name; `es` for a domain. */
  readonly service?: string | undefined
  /** For one answer, body included (30,000). */
  readonly timeoutMs?: number | undefined
  /** How often a request that is safe to repeat is (3). */
  readonly maxRetries?: number | undefined
}

/** Per-call settings. */
export interface RequestOptions {
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** How often it is sent again at most; by default as often as the client's settings say. */
  readonly maxRetries?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as this content type instead of JSON. */
  readonly contentType?: string
  /** Answers the body's bytes unparsed. */
  readonly raw?: boolean
}

/** Settings of a call on one document. */
export interface DocumentOptions extends RequestOptions {
  /** Where the document was stored with a routing of its own. */
  readonly routing?: string
}

/** Settings of a write. */
export interface WriteOptions extends DocumentOptions {
  /** When searches find what was written: at once (`true`), before this call answers (`wait_for`); by default within a second. */
  readonly refresh?: boolean | 'wait_for'
}

type BulkInput<T> = BulkItem<T> | BulkOperation<T>

/** An answer to {@link Client.request}. */
export interface Answer<T = unknown> {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Parsed where the answer is JSON, else its text; undefined when it has no body. */
  readonly body: T
}

/** A stored document with what the server says of it. */
export interface StoredDocument<T> {
  readonly _index: string
  readonly _type: string
  readonly _id: string
  readonly _version: number
  readonly _seq_no?: number
  readonly _primary_term?: number
  readonly _routing?: string
  readonly found: boolean
  readonly _source: T
}

/** One hit of a search. */
export interface Hit<T> {
  readonly _index: string
  readonly _type: string
  readonly _id: string
  readonly _score: number | null
  /** Only where the search asks for it (`version`, `seq_no_primary_term`). */
  readonly _version?: number
  readonly _seq_no?: number
  readonly _primary_term?: number
  readonly _source: T
  readonly highlight?: Readonly<Record<string, readonly string[]>>
  readonly sort?: readonly unknown[]
  readonly fields?: Readonly<Record<string, readonly unknown[]>>
  readonly matched_queries?: readonly string[]
  readonly inner_hits?: Readonly<Record<string, Pick<SearchAnswer<unknown>, 'hits'>>>
  readonly _routing?: string
}

/** A search's answer as the server gives it; `total` by dialect a number or an object: see {@link totalHits}. */
export interface SearchAnswer<T> {
  readonly took: number
  readonly timed_out: boolean
  readonly _scroll_id?: string
  readonly _shards?: {
    readonly total: number
    readonly successful: number
    readonly failed: number
    readonly failures?: readonly {
      readonly index?: string
      readonly shard?: number
      readonly reason?: { readonly type?: string; readonly reason?: string }
    }[]
  }
  readonly hits: {
    readonly total: number | { readonly value: number; readonly relation: 'eq' | 'gte' } | null
    readonly max_score: number | null
    readonly hits: readonly Hit<T>[]
  }
  readonly aggregations?: Readonly<Record<string, unknown>>
  readonly suggest?: Readonly<Record<string, readonly unknown[]>>
  readonly profile?: unknown
}

/** What a write answers. */
export interface WriteAnswer {
  readonly _index: string
  readonly _type: string
  readonly _id: string
  readonly _version: number
  readonly result: 'created' | 'updated' | 'deleted' | 'not_found' | 'noop'
  readonly _seq_no?: number
  readonly _primary_term?: number
}

/** What may be stored by a client of documents of this shape; anything where none was said. */
type DocumentOf<T> = string extends keyof T ? unknown : T

/** A type that is not inferred from the argument it stands at, which would fit whatever is given. */
type Said<D> = [D][D extends unknown ? 0 : never]

/** A search's body: `{ query: … }` and its neighbours; of any type that says so, also an interface of another client. */
export type SearchBody = object

/** The hits found in all, whichever form the server's version gives them. */
export function totalHits(answer: SearchAnswer<unknown>): number {
  const total = answer.hits.total
  return typeof total === 'number' ? total : (total?.value ?? 0)
}

/**
 * A caller of one domain: signs each request, verifies the server's certificate, repeats what may be repeated.
 *
 * @typeParam T  shape of the documents, overridable call by call
 */
export class DomainClient<T = Record<string, unknown>> {
  readonly endpoint: Endpoint
  readonly #settings: ClientSettings
  /** How far the server's clock is ahead of this machine's, once it has refused a signature for its time. */
  #clockOffsetMs = 0

  constructor(settings: ClientSettings) {
    if (settings.credentials !== undefined && settings.region === undefined) {
      throw new ClientError('configuration', `a region is needed to sign requests to ${settings.endpoint.hostname}`)
    }
    this.endpoint = settings.endpoint
    this.#settings = settings
  }

  /**
   * Reads a document. Whole numbers beyond 2^53 lose digits, as everywhere in JavaScript: {@link request} with `raw` does not.
   *
   * @throws {ClientError} status 404 when there is none
   */
  async get<D = T>(index: string, type: string, id: string, options: DocumentOptions = {}): Promise<StoredDocument<D>> {
    const path = documentPath(index, type, id) + queryOf(options)
    return this.#object<StoredDocument<D>>('GET', path, undefined, options)
  }

  /** Searches everything, an index (or a comma list or pattern), or a type of it. */
  async search<D = T>(
    body: SearchBody,
    target: { readonly index?: string; readonly type?: string } = {},
    options?: RequestOptions,
  ): Promise<SearchAnswer<D>> {
    const path = `${targetPath(target)}/_search`
    return this.#object<SearchAnswer<D>>('POST', path, body, options, true)
  }

  /** Creates an index. Analyzers can only be given here. */
  async createIndex(
    index: string,
    body: { readonly settings?: object; readonly mappings?: object; readonly aliases?: object } = {},
    options?: RequestOptions,
  ): Promise<{ readonly acknowledged: boolean; readonly index: string }> {
    return this.#object<{ acknowledged: boolean; index: string }>('PUT', `/${segment(index)}`, body, options)
  }

  /** Stores a document under its id, replacing what was there. */
  async put<D = DocumentOf<T>>(
    index: string,
    type: string,
    id: string,
    document: Said<D>,
    options: WriteOptions = {},
  ): Promise<WriteAnswer> {
    const path = documentPath(index, type, id) + queryOf(options)
    if (document === undefined) throw new ClientError('configuration', 'there is no document to put')
    return this.#object<WriteAnswer>('PUT', path, document, options)
  }

  /** Deletes a document. Answers `not_found` as a result, not as an error. */
  async delete(index: string, type: string, id: string, options: WriteOptions = {}): Promise<WriteAnswer> {
    try {
      const path = documentPath(index, type, id) + queryOf(options)
      return await this.#object<WriteAnswer>('DELETE', path, undefined, options)
    } catch (error) {
      const body =
        error instanceof ClientError && error.status === 404 ? (error.body as Partial<WriteAnswer>) : undefined
      if (body?.result === 'not_found') return body as WriteAnswer
      throw error
    }
  }

  /** Stores many documents, or runs many operations; see {@link sendBulk} for splitting and repeating. */
  bulk<D = DocumentOf<T>>(
    items: Iterable<BulkInput<Said<D>>> | AsyncIterable<BulkInput<Said<D>>>,
    options: BulkOptions = {},
  ): Promise<BulkSummary> {
    const send = async (body: Uint8Array, { refresh, signal }: BulkOptions): Promise<BulkAnswer> => {
      const path = refresh === undefined ? '/_bulk' : `/_bulk?refresh=${refresh}`
      const answer = await this.request<BulkAnswer>('POST', path, body, {
        contentType: 'application/x-ndjson',
        timeoutMs: Math.max(this.#settings.timeoutMs ?? 0, 120_000),
        // Repeated by whoever cut the input into requests, as often as asked there.
        maxRetries: 0,
        ...(signal === undefined ? {} : { signal }),
      })
      return answer.body
    }
    return sendBulk(items, send, options)
  }

  /**
   * Walks every hit of a search through a scroll, page by page; the scroll is cleared when the walk ends, however it ends.
   *
   * @param keepAlive  how long the server keeps the scroll between pages
   */
  async *scroll<D = T>(
    body: SearchBody,
    options: {
      readonly index?: string
      readonly type?: string
      readonly keepAlive?: string
      readonly signal?: AbortSignal
    } = {},
  ): AsyncGenerator<Hit<D>, void, undefined> {
    const keepAlive = options.keepAlive ?? '1m'
    const call = options.signal === undefined ? {} : { signal: options.signal }
    let scrollId: string | undefined
    try {
      const path = `${targetPath(options)}/_search?scroll=${encodeURIComponent(keepAlive)}`
      let page = await this.#object<SearchAnswer<D>>('POST', path, body, call)
      while (hitsOf(page).length > 0) {
        scrollId = page._scroll_id
        expectWhole(page)
        for (const hit of page.hits.hits) {
          options.signal?.throwIfAborted()
          yield hit
        }
        const next = { scroll: keepAlive, scroll_id: scrollId }
        page = await this.#object<SearchAnswer<D>>('POST', '/_search/scroll', next, call)
      }
      scrollId = page._scroll_id ?? scrollId
    } finally {
      if (scrollId !== undefined) {
        await this.request('DELETE', '/_search/scroll', { scroll_id: [scrollId] }).catch(() => {})
      }
    }
  }

  /**
   * Sends any method to any path.
   *
   * @param path  begins with `/`; percent-encoded, with its query
   * @param body  an object (sent as JSON), text or bytes (sent as they are)
   * @param repeatable  whether it may be sent again after a broken connection; by default GET, HEAD, PUT, DELETE and OPTIONS are
   * @throws {ClientError} for every status of 300 or more
   */
  async request<R = unknown>(
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
    repeatable: boolean = /^(GET|HEAD|PUT|DELETE|OPTIONS)$/i.test(method),
  ): Promise<Answer<R>> {
    const request = this.#wireRequest(method, path, body, options)
    const maxRetries = options.maxRetries ?? this.#settings.maxRetries ?? 3
    let lost: ClientError | undefined
    for (let attempt = 0; ; attempt++) {
      try {
        const response = await this.#exchange(request, options)
        if (response.status >= 300)
          throw errorFromResponse(response.status, response.headers, this.#withoutPassword(decode(response.body)))
        return {
          status: response.status,
          headers: response.headers,
          body: (options.raw ? response.body : parseBody(response)) as R,
        }
      } catch (error) {
        const again = error instanceof ClientError && error.retryable && (repeatable || error.refused)
        if (!again || attempt >= maxRetries) throw lost === undefined ? error : sentBefore(request, error, lost)
        if (!error.refused) lost = error
        await pause(retryDelayMs(error, attempt), options.signal)
      }
    }
  }

  /** Whether something answers 2xx at a path (HEAD). */
  async exists(path: string, options?: RequestOptions): Promise<boolean> {
    try {
      await this.request('HEAD', path, undefined, options)
      return true
    } catch (error) {
      if (error instanceof ClientError && error.status === 404) return false
      throw error
    }
  }

  /** Closes kept-alive connections. */
  close(): void {
    this.#settings.connection.close()
  }

  /** {@link request} of what answers an object: a page of a proxy with status 200 is no success. */
  async #object<R>(
    method: string,
    path: string,
    body: unknown,
    options?: RequestOptions,
    repeatable?: boolean,
  ): Promise<R> {
    const answer = await this.request<R>(method, path, body, options, repeatable)
    if (isObject(answer.body)) return answer.body
    const { status, body: said } = answer as Answer
    if (said === undefined || typeof said === 'string') throw notJson(status, said ?? '')
    throw new ClientError('response', `the answer is no JSON object: ${JSON.stringify(said).slice(0, 200)}`, { status })
  }

  /** What a server said, which repeats the header that it does not understand. */
  #withoutPassword(text: string): string {
    const encoded = this.endpoint.basic?.split(' ')[1]
    return encoded === undefined ? text : text.replaceAll(encoded, '…')
  }

  #wireRequest(method: string, path: string, body: unknown, options: RequestOptions): WireRequest {
    const target = this.endpoint.basePath + wirePath(path)
    // CONNECT is for proxies: what answers it is no answer.
    if (typeof method !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/.test(method) || /^connect$/i.test(method))
      throw new ClientError('configuration', `[${method}] is no HTTP method`)
    const bytes = toBytes(body)
    return {
      method: method.toUpperCase(),
      target,
      headers: {
        host: this.endpoint.host,
        accept: 'application/json',
        // On this machine compressing costs more than it saves.
        ...(isLoopback(this.endpoint.hostname) ? {} : { 'accept-encoding': 'gzip' }),
        ...(bytes === undefined ? {} : { 'content-type': options.contentType ?? 'application/json' }),
        ...(this.endpoint.basic === undefined ? {} : { authorization: this.endpoint.basic }),
        ...options.headers,
      },
      body: bytes,
    }
  }

  async #exchange(request: WireRequest, options: RequestOptions): Promise<WireResponse> {
    const { credentials, region, service, connection } = this.#settings
    const timeoutMs = options.timeoutMs ?? this.#settings.timeoutMs ?? 30_000
    if (!(timeoutMs > 0))
      throw new ClientError('configuration', `timeoutMs must be a number above 0, not [${timeoutMs}]`)
    const call = {
      timeoutMs: Math.min(timeoutMs, LONGEST_TIMER_MS),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    }
    if (credentials === undefined || region === undefined || this.endpoint.basic) return connection.send(request, call)
    const send = async (keys: Credentials) => {
      const now = new Date(Date.now() + this.#clockOffsetMs)
      return connection.send(
        await signWireRequest(request, { credentials: keys, region, service: service ?? 'es', now }),
        call,
      )
    }
    const keys = await credentials()
    if (!keys?.accessKeyId || !keys.secretAccessKey)
      throw new ClientError('configuration', 'the credentials lack accessKeyId or secretAccessKey')
    const response = await send(keys)
    if (response.status !== 403) return response
    // Once more, where the refusal was of the signature's time or of keys that have ended before they said.
    const reason = decode(response.body)
    if (/Signature (expired|not yet current)/.test(reason)) {
      const offsetMs = Date.parse(response.headers['date'] ?? '') - Date.now()
      if (Number.isNaN(offsetMs)) return response
      this.#clockOffsetMs = offsetMs
      return send(keys)
    }
    if (!/security token included in the request is expired/.test(reason)) return response
    const renewed = await credentials(keys)
    return renewed.sessionToken === keys.sessionToken ? response : send(renewed)
  }
}

/** An error of a request whose answer was lost before. */
function sentBefore({ method }: WireRequest, error: unknown, lost: ClientError): unknown {
  if (!(method === 'PUT' || method === 'DELETE') || !(error instanceof ClientError) || error.kind !== 'response')
    return error
  const { kind, reason, ...detail } = error
  return new ClientError(kind, `${reason} ${SENT_BEFORE}`, {
    ...detail,
    cause: lost,
  })
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '::1' || hostname.startsWith('127.')
}

/** Hits of a scroll's page. @throws {ClientError} when it is none */
function hitsOf<T>(page: SearchAnswer<T>): readonly Hit<T>[] {
  const { hits, _scroll_id: id } = page
  if (!Array.isArray(hits?.hits) || (hits.hits.length > 0 && typeof id !== 'string'))
    throw new ClientError('response', 'the answer is no page of a scroll', { body: page })
  return hits.hits
}

/** A page that lacks a shard's hits is an error: a walk of every hit leaves none out in silence. */
function expectWhole(page: SearchAnswer<unknown>): void {
  const failed = page._shards?.failed ?? 0
  if (failed > 0 || page.timed_out)
    throw new ClientError('response', `the search could not read everything: ${failed} shards failed`, { body: page })
}

/** `?refresh=…&routing=…`, or nothing. */
function queryOf({ refresh, routing }: WriteOptions): string {
  const query = new URLSearchParams()
  if (refresh !== undefined) query.set('refresh', String(refresh))
  if (routing !== undefined) query.set('routing', routing)
  // A plus stands for a blank in forms only: signers read it in two ways.
  return query.size === 0 ? '' : `?${query.toString().replaceAll('+', '%20')}`
}

function toBytes(body: unknown): Uint8Array | undefined {
  if (body === undefined) return undefined
  if (body instanceof Uint8Array) return body
  return new TextEncoder().encode(typeof body === 'string' ? body : jsonOf(body, 'the body'))
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

function parseBody(response: WireResponse): unknown {
  if (response.body.byteLength === 0) return undefined
  const text = decode(response.body)
  if (!/json/.test(response.headers['content-type'] ?? '')) return text
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw notJson(response.status, text, cause)
  }
}

/** The error of an answer that had to be JSON and is not. */
export function notJson(status: number, text: string, cause?: unknown): ClientError {
  return new ClientError('response', `the answer is not JSON: ${text.slice(0, 200)}`, { status, body: text, cause })
}
