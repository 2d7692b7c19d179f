import { durationText } from '../../engine/duration-text.ts'
import type { IndexStats } from '../../engine/engine.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
import { type IndexMetadata, isServed } from '../../engine/metadata/index-metadata.ts'
import { shardCount } from '../../engine/metadata/shard-routing.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { JavaDouble, type Json } from '../json/json-writer.ts'
import { keptBytes } from '../search/request-cache.ts'
import { type FieldMemory, fieldMemory, NO_FIELD_MEMORY, renderFieldMemory } from './field-memory.ts'
import { isStillOpen } from './is-still-open.ts'
import { NO_SEARCHES, type SearchCounts } from './search-counters.ts'
import { isTold, type StatsDetail } from './stats-detail.ts'
import { toldMemory } from './told-memory.ts'

/** Sections of statistics by their names in `_stats/<metric>`. */
export type StatsSections = { readonly [section: string]: { readonly [name: string]: Json } }

/** Names that `_stats/<metric>` takes → the sections they show. */
export const STATS_METRICS: Readonly<Record<string, string>> = {
  docs: 'docs',
  store: 'store',
  indexing: 'indexing',
  get: 'get',
  search: 'search',
  merge: 'merges',
  refresh: 'refresh',
  flush: 'flush',
  warmer: 'warmer',
  query_cache: 'query_cache',
  fielddata: 'fielddata',
  completion: 'completion',
  segments: 'segments',
  translog: 'translog',
  suggest: 'search',
  request_cache: 'request_cache',
  recovery: 'recovery',
}

/**
 * Statistics of an index as `_stats` shows them. What has no counterpart here (warmers, a translog apart from the
 * store) is zero, as on a server that has not used it.
 */
export function indexStatsJson(index: IndexMetadata, context: RestContext, detail: StatsDetail = {}): StatsSections {
  const { version } = context.engine
  // From 7.2 on a closed index keeps its shards, which do nothing.
  if (!isStillOpen(index, context.engine)) return version === 'Elasticsearch_6.8' ? {} : nothingDone(version)
  return renderStats(context.engine.stats(index.name), {
    shards: shardCount(index),
    openScrolls: context.scrolls.openOn(index.name),
    openPits: context.pits?.openOn(index.name) ?? 0,
    counts: context.searches.of(index.uuid),
    groups: context.searches.groups(index.uuid),
    memory: fieldMemory(index, context),
    keptBytes: keptBytes(context.engine.searcher(index.name)),
    detail,
    version,
  })
}

/** An empty translog of one of the real server's shards: what it says before any write. */
const TRANSLOG_HEADER_BYTES = 55

interface SearchSide {
  readonly shards: number
  readonly openScrolls: number
  readonly openPits: number
  readonly counts: Readonly<SearchCounts>
  readonly groups: ReadonlyMap<string, Readonly<SearchCounts>>
  readonly memory: FieldMemory
  /** Of answers to searches. */
  readonly keptBytes: number
  readonly detail: StatsDetail
  readonly version: EngineVersion
}

function renderStats(
  stats: IndexStats,
  {
    shards,
    openScrolls,
    openPits,
    counts,
    groups: allGroups,
    memory: fields,
    keptBytes: kept,
    detail,
    version,
  }: SearchSide,
): StatsSections {
  const { indexing, get, merges, segments } = stats
  const getTimeMs = get.existsTimeMs + get.missingTimeMs
  const isOpenSearch = version === 'OpenSearch_2.19'
  const memory = toldMemory(
    segments.reduce((sum, s) => sum + s.memoryBytes, 0),
    version,
  )
  const { operations, sizeBytes } = stats.unflushed
  const translogBytes = TRANSLOG_HEADER_BYTES * shards + sizeBytes
  const types = Object.entries(indexing.byType).filter(([type]) => isTold(detail.types, type))
  const groups = [...allGroups].filter(([group]) => isTold(detail.groups, group))
  const groupJson = (of: Readonly<SearchCounts>): Json =>
    isOpenSearch ? { ...searchJson(of, 0), ...laterSearchJson(0) } : searchJson(of, 0)
  return {
    docs: { count: stats.docs.count, deleted: stats.docs.deleted },
    // What is to come of shards that are on their way, which none is.
    store: {
      size_in_bytes: stats.storeSizeBytes,
      ...(version === 'Elasticsearch_6.8' ? {} : { reserved_in_bytes: 0 }),
    },
    indexing: {
      ...indexingJson(indexing),
      ...(isOpenSearch ? { doc_status: {} } : {}),
      ...(types.length === 0
        ? {}
        : {
            types: Object.fromEntries(types.map(([type, t]) => [type, indexingJson(t)])),
          }),
    },
    get: {
      total: get.existsTotal + get.missingTotal,
      ...(isOpenSearch ? { getTime: durationText(getTimeMs) } : {}),
      time_in_millis: getTimeMs,
      exists_total: get.existsTotal,
      exists_time_in_millis: get.existsTimeMs,
      missing_total: get.missingTotal,
      missing_time_in_millis: get.missingTimeMs,
      current: 0,
    },
    search: {
      open_contexts: openScrolls + openPits,
      ...searchJson(counts, openScrolls),
      ...(isOpenSearch ? laterSearchJson(openPits) : {}),
      ...(groups.length === 0
        ? {}
        : { groups: Object.fromEntries(groups.map(([group, counts]) => [group, groupJson(counts)])) }),
    },
    merges: {
      current: 0,
      current_docs: 0,
      current_size_in_bytes: 0,
      total: merges.total,
      total_time_in_millis: Math.round(merges.timeMs),
      total_docs: merges.docs,
      total_size_in_bytes: merges.sizeBytes,
      total_stopped_time_in_millis: 0,
      total_throttled_time_in_millis: 0,
      total_auto_throttle_in_bytes: 0,
      ...(isOpenSearch ? { unreferenced_file_cleanups_performed: 0 } : {}),
    },
    refresh: refreshJson(stats.refresh, version),
    flush: { total: stats.flush.total, periodic: 0, total_time_in_millis: stats.flush.timeMs },
    warmer: { current: 0, total: 0, total_time_in_millis: 0 },
    query_cache: {
      memory_size_in_bytes: 0,
      total_count: 0,
      hit_count: 0,
      miss_count: 0,
      cache_size: 0,
      cache_count: 0,
      evictions: 0,
    },
    fielddata: {
      ...renderFieldMemory(fields.fielddata, 'memory_size_in_bytes', detail.fielddataFields),
      evictions: 0,
    },
    completion: renderFieldMemory(fields.completion, 'size_in_bytes', detail.completionFields),
    segments: {
      count: segments.length,
      memory_in_bytes: memory,
      terms_memory_in_bytes: 0,
      stored_fields_memory_in_bytes: 0,
      term_vectors_memory_in_bytes: 0,
      norms_memory_in_bytes: 0,
      points_memory_in_bytes: 0,
      doc_values_memory_in_bytes: 0,
      index_writer_memory_in_bytes: 0,
      version_map_memory_in_bytes: 0,
      fixed_bit_set_memory_in_bytes: 0,
      max_unsafe_auto_id_timestamp: -1,
      ...(isOpenSearch ? NO_REMOTE_SEGMENTS : {}),
      file_sizes: {},
    },
    translog: {
      operations,
      size_in_bytes: translogBytes,
      uncommitted_operations: operations,
      uncommitted_size_in_bytes: translogBytes,
      earliest_last_modified_age: 0,
      ...(isOpenSearch ? NO_REMOTE_TRANSLOG : {}),
    },
    request_cache: {
      memory_size_in_bytes: kept,
      evictions: 0,
      hit_count: counts.cacheHits,
      miss_count: counts.cacheMisses,
    },
    recovery: { current_as_source: 0, current_as_target: 0, throttle_time_in_millis: 0 },
  }
}

/** Of a type alone only totals are counted. */
function indexingJson(counts: Partial<IndexStats['indexing']>) {
  return {
    index_total: counts.indexTotal ?? 0,
    index_time_in_millis: counts.indexTimeMs ?? 0,
    index_current: 0,
    index_failed: counts.indexFailed ?? 0,
    delete_total: counts.deleteTotal ?? 0,
    delete_time_in_millis: counts.deleteTimeMs ?? 0,
    delete_current: 0,
    noop_update_total: counts.noopUpdateTotal ?? 0,
    is_throttled: false,
    throttle_time_in_millis: 0,
  }
}

function searchJson(counts: Readonly<SearchCounts>, openScrolls: number) {
  return {
    query_total: counts.queryTotal,
    query_time_in_millis: Math.round(counts.queryTimeMs),
    query_current: 0,
    fetch_total: counts.fetchTotal,
    fetch_time_in_millis: Math.round(counts.fetchTimeMs),
    fetch_current: 0,
    scroll_total: counts.scrollTotal,
    scroll_time_in_millis: Math.round(counts.scrollTimeMs),
    scroll_current: openScrolls,
    suggest_total: counts.suggestTotal,
    suggest_time_in_millis: Math.round(counts.suggestTimeMs),
    suggest_current: 0,
  }
}

/** What OpenSearch counts of searches besides: several threads never share one of a shard here. */
function laterSearchJson(openPits: number) {
  return {
    concurrent_query_total: 0,
    concurrent_query_time_in_millis: 0,
    concurrent_query_current: 0,
    concurrent_avg_slice_count: new JavaDouble(0),
    point_in_time_total: 0,
    point_in_time_time_in_millis: 0,
    point_in_time_current: openPits,
    search_idle_reactivate_count_total: 0,
  }
}

/** Segments are kept nowhere else. */
const NO_REMOTE_SEGMENTS = {
  remote_store: {
    upload: {
      total_upload_size: { started_bytes: 0, succeeded_bytes: 0, failed_bytes: 0 },
      refresh_size_lag: { total_bytes: 0, max_bytes: 0 },
      max_refresh_time_lag_in_millis: 0,
      total_time_spent_in_millis: 0,
      pressure: { total_rejections: 0 },
    },
    download: {
      total_download_size: { started_bytes: 0, succeeded_bytes: 0, failed_bytes: 0 },
      total_time_spent_in_millis: 0,
    },
  },
  segment_replication: { max_bytes_behind: 0, total_bytes_behind: 0, max_replication_lag: 0 },
}

const NO_REMOTE_TRANSLOG = {
  remote_store: {
    upload: {
      total_uploads: { started: 0, failed: 0, succeeded: 0 },
      total_upload_size: { started_bytes: 0, failed_bytes: 0, succeeded_bytes: 0 },
    },
  },
}

/** From 7.2 on what searches get to see counts by itself: here it is all there is. */
function refreshJson({ total, timeMs }: IndexStats['refresh'], version: EngineVersion): Readonly<Record<string, Json>> {
  const millis = Math.round(timeMs)
  return {
    total,
    total_time_in_millis: millis,
    ...(version === 'Elasticsearch_6.8' ? {} : { external_total: total, external_total_time_in_millis: millis }),
    listeners: 0,
  }
}

/** Of no index that is there. */
const NOTHING_ASIDE = {
  shards: 0,
  openScrolls: 0,
  openPits: 0,
  groups: new Map<string, Readonly<SearchCounts>>(),
  memory: NO_FIELD_MEMORY,
  keptBytes: 0,
}

/** Statistics of an index that has done nothing. */
export function nothingDone(version: EngineVersion): StatsSections {
  return renderStats(
    {
      docs: { count: 0, deleted: 0 },
      storeSizeBytes: 0,
      indexing: {
        indexTotal: 0,
        indexTimeMs: 0,
        indexFailed: 0,
        deleteTotal: 0,
        deleteTimeMs: 0,
        noopUpdateTotal: 0,
        byType: {},
      },
      get: { existsTotal: 0, existsTimeMs: 0, missingTotal: 0, missingTimeMs: 0 },
      refresh: { total: 0, timeMs: 0 },
      flush: { total: 0, timeMs: 0 },
      merges: { total: 0, docs: 0, sizeBytes: 0, timeMs: 0 },
      segments: [],
      maxSeqNo: -1,
      localCheckpoint: -1,
      unflushed: { operations: 0, sizeBytes: 0 },
    },
    { ...NOTHING_ASIDE, counts: NO_SEARCHES, detail: {}, version },
  )
}

/**
 * Statistics of everything that the node has: of all its open indices, and what those did that were closed or removed since it
 * was started, so that its counters never go back.
 */
export function nodeStatsJson(context: RestContext, detail: StatsDetail = {}): StatsSections {
  const { engine, searches } = context
  const open = [...engine.indices.values()].filter(isServed)
  const ended = renderStats(engine.endedStats(), {
    ...NOTHING_ASIDE,
    counts: searches.ofEnded(),
    detail,
    version: engine.version,
  })
  return addStats([...open.map((index) => indexStatsJson(index, context, detail)), ended], engine.version)
}

/** Sums statistics section by section. */
export function addStats(all: readonly StatsSections[], version: EngineVersion): StatsSections {
  const out: Record<string, Record<string, Json>> = {}
  for (const stats of [nothingDone(version), ...all]) {
    for (const [section, values] of Object.entries(stats)) {
      out[section] ??= {}
      addInto(out[section], values)
    }
  }
  const { get } = out
  if (get?.['getTime'] !== undefined) get['getTime'] = durationText(Number(get['time_in_millis']))
  return out
}

function addInto(out: Record<string, Json>, values: { readonly [name: string]: Json }): void {
  for (const [name, value] of Object.entries(values)) {
    const before = out[name]
    if (typeof value === 'number')
      out[name] = name === 'max_unsafe_auto_id_timestamp' ? value : ((before as number | undefined) ?? 0) + value
    else if (typeof value === 'object' && value !== null && !(value instanceof JavaDouble)) {
      const inner = { ...(before as object | undefined) } as Record<string, Json>
      addInto(inner, value as { readonly [name: string]: Json })
      out[name] = inner
    } else out[name] = value
  }
}
