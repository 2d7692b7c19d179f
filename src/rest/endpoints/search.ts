import type { TopHitsResult } from '../../engine/aggregation/aggregation-result.ts'
import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import { STRICT_EXPAND_OPEN_FORBID_CLOSED } from '../../engine/metadata/indices-options.ts'
import { parseTimeMs } from '../../engine/metadata/time-value.ts'
import type { Query } from '../../engine/search/query.ts'
import { countDocuments, searchDocuments } from '../../engine/search/search-documents.ts'
import type { ScoredHit, SearchResult, SortKey } from '../../engine/search/search-request.ts'
import { ServiceError } from '../../errors.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { JavaFloat, type Json } from '../json/json-writer.ts'
import { type JsonValue, parseJson } from '../parse-json.ts'
import { parseQuery } from '../query-dsl/parse-query.ts'
import { RequestParameters } from '../request-parameters.ts'
import { bodyObject, type EndpointRequest, type EndpointResponse, isObject } from '../rest-request.ts'
import { SearchAggregations } from '../search-aggregations.ts'
import { expandIndices } from './index-names.ts'
import { parseSort } from './search-sort.ts'
import {
  renderSource,
  type SourceFilter,
  sourceFilterOf,
  sourceOption,
  visibleSource,
  WHOLE_SOURCE,
} from './source-filter.ts'
import { storedFields } from './stored-fields.ts'

/** A search's body and parameters, read. */
interface ParsedSearch {
  readonly query: Query
  readonly postFilter: Query | undefined
  readonly from: number
  readonly size: number
  readonly sort: readonly SortKey[]
  readonly searchAfter: readonly (string | number | bigint | boolean | null)[] | undefined
  readonly trackScores: boolean
  readonly trackTotalHits: boolean | number
  readonly minScore: number | undefined
  readonly timeoutMs: number | undefined
  readonly source: SourceFilter
  readonly storedFields: readonly string[] | undefined
  readonly showVersion: boolean
  readonly showSeqNo: boolean
  readonly aggregations: JsonValue | undefined
  readonly typedKeys: boolean
  readonly totalAsInt: boolean
}

const BODY_KEYS = new Set([
  'query',
  'from',
  'size',
  'sort',
  '_source',
  'stored_fields',
  'track_total_hits',
  'track_scores',
  'search_after',
  'post_filter',
  'min_score',
  'timeout',
  'version',
  'seq_no_primary_term',
  'aggs',
  'aggregations',
  'profile',
  'stats',
  'terminate_after',
  'explain',
  'indices_boost',
])
const UNSUPPORTED_KEYS = new Set([
  'highlight',
  'suggest',
  'rescore',
  'collapse',
  'script_fields',
  'docvalue_fields',
  'slice',
  'ext',
  'runtime_mappings',
  'fields',
  'pit',
])

/** `GET|POST /_search`, `/<index>/_search`, `/<index>/<type>/_search`. */
export const search: EndpointHandler = (request, context) => {
  const started = performance.now()
  const body = bodyObject(request) ?? {}
  return run(request, context, body, started)
}

function run(
  request: EndpointRequest,
  context: RestContext,
  body: { readonly [name: string]: JsonValue },
  started: number,
): EndpointResponse {
  const parsed = parseSearch(request, body)
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN_FORBID_CLOSED, '_search')
  const types = request.path['type']?.split(',').filter((t) => t !== '_all')
  const query =
    types === undefined || types.length === 0
      ? parsed.query
      : ofTypes(
          parsed.query,
          types,
          context,
          indices.map((i) => i.name),
        )
  const scroll = request.parameters.text('scroll')
  checkWindow(
    parsed,
    scroll !== undefined,
    indices.map((i) => i.settings['index.max_result_window']),
  )
  const searchers = indices.map((i) => context.engine.searcher(i.name))
  let kept = false
  try {
    const view = {
      searchers,
      query,
      parsed,
      request,
      shards: shardsOf(
        request,
        context,
        indices.map((i) => i.name),
      ),
    }
    if (scroll !== undefined) {
      kept = true
      return openScroll(view, context, scroll, started)
    }
    return { status: 200, json: answer(view, started) }
  } finally {
    if (!kept) for (const searcher of searchers) searcher.release()
  }
}

interface View {
  readonly searchers: readonly IndexSearcher[]
  readonly query: Query
  readonly parsed: ParsedSearch
  readonly request: EndpointRequest
  readonly shards: number
}

function find(
  view: View,
  window: { readonly from: number; readonly size: number },
  aggregations?: SearchAggregations,
): SearchResult {
  const { parsed, request } = view
  return searchDocuments(
    view.searchers,
    {
      query: view.query,
      ...(parsed.postFilter === undefined ? {} : { postFilter: parsed.postFilter }),
      ...window,
      sort: parsed.sort,
      ...(parsed.searchAfter === undefined ? {} : { searchAfter: parsed.searchAfter }),
      trackScores: parsed.trackScores,
      trackTotalHits: parsed.trackTotalHits,
      ...(parsed.minScore === undefined ? {} : { minScore: parsed.minScore }),
      ...(parsed.timeoutMs === undefined ? {} : { timeoutMs: parsed.timeoutMs }),
      collectors: aggregations === undefined ? [] : [aggregations.collector],
    },
    request.dialect.engineVersion,
  )
}

function answer(
  view: View,
  started: number,
  scrollId?: string,
  window = { from: view.parsed.from, size: view.parsed.size },
): Json {
  const { parsed, request, searchers } = view
  const aggregations =
    parsed.aggregations === undefined
      ? undefined
      : new SearchAggregations(parsed.aggregations, {
          searchers,
          query: view.query,
          engineVersion: request.dialect.engineVersion,
          unknownQuery: request.dialect.unknownQuery,
          renderTopHits: (top) => renderTopHits(view, top),
        })
  const result = find(view, window, aggregations)
  const total = request.dialect.renderTotalHits(result.total, parsed.totalAsInt)
  return {
    ...(scrollId === undefined ? {} : { _scroll_id: scrollId }),
    took: Math.round(performance.now() - started),
    timed_out: result.timedOut,
    _shards: { total: view.shards, successful: view.shards, skipped: 0, failed: 0 },
    hits: {
      ...(parsed.trackTotalHits === false && !request.dialect.typed ? {} : { total }),
      max_score: scoreJson(
        result.maxScore,
        result.hits.length === 0 && window.size > 0 ? null : window.size === 0 ? zeroScore(request) : null,
      ),
      hits: result.hits.map((hit) => renderHit(view, hit)),
    },
    ...(aggregations === undefined ? {} : { aggregations: aggregations.render(parsed.typedKeys) }),
  }
}

/** 6.x says 0.0 for the best score of a search that asked for no hits. */
const zeroScore = (request: EndpointRequest): Json => (request.dialect.typed ? new JavaFloat(0) : null)

function scoreJson(score: number, missing: Json): Json {
  return Number.isNaN(score) ? missing : new JavaFloat(score)
}

function renderHit(view: View, hit: ScoredHit): Json {
  const { parsed, request, searchers } = view
  const searcher = searchers[hit.searcher] as IndexSearcher
  const document = searcher.document(searcher.segments[hit.segment] as IndexSearcher['segments'][number], hit.doc)
  const source = parsed.source.enabled ? visibleSource(document, searcher.mapping) : undefined
  const fields =
    parsed.storedFields === undefined ? undefined : storedFields(document, parsed.storedFields, searcher.mapping)
  return {
    _index: searcher.indexName,
    ...(request.dialect.showsType ? { _type: request.dialect.typed ? document.type : '_doc' } : {}),
    _id: document.id,
    ...(parsed.showVersion ? { _version: document.version } : {}),
    ...(parsed.showSeqNo ? { _seq_no: document.seqNo, _primary_term: document.primaryTerm } : {}),
    _score: scoreJson(hit.score, null),
    ...(document.routing === undefined ? {} : { _routing: document.routing }),
    ...(source !== undefined ? { _source: renderSource(source, parsed.source) } : {}),
    ...(fields === undefined ? {} : { fields }),
    ...(hit.sortValues === undefined
      ? {}
      : { sort: hit.sortValues.map((v, i) => sortJson(v, parsed.sort[i] as SortKey)) }),
  }
}

/** The hits of a `top_hits` aggregation, which says itself how they are shown. */
function renderTopHits(view: View, top: TopHitsResult): Json {
  const { request } = view
  return {
    hits: {
      total: request.dialect.renderTotalHits({ value: top.total, relation: 'eq' }, view.parsed.totalAsInt),
      max_score: scoreJson(top.maxScore, null),
      hits: top.hits.map((hit) => renderHit(view, hit)),
    },
  }
}

function sortJson(value: string | number | bigint | boolean | null, key: SortKey): Json {
  if (typeof value === 'number' && key.kind === 'score') return new JavaFloat(value)
  if (value === null && key.kind === 'field' && key.missing !== '_first' && key.missing !== '_last') return key.missing
  return value
}

/** A scroll: the view stays as it is; each page asks it for the next stretch. */
function openScroll(view: View, context: RestContext, keepAlive: string, started: number): EndpointResponse {
  const keepAliveMs = keepAliveOf(keepAlive)
  if (view.parsed.size === 0)
    throw new ServiceError(
      'action_request_validation_exception',
      'Validation Failed: 1: [size] cannot be [0] in a scroll context;',
    )
  if (view.parsed.from > 0)
    throw new ServiceError(
      'action_request_validation_exception',
      'Validation Failed: 1: using [from] is not allowed in a scroll context;',
    )
  const { size } = view.parsed
  // A scroll sees every match in the order of the first page; it is found once.
  const all = find(view, { from: 0, size: Number.MAX_SAFE_INTEGER })
  let from = 0
  const page = (id: string, since: number): Json => {
    const hits = all.hits.slice(from, from + size)
    from += size
    return {
      _scroll_id: id,
      took: Math.round(performance.now() - since),
      timed_out: false,
      _shards: { total: view.shards, successful: view.shards, skipped: 0, failed: 0 },
      hits: {
        total: view.request.dialect.renderTotalHits(all.total, view.parsed.totalAsInt),
        max_score: scoreJson(all.maxScore, null),
        hits: hits.map((h) => renderHit(view, h)),
      },
    }
  }
  let id = ''
  id = context.scrolls.open(
    {
      indices: view.searchers.map((s) => s.indexName),
      nextPage: () => page(id, performance.now()),
      close: () => {
        for (const searcher of view.searchers) searcher.release()
      },
    },
    keepAliveMs,
  )
  const first = page(id, started)
  if (view.parsed.aggregations === undefined) return { status: 200, json: first }
  const aggregations = (answer(view, started, id, { from: 0, size: 0 }) as { aggregations: Json }).aggregations
  return { status: 200, json: { ...(first as object), aggregations } as Json }
}

function keepAliveOf(text: string): number {
  const ms = parseTimeMs(text, 'scroll')
  if (ms > 24 * 3_600_000) {
    throw new ServiceError(
      'illegal_argument_exception',
      `Keep alive for scroll (${text}) is too large. It must be less than (1d). This limit can be set by changing the [search.max_keep_alive] cluster level setting.`,
    )
  }
  return ms
}

/** `GET|POST /_search/scroll`. */
export const scroll: EndpointHandler = (request, context) => {
  const body = request.body.length > 0 && request.body[0] === 0x7b ? (bodyObject(request) ?? {}) : {}
  const id = request.path['scroll_id'] ?? text(body['scroll_id']) ?? request.parameters.text('scroll_id')
  if (id === undefined)
    throw new ServiceError('action_request_validation_exception', 'Validation Failed: 1: scrollId is missing;')
  const keepAlive = text(body['scroll']) ?? request.parameters.text('scroll')
  const kept = context.scrolls.get(id, keepAlive === undefined ? undefined : keepAliveOf(keepAlive))
  request.authorize(kept.indices, '_search')
  return { status: 200, json: kept.nextPage() as Json }
}

/** `DELETE /_search/scroll`. */
export const clearScroll: EndpointHandler = (request, context) => {
  const body = request.body.length > 0 ? (bodyObject(request) ?? {}) : {}
  const given = body['scroll_id'] ?? request.path['scroll_id']?.split(',') ?? request.parameters.list('scroll_id')
  const ids = given === undefined ? [] : Array.isArray(given) ? given.map(String) : [String(given)]
  if (ids.length === 0)
    throw new ServiceError('action_request_validation_exception', 'Validation Failed: 1: no scroll ids specified;')
  const wanted = ids.includes('_all') ? context.scrolls.ids() : ids
  let freed = 0
  for (const id of wanted) if (context.scrolls.remove(id)) freed++
  return { status: freed > 0 || ids.includes('_all') ? 200 : 404, json: { succeeded: true, num_freed: freed } }
}

/** `GET|POST /_count` and its paths. */
export const count: EndpointHandler = (request, context) => {
  const body = bodyObject(request) ?? {}
  for (const key of Object.keys(body)) {
    if (key !== 'query' && key !== 'min_score')
      throw new ServiceError('parsing_exception', `request does not support [${key}]`)
  }
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN_FORBID_CLOSED, '_count')
  const query = queryOf(request, body['query'])
  const types = request.path['type']?.split(',').filter((t) => t !== '_all')
  const typed =
    types === undefined || types.length === 0
      ? query
      : ofTypes(
          query,
          types,
          context,
          indices.map((i) => i.name),
        )
  const searchers = indices.map((i) => context.engine.searcher(i.name))
  try {
    const found = countDocuments(searchers, typed, request.dialect.engineVersion)
    const shards = shardsOf(
      request,
      context,
      indices.map((i) => i.name),
    )
    return {
      status: 200,
      json: { count: found, _shards: { total: shards, successful: shards, skipped: 0, failed: 0 } },
    }
  } finally {
    for (const searcher of searchers) searcher.release()
  }
}

/** `GET|POST /_msearch` and its paths. */
export const msearch: EndpointHandler = async (request, context) => {
  const started = performance.now()
  if (request.body.length === 0) throw new ServiceError('parse_exception', 'request body is required')
  if (request.body[request.body.length - 1] !== 0x0a)
    throw new ServiceError('illegal_argument_exception', 'The msearch request must be terminated by a newline [\\n]')
  const lines = request.body.toString('utf8').split('\n')
  lines.pop()
  const responses: Json[] = []
  for (let i = 0; i + 1 < lines.length; i += 2) {
    const header = (lines[i] as string).trim() === '' ? {} : parseJson(lines[i] as string)
    if (!isObject(header)) throw new ServiceError('illegal_argument_exception', 'Malformed msearch header')
    responses.push(await one(request, context, header, lines[i + 1] as string))
  }
  if (responses.length === 0)
    throw new ServiceError('action_request_validation_exception', 'Validation Failed: 1: no requests added;')
  return {
    status: 200,
    json: { ...(request.dialect.typed ? {} : { took: Math.round(performance.now() - started) }), responses },
  }
}

async function one(
  request: EndpointRequest,
  context: RestContext,
  header: { readonly [name: string]: JsonValue },
  body: string,
): Promise<Json> {
  const { renderFailure } = await import('../error-response.ts')
  const names = (value: JsonValue | undefined) =>
    value === undefined || value === null ? undefined : Array.isArray(value) ? value.join(',') : String(value)
  const index = names(header['index'] ?? header['indices']) ?? request.path['index']
  const type = names(header['type'] ?? header['types']) ?? request.path['type']
  const parameters = new Map([...request.parameters.values])
  for (const key of [
    'ignore_unavailable',
    'allow_no_indices',
    'expand_wildcards',
    'preference',
    'routing',
    'search_type',
  ])
    if (header[key] !== undefined) parameters.set(key, String(header[key]))
  const part: EndpointRequest = {
    ...request,
    path: { ...(index === undefined ? {} : { index }), ...(type === undefined ? {} : { type }) },
    parameters: new RequestParameters(parameters),
    body: Buffer.from(body),
  }
  try {
    request.authorize(index === undefined ? [] : index.split(','), '_search')
    const response = await search(part, context)
    return 'json' in response ? ({ ...(response.json as object), status: 200 } as Json) : null
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { error: renderFailure(error), status: error.status }
  }
}

function ofTypes(query: Query, types: readonly string[], context: RestContext, indices: readonly string[]): Query {
  // Typeless words find whatever type the index has.
  if (
    types.length === 1 &&
    types[0] === '_doc' &&
    indices.every((i) => !context.engine.mapping(i).types.includes('_doc'))
  )
    return query
  const filter: Query = {
    kind: 'bool',
    must: [],
    should: types.map((value) => ({ kind: 'type', value })),
    filter: [],
    mustNot: [],
    adjustPureNegative: true,
  }
  return { kind: 'bool', must: [query], should: [], filter: [filter], mustNot: [], adjustPureNegative: true }
}

/** Shards that the indices say they have; an index is one, but is asked for as the number it was made with. */
function shardsOf(_request: EndpointRequest, context: RestContext, names: readonly string[]): number {
  return names.reduce(
    (sum, name) => sum + Number(context.engine.indices.get(name)?.settings['index.number_of_shards'] ?? 1),
    0,
  )
}

const text = (value: JsonValue | undefined): string | undefined =>
  value === undefined || value === null ? undefined : Array.isArray(value) ? String(value[0]) : String(value)

function queryOf(request: EndpointRequest, json: JsonValue | undefined): Query {
  const q = request.parameters.text('q')
  if (q !== undefined) {
    const df = request.parameters.text('df')
    const analyzer = request.parameters.text('analyzer')
    return {
      kind: 'query_string',
      query: q,
      fields: [],
      defaultOperator: request.parameters.text('default_operator', 'OR').toLowerCase() === 'and' ? 'and' : 'or',
      allowLeadingWildcard: true,
      analyzeWildcard: request.parameters.boolean('analyze_wildcard', false),
      fuzziness: 'AUTO',
      fuzzyPrefixLength: 0,
      fuzzyMaxExpansions: 50,
      fuzzyTranspositions: true,
      phraseSlop: 0,
      type: 'best_fields',
      maxDeterminizedStates: 10_000,
      ...(df === undefined ? {} : { defaultField: df }),
      ...(analyzer === undefined ? {} : { analyzer }),
      ...(request.parameters.has('lenient') ? { lenient: request.parameters.boolean('lenient', false) } : {}),
    }
  }
  return json === undefined ? { kind: 'match_all' } : parseQuery(json, { unknownQuery: request.dialect.unknownQuery })
}

function parseSearch(request: EndpointRequest, body: { readonly [name: string]: JsonValue }): ParsedSearch {
  for (const [key, value] of Object.entries(body)) {
    if (UNSUPPORTED_KEYS.has(key))
      throw new ServiceError('illegal_argument_exception', `[${key}] of a search is not supported by this domain`)
    if (!BODY_KEYS.has(key))
      throw new ServiceError('parsing_exception', `Unknown key for a ${tokenWord(value)} in [${key}].`)
  }
  const { parameters } = request
  for (const name of ['docvalue_fields', 'suggest_field', 'suggest_text']) {
    if (parameters.has(name))
      throw new ServiceError('illegal_argument_exception', `parameter [${name}] is not supported by this domain`)
  }
  const sourceFilter = sourceFilterOf(parameters) ?? sourceOption(body['_source'])
  const stored =
    parameters.list('stored_fields') ??
    (body['stored_fields'] === undefined
      ? undefined
      : Array.isArray(body['stored_fields'])
        ? body['stored_fields'].map(String)
        : [String(body['stored_fields'])])
  const track = parameters.has('track_total_hits')
    ? parseTrack(parameters.text('track_total_hits') ?? '')
    : parseTrack(body['track_total_hits'])
  const minScore = body['min_score'] === undefined ? undefined : Number(body['min_score'])
  const timeout = parameters.text('timeout') ?? text(body['timeout'])
  const after = body['search_after']
  return {
    query: queryOf(request, body['query']),
    postFilter:
      body['post_filter'] === undefined
        ? undefined
        : parseQuery(body['post_filter'], { unknownQuery: request.dialect.unknownQuery }),
    from: wholeNumber('from', parameters.integer('from') ?? body['from'], 0),
    size: wholeNumber('size', parameters.integer('size') ?? body['size'], 10),
    sort: parseSort(parameters.text('sort') ?? body['sort']),
    searchAfter: Array.isArray(after) ? (after as (string | number | bigint | boolean | null)[]) : undefined,
    trackScores: parameters.boolean('track_scores', body['track_scores'] === true),
    trackTotalHits: track ?? request.dialect.defaultTrackTotalHits,
    minScore,
    timeoutMs: timeout === undefined ? undefined : parseTimeMs(timeout, 'timeout'),
    source:
      sourceFilter ??
      (stored === undefined || stored.includes('_source') ? WHOLE_SOURCE : { ...WHOLE_SOURCE, enabled: false }),
    storedFields: stored,
    showVersion: parameters.boolean('version', body['version'] === true),
    showSeqNo: parameters.boolean('seq_no_primary_term', body['seq_no_primary_term'] === true),
    aggregations: body['aggs'] ?? body['aggregations'],
    typedKeys: parameters.boolean('typed_keys', false),
    totalAsInt: parameters.boolean('rest_total_hits_as_int', false),
  }
}

function parseTrack(value: JsonValue | undefined): boolean | number | undefined {
  if (value === undefined) return undefined
  if (value === true || value === 'true' || value === '') return true
  if (value === false || value === 'false') return false
  const limit = Number(value)
  if (!Number.isInteger(limit))
    throw new ServiceError(
      'illegal_argument_exception',
      `Failed to parse value [${String(value)}] as only [true] or [false] are allowed.`,
    )
  return limit < 0 ? true : limit
}

function wholeNumber(name: string, value: JsonValue | undefined, fallback: number): number {
  if (value === undefined) return fallback
  const number = Number(value)
  if (!Number.isInteger(number))
    throw new ServiceError('parsing_exception', `Failed to parse int value [${String(value)}] of [${name}]`)
  if (number < 0) {
    if (name === 'size' && number === -1) return fallback
    throw new ServiceError('illegal_argument_exception', `[${name}] parameter cannot be negative, found [${number}]`)
  }
  return number
}

function checkWindow(
  parsed: ParsedSearch,
  scrolling: boolean,
  limits: readonly (string | readonly string[] | null | undefined)[],
): void {
  const limit = Math.min(10_000_000, ...limits.map((l) => Number(l ?? 10_000)))
  if (scrolling && parsed.size > limit) {
    throw new ServiceError(
      'query_phase_execution_exception',
      `Batch size is too large, size must be less than or equal to: [${limit}] but was [${parsed.size}]. Scroll batch sizes cost as much memory as result windows so they are controlled by the [index.max_result_window] index level setting.`,
      { inQueryPhase: true },
    )
  }
  if (!scrolling && parsed.from + parsed.size > limit) {
    throw new ServiceError(
      'query_phase_execution_exception',
      `Result window is too large, from + size must be less than or equal to: [${limit}] but was [${parsed.from + parsed.size}]. See the scroll api for a more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.`,
      { inQueryPhase: true },
    )
  }
}

function tokenWord(value: JsonValue): string {
  if (value === null) return 'VALUE_NULL'
  if (Array.isArray(value)) return 'START_ARRAY'
  return (
    ({ object: 'START_OBJECT', string: 'VALUE_STRING', boolean: 'VALUE_BOOLEAN' } as Record<string, string>)[
      typeof value
    ] ?? 'VALUE_NUMBER'
  )
}
