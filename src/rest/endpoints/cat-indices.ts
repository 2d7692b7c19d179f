import { type IndexMetadata, isServed } from '../../engine/metadata/index-metadata.ts'
import { indicesOptionsFromQuery, STRICT_EXPAND } from '../../engine/metadata/indices-options.ts'
import { resolveIndices } from '../../engine/metadata/resolve-indices.ts'
import { shardCount } from '../../engine/metadata/shard-routing.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { catTable, column } from '../cat/cat-table.ts'
import { Bytes } from '../cat/cat-value.ts'
import { checkResponseLimit } from '../cat/check-response-limit.ts'
import { statsColumns } from '../cat/stats-columns.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { expandIndices, scopeOf } from '../indices/index-names.ts'
import { replicaCount } from '../indices/shard-counts.ts'
import type { EndpointRequest, EndpointResponse } from '../rest-request.ts'
import { indexHealth } from '../statistics/cluster-health.ts'
import { indexStatsJson, type StatsSections } from '../statistics/index-stats-json.ts'

interface Row {
  readonly index: IndexMetadata
  readonly open: boolean
  /** False for closed indices of 6.x, which have none. */
  readonly showsShards: boolean
  readonly stats: StatsSections
}

const size = (row: Row) => (row.open ? new Bytes(Number(row.stats['store']?.['size_in_bytes'] ?? 0)) : undefined)

const COLUMNS = [
  column<Row>('health:h', 'current health status', (r) => (r.showsShards ? indexHealth(r.index).status : null)),
  column<Row>('status:s', 'open/close status', (r) => r.index.state),
  column<Row>('index:i,idx', 'index name', (r) => r.index.name),
  column<Row>('uuid:id,uuid', 'index uuid', (r) => r.index.uuid),
  column<Row>('>pri:p,shards.primary,shardsPrimary', 'number of primary shards', (r) =>
    r.showsShards ? shardCount(r.index) : undefined,
  ),
  column<Row>('>rep:r,shards.replica,shardsReplica', 'number of replica shards', (r) =>
    r.showsShards ? replicaCount(r.index) : undefined,
  ),
  column<Row>('>docs.count:dc,docsCount', 'available docs', (r) => r.stats['docs']?.['count'] as number | undefined),
  column<Row>(
    '>docs.deleted:dd,docsDeleted',
    'deleted docs',
    (r) => r.stats['docs']?.['deleted'] as number | undefined,
  ),
  column<Row>('->creation.date:cd', 'index creation date (millisecond value)', (r) => r.index.creationDate),
  column<Row>('->creation.date.string:cds', 'index creation date (as string)', (r) =>
    new Date(r.index.creationDate).toISOString(),
  ),
  column<Row>('>store.size:ss,storeSize', 'store size of primaries & replicas', size),
  column<Row>('>pri.store.size', 'store size of primaries', size),
]

const LAST_COLUMNS = [
  column<Row>(
    '->memory.total:tm,memoryTotal',
    'total used memory',
    (r) => new Bytes(Number(r.stats['segments']?.['memory_in_bytes'] ?? 0)),
  ),
  column<Row>(
    '->pri.memory.total',
    'total user memory',
    (r) => new Bytes(Number(r.stats['segments']?.['memory_in_bytes'] ?? 0)),
  ),
  column<Row>('->search.throttled:sth', 'indicates if the index is search throttled', () => false),
]

/** 6.x asks once more of what it has found, where an index that was left out is none. @throws {ServiceError} index_not_found_exception */
function resolveAmong(
  found: readonly IndexMetadata[],
  { path, parameters }: EndpointRequest,
  context: RestContext,
): void {
  const indices = new Map(found.map((index) => [index.name, index]))
  const options = indicesOptionsFromQuery(parameters.values, STRICT_EXPAND)
  resolveIndices(path['index']?.split(',') ?? [], options, { ...scopeOf(context), indices })
}

/** `GET /_cat/indices[/<index>]`. */
export const catIndices: EndpointHandler = (request, context) => {
  if (request.parameters.boolean('help', false)) return indicesTable(request, context, [])
  const indices = shownIndices(request, context)
  checkResponseLimit('indices', indices.length, context)
  return indicesTable(request, context, indices)
}

/** Indices that a table of them is asked for. @throws {ServiceError} illegal_argument_exception, index_not_found_exception */
export function shownIndices(request: EndpointRequest, context: RestContext): readonly IndexMetadata[] {
  const health = request.parameters.text('health')
  if (health !== undefined && !['green', 'yellow', 'red'].includes(health.toLowerCase())) {
    throw illegalArgument(`unknown cluster health status [${health}]`)
  }
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND, '_cat')
  if (request.dialect.typed) resolveAmong(indices, request, context)
  return indices.filter((index) => health === undefined || indexHealth(index).status === health.toLowerCase())
}

/** A table of indices. */
export function indicesTable(
  request: EndpointRequest,
  context: RestContext,
  indices: readonly IndexMetadata[],
): EndpointResponse {
  const rows = indices.map((index) => ({
    index,
    open: isServed(index),
    showsShards: index.state === 'open' || !request.dialect.typed,
    // What closed indices have is nobody's to tell here.
    stats: isServed(index) ? indexStatsJson(index, context) : {},
  }))
  const stats = statsColumns<Row>(context.engine.version, (r) => r.stats, {
    prefixed: true,
    without: ['query_cache.hit', 'query_cache.miss', 'search.search_idle'],
  })
  return catTable(request, [...COLUMNS, ...stats, ...LAST_COLUMNS], rows)
}
