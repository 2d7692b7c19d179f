import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import { aliasFilters, resolveSearchRouting } from '../../engine/metadata/alias-routing.ts'
import { setClusterSetting } from '../../engine/metadata/cluster-settings.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { indicesOptionsFromQuery, STRICT_EXPAND_OPEN_FORBID_CLOSED } from '../../engine/metadata/indices-options.ts'
import { noShardAvailable } from '../../engine/metadata/missing-index.ts'
import { resolveIndices } from '../../engine/metadata/resolve-indices.ts'
import { shardCount, shardNumbers, shardOf } from '../../engine/metadata/shard-routing.ts'
import type { Query } from '../../engine/search/queries/query.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { renderShardFailure } from '../errors/error-response.ts'
import { checkBlocks, checkNoneClosed } from '../indices/index-blocks.ts'
import { expandIndices, scopeOf } from '../indices/index-names.ts'
import { judgeName } from '../indices/judge-names.ts'
import { parseFilter } from '../query-dsl/parse-query.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { pathNames } from './path-names.ts'
import { bool, type SearchView } from './search-view.ts'

/**
 * Opens the indices that a search's path names.
 *
 * @param api       what the access policy is asked about, below each index
 * @param defaults  how names are read, where the request does not say
 * @throws {ServiceError} index_not_found_exception, index_closed_exception, cluster_block_exception
 */
export function openView(
  request: EndpointRequest,
  context: RestContext,
  api: string,
  defaults = STRICT_EXPAND_OPEN_FORBID_CLOSED,
): SearchView {
  const named = expandIndices(request, context, request.path['index'], defaults, api)
  checkNoneClosed(named, context.engine.version)
  checkBlocks(named, 'read', context.engine.version)
  const shardsOf = searchedShards(request, context, named)
  // Those whose shards are not preferred are not searched at all.
  const preferred = preferredShards(request) === undefined ? named : named.filter((i) => shardsOf.get(i)?.length !== 0)
  const missing = preferred.filter(({ unavailable }) => unavailable !== undefined)
  const indices = missing.length === 0 ? preferred : preferred.filter(({ unavailable }) => unavailable === undefined)
  if (missing.length > 0) checkPartial(missing, indices.length, request, api)
  const aliases = aliasLimits(request, context, indices)
  const types = limitingTypes(request, context, indices)
  const filters = [...ofAliases(indices, aliases), ...ofTypes(types), ...routingLimit(indices, shardsOf, request)]
  const shardsIn = (index: IndexMetadata): number => shardsOf.get(index)?.length ?? shardCount(index)
  const shardCounts = indices.map(shardsIn)
  const successful = shardCounts.reduce((sum, count) => sum + count, 0)
  const failed = missing.reduce((sum, index) => sum + shardsIn(index), 0)
  const total = successful + failed
  if (api !== '_validate') checkSearchedShards(total, context)
  const searchers = openSearchers(indices, context)
  return {
    indices,
    searchers,
    named: namedIn(request, context, api),
    routedShards: shardsOf,
    shardCounts,
    limit: (query) => (filters.length === 0 ? query : bool({ must: [query], filter: filters })),
    limits: (searcher) => ({ types, alias: aliases[searcher] }),
    shards:
      failed === 0
        ? { total, successful, skipped: 0, failed }
        : { total, successful, skipped: 0, failed, failures: missing.map(missingShard) },
    release() {
      for (const searcher of searchers) searcher.release()
    },
  }
}

/** All of them or, where one cannot be opened, none: one that is not given back keeps what is replaced in its index for ever. */
function openSearchers(indices: readonly IndexMetadata[], { engine }: RestContext): readonly IndexSearcher[] {
  const opened: IndexSearcher[] = []
  try {
    for (const { name } of indices) opened.push(engine.searcher(name))
    return opened
  } catch (error) {
    for (const searcher of opened) searcher.release()
    throw error
  }
}

/** What lists hits or counts them says which indices are missing; all else needs all of them. */
const TAKES_PARTS: ReadonlySet<string> = new Set(['_search', '_count'])

/** @throws {ServiceError} no_shard_available_action_exception where indices that are unavailable are not to be left out */
function checkPartial(
  missing: readonly IndexMetadata[],
  others: number,
  { parameters }: EndpointRequest,
  api: string,
): void {
  if (others > 0 && TAKES_PARTS.has(api) && parameters.boolean('allow_partial_search_results', true)) return
  const failures = missing.map((index) => ({ index: index.name, error: noShardAvailable(index) }))
  throw noShardAvailable(missing[0] as IndexMetadata).with({ inQueryPhase: true, failures, isPartial: others > 0 })
}

const missingShard = (index: IndexMetadata) => renderShardFailure(noShardAvailable(index), index.name)

/** @throws {ServiceError} illegal_argument_exception for more shards than `action.search.shard_count.limit` */
function checkSearchedShards(total: number, { engine }: RestContext): void {
  const limit = setClusterSetting('action.search.shard_count.limit', engine)
  if (limit === undefined || total <= Number(limit)) return
  throw illegalArgument(
    `Trying to query ${total} shards, which is over the limit of ${limit}. This limit exists because querying many shards at the same time can make the job of the coordinating node very CPU and/or memory intensive. It is usually a better idea to have a smaller number of larger shards. Update [action.search.shard_count.limit] to a greater value if you really want to query that many shards at the same time.`,
  )
}

/**
 * {@link SearchView.named}. What is asked about by name is judged before it is told whether it is there; patterns are not, since what
 * they find is told of the indices searched alone.
 */
export function namedIn(
  request: EndpointRequest,
  context: RestContext,
  api: string,
): (expression: string) => ReadonlySet<string> {
  return (expression) => {
    const asked = indicesOptionsFromQuery(request.parameters.values, STRICT_EXPAND_OPEN_FORBID_CLOSED)
    // Data streams are not looked for among what bodies name.
    const options = { ...asked, ignoreDataStreams: true }
    judgeName(request, context, expression, api)
    const names = resolveIndices([expression], options, scopeOf(context))
    // Otherwise that nothing was found would tell.
    if (!options.allowNoIndices) request.authorize(names, api)
    return new Set(names)
  }
}

/**
 * Shards that `routing`, the aliases' own and `preference=_shards:…` lead to, by index; indices that are searched as a whole are not
 * listed.
 */
export function searchedShards(
  request: EndpointRequest,
  context: RestContext,
  indices: readonly IndexMetadata[],
): ReadonlyMap<IndexMetadata, readonly number[]> {
  const routed = routedShards(request, context, indices)
  const preferred = preferredShards(request)
  if (preferred === undefined) return routed
  return new Map(
    indices.map((index) => {
      const shards = routed.get(index) ?? shardNumbers(index)
      return [index, shards.filter((shard) => preferred.includes(shard))]
    }),
  )
}

function routedShards(
  request: EndpointRequest,
  context: RestContext,
  indices: readonly IndexMetadata[],
): ReadonlyMap<IndexMetadata, readonly number[]> {
  const asked = request.parameters.list('routing')
  const given = asked === undefined ? undefined : new Set(asked.filter((value) => value !== ''))
  const isRouted = indices.some(({ aliases }) =>
    Object.values(aliases).some(({ searchRouting }) => searchRouting !== undefined),
  )
  const shards = new Map<IndexMetadata, readonly number[]>()
  if (given === undefined && !isRouted) return shards
  const names = isRouted ? pathNames(request, context) : new Set<string>()
  for (const index of indices) {
    const routing = resolveSearchRouting(index, names, given)
    // Routing values of a partitioned index lead to several shards each.
    if (routing === undefined || Number(index.settings['index.routing_partition_size'] ?? 1) > 1) continue
    shards.set(index, [...new Set([...routing].map((value) => shardOf(index, context.engine.version, value)))])
  }
  return shards
}

/** Limits each index to the documents of the shards that are searched. */
function routingLimit(
  indices: readonly IndexMetadata[],
  shardsOf: ReadonlyMap<IndexMetadata, readonly number[]>,
  { dialect }: EndpointRequest,
): Query[] {
  const isWhole = (index: IndexMetadata): boolean => shardsOf.get(index)?.length === shardCount(index)
  if (shardsOf.size === 0 || indices.every((index) => shardsOf.get(index) === undefined || isWhole(index))) return []
  const perIndex = indices.map((index): Query => {
    const own: Query = { kind: 'term', field: '_index', value: index.name }
    const shards = shardsOf.get(index)
    if (shards === undefined || isWhole(index)) return own
    if (shards.length === 0) return { kind: 'match_none' }
    const routed: Query = {
      kind: 'routed',
      shards,
      shardOf: (routing) => shardOf(index, dialect.engineVersion, routing),
    }
    return bool({ filter: [own, routed] })
  })
  return [bool({ should: perIndex })]
}

/** Filters of the aliases by which indices were named; undefined: of none, or not filtered. */
function aliasLimits(
  request: EndpointRequest,
  context: RestContext,
  indices: readonly IndexMetadata[],
): readonly (Query | undefined)[] {
  if (indices.every((index) => Object.keys(index.aliases).length === 0)) return []
  const names = pathNames(request, context)
  return indices.map((index) => {
    const [first, ...more] = (aliasFilters(index, names) ?? []).map((filter) => parseFilter(filter, request.queries))
    return first === undefined || more.length === 0 ? first : bool({ should: [first, ...more] })
  })
}

/** Each index under its own filter. */
function ofAliases(indices: readonly IndexMetadata[], limits: readonly (Query | undefined)[]): Query[] {
  if (limits.every((limit) => limit === undefined)) return []
  const perIndex = indices.map((index, i): Query => {
    const own: Query = { kind: 'term', field: '_index', value: index.name }
    const limit = limits[i]
    // Elsewhere fields may be mapped so that the filter could not be made.
    return limit === undefined ? own : bool({ filter: [own, limit], ofIndex: index.name })
  })
  return [bool({ should: perIndex })]
}

/** The types that path or parameters name; undefined: any. */
function limitingTypes(
  request: EndpointRequest,
  context: RestContext,
  indices: readonly IndexMetadata[],
): readonly string[] | undefined {
  const named = request.path['type'] ?? (request.dialect.takesTypedPaths ? request.parameters.text('type') : undefined)
  if (named === undefined || named === '') return undefined
  const types = named.split(',')
  // Typeless words find whatever type the index has; in 6.x they are no such words where they search.
  const typeless = types.length === 1 && types[0] === '_doc' && !request.dialect.typed
  if (typeless && indices.every((index) => !context.engine.mapping(index.name).types.includes('_doc'))) return undefined
  return types
}

function ofTypes(types: readonly string[] = []): Query[] {
  const limits = types.map((value): Query => ({ kind: 'type', value, isLimit: true }))
  return limits.length > 1 ? [bool({ should: limits })] : limits
}

function preferredShards({ parameters }: EndpointRequest): readonly number[] | undefined {
  return /^_shards:([-+\d,]+)/
    .exec(parameters.text('preference') ?? '')?.[1]
    ?.split(',')
    .map(Number)
}
