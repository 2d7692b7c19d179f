import type { SegmentStats } from '../../engine/engine.ts'
import { documentOrder } from '../../engine/index/document-order.ts'
import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import type { FieldMapping } from '../../engine/mapping/field-mapping.ts'
import type { IndexMapping } from '../../engine/mapping/index-mapping.ts'
import { aliasFilters } from '../../engine/metadata/alias-routing.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import {
  type IndicesOptions,
  STRICT_EXPAND,
  STRICT_EXPAND_OPEN,
  STRICT_EXPAND_OPEN_FORBID_CLOSED,
} from '../../engine/metadata/indices-options.ts'
import { shardCount, shardNumbers } from '../../engine/metadata/shard-routing.ts'
import type { ShardRecovery } from '../../engine/snapshot/restore-request.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { parseJson } from '../body/parse-json.ts'
import { catTable, column } from '../cat/cat-table.ts'
import { Duration } from '../cat/cat-value.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { DIALECTS } from '../dialects/dialect.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { expandIndices, givenNames } from '../indices/index-names.ts'
import { copiesOf } from '../indices/shard-counts.ts'
import { shardRouting } from '../indices/shard-routing-json.ts'
import type { Json } from '../json/json-writer.ts'
import { nodeHost, nodeName, renderDiscoveryNode } from '../node-identity.ts'
import { writeQuery } from '../query-dsl/write-query.ts'
import { type EndpointRequest, searchObject } from '../rest-request.ts'
import { checkMembers } from '../search/check-members.ts'
import { checkPreference } from '../search/check-preference.ts'
import { searchedShards } from '../search/open-view.ts'
import { pathNames } from '../search/path-names.ts'
import { uncheckedQueries } from '../search/query-lookup.ts'
import { parseSearchBody } from '../search/search-body.ts'
import type { AskedSlice } from '../search/slice-body.ts'
import { indexHealth } from '../statistics/cluster-health.ts'
import { divided } from '../statistics/divided.ts'
import { segmentsByShard } from '../statistics/segments-by-shard.ts'
import { toldMemory } from '../statistics/told-memory.ts'

/** `GET [/<index>]/_segments`. */
export const indicesSegments: EndpointHandler = async (request, context) => {
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN_FORBID_CLOSED, '_segments')
  const byIndex = new Map<IndexMetadata, readonly (readonly SegmentStats[])[]>()
  for (const index of indices) byIndex.set(index, await segmentsByShard(index, context))
  const shardJson = (index: IndexMetadata, shard: number): Json => {
    const segments = byIndex.get(index)?.[shard] ?? []
    const sort = segmentSort(index, context.engine.mapping(index.name), request.dialect)
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
            memory_in_bytes: toldMemory(s.memoryBytes, context.engine.version),
            committed: s.committed,
            search: true,
            version: request.dialect.luceneVersion,
            compound: true,
            ...(sort === undefined ? {} : { sort }),
            attributes: { [`${request.dialect.storedFieldsFormat}.mode`]: compressionOf(index) },
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

/** What Lucene is told to sort an index' documents by; undefined: nothing. */
function segmentSort({ settings }: IndexMetadata, mapping: IndexMapping, dialect: Dialect): Json | undefined {
  return documentOrder(settings, mapping)?.map(({ path, isDescending, takesMost, missingFirst }) => ({
    field: path,
    mode: takesMost ? 'max' : 'min',
    missing: missingValue(mapping.field(path), missingFirst !== isDescending, dialect),
    reverse: isDescending,
  }))
}

/** What stands for a value that is missing, so that it is the least or the greatest. */
function missingValue(field: FieldMapping | undefined, isLeast: boolean, { luceneVersion }: Dialect): string {
  if (field?.kind === 'keyword' || field?.kind === 'ip')
    return isLeast ? 'SortField.STRING_FIRST' : 'SortField.STRING_LAST'
  if (field?.kind === 'number' && (field.type === 'double' || field.type === 'float'))
    return isLeast ? '-Infinity' : 'Infinity'
  const isLong = field?.kind === 'date' || (field?.kind === 'number' && field.type === 'long')
  if (isLong || !luceneVersion.startsWith('9.')) return isLeast ? '-9223372036854775808' : '9223372036854775807'
  return isLeast ? '-2147483648' : '2147483647'
}

/** What the codec that the index asks for would do in Lucene. */
function compressionOf({ settings }: IndexMetadata): string {
  const codec = settings['index.codec']
  return codec === 'best_compression' || codec === 'zlib' ? 'BEST_COMPRESSION' : 'BEST_SPEED'
}

function perShard(indices: readonly IndexMetadata[], json: (index: IndexMetadata, shard: number) => Json): Json {
  return Object.fromEntries(
    indices.map((index) => [
      index.name,
      {
        shards: Object.fromEntries(shardNumbers(index).map((shard) => [String(shard), json(index, shard)])),
      },
    ]),
  )
}

/** Indices that have shards: from 7.2 on those that are closed, too. */
const withShards = ({ dialect }: EndpointRequest): IndicesOptions =>
  dialect.typed ? STRICT_EXPAND_OPEN : STRICT_EXPAND

/** As above, where 6.x refuses closed ones. */
const recovered = ({ dialect }: EndpointRequest): IndicesOptions =>
  dialect.typed ? STRICT_EXPAND_OPEN_FORBID_CLOSED : STRICT_EXPAND

/** `GET [/<index>]/_shard_stores`. */
export const indicesShardStores: EndpointHandler = (request, context) => {
  const statuses = (request.parameters.list('status') ?? ['yellow', 'red']).map((status) => status.toLowerCase())
  for (const status of statuses) {
    if (!['green', 'yellow', 'red', 'all'].includes(status))
      throw illegalArgument(`unknown cluster health status [${status}]`)
  }
  const indices = expandIndices(request, context, request.path['index'], withShards(request), '_shard_stores')
  const shown = indices.filter((index) => statuses.includes('all') || statuses.includes(indexHealth(index).status))
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

/** `GET [/<index>]/_recovery`: every shard was opened from the local store when the process began, or restored since. */
export const indicesRecovery: EndpointHandler = (request, context) => {
  const names = toldOf(request, context)
  if (names?.length === 0) return { status: 200, json: {} }
  const indices = expandIndices(request, context, names?.join(','), recovered(request), '_recovery')
  // None is under way when it is asked about.
  if (request.parameters.boolean('active_only', false)) return { status: 200, json: {} }
  return {
    status: 200,
    json: Object.fromEntries(
      indices.map((index) => [
        index.name,
        {
          shards: Array.from({ length: shardCount(index) }, (_, shard) => recoveryJson(shard, index, request, context)),
        },
      ]),
    ),
  }
}

/** The names asked about, less those that are being restored: there, too, nothing is told of these at first. */
function toldOf(request: EndpointRequest, { engine }: RestContext): readonly string[] | undefined {
  const { index } = request.path
  if (index === undefined) return undefined
  const names = givenNames(index)
  const restoring = names.filter((name) => engine.snapshots.isRestoring(name) && !engine.indices.has(name))
  request.authorize(restoring, '_recovery')
  return names.filter((name) => !restoring.includes(name))
}

function recoveryJson(shard: number, index: IndexMetadata, request: EndpointRequest, context: RestContext): Json {
  const { parameters, dialect } = request
  const restored = context.engine.snapshots.recovery(index.name)
  const type = recoveryType(index, context)
  const startedAt = recoveredAt(index, context)
  const tookMs = tookMsOf(restored)
  const files = restoredPart(restored?.files, index, shard)
  const bytes = restoredPart(restored?.bytes, index, shard)
  const percent = restored === undefined ? '0.0%' : '100.0%'
  // Nothing was slowed down, which readers of texts are told in a number.
  const throttled = (name: string) => ({
    ...(parameters.boolean('human', false) ? { [name]: '-1' } : {}),
    [`${name}_in_millis`]: 0,
  })
  return {
    id: shard,
    type,
    stage: 'DONE',
    primary: true,
    start_time_in_millis: startedAt,
    stop_time_in_millis: startedAt + tookMs,
    total_time_in_millis: tookMs,
    source:
      restored === undefined
        ? type === 'EXISTING_STORE'
          ? { bootstrap_new_history_uuid: false }
          : {}
        : {
            repository: restored.repository,
            snapshot: restored.snapshot,
            version: DIALECTS[restored.engineVersion].version['number'] as string,
            index: restored.index,
            restoreUUID: index.uuid,
          },
    target: {
      id: context.engine.nodeId,
      host: nodeHost(context),
      transport_address: context.publishAddress(),
      ip: nodeHost(context),
      name: nodeName(context.engine.nodeId),
    },
    index: {
      size: { total_in_bytes: bytes, reused_in_bytes: 0, recovered_in_bytes: bytes, percent },
      files: {
        total: files,
        reused: 0,
        recovered: files,
        percent,
        // 6.x looks for it under another name, which it does not take.
        ...(parameters.boolean('detailed', false) && !dialect.typed ? { details: [] } : {}),
      },
      total_time_in_millis: tookMs,
      ...throttled('source_throttle_time'),
      ...throttled('target_throttle_time'),
    },
    translog: { recovered: 0, total: 0, percent: '100.0%', total_on_start: 0, total_time_in_millis: 0 },
    verify_index: { check_index_time_in_millis: 0, total_time_in_millis: 0 },
  }
}

/** A snapshot has an index whole: each shard has its part of that. */
const restoredPart = (whole: number | undefined, index: IndexMetadata, shard: number): number =>
  divided(
    whole ?? 0,
    shardNumbers(index).map(() => 1),
  )[shard] as number

/** When it was restored, or else made or opened; ms since 1970. */
const recoveredAt = (index: IndexMetadata, context: RestContext): number =>
  context.engine.snapshots.recovery(index.name)?.startedAt ??
  context.engine.reopenedAt(index.name) ??
  Math.max(index.creationDate, context.startedAt)

/** At least one: clients divide by it, and no shard of a real server is recovered in less. */
const tookMsOf = (restored: ShardRecovery | undefined): number => Math.max(1, restored?.tookMs ?? 0)

function recoveryType(index: IndexMetadata, context: RestContext): string {
  if (context.engine.snapshots.recovery(index.name) !== undefined) return 'SNAPSHOT'
  if (index.creationDate < context.startedAt || index.state !== 'open') return 'EXISTING_STORE'
  if (context.engine.reopenedAt(index.name) !== undefined) return 'EXISTING_STORE'
  return index.settings['index.resize.source.name'] === undefined ? 'EMPTY_STORE' : 'LOCAL_SHARDS'
}

interface Row {
  readonly index: IndexMetadata
  readonly shard: number
  readonly host: string
  readonly node: string
  readonly type: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly restored: ShardRecovery | undefined
}

const files = ({ restored, index, shard }: Row): number => restoredPart(restored?.files, index, shard)
const bytes = ({ restored, index, shard }: Row): number => restoredPart(restored?.bytes, index, shard)
const percent = ({ restored }: Row): string => (restored === undefined ? '0.0%' : '100.0%')

const stopped = ({ restored, startedAt }: Row): number => startedAt + tookMsOf(restored)

const zero = () => 0
const COLUMNS = [
  column<Row>('index:i,idx', 'index name', (r) => r.index.name),
  column<Row>('shard:s,sh', 'shard name', (r) => r.shard),
]

const TIMES = [
  column<Row>('-start_time:start', 'recovery start time', (r) => new Date(r.startedAt).toISOString()),
  column<Row>('-start_time_millis:start_millis', 'recovery start time in epoch milliseconds', (r) => r.startedAt),
  column<Row>('-stop_time:stop', 'recovery stop time', (r) => new Date(stopped(r)).toISOString()),
  column<Row>('-stop_time_millis:stop_millis', 'recovery stop time in epoch milliseconds', (r) => stopped(r)),
]

const MORE_COLUMNS = [
  column<Row>('time:t,ti', 'recovery time', (r) => new Duration(tookMsOf(r.restored))),
  column<Row>('type:ty', 'recovery type', (r) => r.type),
  column<Row>('stage:st', 'recovery stage', () => 'done'),
  column<Row>('source_host:shost', 'source host', () => 'n/a'),
  column<Row>('source_node:snode', 'source node name', () => 'n/a'),
  column<Row>('target_host:thost', 'target host', (r) => r.host),
  column<Row>('target_node:tnode', 'target node name', (r) => r.node),
  column<Row>('repository:rep', 'repository', (r) => r.restored?.repository ?? 'n/a'),
  column<Row>('snapshot:snap', 'snapshot', (r) => r.restored?.snapshot ?? 'n/a'),
  column<Row>('files:f', 'number of files to recover', files),
  column<Row>('files_recovered:fr', 'files recovered', files),
  column<Row>('files_percent:fp', 'percent of files recovered', percent),
  column<Row>('files_total:tf', 'total number of files', files),
  column<Row>('bytes:b', 'number of bytes to recover', bytes),
  column<Row>('bytes_recovered:br', 'bytes recovered', bytes),
  column<Row>('bytes_percent:bp', 'percent of bytes recovered', percent),
  column<Row>('bytes_total:tb', 'total number of bytes', bytes),
  column<Row>('translog_ops:to', 'number of translog ops to recover', zero),
  column<Row>('translog_ops_recovered:tor', 'translog ops recovered', zero),
  column<Row>('translog_ops_percent:top', 'percent of translog ops recovered', () => '100.0%'),
]

/** `GET /_cat/recovery[/<index>]`. */
export const catRecovery: EndpointHandler = (request, context) => {
  // Behind what they are about; 6.x does not tell.
  const columns = [...COLUMNS, ...(request.dialect.typed ? [] : TIMES), ...MORE_COLUMNS]
  if (request.parameters.boolean('help', false)) return catTable(request, columns, [])
  const indices = expandIndices(request, context, request.path['index'], recovered(request), '_cat')
  const shown = request.parameters.boolean('active_only', false) ? [] : indices
  const rows = shown.flatMap((index) =>
    Array.from({ length: shardCount(index) }, (_, shard) => ({
      index,
      shard,
      host: nodeHost(context),
      node: nodeName(context.engine.nodeId),
      type: recoveryType(index, context).toLowerCase(),
      startedAt: recoveredAt(index, context),
      restored: context.engine.snapshots.recovery(index.name),
    })),
  )
  return catTable(request, columns, rows)
}

/** `GET [/<index>]/_search_shards`. */
export const searchShards: EndpointHandler = (request: EndpointRequest, context) => {
  // A body is a search, to whose slices OpenSearch limits the shards; its forerunners do not look at it.
  const takesSlices = request.dialect.engineVersion === 'OpenSearch_2.19' && request.body.length > 0
  const slice = takesSlices ? readSlice(request) : undefined
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN, '_search_shards')
  checkPreference(request)
  const names = pathNames(request, context)
  const searched = searchedShards(request, context, indices)
  const shards = indices
    .flatMap((index) =>
      (searched.get(index) ?? shardNumbers(index))
        .filter((_, i) => slice === undefined || i % slice.max === slice.id)
        .map((shard) => ({ index, shard })),
    )
    .sort((a, b) => a.shard - b.shard || (a.index.name < b.index.name ? -1 : 1))
  const { nodeId } = context.engine
  return {
    status: 200,
    json: {
      nodes: shards.length === 0 ? {} : { [nodeId]: renderDiscoveryNode(context) },
      indices: Object.fromEntries(indices.map((index) => [index.name, namedAsJson(index, names)])),
      shards: shards.map(({ index, shard }) => [shardRouting(index, shard, context)]),
    },
  }
}

/** The aliases by which an index was named, and under which filter it is searched by them. */
function namedAsJson(index: IndexMetadata, names: ReadonlySet<string>): Json {
  const aliases = Object.keys(index.aliases).filter((alias) => names.has(alias))
  const known = inJavaHashOrder(Object.keys(index.aliases)).map((name) => [name, index.aliases[name]])
  const filters = (aliasFilters({ ...index, aliases: Object.fromEntries(known) }, names) ?? []) as readonly Json[]
  const filter = filters.length > 1 ? { bool: { should: filters } } : filters[0]
  return {
    ...(aliases.length === 0 ? {} : { aliases: aliases.sort() }),
    ...(filter === undefined ? {} : { filter: inFull(filter) }),
  }
}

/** A query with all of its options, as the real servers tell it. */
function inFull(query: Json): Json {
  const written = writeQuery(query)
  return written === undefined ? query : (parseJson(written) as Json)
}

/** @throws {ServiceError} for a body that is no search */
function readSlice(request: EndpointRequest): AskedSlice | undefined {
  const body = searchObject(request) ?? {}
  checkMembers(request, body)
  return parseSearchBody({ ...request, queries: uncheckedQueries(request.dialect) }, body).slice
}
