import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request as the cluster received it. */
export interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly rawHeaders: readonly string[]
  readonly body: string
}

/** What a fake cluster answers with, unless a handler says otherwise. */
export interface FakeClusterOptions {
  readonly version?: { readonly number: string; readonly distribution?: string }
  /** `metadata` of `/_cluster/state`. */
  readonly metadata?: object
  /** Served over TLS with these. */
  readonly tls?: { readonly cert: string; readonly key: string }
  readonly handle?: (seen: SeenRequest, response: ServerResponse, request: IncomingMessage) => boolean
}

/** Stands in for a cluster: it tells a state, and remembers what else it was asked. */
export class FakeCluster {
  /** Requests but for those the domain asks by itself. */
  readonly seen: SeenRequest[] = []
  metadata: object
  /** Answered instead of its state where it is set. */
  state: unknown
  stateUuid = 1
  port = 0
  readonly #server: Server
  readonly #options: FakeClusterOptions

  private constructor(options: FakeClusterOptions) {
    this.#options = options
    this.metadata = options.metadata ?? { indices: {} }
    const listener = (request: IncomingMessage, response: ServerResponse) => {
      void buffer(request).then(
        (body) => this.#answer(request, response, body.toString()),
        () => {},
      )
    }
    this.#server = options.tls === undefined ? createServer(listener) : createSecureServer(options.tls, listener)
  }

  static async start(options: FakeClusterOptions = {}, port = 0): Promise<FakeCluster> {
    const fake = new FakeCluster(options)
    await new Promise<void>((resolve) => fake.#server.listen(port, '127.0.0.1', resolve))
    fake.port = (fake.#server.address() as AddressInfo).port
    return fake
  }

  get url(): string {
    return `${this.#options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${this.port}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const { headers, rawHeaders } = request
    const seen = { method: request.method as string, url: request.url as string, headers, rawHeaders, body }
    if (seen.url.startsWith('/_cluster/state/metadata?filter_path=metadata.templates')) {
      answerJson(response, 200, {})
      return
    }
    if (seen.url.startsWith('/_cluster/state/metadata?filter_path=metadata.stored_scripts')) {
      answerJson(response, 200, { metadata: this.metadata })
      return
    }
    if (seen.url.startsWith('/_cluster/state/') && seen.url.includes('filter_path=state_uuid')) {
      if (this.state !== undefined) {
        answerJson(response, 200, this.state)
        return
      }
      const json = {
        state_uuid: String(this.stateUuid),
        ...(seen.url.includes('metadata') ? { metadata: this.metadata } : {}),
      }
      answerJson(response, 200, json)
      return
    }
    if (seen.url === '/' && seen.method === 'GET') {
      const version = this.#options.version ?? { number: '2.19.3', distribution: 'opensearch' }
      answerJson(response, 200, { name: 'n', cluster_name: 'c', cluster_uuid: 'u', version })
      return
    }
    if (seen.url === '/_render/template') {
      // Without mustache: what is asked for is what comes of it.
      const { source } = JSON.parse(body) as { source?: string | object }
      const output: unknown = typeof source === 'string' ? JSON.parse(source) : source
      answerJson(response, output === undefined ? 400 : 200, { template_output: output })
      return
    }
    const [, ofIndex] = /^\/([^/]+)\/_mapping\?.*filter_path=\*\*\.type$/.exec(seen.url) ?? []
    if (ofIndex !== undefined) {
      const { indices = {} } = this.metadata as { indices?: Record<string, object> }
      answerJson(response, ofIndex in indices ? 200 : 404, { [ofIndex]: indices[ofIndex] })
      return
    }
    if (seen.method === 'GET' && /^\/_(?:index_)?template\//.test(seen.url)) {
      const template = { index_patterns: ['secret-*'] }
      if (seen.url.endsWith('/theirs')) answerJson(response, 200, { theirs: template })
      else answerJson(response, 404, {})
      return
    }
    this.seen.push(seen)
    if (this.#options.handle?.(seen, response, request) === true) return
    answerJson(response, 200, { echoed: true })
  }
}

/** Answers with JSON. */
export function answerJson(response: ServerResponse, status: number, json: unknown): void {
  const text = JSON.stringify(json)
  response.writeHead(status, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}
