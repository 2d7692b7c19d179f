import type { Backend, BackendRequest, BackendResponse } from '../backend.ts'
import { ServiceError } from '../errors.ts'
import { DIALECTS, type Dialect } from '../rest/dialects/dialect.ts'
import { renderError } from '../rest/error-response.ts'
import { writeJson } from '../rest/json/json-writer.ts'
import { Router } from '../rest/router.ts'
import { CallerRights, isDenial } from './caller-rights.ts'
import { checkCredentials, passAnswer } from './cluster-answer.ts'
import { type ClusterCall, callTarget, plainMediaType, readCall } from './cluster-call.ts'
import { ClientGone, ClusterClient, type ClusterClientOptions } from './cluster-client.ts'
import { ClusterStateReader } from './cluster-state.ts'
import { type ClusterVersion, ClusterVersionFinder } from './cluster-version.ts'
import { judgeCall } from './judge-call.ts'
import { rememberScroll } from './remember-scroll.ts'
import { ScrollOwners } from './scroll-owners.ts'

/** How a cluster is served. */
export interface ClusterBackendOptions extends ClusterClientOptions {
  readonly engineVersion: Dialect['engineVersion']
  /** `rest.action.multi.allow_explicit_index`. */
  readonly allowExplicitIndex: boolean
}

/** Answers requests from a cluster: judges what they touch, translates what its version words otherwise, forwards the rest. */
export class ClusterBackend implements Backend {
  readonly #options: ClusterBackendOptions
  readonly #dialect: Dialect
  readonly #router: Router
  readonly #client: ClusterClient
  readonly #version: ClusterVersionFinder
  readonly #state: ClusterStateReader
  readonly #scrolls = new ScrollOwners()

  constructor(options: ClusterBackendOptions) {
    this.#options = options
    this.#dialect = DIALECTS[options.engineVersion]
    this.#router = new Router(this.#dialect.typed)
    this.#client = new ClusterClient(options)
    this.#version = new ClusterVersionFinder(this.#client, options.log)
    this.#state = new ClusterStateReader(this.#client)
    this.#version.start()
  }

  async handle(request: BackendRequest): Promise<BackendResponse> {
    let answer: BackendResponse
    try {
      answer = await this.#handle(request)
    } catch (error) {
      if (isDenial(error)) throw error
      answer = this.#errorAnswer(request, error)
    }
    const opaqueId = request.headers['x-opaque-id']
    const headers = { ...answer.headers, ...this.#dialect.headers }
    return { ...answer, headers: opaqueId === undefined ? headers : { ...headers, 'x-opaque-id': opaqueId } }
  }

  async close(): Promise<void> {
    this.#version.stop()
    this.#client.close()
  }

  async #handle(request: BackendRequest): Promise<BackendResponse> {
    const version = await this.#version.find()
    this.#checkDialect(version)
    const route = this.#router.route(request.method, request.segments)
    const judged = await judgeCall(readCall(request), route, {
      rights: new CallerRights(request),
      state: () => this.#state.current(),
      scrolls: this.#scrolls,
    })
    const answer = await this.#send(judged.call, request, { isRead: judged.scrollOver !== undefined })
    if (judged.scrollOver === undefined || answer.statusCode !== 200) return passAnswer(request.method, answer)
    return rememberScroll(answer, judged.scrollOver, this.#scrolls)
  }

  /** @param use.isRead  the answer is read here, and so not to be compressed */
  async #send(call: ClusterCall, { headers, signal }: BackendRequest, use: { readonly isRead: boolean }) {
    const passed: Record<string, string> = {}
    if (call.contentType !== undefined && call.body.length > 0) passed['content-type'] = call.contentType
    const accept = plainMediaType(headers['accept'])
    if (accept !== undefined) passed['accept'] = accept
    for (const name of ['accept-encoding', 'x-opaque-id']) {
      const value = headers[name]
      if (value !== undefined && !(use.isRead && name === 'accept-encoding')) passed[name] = value
    }
    const { method, body } = call
    const answer = await this.#client.send({ method, path: callTarget(call), headers: passed, body, signal })
    checkCredentials(answer)
    return answer
  }

  /** @throws {ServiceError} for a dialect the cluster is too old for */
  #checkDialect(version: ClusterVersion): void {
    if (!version.isTyped || this.#dialect.typed) return
    throw new ServiceError(
      'no_node_available_exception',
      `the cluster is Elasticsearch ${version.number}, which is served with --engine-version Elasticsearch_6.8 only`,
    )
  }

  #errorAnswer(request: BackendRequest, error: unknown): BackendResponse {
    const known = error instanceof ServiceError ? error : new ServiceError('exception', 'internal error')
    if (known !== error && !(error instanceof ClientGone)) {
      const fields = {
        method: request.method,
        path: request.rawTarget.split('?')[0],
        error: String((error as Error).stack),
      }
      this.#options.log('error', fields, 'request failed by a fault of the domain')
    }
    return {
      status: known.status,
      headers: { 'content-type': 'application/json; charset=UTF-8' },
      body: writeJson(renderError(known)),
    }
  }
}
