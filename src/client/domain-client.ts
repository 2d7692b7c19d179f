import { backoffMs, pause } from './backoff.ts'
import {
  type BulkAnswer,
  type BulkItem,
  type BulkOperation,
  type BulkOptions,
  type BulkSummary,
  sendBulk,
} from './bulk.ts'
import { ClientError, errorFromResponse } from './client-error.ts'
import type { Connection, WireRequest, WireResponse } from './connection.ts'
import type { CredentialProvider } from './credentials.ts'
import type { Endpoint } from './endpoint.ts'
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
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as this content type instead of JSON. */
  readonly contentType?: string
  /** Answers the body's bytes unparsed. */
  readonly raw?: boolean
}

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
  readonly _source: T
  readonly highlight?: Readonly<Record<string, readonly string[]>>
  readonly sort?: readonly unknown[]
  readonly fields?: Readonly<Record<string, readonly unknown[]>>
  readonly _routing?: string
}

/** A search's answer as the server gives it; `total` by dialect a number or an object: see {@link totalHits}. */
export interface SearchAnswer<T> {
  readonly took: number
  readonly timed_out: boolean
  readonly _scroll_id?: string
  readonly hits: {
    readonly total: number | { readonly value: number; readonly relation: 'eq' | 'gte' } | null
    readonly max_score: number | null
    readonly hits: readonly Hit<T>[]
  }
  readonly aggregations?: Readonly<Record<string, unknown>>
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

/** A search's body: `{ query: … }` and its neighbours. */
export type SearchBody = Readonly<Record<string, unknown>>

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

  constructor(settings: ClientSettings) {
    if (settings.credentials !== undefined && settings.region === undefined) {
      throw new ClientError('configuration', `a region is needed to sign requests to ${settings.endpoint.hostname}`)
    }
    this.endpoint = settings.endpoint
    this.#settings = settings
  }

  /** Reads a document. @throws {ClientError} status 404 when there is none */
  async get<D = T>(index: string, type: string, id: string, options?: RequestOptions): Promise<StoredDocument<D>> {
    return (await this.request<StoredDocument<D>>('GET', documentPath(index, type, id), undefined, options)).body
  }

  /** Searches everything, an index (or a comma list or pattern), or a type of it. */
  async search<D = T>(
    body: SearchBody,
    target: { readonly index?: string; readonly type?: string } = {},
    options?: RequestOptions,
  ): Promise<SearchAnswer<D>> {
    const path = `${targetPath(target)}/_search`
    return (await this.request<SearchAnswer<D>>('POST', path, body, options, true)).body
  }

  /** Creates an index. Analyzers can only be given here. */
  async createIndex(
    index: string,
    body: { readonly settings?: object; readonly mappings?: object; readonly aliases?: object } = {},
    options?: RequestOptions,
  ): Promise<{ readonly acknowledged: boolean; readonly index: string }> {
    const answer = await this.request<{ acknowledged: boolean; index: string }>(
      'PUT',
      `/${segment(index)}`,
      body,
      options,
    )
    return answer.body
  }

  /** Stores a document under its id, replacing what was there. */
  async put<D = T>(
    index: string,
    type: string,
    id: string,
    document: D,
    options?: RequestOptions,
  ): Promise<WriteAnswer> {
    return (await this.request<WriteAnswer>('PUT', documentPath(index, type, id), document, options, true)).body
  }

  /** Deletes a document. Answers `not_found` as a result, not as an error. */
  async delete(index: string, type: string, id: string, options?: RequestOptions): Promise<WriteAnswer> {
    try {
      return (await this.request<WriteAnswer>('DELETE', documentPath(index, type, id), undefined, options)).body
    } catch (error) {
      const body =
        error instanceof ClientError && error.status === 404 ? (error.body as Partial<WriteAnswer>) : undefined
      if (body?.result === 'not_found') return body as WriteAnswer
      throw error
    }
  }

  /** Stores many documents, or runs many operations; see {@link sendBulk} for splitting and repeating. */
  bulk<D = T>(
    items: Iterable<BulkItem<D> | BulkOperation<D>> | AsyncIterable<BulkItem<D> | BulkOperation<D>>,
    options: BulkOptions = {},
  ): Promise<BulkSummary> {
    const send = async (body: Uint8Array, { refresh, signal }: BulkOptions): Promise<BulkAnswer> => {
      const path = refresh === undefined ? '/_bulk' : `/_bulk?refresh=${refresh}`
      const answer = await this.request<BulkAnswer>('POST', path, body, {
        contentType: 'application/x-ndjson',
        timeoutMs: Math.max(this.#settings.timeoutMs ?? 0, 120_000),
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
      let page = (await this.request<SearchAnswer<D>>('POST', path, body, call)).body
      while (page.hits.hits.length > 0) {
        scrollId = page._scroll_id
        yield* page.hits.hits
        page = (
          await this.request<SearchAnswer<D>>(
            'POST',
            '/_search/scroll',
            { scroll: keepAlive, scroll_id: scrollId },
            call,
          )
        ).body
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
   * @throws {ClientError} for every status of 400 or more
   */
  async request<R = unknown>(
    method: string,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
    repeatable: boolean = /^(GET|HEAD|PUT|DELETE|OPTIONS)$/i.test(method),
  ): Promise<Answer<R>> {
    const request = this.#wireRequest(method, path, body, options)
    const maxRetries = this.#settings.maxRetries ?? 3
    for (let attempt = 0; ; attempt++) {
      try {
        const response = await this.#exchange(request, options)
        if (response.status >= 400) throw errorFromResponse(response.status, response.headers, decode(response.body))
        return {
          status: response.status,
          headers: response.headers,
          body: (options.raw ? response.body : parseBody(response)) as R,
        }
      } catch (error) {
        const again = error instanceof ClientError && error.retryable && (repeatable || error.status === 429)
        if (!again || attempt >= maxRetries) throw error
        await pause(backoffMs(attempt), options.signal)
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

  #wireRequest(method: string, path: string, body: unknown, options: RequestOptions): WireRequest {
    if (!path.startsWith('/')) throw new ClientError('configuration', `the path [${path}] must begin with /`)
    const bytes = toBytes(body)
    return {
      method: method.toUpperCase(),
      target: this.endpoint.basePath + path,
      headers: {
        host: this.endpoint.host,
        accept: 'application/json',
        // On this machine compressing costs more than it saves.
        ...(isLoopback(this.endpoint.hostname) ? {} : { 'accept-encoding': 'gzip' }),
        ...(bytes === undefined ? {} : { 'content-type': options.contentType ?? 'application/json' }),
        ...options.headers,
      },
      body: bytes,
    }
  }

  async #exchange(request: WireRequest, options: RequestOptions): Promise<WireResponse> {
    const { credentials, region, service, connection, timeoutMs } = this.#settings
    const signed =
      credentials === undefined || region === undefined
        ? request
        : await signWireRequest(request, {
            credentials: await credentials(),
            region,
            service: service ?? 'es',
            now: new Date(),
          })
    return connection.send(signed, {
      timeoutMs: options.timeoutMs ?? timeoutMs ?? 30_000,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    })
  }
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '::1' || hostname.startsWith('127.')
}

/** `/<index>/<type>/<id>`, each percent-encoded. */
function documentPath(index: string, type: string, id: string): string {
  return `/${segment(index)}/${segment(type)}/${segment(id)}`
}

function targetPath(target: { readonly index?: string; readonly type?: string }): string {
  if (target.type !== undefined && target.index === undefined) return `/_all/${segment(target.type)}`
  return [target.index, target.type]
    .filter((part) => part !== undefined)
    .map((part) => `/${segment(part)}`)
    .join('')
}

/** Percent-encodes a path segment, leaving the comma of lists and the star of patterns to the signer's own rules. */
function segment(text: string): string {
  if (text === '') throw new ClientError('configuration', 'an index, type or id must not be empty')
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}

function toBytes(body: unknown): Uint8Array | undefined {
  if (body === undefined) return undefined
  if (body instanceof Uint8Array) return body
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body))
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

function parseBody(response: WireResponse): unknown {
  if (response.body.byteLength === 0) return undefined
  const text = decode(response.body)
  return /json/.test(response.headers['content-type'] ?? '') ? JSON.parse(text) : text
}
