import type { EngineVersion } from '../../engine/engine-version.ts'
import type { StatsSections } from '../statistics/index-stats-json.ts'
import { type CatColumn, column } from './cat-table.ts'
import { Bytes, type CatValue, Duration } from './cat-value.ts'

/** Columns that tables about indices, shards and nodes share, as `section.member:aliases:help`. */
const SPECS = [
  'completion.size:cs,completionSize:size of completion',
  'fielddata.memory_size:fm,fielddataMemory:used fielddata cache',
  'fielddata.evictions:fe,fielddataEvictions:fielddata evictions',
  'query_cache.memory_size:qcm,queryCacheMemory:used query cache',
  'query_cache.evictions:qce,queryCacheEvictions:query cache evictions',
  'query_cache.hit_count:qchc,queryCacheHitCount:query cache hit counts',
  'query_cache.miss_count:qcmc,queryCacheMissCount:query cache miss counts',
  'request_cache.memory_size:rcm,requestCacheMemory:used request cache',
  'request_cache.evictions:rce,requestCacheEvictions:request cache evictions',
  'request_cache.hit_count:rchc,requestCacheHitCount:request cache hit count',
  'request_cache.miss_count:rcmc,requestCacheMissCount:request cache miss count',
  'flush.total:ft,flushTotal:number of flushes',
  'flush.total_time:ftt,flushTotalTime:time spent in flush',
  'get.current:gc,getCurrent:number of current get ops',
  'get.time:gti,getTime:time spent in get',
  'get.total:gto,getTotal:number of get ops',
  'get.exists_time:geti,getExistsTime:time spent in successful gets',
  'get.exists_total:geto,getExistsTotal:number of successful gets',
  'get.missing_time:gmti,getMissingTime:time spent in failed gets',
  'get.missing_total:gmto,getMissingTotal:number of failed gets',
  'indexing.delete_current:idc,indexingDeleteCurrent:number of current deletions',
  'indexing.delete_time:idti,indexingDeleteTime:time spent in deletions',
  'indexing.delete_total:idto,indexingDeleteTotal:number of delete ops',
  'indexing.index_current:iic,indexingIndexCurrent:number of current indexing ops',
  'indexing.index_time:iiti,indexingIndexTime:time spent in indexing',
  'indexing.index_total:iito,indexingIndexTotal:number of indexing ops',
  'indexing.index_failed:iif,indexingIndexFailed:number of failed indexing ops',
  'merges.current:mc,mergesCurrent:number of current merges',
  'merges.current_docs:mcd,mergesCurrentDocs:number of current merging docs',
  'merges.current_size:mcs,mergesCurrentSize:size of current merges',
  'merges.total:mt,mergesTotal:number of completed merge ops',
  'merges.total_docs:mtd,mergesTotalDocs:docs merged',
  'merges.total_size:mts,mergesTotalSize:size merged',
  'merges.total_time:mtt,mergesTotalTime:time spent in merges',
  'refresh.total:rto,refreshTotal:total refreshes',
  'refresh.time:rti,refreshTime:time spent in refreshes',
  'refresh.external_total:rto,refreshTotal:total external refreshes',
  'refresh.external_time:rti,refreshTime:time spent in external refreshes',
  'refresh.listeners:rli,refreshListeners:number of pending refresh listeners',
  'search.fetch_current:sfc,searchFetchCurrent:current fetch phase ops',
  'search.fetch_time:sfti,searchFetchTime:time spent in fetch phase',
  'search.fetch_total:sfto,searchFetchTotal:total fetch ops',
  'search.open_contexts:so,searchOpenContexts:open search contexts',
  'search.query_current:sqc,searchQueryCurrent:current query phase ops',
  'search.query_time:sqti,searchQueryTime:time spent in query phase',
  'search.query_total:sqto,searchQueryTotal:total query phase ops',
  'search.concurrent_query_current:scqc,searchConcurrentQueryCurrent:current concurrent query phase ops',
  'search.concurrent_query_time:scqti,searchConcurrentQueryTime:time spent in concurrent query phase',
  'search.concurrent_query_total:scqto,searchConcurrentQueryTotal:total query phase ops',
  'search.concurrent_avg_slice_count:casc,searchConcurrentAvgSliceCount:average query concurrency',
  'search.scroll_current:scc,searchScrollCurrent:open scroll contexts',
  'search.scroll_time:scti,searchScrollTime:time scroll contexts held open',
  'search.scroll_total:scto,searchScrollTotal:completed scroll contexts',
  'search.point_in_time_current:scc,searchPointInTimeCurrent:open point in time contexts',
  'search.point_in_time_time:scti,searchPointInTimeTime:time point in time contexts held open',
  'search.point_in_time_total:scto,searchPointInTimeTotal:completed point in time contexts',
  'search.search_idle_reactivate_count_total:ssirct,searchSearchIdleReactivateCountTotal:number of times a shard reactivated',
  'segments.count:sc,segmentsCount:number of segments',
  'segments.memory:sm,segmentsMemory:memory used by segments',
  'segments.index_writer_memory:siwm,segmentsIndexWriterMemory:memory used by index writer',
  'segments.version_map_memory:svmm,segmentsVersionMapMemory:memory used by version map',
  'segments.fixed_bitset_memory:sfbm,fixedBitsetMemory:memory used by fixed bit sets for nested object field types and type filters for types referred in _parent fields',
  'warmer.current:wc,warmerCurrent:current warmer ops',
  'warmer.total:wto,warmerTotal:total warmer ops',
  'warmer.total_time:wtt,warmerTotalTime:time spent in warmers',
  'suggest.current:suc,suggestCurrent:number of current suggest ops',
  'suggest.time:suti,suggestTime:time spend in suggest',
  'suggest.total:suto,suggestTotal:number of suggest ops',
] as const

type Spec = (typeof SPECS)[number]

/** What the tables of earlier versions lack, by how the column is called. */
const SINCE_7 = /^(?:refresh\.external|query_cache\.(?:hit|miss))_/
const OPENSEARCH = /^search\.(?:concurrent|point_in_time|search_idle)_/

const isOf = (version: EngineVersion, spec: Spec): boolean =>
  !(version === 'Elasticsearch_6.8' && SINCE_7.test(spec)) && !(version !== 'OpenSearch_2.19' && OPENSEARCH.test(spec))

/**
 * Columns over statistics, none of them shown unless asked for.
 *
 * @param without   sections that a table does not have, or the beginnings of their members
 * @param help      of columns of which a table says something else, by their names
 * @param prefixed  adds a `pri.` twin to each, of the primaries alone (which are all there is)
 */
export function statsColumns<Row>(
  version: EngineVersion,
  stats: (row: Row) => StatsSections,
  options: {
    readonly without?: readonly string[]
    readonly prefixed?: boolean
    readonly help?: Readonly<Record<string, string>>
  } = {},
): CatColumn<Row>[] {
  const lacks = (spec: Spec): boolean => options.without?.some((start) => spec.startsWith(start)) === true
  return SPECS.filter((spec) => isOf(version, spec) && !lacks(spec)).flatMap((spec) => {
    const name = spec.slice(0, spec.indexOf(':'))
    const [, aliases, usual = ''] = spec.split(':')
    const help = options.help?.[name] ?? usual
    const value = (row: Row) => statValue(spec, stats(row))
    const own = column(`->${name}:${aliases}`, help, value)
    return options.prefixed ? [own, column(`->pri.${name}`, help, value)] : [own]
  })
}

function statValue(spec: Spec, stats: StatsSections): CatValue {
  const [path = ''] = spec.split(':')
  const [section = '', member = ''] = path.split('.')
  const values = section === 'suggest' ? stats['search'] : stats[section]
  if (values === undefined) return undefined
  const key = section === 'suggest' ? `suggest_${member}` : member
  // Nothing is searched in slices.
  if (member === 'concurrent_avg_slice_count') return '0.0'
  if (member.endsWith('time'))
    return new Duration(Number(values[`${key}_in_millis`] ?? values[`total_${key}_in_millis`] ?? 0))
  if (/size$/.test(member) || /memory$/.test(member)) return new Bytes(Number(values[`${key}_in_bytes`] ?? 0))
  return Number(values[key] ?? 0)
}

/** Columns with others put in before the first whose name begins in a way. */
export function withColumns<Row>(
  columns: readonly CatColumn<Row>[],
  before: string,
  others: readonly CatColumn<Row>[],
): CatColumn<Row>[] {
  const at = columns.findIndex(({ name }) => name.startsWith(before))
  return columns.toSpliced(at < 0 ? columns.length : at, 0, ...others)
}
