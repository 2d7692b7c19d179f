import { type EngineVersion, packageOf } from '../../engine/engine-version.ts'
import { doubleOfText, notNumeric } from '../../engine/mapping/types/number-value.ts'
import { parseTimeMs } from '../../engine/metadata/time-value.ts'
import type { Query } from '../../engine/search/queries/query.ts'
import type { RescoreStage, SortKey } from '../../engine/search/search-request.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { notABoolean } from '../../parse-boolean.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { checkInteger } from '../body/read-long.ts'
import { tokenBoolean } from '../body/token-boolean.ts'
import { tokenText } from '../body/token-text.ts'
import { unknownKey } from '../body/unknown-key.ts'
import { phraseListener } from '../deprecation/query-deprecations.ts'
import { noteSearch } from '../deprecation/search-deprecations.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { shownSource, sourceFilterOf, sourceOption } from '../documents/source-filter.ts'
import { parsingException } from '../parsing-exception.ts'
import { parseMember, parseSearchQuery } from '../query-dsl/parse-query.ts'
import { optional } from '../query-dsl/query-options.ts'
import { writeQuery } from '../query-dsl/write-query.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { checkBodyMember } from './body-members.ts'
import { checkPreference } from './check-preference.ts'
import { type Collapse, parseCollapse } from './collapse-body.ts'
import { parseDocValueFields } from './doc-value-fields.ts'
import type { FetchOptions } from './fetch-options.ts'
import { type Pit, parsePit } from './pit-body.ts'
import { parseRescore } from './rescore-body.ts'
import { parseScriptFields } from './script-fields.ts'
import { parseSearchSort, parseSortParameter } from './search-sort.ts'
import { type AskedSlice, parseSlice } from './slice-body.ts'
import { parseSourceFields } from './source-fields.ts'
import { suggestOfParameters } from './suggest-parameters.ts'

/** A search's body and parameters, read. */
export interface SearchBody {
  /** A pipeline has had a say in it: the request does not tell all that is asked. */
  readonly isPiped?: true
  readonly query: Query
  /** False where the search names no query and all documents match. */
  readonly hasQuery: boolean
  readonly postFilter: Query | undefined
  readonly from: number
  readonly size: number
  readonly sort: readonly SortKey[]
  readonly searchAfter: readonly (string | number | bigint | boolean | null)[] | undefined
  readonly trackScores: boolean
  readonly trackTotalHits: boolean | number
  readonly minScore: number | undefined
  readonly terminateAfter: number | undefined
  readonly timeoutMs: number | undefined
  readonly slice: AskedSlice | undefined
  readonly collapse: Collapse | undefined
  readonly rescore: readonly RescoreStage[]
  readonly indicesBoost: readonly IndexBoost[]
  readonly fetch: FetchOptions
  readonly aggregations: JsonValue | undefined
  readonly suggest: JsonValue | undefined
  /** Groups the search counts itself to (`stats`). */
  readonly groups: readonly string[]
  /** Whether the search is measured. */
  readonly profile: boolean
  readonly typedKeys: boolean
  readonly totalAsInt: boolean
  /** Whether scores are to be by the statistics of all indices together (`dfs_query_then_fetch`). */
  readonly gathersStatistics: boolean
  readonly pit: Pit | undefined
  /** Definitions of fields whose values are computed, by their paths. */
  readonly derived: { readonly [path: string]: JsonValue } | undefined
}

/** Weight of the scores of the indices an expression names. */
export interface IndexBoost {
  readonly index: string
  readonly boost: number
}

/** `ext`: no extension of searches is here. */
function checkExt({ dialect }: EndpointRequest, ext: JsonValue): void {
  const [name] = isObject(ext) ? Object.keys(ext) : []
  if (name === undefined) return
  const isOpenSearch = dialect.engineVersion === 'OpenSearch_2.19'
  throw new ServiceError(
    isOpenSearch ? 'x_content_parse_exception' : 'named_object_not_found_exception',
    `unknown named object category [${packageOf(dialect.engineVersion)}.search.SearchExtBuilder]`,
  )
}

/** Reads a search. @throws {ServiceError} parsing_exception, illegal_argument_exception */
export function parseSearchBody(request: EndpointRequest, body: { readonly [name: string]: JsonValue }): SearchBody {
  for (const [key, value] of Object.entries(body)) {
    const { engineVersion } = request.dialect
    checkBodyMember(key, value, engineVersion)
    if (key === 'pit' && engineVersion !== 'OpenSearch_2.19')
      throw illegalArgument(`[${key}] of a search is not supported by this domain`)
    if (key === 'ext') checkExt(request, value)
  }
  const { parameters, warnings } = request
  noteSearch(body, warnings)
  checkParameters(request)
  flag(body, 'include_named_queries_score')
  flag(body, 'verbose_pipeline')
  const timeout = parameters.text('timeout') ?? text(body['timeout'])
  const after = body['search_after']
  const asked = parameters.integer('terminate_after')
  if (asked !== undefined && asked < 0) throw illegalArgument('terminateAfter must be > 0')
  const terminateAfter = asked ?? body['terminate_after']
  const aggregations = unlessEmpty(body[aggregationsMember(body)])
  const suggest = suggestOfParameters(request) ?? body['suggest']
  // What names no aggregation or suggestion does not ask how they are called.
  const hasNamed = aggregations !== undefined || suggest !== undefined
  const size = windowOf(request, 'size', parameters.integer('size') ?? body['size'], 10)
  return {
    query: queryOf(request, body['query']),
    hasQuery: body['query'] !== undefined || parameters.has('q'),
    postFilter: body['post_filter'] === undefined ? undefined : parseSearchQuery(body['post_filter'], request.queries),
    from: windowOf(request, 'from', parameters.integer('from') ?? body['from'], 0),
    size,
    sort: sortOf(request, body['sort']),
    searchAfter: parseSearchAfter(after, request.queries.engineVersion),
    trackScores: parameters.boolean('track_scores', flag(body, 'track_scores')),
    trackTotalHits: trackTotalHits(request, body),
    minScore: body['min_score'] === undefined ? undefined : decimal(body['min_score']),
    terminateAfter:
      terminateAfter === undefined ? undefined : wholeNumber('terminate_after', terminateAfter, 0) || undefined,
    timeoutMs: timeout === undefined ? undefined : readTimeout(timeout, request.dialect),
    slice: parseSlice(body['slice'], request.dialect),
    collapse: parseCollapse(body['collapse'], request.queries),
    rescore: parseRescore(body['rescore'], request.queries),
    indicesBoost: parseIndicesBoost(body['indices_boost']),
    fetch: fetchOptions(request, body, size),
    aggregations,
    suggest,
    groups: groupsOf(body['stats']) ?? parameters.list('stats') ?? [],
    profile: flag(body, 'profile'),
    typedKeys: hasNamed && parameters.boolean('typed_keys', false),
    totalAsInt: !request.dialect.typed && parameters.boolean('rest_total_hits_as_int', false),
    gathersStatistics: parameters.text('search_type') === 'dfs_query_then_fetch',
    pit: parsePit(request, body['pit']),
    derived: body['derived'] as SearchBody['derived'],
  }
}

/** How coarse the real servers' clock is: a search for which there is no time at all runs until it ticks. */
const TICK_MS = 200

/** How long a search may take, in ms; undefined: as long as it does. */
function readTimeout(text: string, { typed }: Dialect): number | undefined {
  const ms = parseTimeMs(text, 'timeout')
  return ms === -1 || (ms < 0 && typed) ? undefined : ms === 0 ? TICK_MS : ms
}

function sortOf({ parameters, queries }: EndpointRequest, json: JsonValue | undefined): readonly SortKey[] {
  const parameter = parameters.text('sort')
  // What the parameter asks for is added to what the body does.
  return [...parseSearchSort(json, queries), ...(parameter?.replaceAll(',', '') ? parseSortParameter(parameter) : [])]
}

const SEARCH_TYPES = new Set(['query_then_fetch', 'dfs_query_then_fetch'])
/** Those that no version does any more, told of otherwise but in `_msearch` and `_rank_eval`. */
const FORMER_SEARCH_TYPES = new Set(['query_and_fetch', 'dfs_query_and_fetch'])
const WITHOUT_FORMER = new Set(['msearch', 'msearch_template', 'rank_eval'])

/** Parameters that say how a cluster is to search: one node has no choice, but wrong values are told. @throws {ServiceError} */
export function checkParameters(request: Pick<EndpointRequest, 'parameters' | 'dialect' | 'endpoint'>): void {
  const { parameters } = request
  const type = parameters.text('search_type')
  if (type !== undefined && FORMER_SEARCH_TYPES.has(type) && !WITHOUT_FORMER.has(request.endpoint))
    throw illegalArgument(`Unsupported search type [${type}]`)
  if (type !== undefined && !SEARCH_TYPES.has(type)) throw illegalArgument(`No search type for [${type}]`)
  checkPreference(request)
  const batched = parameters.integer('batched_reduce_size')
  if (batched !== undefined && batched < 2) throw illegalArgument('batchedReduceSize must be >= 2')
  const concurrent = parameters.integer('max_concurrent_shard_requests')
  if (concurrent !== undefined && concurrent < 1) throw illegalArgument('maxConcurrentShardRequests must be >= 1')
  const filtered = parameters.integer('pre_filter_shard_size')
  if (filtered !== undefined && filtered < 1) throw illegalArgument('preFilterShardSize must be >= 1')
}

/** The same where a query is all there is to a body. @throws {ServiceError} parsing_exception for whatever is wrong */
export function onlyQueryOf(request: EndpointRequest, body: { readonly [name: string]: JsonValue } | undefined): Query {
  const json = body?.['query']
  // Read as a query alone, whatever stands there.
  if (body !== undefined && json !== undefined && !isObject(json)) parseMember(body, 'query', request.queries)
  try {
    return queryOf(request, json)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.type === 'parsing_exception') throw error
    // Of a lookup, which the real server makes later.
    if (error.type === 'index_not_found_exception') throw error
    // An explained one is made by the shard.
    const isLookedUp = error.type === 'resource_not_found_exception' || error.detail.isLookedUp === true
    if (isLookedUp && request.endpoint !== 'explain') throw error
    throw new ServiceError('parsing_exception', 'Failed to parse', { cause: error })
  }
}

/** `query` of a body, or what the parameter `q` says. */
export function queryOf(request: EndpointRequest, json: JsonValue | undefined): Query {
  const { parameters, queries } = request
  const q = parameters.text('q')
  if (json !== undefined && !isObject(json)) throw unknownKey('query', json)
  // It is read whether or not `q` takes its place.
  const own = json === undefined ? undefined : parseSearchQuery(json, request.queries)
  if (q === undefined) return own ?? { kind: 'match_all' }
  const df = parameters.text('df')
  const analyzer = parameters.text('analyzer')
  return {
    kind: 'query_string',
    query: q,
    fields: [],
    defaultOperator: operatorOf(parameters.text('default_operator', 'OR'), queries.engineVersion),
    allowLeadingWildcard: true,
    analyzeWildcard: parameters.boolean('analyze_wildcard', false),
    fuzziness: 'AUTO',
    autoGenerateSynonymsPhraseQuery: true,
    fuzzyPrefixLength: 0,
    fuzzyMaxExpansions: 50,
    fuzzyTranspositions: true,
    phraseSlop: 0,
    type: 'best_fields',
    maxDeterminizedStates: 10_000,
    ...(df === undefined ? {} : { defaultField: df }),
    ...(analyzer === undefined ? {} : { analyzer }),
    ...(parameters.has('lenient') ? { lenient: parameters.boolean('lenient', false) } : {}),
    ...phraseListener(queries),
    ...(request.queries.engineVersion === 'Elasticsearch_6.8' ? { written: () => writtenParameters(request, q) } : {}),
  }
}

function writtenParameters({ parameters }: EndpointRequest, query: string): string | undefined {
  const given = ['analyzer', 'default_operator', 'lenient'].map((name) => [name, parameters.text(name)])
  return writeQuery({
    query_string: {
      query,
      default_field: parameters.text('df'),
      analyze_wildcard: parameters.boolean('analyze_wildcard', false),
      ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    },
  })
}

function operatorOf(text: string, engineVersion: EngineVersion): 'and' | 'or' {
  const operator = text.toLowerCase()
  if (operator === 'and' || operator === 'or') return operator
  throw illegalArgument(`No enum constant ${packageOf(engineVersion)}.index.query.Operator.${text.toUpperCase()}`)
}

function fetchOptions(
  request: EndpointRequest,
  body: { readonly [name: string]: JsonValue },
  size: number,
): FetchOptions {
  const { parameters } = request
  const inBody = body['stored_fields']
  if (inBody !== undefined && typeof inBody !== 'object' && typeof inBody !== 'string')
    throw parsingException(
      `Expected [VALUE_STRING] or [START_ARRAY] in [stored_fields] but found [${tokenName(inBody)}]`,
    )
  const stored =
    parameters.list('stored_fields') ??
    (inBody === undefined ? undefined : Array.isArray(inBody) ? inBody.map(tokenText) : [String(inBody)])
  const source = sourceFilterOf(parameters) ?? sourceOption(body['_source'])
  const scripts = parseScriptFields(body['script_fields'], request.queries)
  // Where no hits are shown no script is looked at, not for suggestions either.
  const scriptFields = size === 0 ? [] : scripts
  // A parameter without a value unsets what the body says, as the real server has it.
  const shows = (name: string): boolean => parameters.text(name) !== '' && parameters.boolean(name, flag(body, name))
  return {
    source: shownSource(source, stored, scriptFields.length > 0),
    storedFields: stored,
    docValueFields: [body['docvalue_fields'], parameters.list('docvalue_fields')].flatMap((fields) =>
      parseDocValueFields(fields, request.queries.engineVersion),
    ),
    ...(body['fields'] === undefined ? {} : { sourceFields: parseSourceFields(body['fields']) }),
    ...optional('scriptFields', scriptFields.length === 0 ? undefined : scriptFields),
    version: shows('version'),
    seqNo: shows('seq_no_primary_term'),
    explain: shows('explain'),
    highlight: body['highlight'],
  }
}

/** A JSON scalar as text; of an array its first. */
export function text(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null) return undefined
  return Array.isArray(value) ? String(value[0]) : String(value)
}

/** A member of a body that is true or false, as text too. @throws {ServiceError} */
function flag(body: { readonly [name: string]: JsonValue }, name: string): boolean {
  const value = body[name]
  if (value === undefined) return false
  return tokenBoolean(value)
}

function trackTotalHits(request: EndpointRequest, body: { readonly [name: string]: JsonValue }): boolean | number {
  const { parameters, dialect } = request
  const inBody = body['track_total_hits']
  if (dialect.typed && inBody !== undefined) flag(body, 'track_total_hits')
  const asInt = !dialect.typed && parameters.boolean('rest_total_hits_as_int', false)
  const given = parameters.text('track_total_hits')
  const isNumber = given !== undefined && !dialect.typed && given !== 'true' && given !== 'false'
  const value = isNumber ? parameters.integer('track_total_hits', 0) : (given ?? inBody)
  if (value === undefined || value === null) return asInt ? true : dialect.defaultTrackTotalHits
  if (value === true || value === 'true' || (given !== undefined && given.trim() === '')) return true
  if (value === false || value === 'false') return false
  if (!dialect.typed && typeof value === 'string' && value.trim() === '')
    throw new ServiceError('number_format_exception', 'empty String')
  const isOpenSearch = dialect.engineVersion === 'OpenSearch_2.19'
  const limit = isOpenSearch && typeof value === 'number' ? Math.trunc(value) : Number(value)
  if (isOpenSearch && !Number.isInteger(limit)) {
    const cause = new ServiceError('number_format_exception', `For input string: "${String(value)}"`)
    if (!parameters.has('track_total_hits')) throw cause
    const reason = `Failed to parse int parameter [track_total_hits] with value [${String(value)}]`
    throw illegalArgument(reason, cause)
  }
  if (dialect.typed || !Number.isInteger(limit)) {
    throw notABoolean(value)
  }
  if (limit < -1) {
    throw illegalArgument(`[track_total_hits] parameter must be positive or equals to -1, got ${limit}`)
  }
  if (limit < 0) return false
  if (!asInt) return limit
  throw illegalArgument(
    `[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got ${limit}`,
  )
}

function parseIndicesBoost(json: JsonValue | undefined): readonly IndexBoost[] {
  if (json === undefined) return []
  if (Array.isArray(json)) return json.map((part, i) => boostIn(part, json, i))
  if (!isObject(json)) throw unknownKey('indices_boost', json)
  return Object.entries(json).map(([index, boost]) => {
    if (boost !== null && typeof boost === 'object') throw unknownKey(index, boost).at(json, index)
    return { index, boost: Number(boost) }
  })
}

/** The one index that a member of a list names, and its weight. */
function boostIn(part: JsonValue, list: readonly JsonValue[], i: number): IndexBoost {
  const expected = (what: string, found: string, where = 'indices_boost'): ServiceError =>
    parsingException(`Expected [${what}] in [${where}] but found [${found}]`)
  if (!isObject(part)) throw expected('START_OBJECT', tokenName(part), 'null').at(list, i)
  const [first, second] = Object.keys(part)
  if (first === undefined) throw expected('FIELD_NAME', 'END_OBJECT').at(part, undefined, 'end')
  const boost = part[first] as JsonValue
  if (typeof boost !== 'number' && typeof boost !== 'bigint')
    throw expected('VALUE_NUMBER', tokenName(boost)).at(part, first)
  if (second !== undefined) throw expected('END_OBJECT', 'FIELD_NAME').at(part, second, 'name')
  return { index: first, boost: Number(boost) }
}

/** Numbers that no long holds are texts to the real parser; 6.8's has no word for them. */
function parseSearchAfter(json: JsonValue | undefined, engineVersion: EngineVersion): SearchBody['searchAfter'] {
  if (json === undefined) return undefined
  if (!Array.isArray(json)) throw unknownKey('search_after', json)
  if (json.length === 0) throw illegalArgument('Values must contains at least one value.')
  return json.map((value) => {
    if (typeof value === 'bigint' && BigInt.asIntN(64, value) !== value) {
      if (engineVersion !== 'Elasticsearch_6.8') return String(value)
      throw new ServiceError('illegal_state_exception', 'No matching token for number_type [BIG_INTEGER]')
    }
    if (value === null || typeof value !== 'object') return value
    throw parsingException(
      `Expected [VALUE_STRING] or [VALUE_NUMBER] or [VALUE_BOOLEAN] or [VALUE_NULL] but found [${tokenName(value)}] inside search_after.`,
    )
  })
}

function groupsOf(json: JsonValue | undefined): readonly string[] | undefined {
  if (!Array.isArray(json)) return undefined
  return json.map((group) => {
    if (typeof group === 'string') return group
    throw parsingException(`Expected [VALUE_STRING] in [stats] but found [${tokenName(group)}]`)
  })
}

function decimal(value: JsonValue): number {
  if (typeof value === 'boolean') throw notNumeric(value)
  if (typeof value === 'string') return doubleOfText(value)
  const number = Number(value)
  if (!Number.isNaN(number)) return number
  throw new ServiceError('number_format_exception', `For input string: "${String(value)}"`)
}

/** `from` or `size`; below 0 it is the usual one in Elasticsearch. @throws {ServiceError} */
function windowOf({ queries }: EndpointRequest, name: string, value: JsonValue | undefined, fallback: number): number {
  const { engineVersion } = queries
  if (engineVersion === 'OpenSearch_2.19' && Number(value) < 0)
    throw illegalArgument(`[${name}] parameter cannot be negative, found [${Number(value)}]`)
  if (typeof value === 'number' || typeof value === 'bigint') checkInteger(value, engineVersion === 'Elasticsearch_6.8')
  return wholeNumber(name, value, fallback)
}

function wholeNumber(name: string, value: JsonValue | undefined, fallback: number): number {
  if (value === undefined || value === null) return fallback
  if (typeof value === 'boolean') throw notNumeric(value)
  const number = Math.trunc(typeof value === 'string' ? doubleOfText(value) : Number(value))
  if (!Number.isInteger(number) || typeof value === 'object')
    throw new ServiceError('number_format_exception', `For input string: "${String(value)}"`)
  if (number >= 0) return number
  // -1 is how older clients say that they do not care.
  if (number === -1) return fallback
  throw illegalArgument(`[${name}] parameter cannot be negative, found [${number}]`)
}

/** Of both names the one that comes last. */
const aggregationsMember = (body: object): 'aggs' | 'aggregations' =>
  Object.keys(body).findLast((name) => name === 'aggs' || name === 'aggregations') === 'aggs' ? 'aggs' : 'aggregations'

/** Aggregations that are none are not answered. */
function unlessEmpty(aggregations: JsonValue | undefined): JsonValue | undefined {
  return isObject(aggregations) && Object.keys(aggregations).length === 0 ? undefined : aggregations
}
