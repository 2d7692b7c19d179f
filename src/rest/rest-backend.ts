import { type Backend, type BackendRequest, type BackendResponse, firstValue } from '../backend.ts'
import { ElsewhereError } from '../engine/elsewhere-error.ts'
import type { Engine, EngineLog } from '../engine/engine.ts'
import { parseByteSize } from '../engine/metadata/byte-size-value.ts'
import { newUuid } from '../engine/metadata/create-index-settings.ts'
import { ServiceError } from '../errors.ts'
import { illegalArgument } from '../illegal-argument.ts'
import { NO_WIRE, type WireStats } from '../wire-stats.ts'
import { BodyPlaces } from './body/body-places.ts'
import { bytesText } from './cat/cat-value.ts'
import { checkClusterBlocks } from './cluster-blocks.ts'
import { clusterSetting } from './cluster-flag.ts'
import { checkContentType, namedFormat } from './content-type.ts'
import { PitContexts } from './contexts/pit-contexts.ts'
import { ScrollContexts } from './contexts/scroll-contexts.ts'
import { endpointDeprecations, noteEndpoint } from './deprecation/endpoint-deprecations.ts'
import { DeprecationLog, Warnings } from './deprecation/warnings.ts'
import { DIALECTS, type Dialect } from './dialects/dialect.ts'
import type { RestContext, ThreadPoolStats } from './endpoint-handler.ts'
import { ENDPOINTS } from './endpoints.ts'
import { renderError, unexpectedError } from './errors/error-response.ts'
import { asAnswered } from './errors/tripped-breaker.ts'
import { filterPath } from './filter-path.ts'
import { withStreams } from './indices/judge-names.ts'
import { isDenial } from './is-allowed.ts'
import { encodeJson, type Json, writeJson } from './json/json-writer.ts'
import { jsonToYaml } from './json/yaml-writer.ts'
import { judgeStored } from './judge-stored.ts'
import { type NameInQuery, namesInQuery, withNamesInQuery } from './names-in-query.ts'
import { checkParameters, type FaultyParameters } from './parameters/check-parameters.ts'
import { readBeforeParameters } from './parameters/read-before-parameters.ts'
import { RequestParameters } from './parameters/request-parameters.ts'
import { parametersOf } from './parameters/version-parameters.ts'
import { requestContent } from './request-content.ts'
import type { EndpointRequest, EndpointResponse } from './rest-request.ts'
import { type Route, Router } from './router.ts'
import { queryContext } from './search/query-lookup.ts'
import { storedQueryCheck } from './search/stored-query-check.ts'
import { StateVersion } from './state-version.ts'
import { DiskUse } from './statistics/disk-operations.ts'
import { heapMetrics } from './statistics/node-metrics.ts'
import { RequestCounts } from './statistics/request-counts.ts'
import { type SearchCounters, searchCountersOf } from './statistics/search-counters.ts'
import { Trips } from './statistics/trips.ts'
import { STORED } from './stored-metadata.ts'
import { TaskRegistry } from './tasks/task-registry.ts'

/** What the REST layer is told. */
export interface RestOptions {
  readonly log: EngineLog
  /** `host:port` that clients reach the domain at. */
  readonly publishAddress: () => string
  /** What the listener tells of itself; nothing when absent. */
  readonly wire?: () => WireStats
  /** `cluster_name`: on the cloud service, account and domain. */
  readonly clusterName: string
  /** Folder that holds everything. */
  readonly dataDir: string
  /** `rest.action.multi.allow_explicit_index`; true when absent, as in the real server. */
  readonly allowExplicitIndex?: boolean
  /** Where searches are counted; by default in counters of its own. */
  readonly searches?: SearchCounters
  /** Where refusals of what is too large are counted; by default in a count of its own. */
  readonly trips?: Trips
  /** Endpoints that are answered here; the others throw an {@link ElsewhereError}. All when absent. */
  readonly endpoints?: ReadonlySet<string>
  /** Threads that search beside the first; none when absent. */
  readonly searchPool?: () => ThreadPoolStats
  /** Called before an endpoint answers with statistics: gathers what other threads have counted. */
  readonly gatherCounts?: () => Promise<void>
}

/** Endpoints that show how often indices were searched and read. */
const STATISTICS = new Set([
  'cat.indices',
  'cat.nodes',
  'cat.shards',
  'cluster.stats',
  'indices.stats',
  'nodes.stats',
  'nodes.usage',
])

/** Endpoints that need a body; `source` of the query is none to them. */
const WITH_BODY: ReadonlySet<string> = new Set([
  'bulk',
  'cluster.put_component_template',
  'cluster.put_settings',
  'create',
  'index',
  'indices.put_index_template',
  'indices.put_mapping',
  'indices.put_settings',
  'indices.put_template',
  'indices.update_aliases',
  'put_script',
  'reindex',
  'snapshot.clone',
  'snapshot.create_repository',
])

/** Those that need a body or `source`. */
const WITH_CONTENT: ReadonlySet<string> = new Set([
  'indices.analyze',
  'ingest.put_pipeline',
  'ingest.simulate',
  'mget',
  'msearch',
  'msearch_template',
  'rank_eval',
  'render_search_template',
  'scripts_painless_execute',
  'search_pipeline.put',
  'search_template',
])

/** Those that look at what parameters say before they miss the body. */
const PARAMETERS_FIRST: ReadonlySet<string> = new Set([
  'cluster.put_component_template',
  'cluster.put_settings',
  'indices.put_index_template',
  'indices.put_settings',
  'indices.put_template',
])

const IN_FLIGHT_LIMIT = 'network.breaker.inflight_requests.limit'
const IN_FLIGHT_OVERHEAD = 'network.breaker.inflight_requests.overhead'

/** Answers requests from the embedded engine, in the dialect of its version. */
export function createRestBackend(engine: Engine, options: RestOptions): Backend {
  return new RestBackend(engine, options)
}

class RestBackend implements Backend {
  readonly #router: Router
  readonly #dialect: Dialect
  readonly #context: RestContext
  readonly #engine: Engine
  readonly #endpoints: ReadonlySet<string> | undefined
  readonly #gatherCounts: (() => Promise<void>) | undefined
  readonly #parameters = new Map<string, ReadonlySet<string>>()
  /** What of an endpoint's paths the query may say. */
  readonly #said = new Map<string, readonly NameInQuery[]>()
  readonly #deprecations: ReturnType<typeof endpointDeprecations>
  readonly #deprecationLog: DeprecationLog
  /** Of the bodies of all requests that are not answered yet. */
  #inFlightBytes = 0

  constructor(engine: Engine, options: RestOptions) {
    this.#engine = engine
    engine.checkStoredQueries?.(storedQueryCheck(DIALECTS[engine.version]))
    this.#endpoints = options.endpoints
    this.#gatherCounts = options.gatherCounts
    this.#dialect = DIALECTS[engine.version]
    this.#deprecations = endpointDeprecations(engine.version)
    this.#deprecationLog = new DeprecationLog(this.#dialect)
    this.#router = new Router(this.#dialect.typed, this.#dialect.takesTypedPaths)
    this.#context = {
      engine,
      log: options.log,
      scrolls: new ScrollContexts(),
      pits: options.endpoints === undefined ? new PitContexts() : undefined,
      searches: options.searches ?? searchCountersOf(engine),
      requests: new RequestCounts(),
      tasks: new TaskRegistry(engine.extras),
      publishAddress: options.publishAddress,
      wire: options.wire ?? (() => NO_WIRE),
      trips: options.trips ?? new Trips(),
      disk: new DiskUse(options.dataDir),
      startedAt: Date.now(),
      clusterName: options.clusterName,
      dataDir: options.dataDir,
      allowExplicitIndex: options.allowExplicitIndex ?? true,
      searchPool: options.searchPool ?? (() => ({ threads: 0, active: 0, queue: 0, completed: 0 })),
      stateVersion: new StateVersion(STORED),
      ephemeralId: newUuid(),
    }
  }

  async handle(request: BackendRequest): Promise<BackendResponse> {
    this.#inFlightBytes += request.body.length
    try {
      return await this.#handle(request)
    } finally {
      this.#inFlightBytes -= request.body.length
    }
  }

  async #handle(request: BackendRequest): Promise<BackendResponse> {
    const parameters = new RequestParameters(request.query)
    const warnings = new Warnings(this.#deprecationLog, opaqueIdOf(request))
    const places = new BodyPlaces(this.#dialect)
    let response: EndpointResponse
    /** Of how it is to be told nothing is known then. */
    let isPlain = false
    try {
      checkContentType(request.headers['content-type'])
      try {
        checkRendering(parameters)
      } catch (error) {
        isPlain = true
        throw error
      }
      response = await this.#answer(request, parameters, warnings, places)
    } catch (error) {
      if (error instanceof ServiceError) {
        this.#context.trips.note(error)
        const fault = asAnswered(error, this.#dialect)
        response = { status: fault.status, json: renderError(places.locate(fault)), whole: true }
      } else if (isDenial(error) || error instanceof ElsewhereError) throw error
      else {
        this.#context.log(
          'error',
          {
            method: request.method,
            path: request.rawTarget.split('?')[0],
            error: String((error as Error).stack ?? error),
          },
          'request failed by a fault of the domain',
        )
        response = { status: 500, json: renderError(unexpectedError()), whole: true }
      }
    }
    return this.#render(request, isPlain ? new RequestParameters(new Map()) : parameters, response, warnings)
  }

  async close(): Promise<void> {
    await this.#context.tasks.close()
    this.#context.scrolls.close()
    this.#context.pits?.close()
    await this.#engine.close()
  }

  #answer(
    request: BackendRequest,
    parameters: RequestParameters,
    warnings: Warnings,
    places: BodyPlaces,
  ): Promise<EndpointResponse> | EndpointResponse {
    const opaqueIds = request.headers['x-opaque-id']
    if (!this.#dialect.typed && opaqueIds?.includes('\n') && new Set(opaqueIds.split('\n')).size > 1) {
      const error = 'multiple values for single-valued header [X-Opaque-Id].'
      return { status: 400, json: { error, status: 400 }, whole: true }
    }
    const asked = this.#router.route(request.method, request.segments)
    const route = asked.kind === 'found' && request.query.size > 0 ? this.#withNames(asked, request) : asked
    if (this.#endpoints !== undefined && (route.kind !== 'found' || !this.#endpoints.has(route.endpoint))) {
      throw new ElsewhereError('not an endpoint of this thread')
    }
    if (route.kind !== 'found') return notRouted(route, request, this.#dialect)
    // What sets the limit is not held up by it.
    if (route.endpoint !== 'cluster.put_settings') this.#checkInFlight(request)
    const body = requestContent(request, route.endpoint, this.#dialect)
    const handler = Object.hasOwn(ENDPOINTS, route.endpoint) ? ENDPOINTS[route.endpoint] : undefined
    if (handler === undefined) {
      throw illegalArgument(`[${route.endpoint}] is not supported by this domain`)
    }
    const context = this.#context
    const found: Omit<EndpointRequest, 'queries'> = {
      endpoint: route.endpoint,
      method: request.method,
      uri: request.rawTarget,
      path: route.parameters,
      parameters,
      body,
      dialect: this.#dialect,
      signal: request.signal,
      opaqueId: opaqueIdOf(request),
      wantsJson: namedFormat(parameters.text('format') ?? request.headers['accept']) !== undefined,
      authorize: (indices, api, method) => request.authorize(withStreams(indices, context.engine), api, method),
      authorizeDomain: (method, prefix) => request.authorizeDomain(method, prefix),
      warnings,
      places: body === request.body ? places : undefined,
    }
    // What its queries look up they look up in its name; nothing reads them meanwhile.
    const endpointRequest: EndpointRequest = Object.assign(found, {
      queries: queryContext(found as EndpointRequest, context),
    })
    const deprecations = this.#deprecations.get(route.endpoint)
    if (deprecations !== undefined) noteEndpoint(endpointRequest, deprecations)
    // Parameters are looked at once the body is read, by most.
    const isLate = PARAMETERS_FIRST.has(route.endpoint)
    if (body.length === 0 && !isLate) checkContent(route.endpoint, parameters)
    const unknown = this.#checkParameters(route, request, endpointRequest)
    if (body.length === 0 && isLate) checkContent(route.endpoint, parameters)
    if (unknown !== undefined) return readBeforeParameters(handler, endpointRequest, this.#engine.version, unknown)
    judgeStored(request, route.endpoint, route.parameters)
    checkClusterBlocks(endpointRequest, context)
    context.requests.note(route.endpoint)
    if (this.#gatherCounts === undefined || !STATISTICS.has(route.endpoint)) return handler(endpointRequest, context)
    return this.#gatherCounts().then(() => handler(endpointRequest, context))
  }

  /** @throws {ServiceError} circuit_breaking_exception where the cluster's settings bound what may be under way */
  #checkInFlight({ body }: BackendRequest): void {
    const { transientSettings, persistentSettings } = this.#engine
    const set = transientSettings[IN_FLIGHT_LIMIT] ?? persistentSettings[IN_FLIGHT_LIMIT]
    if (typeof set !== 'string' || body.length === 0) return
    const limit = set.endsWith('%')
      ? Math.floor((heapMetrics().max * Number(set.slice(0, -1))) / 100)
      : parseByteSize(set, IN_FLIGHT_LIMIT, this.#dialect.engineVersion)
    const overhead = Number(clusterSetting(this.#context, IN_FLIGHT_OVERHEAD))
    const wanted = Math.floor(this.#inFlightBytes * overhead)
    if (wanted <= limit) return
    throw new ServiceError(
      'circuit_breaking_exception',
      `[in_flight_requests] Data too large, data for [<http_request>] would be [${wanted}/${bytesText(wanted)}], which is larger than the limit of [${limit}/${bytesText(limit)}]`,
      {
        metadata: { bytes_wanted: wanted, bytes_limit: limit },
      },
    )
  }

  #withNames(route: Route & { kind: 'found' }, request: BackendRequest): Route & { kind: 'found' } {
    // 6.x has an endpoint of its own for all aliases.
    if (this.#dialect.typed && route.endpoint === 'indices.get_alias' && route.pathParameterNames.length === 0)
      return route
    const rights: Pick<BackendRequest, 'query' | 'authorize'> = {
      query: request.query,
      authorize: (indices, api) => request.authorize(withStreams(indices, this.#engine), api),
    }
    const paths = this.#router.paths(route.endpoint)
    let said = this.#said.get(route.endpoint)
    if (said === undefined) {
      said = namesInQuery(route.endpoint, paths, this.#taken(route.endpoint))
      this.#said.set(route.endpoint, said)
    }
    return withNamesInQuery(route, said, paths, rights)
  }

  #checkParameters(
    route: Route & { kind: 'found' },
    request: BackendRequest,
    asked: EndpointRequest,
  ): FaultyParameters | undefined {
    if (asked.parameters.values.size === 0) return undefined
    return checkParameters(route, this.#taken(route.endpoint), asked, pathOf(request))
  }

  /** What an endpoint takes of the query. */
  #taken(endpoint: string): ReadonlySet<string> {
    let taken = this.#parameters.get(endpoint)
    if (taken === undefined) {
      taken = parametersOf(endpoint, this.#dialect)
      this.#parameters.set(endpoint, taken)
    }
    return taken
  }

  #render(
    request: BackendRequest,
    parameters: RequestParameters,
    response: EndpointResponse,
    warnings: Warnings,
  ): BackendResponse {
    const isYaml = !('text' in response) && wantsYaml(parameters, request)
    const headers: Record<string, string | string[]> = {
      'content-type': 'text' in response ? TEXT : isYaml ? 'application/yaml' : JSON_TEXT,
      ...this.#dialect.headers,
      ...response.headers,
    }
    const opaqueId = opaqueIdOf(request)
    if (opaqueId !== undefined) headers['x-opaque-id'] = opaqueId
    const warned = warnings.headers
    if (warned !== undefined) headers['warning'] = warned
    if ('text' in response) return { status: response.status, headers, body: response.text }
    const filter = parameters.text('filter_path')
    const isWhole = filter === undefined || filter === '' || response.whole === true
    const json = isWhole ? response.json : filterPath(response.json, filter)
    if (json === undefined) return { status: response.status, headers, body: '' }
    if (isYaml)
      return { status: response.status, headers, body: jsonToYaml(writeJson(json), this.#dialect.namesQuotedInYaml) }
    const asked = parameters.has('pretty') ? parameters.text('pretty') !== 'false' : undefined
    const pretty = asked ?? response.pretty ?? false
    return { status: response.status, headers, body: pretty ? `${writeJson(json, true)}\n` : encodeJson(json) }
  }
}

/** As messages name it. */
const pathOf = ({ segments, rawTarget }: BackendRequest): string =>
  `/${segments.join('/')}${segments.length > 0 && rawTarget.split('?')[0]?.endsWith('/') ? '/' : ''}`

const TEXT = 'text/plain; charset=UTF-8'
const JSON_TEXT = 'application/json; charset=UTF-8'

/** The first there is, whatever else. */
const opaqueIdOf = (request: BackendRequest): string | undefined => firstValue(request, 'x-opaque-id')

function wantsYaml(parameters: RequestParameters, { headers }: BackendRequest): boolean {
  const asked = namedFormat(parameters.text('format') ?? headers['accept'])
  // Who asks for nothing gets what was sent.
  return (asked ?? namedFormat(headers['content-type'])) === 'yaml'
}

/** @throws {ServiceError} parse_exception where there is no body and must be one */
function checkContent(endpoint: string, parameters: RequestParameters): void {
  if (WITH_BODY.has(endpoint)) throw new ServiceError('parse_exception', 'request body is required')
  if (WITH_CONTENT.has(endpoint) && !parameters.has('source'))
    throw new ServiceError('parse_exception', 'request body or source parameter is required')
}

function checkRendering(parameters: RequestParameters): void {
  parameters.boolean('error_trace', false)
  parameters.boolean('human', false)
  parameters.boolean('pretty', false)
}

function notRouted(route: Route, request: BackendRequest, { takesTypedPaths }: Dialect): EndpointResponse {
  const uri = request.rawTarget
  if (route.kind === 'method_not_allowed') {
    if (request.method === 'OPTIONS') return { status: 200, text: '', headers: { allow: route.allowed.join(',') } }
    const error = `Incorrect HTTP method for uri [${uri}] and method [${request.method}], allowed: [${route.allowed.join(', ')}]`
    return {
      status: 405,
      json: { error, status: 405 } as Json,
      whole: true,
      headers: { allow: route.allowed.join(',') },
    }
  }
  if (request.method === 'OPTIONS') return { status: 200, text: '' }
  const told = takesTypedPaths ? uri : uri.split('?')[0]
  return {
    status: 400,
    json: { error: `no handler found for uri [${told}] and method [${request.method}]` },
    whole: true,
  }
}
