import type { EngineVersion } from '../../engine/engine-version.ts'
import type { StatsSections } from '../statistics/index-stats-json.ts'
import { type CatColumn, column } from './cat-table.ts'
import { Bytes, type CatValue, Duration } from './cat-value.ts'

/** Names and aliases of the columns that tables about indices, shards and nodes share, as `section.member:aliases`. */
const SPECS = [
  'completion.size:cs,completionSize',
  'fielddata.memory_size:fm,fielddataMemory',
  'fielddata.evictions:fe,fielddataEvictions',
  'query_cache.memory_size:qcm,queryCacheMemory',
  'query_cache.evictions:qce,queryCacheEvictions',
  'query_cache.hit_count:qchc,queryCacheHitCount',
  'query_cache.miss_count:qcmc,queryCacheMissCount',
  'request_cache.memory_size:rcm,requestCacheMemory',
  'request_cache.evictions:rce,requestCacheEvictions',
  'request_cache.hit_count:rchc,requestCacheHitCount',
  'request_cache.miss_count:rcmc,requestCacheMissCount',
  'flush.total:ft,flushTotal',
  'flush.total_time:ftt,flushTotalTime',
  'get.current:gc,getCurrent',
  'get.time:gti,getTime',
  'get.total:gto,getTotal',
  'get.exists_time:geti,getExistsTime',
  'get.exists_total:geto,getExistsTotal',
  'get.missing_time:gmti,getMissingTime',
  'get.missing_total:gmto,getMissingTotal',
  'indexing.delete_current:idc,indexingDeleteCurrent',
  'indexing.delete_time:idti,indexingDeleteTime',
  'indexing.delete_total:idto,indexingDeleteTotal',
  'indexing.index_current:iic,indexingIndexCurrent',
  'indexing.index_time:iiti,indexingIndexTime',
  'indexing.index_total:iito,indexingIndexTotal',
  'indexing.index_failed:iif,indexingIndexFailed',
  'merges.current:mc,mergesCurrent',
  'merges.current_docs:mcd,mergesCurrentDocs',
  'merges.current_size:mcs,mergesCurrentSize',
  'merges.total:mt,mergesTotal',
  'merges.total_docs:mtd,mergesTotalDocs',
  'merges.total_size:mts,mergesTotalSize',
  'merges.total_time:mtt,mergesTotalTime',
  'refresh.total:rto,refreshTotal',
  'refresh.time:rti,refreshTime',
  'refresh.external_total:rto,refreshTotal',
  'refresh.external_time:rti,refreshTime',
  'refresh.listeners:rli,refreshListeners',
  'search.fetch_current:sfc,searchFetchCurrent',
  'search.fetch_time:sfti,searchFetchTime',
  'search.fetch_total:sfto,searchFetchTotal',
  'search.open_contexts:so,searchOpenContexts',
  'search.query_current:sqc,searchQueryCurrent',
  'search.query_time:sqti,searchQueryTime',
  'search.query_total:sqto,searchQueryTotal',
  'search.concurrent_query_current:scqc,searchConcurrentQueryCurrent',
  'search.concurrent_query_time:scqti,searchConcurrentQueryTime',
  'search.concurrent_query_total:scqto,searchConcurrentQueryTotal',
  'search.concurrent_avg_slice_count:casc,searchConcurrentAvgSliceCount',
  'search.scroll_current:scc,searchScrollCurrent',
  'search.scroll_time:scti,searchScrollTime',
  'search.scroll_total:scto,searchScrollTotal',
  'search.point_in_time_current:scc,searchPointInTimeCurrent',
  'search.point_in_time_time:scti,searchPointInTimeTime',
  'search.point_in_time_total:scto,searchPointInTimeTotal',
  'segments.count:sc,segmentsCount',
  'segments.memory:sm,segmentsMemory',
  'segments.index_writer_memory:siwm,segmentsIndexWriterMemory',
  'segments.version_map_memory:svmm,segmentsVersionMapMemory',
  'segments.fixed_bitset_memory:sfbm,fixedBitsetMemory',
  'warmer.current:wc,warmerCurrent',
  'warmer.total:wto,warmerTotal',
  'warmer.total_time:wtt,warmerTotalTime',
  'suggest.current:suc,suggestCurrent',
  'suggest.time:suti,suggestTime',
  'suggest.total:suto,suggestTotal',
] as const

type Spec = (typeof SPECS)[number]

/** What the tables of earlier versions lack, by how the column is called. */
const SINCE_7 = /^(?:refresh\.external|query_cache\.(?:hit|miss))_/
const OPENSEARCH = /^search\.(?:concurrent|point_in_time)_/

const isOf = (version: EngineVersion, spec: Spec): boolean =>
  !(version === 'Elasticsearch_6.8' && SINCE_7.test(spec)) && !(version !== 'OpenSearch_2.19' && OPENSEARCH.test(spec))

/**
 * Columns over statistics, none of them shown unless asked for.
 *
 * @param without   sections that a table does not have, or the beginnings of their members
 * @param prefixed  adds a `pri.` twin to each, of the primaries alone (which are all there is)
 */
export function statsColumns<Row>(
  version: EngineVersion,
  stats: (row: Row) => StatsSections,
  options: { readonly without?: readonly string[]; readonly prefixed?: boolean } = {},
): CatColumn<Row>[] {
  const lacks = (spec: Spec): boolean => options.without?.some((start) => spec.startsWith(start)) === true
  return SPECS.filter((spec) => isOf(version, spec) && !lacks(spec)).flatMap((spec) => {
    const name = spec.slice(0, spec.indexOf(':'))
    const help = name.replace('.', ': ').replaceAll('_', ' ')
    const value = (row: Row) => statValue(spec, stats(row))
    const own = column(`->${spec}`, help, value)
    return options.prefixed ? [own, column(`->pri.${name}`, `${help}, of primaries`, value)] : [own]
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
