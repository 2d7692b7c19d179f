import type { EngineVersion } from '../../engine/engine-version.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { STRICT_EXPAND_OPEN, STRICT_EXPAND_OPEN_FORBID_CLOSED } from '../../engine/metadata/indices-options.ts'
import { shardCount, shardNumbers } from '../../engine/metadata/shard-routing.ts'
import { type CatColumn, catTable, column } from '../cat/cat-table.ts'
import { Bytes } from '../cat/cat-value.ts'
import { checkResponseLimit } from '../cat/check-response-limit.ts'
import { statsColumns, withColumns } from '../cat/stats-columns.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { expandIndices } from '../indices/index-names.ts'
import { replicaCount } from '../indices/shard-counts.ts'
import { nodeHost, nodeName } from '../node-identity.ts'
import { indexStatsJson, type StatsSections } from '../statistics/index-stats-json.ts'
import { statsByShard } from '../statistics/stats-by-shard.ts'

/** A copy of a shard in a table. */
export interface ShardRow {
  readonly index: IndexMetadata
  readonly shard: number
  readonly primary: boolean
  /** False for a copy that one node cannot hold, and for a primary that is unavailable. */
  readonly started: boolean
  /** Of a copy that is there. */
  readonly stats: StatsSections | undefined
  readonly ip: string
  readonly node: string
  readonly nodeId: string
}

const started = <V>(row: ShardRow, value: V): V | undefined => (row.started ? value : undefined)
const date = (row: ShardRow) => (row.started ? undefined : new Date(row.index.creationDate).toISOString())

const COLUMNS = [
  column<ShardRow>('index:i,idx', 'index name', (r) => r.index.name),
  column<ShardRow>('shard:s,sh', 'shard name', (r) => r.shard),
  column<ShardRow>('prirep:p,pr,primaryOrReplica', 'primary or replica', (r) => (r.primary ? 'p' : 'r')),
  column<ShardRow>('state:st', 'shard state', (r) => (r.started ? 'STARTED' : 'UNASSIGNED')),
  column<ShardRow>('>docs:d,dc', 'number of docs in shard', (r) =>
    started(r, Number(r.stats?.['docs']?.['count'] ?? 0)),
  ),
  column<ShardRow>('>store:sto', 'store size of shard (how much disk it uses)', (r) =>
    started(r, new Bytes(Number(r.stats?.['store']?.['size_in_bytes'] ?? 0))),
  ),
  column<ShardRow>('ip', 'ip of node where it lives', (r) => started(r, r.ip)),
  column<ShardRow>('-id', 'unique id of node where it lives', (r) => started(r, r.nodeId)),
  column<ShardRow>('node:n', 'name of node where it lives', (r) => started(r, r.node)),
  column<ShardRow>('-sync_id:sync_id', 'sync id', () => undefined),
  column<ShardRow>('-unassigned.reason:ur', 'reason shard is unassigned', (r) =>
    r.started ? undefined : 'INDEX_CREATED',
  ),
  column<ShardRow>('-unassigned.at:ua', 'time shard became unassigned (UTC)', date),
  column<ShardRow>('->unassigned.for:uf', 'time has been unassigned', () => undefined),
  column<ShardRow>(
    '-unassigned.details:ud',
    'additional details as to why the shard became unassigned',
    () => undefined,
  ),
  column<ShardRow>('-recoverysource.type:rs', 'recovery source type', (r) => (r.started ? undefined : 'peer')),
]

const SEQUENCE = [
  column<ShardRow>(
    '->seq_no.max:sqm,maxSeqNo',
    'max sequence number',
    (r) => r.stats?.['seq_no']?.['max_seq_no'] as number | undefined,
  ),
  column<ShardRow>(
    '->seq_no.local_checkpoint:sql,localCheckpoint',
    'local checkpoint',
    (r) => r.stats?.['seq_no']?.['local_checkpoint'] as number | undefined,
  ),
  column<ShardRow>(
    '->seq_no.global_checkpoint:sqg,globalCheckpoint',
    'global checkpoint',
    (r) => r.stats?.['seq_no']?.['local_checkpoint'] as number | undefined,
  ),
]

/** Where a shard's files are is nobody's business. */
const PATHS = [
  column<ShardRow>('-path.data:pd,dataPath', 'shard data path', () => undefined),
  column<ShardRow>('-path.state:ps,statsPath', 'shard state path', () => undefined),
]

const DELETED = column<ShardRow>('->docs.deleted:dd,docsDeleted', 'number of deleted docs in shard', (r) =>
  started(r, Number(r.stats?.['docs']?.['deleted'] ?? 0)),
)

/** What is told of a shard's copy. */
export function shardColumns(version: EngineVersion): CatColumn<ShardRow>[] {
  const stats = statsColumns<ShardRow>(version, (r) => r.stats ?? {}, {
    without: ['request_cache.', 'suggest.', 'query_cache.hit', 'query_cache.miss'],
    help: { 'search.concurrent_query_total': 'total concurrent query phase ops' },
  })
  // Points in time have names of their own here.
  const named = stats.map((c) =>
    c.name.startsWith('search.point_in_time') ? { ...c, aliases: c.aliases.replace(/^sc/, 'sp') } : c,
  )
  const more = [...(version === 'Elasticsearch_6.8' ? [] : PATHS), ...(version === 'OpenSearch_2.19' ? [DELETED] : [])]
  return [...COLUMNS, ...withColumns(named, 'warmer.', SEQUENCE), ...more]
}

/** `GET /_cat/shards[/<index>]`. */
export const catShards: EndpointHandler = async (request, context) => {
  const columns = shardColumns(context.engine.version)
  if (request.parameters.boolean('help', false)) return catTable(request, columns, [])
  const { index: expression } = request.path
  // Without names it shows what the cluster's state has; of those named the statistics are asked for.
  const options =
    expression === undefined ? { ...STRICT_EXPAND_OPEN, expandWildcardsHidden: true } : STRICT_EXPAND_OPEN_FORBID_CLOSED
  const indices = expandIndices(request, context, expression, options, '_cat')
  checkShardRows(indices, context)
  return catTable(request, columns, await shardRows(indices, context))
}

/** @throws {ServiceError} response_limit_breached_exception for more shards than the cluster's settings let be listed */
export const checkShardRows = (indices: readonly IndexMetadata[], context: RestContext): void =>
  checkResponseLimit(
    'shards',
    indices.reduce((sum, index) => sum + shardCount(index) * (1 + replicaCount(index)), 0),
    context,
  )

/** The copies of all shards, index by index. */
export async function shardRows(indices: readonly IndexMetadata[], context: RestContext): Promise<ShardRow[]> {
  const node = { ip: nodeHost(context), node: nodeName(context.engine.nodeId), nodeId: context.engine.nodeId }
  const rows: ShardRow[] = []
  for (const index of indices) {
    if (index.unavailable !== undefined) {
      for (const shard of shardNumbers(index))
        for (let copy = 0; copy <= replicaCount(index); copy++)
          rows.push({ index, shard, primary: copy === 0, started: false, stats: undefined, ...node })
      continue
    }
    const parts = await statsByShard(index, indexStatsJson(index, context), context)
    for (const [shard, { stats, seqNo }] of parts.entries()) {
      rows.push({ index, shard, primary: true, started: true, stats: { ...stats, seq_no: seqNo }, ...node })
      for (let copy = 0; copy < replicaCount(index); copy++)
        rows.push({ index, shard, primary: false, started: false, stats: undefined, ...node })
    }
  }
  return rows
}
