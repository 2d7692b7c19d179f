import { type Backend, type BackendRequest, type BackendResponse, firstValue } from '../backend.ts'
import { ServiceError } from '../errors.ts'
import { DIALECTS, type Dialect } from '../rest/dialects/dialect.ts'
import { renderError } from '../rest/errors/error-response.ts'
import { isDenial } from '../rest/is-allowed.ts'
import { writeJson } from '../rest/json/json-writer.ts'
import { Router } from '../rest/router.ts'
import { CallerRights } from './caller-rights.ts'
import { checkOwn, passAnswer } from './cluster-answer.ts'
import { type ClusterCall, callTarget, plainMediaType, readCall } from './cluster-call.ts'
import { ClientGone, ClusterClient, type ClusterClientOptions, readAnswer } from './cluster-client.ts'
import { ClusterStateReader } from './cluster-state.ts'
import { type ClusterVersion, ClusterVersionFinder } from './cluster-version.ts'
import { ContextOwners } from './context-owners.ts'
import { checkExplicitIndices } from './explicit-indices.ts'
import { judgeCall } from './judge-call.ts'
import { rememberContext } from './remember-context.ts'
import { StoredQueries } from './stored-queries.ts'
import { checkTokenizers } from './tokenizer-check.ts'
import { toldAnswer } from './told-faults.ts'
import { IndexTypes } from './typed/index-types.ts'
import { translateCall } from './typed/translate-call.ts'
import { directAnswer, typedAnswer } from './typed/typed-answer.ts'
import type { JsonAnswer, TypedCall } from './typed/typed-call.ts'
import { needsFace, versionFace } from './version-face.ts'

const JSON_HEADERS = { 'content-type': 'application/json; charset=UTF-8' }

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
  readonly #types: IndexTypes
  readonly #contexts = new ContextOwners()
  readonly #storedQueries: StoredQueries

  constructor(options: ClusterBackendOptions) {
    this.#options = options
    this.#dialect = DIALECTS[options.engineVersion]
    this.#router = new Router(this.#dialect.typed, this.#dialect.takesTypedPaths)
    this.#client = new ClusterClient(options)
    this.#version = new ClusterVersionFinder(this.#client, options.log)
    this.#state = new ClusterStateReader(this.#client)
    this.#storedQueries = new StoredQueries(this.#client)
    this.#types = new IndexTypes(this.#client, this.#state)
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
    const opaqueId = firstValue(request, 'x-opaque-id')
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
    const asked = this.#router.route(request.method, request.segments)
    const rights = new CallerRights(request)
    const isWatched = request.method !== 'HEAD' && !rights.mayReadScripts
    // Traces quote scripts.
    const read = isWatched ? withoutTraces(readCall(request)) : readCall(request)
    const {
      answer: given,
      call,
      contextOver,
      hidesWarnings,
      madeOf = [],
      route = asked,
      sent = call,
    } = await judgeCall(read, asked, {
      client: this.#client,
      takesTypes: this.#dialect.typed,
      rights,
      state: () => this.#state.current(),
      templates: () => this.#state.templates(),
      contexts: this.#contexts,
      storedQueries: this.#storedQueries,
    })
    const endpoint = route.kind === 'found' ? route.endpoint : ''
    if (!this.#options.allowExplicitIndex) await checkExplicitIndices(call, endpoint)
    await checkTokenizers(call, endpoint, this.#client)
    const respond = async (came: BackendResponse) => {
      const answer = isWatched ? await toldAnswer(came, { call, endpoint, madeOf, rights, client: this.#client }) : came
      if (hidesWarnings === true) return withoutWarnings(answer)
      if (contextOver === undefined || answer.status !== 200) return answer
      return rememberContext(answer, { owner: request.caller ?? '', indices: contextOver, contexts: this.#contexts })
    }
    if (given !== undefined) return respond(given)
    if (endpoint === 'info' && needsFace(this.#dialect, version)) {
      const answer = await this.#send(call, request, { isRead: true })
      if (answer.statusCode !== 200) return passAnswer(request.method, answer)
      return { status: 200, headers: JSON_HEADERS, body: versionFace(await readAnswer(answer), this.#dialect) }
    }
    if (!this.#dialect.typed || version.isTyped) {
      const answer = await this.#send(sent, request, { isRead: isWatched || contextOver !== undefined })
      return respond(await passAnswer(request.method, answer))
    }
    const typed = await translateCall(call, route, this.#types)
    return respond(await this.#answerTyped(typed, request, isWatched || contextOver !== undefined))
  }

  /** Asks in the cluster's words, answers in those of 6.8. @param isWatched  the answer is read on its way */
  async #answerTyped(typed: TypedCall, request: BackendRequest, isWatched: boolean): Promise<BackendResponse> {
    const { call, direct, remembered = [], changesIndices } = typed
    if (call === undefined) return directAnswer(direct as JsonAnswer, typed)
    const isRead = typed.typeShown !== undefined || typed.rewrite !== undefined || typed.inserted !== undefined
    if (isRead && /yaml|cbor|smile/.test(request.headers['accept'] ?? call.contentType ?? '')) {
      throw new ServiceError('illegal_argument_exception', 'only answers in JSON are translated from later versions')
    }
    const answer = await this.#send(call, request, { isRead: isRead || isWatched })
    if ((answer.statusCode as number) < 300) await this.#types.remember(remembered)
    if (changesIndices) this.#types.forget()
    const isPassed = !isRead || (request.method === 'HEAD' && typed.rewrite === undefined)
    return isPassed ? passAnswer(request.method, answer) : typedAnswer(answer, typed)
  }

  /** @param use.isRead  the answer is read here, and so not to be compressed */
  async #send(call: ClusterCall, request: BackendRequest, use: { readonly isRead: boolean }) {
    const { headers, signal } = request
    const passed: Record<string, string | readonly string[]> = {}
    // Several stay several, which the cluster refuses.
    const contentType = call.contentType?.split('\n')
    if (contentType !== undefined) passed['content-type'] = contentType
    const accept = plainMediaType(headers['accept'])
    if (accept !== undefined) passed['accept'] = accept
    const encodings = headers['accept-encoding']
    if (encodings !== undefined && !use.isRead) passed['accept-encoding'] = encodings
    const opaqueIds = headers['x-opaque-id']?.split('\n')
    if (opaqueIds !== undefined) passed['x-opaque-id'] = opaqueIds
    const { method, body } = call
    const answer = await this.#client.send({ method, path: callTarget(call, request), headers: passed, body, signal })
    checkOwn(answer)
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
    // It may be another one when it is back.
    if (error instanceof ServiceError && error.type === 'no_node_available_exception') this.#version.forget()
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
      headers: JSON_HEADERS,
      body: writeJson(renderError(known)),
    }
  }
}

function withoutTraces(call: ClusterCall): ClusterCall {
  if (!call.query.has('error_trace')) return call
  const query = new Map(call.query)
  query.delete('error_trace')
  return { ...call, query }
}

function withoutWarnings(answer: BackendResponse): BackendResponse {
  const { warning: _, ...headers } = answer.headers
  return { ...answer, headers }
}
