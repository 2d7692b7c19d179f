import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { STRICT_EXPAND_OPEN, STRICT_EXPAND_OPEN_FORBID_CLOSED } from '../../engine/metadata/indices-options.ts'
import { shardCount } from '../../engine/metadata/shard-routing.ts'
import { catTable, column } from '../cat/cat-table.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { expandIndices } from './index-names.ts'
import { nodeHost, nodeName, renderDiscoveryNode } from './node-identity.ts'
import { copiesOf } from './shard-counts.ts'
import { shardRouting } from './shard-routing-json.ts'

/** `GET [/<index>]/_segments`: all of an index is in its first shard. */
export const indicesSegments: EndpointHandler = (request, context) => {
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN_FORBID_CLOSED, '_segments')
  const shardJson = (index: IndexMetadata, shard: number): Json => {
    const segments = shard === 0 ? context.engine.stats(index.name).segments : []
    return {
      routing: { state: 'STARTED', primary: true, node: context.engine.nodeId },
      num_committed_segments: segments.filter((s) => s.committed).length,
      num_search_segments: segments.length,
      segments: Object.fromEntries(
        segments.map((s) => [
          s.name,
          {
            generation: s.generation,
            num_docs: s.numDocs,
            deleted_docs: s.deletedDocs,
            size_in_bytes: s.sizeBytes,
            memory_in_bytes: s.memoryBytes,
            committed: s.committed,
            search: true,
            version: request.dialect.luceneVersion,
            compound: true,
          },
        ]),
      ),
    }
  }
  return {
    status: 200,
    json: { _shards: copiesOf(indices), indices: perShard(indices, (index, shard) => [shardJson(index, shard)]) },
  }
}

function perShard(indices: readonly IndexMetadata[], json: (index: IndexMetadata, shard: number) => Json): Json {
  return Object.fromEntries(
    indices.map((index) => [
      index.name,
      {
        shards: Object.fromEntries(
          Array.from({ length: shardCount(index) }, (_, shard) => [String(shard), json(index, shard)]),
        ),
      },
    ]),
  )
}

/** `GET [/<index>]/_shard_stores`. */
export const indicesShardStores: EndpointHandler = (request, context) => {
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN, '_shard_stores')
  const statuses = request.parameters.list('status') ?? ['yellow', 'red']
  const shown = indices.filter(
    (index) =>
      statuses.includes('all') ||
      statuses.includes('green') ||
      (statuses.includes('yellow') && index.settings['index.number_of_replicas'] !== '0'),
  )
  return {
    status: 200,
    json: {
      indices: perShard(shown, (index, shard) => ({
        stores: [
          {
            [context.engine.nodeId]: renderDiscoveryNode(context),
            allocation_id: shardRouting(index, shard, context).allocation_id.id,
            allocation: 'primary',
          },
        ],
      })),
    },
  }
}

/** `GET [/<index>]/_recovery`: every shard was opened from the local store when the process began. */
export const indicesRecovery: EndpointHandler = (request, context) => {
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN, '_recovery')
  const human = request.parameters.boolean('human', false)
  return {
    status: 200,
    json: Object.fromEntries(
      indices.map((index) => [
        index.name,
        {
          shards: Array.from({ length: shardCount(index) }, (_, shard) => recoveryJson(shard, index, context, human)),
        },
      ]),
    ),
  }
}

function recoveryJson(shard: number, index: IndexMetadata, context: RestContext, human: boolean): Json {
  const startedAt = Math.max(index.creationDate, context.startedAt)
  const time = (name: string) => ({ ...(human ? { [name]: '0s' } : {}), [`${name}_in_millis`]: 0 })
  const size = (name: string) => ({ ...(human ? { [name]: '0b' } : {}), [`${name}_in_bytes`]: 0 })
  const at = (name: string) => ({
    ...(human ? { [name]: new Date(startedAt).toISOString() } : {}),
    [`${name}_in_millis`]: startedAt,
  })
  return {
    id: shard,
    type: index.creationDate > context.startedAt && index.state === 'open' ? 'EMPTY_STORE' : 'EXISTING_STORE',
    stage: 'DONE',
    primary: true,
    ...at('start_time'),
    ...at('stop_time'),
    ...time('total_time'),
    source: {},
    target: {
      id: context.engine.nodeId,
      host: nodeHost(context),
      transport_address: context.publishAddress(),
      ip: nodeHost(context),
      name: nodeName(context.engine.nodeId),
    },
    index: {
      size: { ...size('total'), ...size('reused'), ...size('recovered'), percent: '0.0%' },
      files: { total: 0, reused: 0, recovered: 0, percent: '0.0%', details: [] },
      ...time('total_time'),
      ...time('source_throttle_time'),
      ...time('target_throttle_time'),
    },
    translog: { recovered: 0, total: 0, percent: '100.0%', total_on_start: 0, ...time('total_time') },
    verify_index: { ...time('check_index_time'), ...time('total_time') },
  }
}

interface Row {
  readonly index: IndexMetadata
  readonly shard: number
  readonly host: string
  readonly node: string
  readonly type: string
}

const zero = () => 0
const COLUMNS = [
  column<Row>('index:i,idx', 'name of the index', (r) => r.index.name),
  column<Row>('shard:s,sh', 'number of the shard', (r) => r.shard),
  column<Row>('time:t,ti', 'how long it took', () => '0s'),
  column<Row>('type:ty', 'where it came from', (r) => r.type),
  column<Row>('stage:st', 'how far it is', () => 'done'),
  column<Row>('source_host:shost', 'host it came from', () => 'n/a'),
  column<Row>('source_node:snode', 'node it came from', () => 'n/a'),
  column<Row>('target_host:thost', 'host it went to', (r) => r.host),
  column<Row>('target_node:tnode', 'node it went to', (r) => r.node),
  column<Row>('repository:rep', 'repository it came from', () => 'n/a'),
  column<Row>('snapshot:snap', 'snapshot it came from', () => 'n/a'),
  column<Row>('files:f', 'files to recover', zero),
  column<Row>('files_recovered:fr', 'files recovered', zero),
  column<Row>('files_percent:fp', 'files recovered, of all', () => '0.0%'),
  column<Row>('files_total:tf', 'files', zero),
  column<Row>('bytes:b', 'bytes to recover', zero),
  column<Row>('bytes_recovered:br', 'bytes recovered', zero),
  column<Row>('bytes_percent:bp', 'bytes recovered, of all', () => '0.0%'),
  column<Row>('bytes_total:tb', 'bytes', zero),
  column<Row>('translog_ops:to', 'operations to replay', zero),
  column<Row>('translog_ops_recovered:tor', 'operations replayed', zero),
  column<Row>('translog_ops_percent:top', 'operations replayed, of all', () => '100.0%'),
]

/** `GET /_cat/recovery[/<index>]`. */
export const catRecovery: EndpointHandler = (request, context) => {
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN, '_cat')
  const rows = indices.flatMap((index) =>
    Array.from({ length: shardCount(index) }, (_, shard) => ({
      index,
      shard,
      host: nodeHost(context),
      node: nodeName(context.engine.nodeId),
      type: index.creationDate > context.startedAt ? 'empty_store' : 'existing_store',
    })),
  )
  return catTable(request, COLUMNS, rows)
}

/** `GET [/<index>]/_search_shards`. */
export const searchShards: EndpointHandler = (request: EndpointRequest, context) => {
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN, '_search_shards')
  return {
    status: 200,
    json: {
      nodes: { [context.engine.nodeId]: renderDiscoveryNode(context) },
      indices: Object.fromEntries(indices.map((index) => [index.name, {}])),
      shards: indices.flatMap((index) =>
        Array.from({ length: shardCount(index) }, (_, shard) => [shardRouting(index, shard, context)]),
      ),
    },
  }
}
