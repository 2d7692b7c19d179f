import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import { canMatch } from '../../engine/search/can-match.ts'
import { hasShard } from '../../engine/search/slice-documents.ts'
import { shardOrder } from '../../engine/search/sort/sort-ends.ts'
import { sortReader } from '../../engine/search/sort/sort-values.ts'
import { faultOf, type IndexFailure, type ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { hasBlock } from '../indices/index-blocks.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { ofIndex } from './failed-index.ts'
import type { SearchBody } from './search-body.ts'
import type { SearchedShards, SearchView } from './search-view.ts'

/** `pre_filter_shard_size`: shards up to which they are searched without being asked first. */
const DEFAULT_PRE_FILTER_SHARD_SIZE = 128

/** `_shards` of a search's answer: {@link skippedShards} told. */
export function shardsOf(view: SearchView, body: SearchBody, request: EndpointRequest): SearchedShards {
  return { ...slicedShards(view, body, request), skipped: skippedShards(view, body, request) }
}

/** OpenSearch 2.19 asks only the shards that have documents of a scroll's slice. */
function slicedShards(
  { shards, shardCounts }: SearchView,
  { slice, pit }: SearchBody,
  { dialect }: EndpointRequest,
): SearchedShards {
  if (slice === undefined || pit !== undefined || dialect.engineVersion !== 'OpenSearch_2.19') return shards
  const asked = (count: number): number =>
    Array.from({ length: count }, (_, shard) => hasShard(slice, shard, count)).filter(Boolean).length
  const total = shardCounts.reduce((sum, count) => sum + asked(count), 0)
  return shards.failed > 0 ? shards : { ...shards, total, successful: total }
}

/**
 * `_shards.skipped`: how many shards a search leaves out because nothing of them can match. They are asked only when there are
 * more of them than `pre_filter_shard_size`; one is always searched.
 */
function skippedShards(view: SearchView, body: SearchBody, request: EndpointRequest): number {
  if (!asksShards(view, body, request) || !mayLeaveOut(body)) return 0
  const { total } = view.shards
  const { engineVersion, typed } = request.dialect
  // 6.x asks without the filters of aliases.
  const query = typed ? body.query : view.limit(body.query)
  const options = { engineVersion, now: Date.now() }
  const skipped = view.searchers.reduce(
    (sum, searcher, i) => sum + (canMatch(query, searcher, options) ? 0 : (view.shardCounts[i] ?? 0)),
    0,
  )
  return Math.min(skipped, total - 1)
}

function asksShards(view: SearchView, body: SearchBody, request: EndpointRequest): boolean {
  if (view.shards.total <= preFilterSize(view, body, request)) return false
  return (request.parameters.text('search_type') ?? 'query_then_fetch') === 'query_then_fetch'
}

/** A view with its indices in the order in which they are searched, once their shards have been asked what they have. */
export function inOrderOfSort(view: SearchView, body: SearchBody, request: EndpointRequest): SearchView {
  const { engineVersion, typed } = request.dialect
  const [key] = body.sort
  if (typed || key?.kind !== 'field' || view.searchers.length < 2 || !asksShards(view, body, request)) return view
  const order = shardOrder(view.searchers, key, engineVersion)
  if (order === undefined) return view
  const ordered = <T>(list: readonly T[]): T[] => order.map((i) => list[i] as T)
  const { named, limit, routedShards, shards, release } = view
  const [indices, searchers, shardCounts] = [ordered(view.indices), ordered(view.searchers), ordered(view.shardCounts)]
  const limits: SearchView['limits'] = (searcher) => view.limits(order[searcher] as number)
  return { indices, searchers, named, limit, limits, routedShards, shardCounts, shards, release }
}

/**
 * What is told in the place of a search's fault, where shards are asked what they have to sort by before they are searched
 * and none can tell; undefined: some can.
 */
export function faultOfSort(view: SearchView, body: SearchBody, request: EndpointRequest): ServiceError | undefined {
  const { typed, engineVersion } = request.dialect
  // 7.10 looks at what documents are sorted by first alone.
  const sort = engineVersion === 'Elasticsearch_7.10' ? body.sort.slice(0, 1) : body.sort
  // By what fields that a search defines itself shards sort is not looked at.
  if (body.derived !== undefined) return undefined
  if (typed || sort[0]?.kind !== 'field' || view.indices.length < 2 || !asksShards(view, body, request))
    return undefined
  const failures: IndexFailure[] = []
  for (const [i, index] of view.indices.entries()) {
    const fault = faultOf(() => sort.map((key) => sortReader(key, view.searchers[i] as IndexSearcher, typed)))
    if (fault === undefined) return undefined
    failures.push({ index: index.name, error: ofIndex(fault, index) })
  }
  return failures[0]?.error.with({ failures, searchPhase: 'can_match' })
}

/** From 7.x on a search sorted by a field, or one of an index that nobody may write to, asks all shards. */
function preFilterSize(
  { indices }: SearchView,
  { sort }: SearchBody,
  { dialect, parameters }: EndpointRequest,
): number {
  const isByField = sort[0]?.kind === 'field' || sort[0]?.kind === 'doc'
  const asksAll = !dialect.typed && (isByField || indices.some((index) => hasBlock(index, 'write')))
  return parameters.integer('pre_filter_shard_size') ?? (asksAll ? 1 : DEFAULT_PRE_FILTER_SHARD_SIZE)
}

/** Suggestions and some aggregations want every document. */
function mayLeaveOut({ query, suggest, aggregations }: SearchBody): boolean {
  return query.kind !== 'match_all' && suggest === undefined && !mustVisitAll(aggregations)
}

/** Whether there is a `global`, or a `terms` of what no document has, among the outermost aggregations. */
function mustVisitAll(aggregations: JsonValue | undefined): boolean {
  if (!isObject(aggregations)) return false
  return Object.values(aggregations).some(
    (one) =>
      isObject(one) && ('global' in one || (isObject(one['terms']) && Number(one['terms']['min_doc_count']) === 0)),
  )
}
