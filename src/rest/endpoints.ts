import type { EndpointHandler } from './endpoint-handler.ts'
import { bulk } from './endpoints/bulk.ts'
import { catAliases } from './endpoints/cat-aliases.ts'
import { catCount } from './endpoints/cat-count.ts'
import { catFielddata } from './endpoints/cat-fielddata.ts'
import { catHealth } from './endpoints/cat-health.ts'
import { catHelp } from './endpoints/cat-help.ts'
import { catIndices } from './endpoints/cat-indices.ts'
import {
  catAllocation,
  catMaster,
  catNodeattrs,
  catPendingTasks,
  catPlugins,
  catThreadPool,
} from './endpoints/cat-node-tables.ts'
import { catNodes } from './endpoints/cat-nodes.ts'
import { catAllPitSegments, catPitSegments } from './endpoints/cat-pit-segments.ts'
import { catSegmentReplication } from './endpoints/cat-segment-replication.ts'
import { catSegments } from './endpoints/cat-segments.ts'
import { catShards } from './endpoints/cat-shards.ts'
import { catSnapshots } from './endpoints/cat-snapshots.ts'
import { catTasks } from './endpoints/cat-tasks.ts'
import { catTemplates } from './endpoints/cat-templates.ts'
import { clusterAllocationExplain } from './endpoints/cluster-allocation-explain.ts'
import { clusterHealthEndpoint } from './endpoints/cluster-health.ts'
import { clusterReroute, remoteInfo } from './endpoints/cluster-routing.ts'
import { clusterGetSettings, clusterPutSettings } from './endpoints/cluster-settings.ts'
import { clusterState } from './endpoints/cluster-state.ts'
import { clusterStats } from './endpoints/cluster-stats.ts'
import { clusterPendingTasks } from './endpoints/cluster-tasks.ts'
import { deleteComponentTemplate, getComponentTemplate, putComponentTemplate } from './endpoints/component-templates.ts'
import {
  deleteIndexTemplate,
  getIndexTemplate,
  putIndexTemplate,
  simulateIndexTemplate,
  simulateTemplate,
} from './endpoints/composable-templates.ts'
import { count } from './endpoints/count.ts'
import { changeDanglingIndex, listDanglingIndices } from './endpoints/dangling-indices.ts'
import { createDataStream, dataStreamStats, deleteDataStream, getDataStream } from './endpoints/data-streams.ts'
import {
  deleteDecommissionAwareness,
  getDecommissionAwareness,
  putDecommissionAwareness,
} from './endpoints/decommission-awareness.ts'
import { deleteByQuery } from './endpoints/delete-by-query.ts'
import { deleteDocument } from './endpoints/delete-document.ts'
import { explain } from './endpoints/explain.ts'
import { fieldCaps } from './endpoints/field-caps.ts'
import { getDocument, getSource } from './endpoints/get-document.ts'
import { createDocument, indexDocument } from './endpoints/index-document.ts'
import { indicesAddBlock } from './endpoints/indices-add-block.ts'
import { indicesAnalyze } from './endpoints/indices-analyze.ts'
import { indicesCreate } from './endpoints/indices-create.ts'
import { indicesDelete } from './endpoints/indices-delete.ts'
import { indicesDeleteAlias } from './endpoints/indices-delete-alias.ts'
import { indicesGetDictionary, indicesPutDictionary } from './endpoints/indices-dictionary.ts'
import { indicesDigest } from './endpoints/indices-digest.ts'
import { indicesDocuments } from './endpoints/indices-documents.ts'
import { indicesGet } from './endpoints/indices-get.ts'
import { indicesGetAlias } from './endpoints/indices-get-alias.ts'
import { indicesGetFieldMapping } from './endpoints/indices-get-field-mapping.ts'
import { indicesExistsType, indicesGetMapping } from './endpoints/indices-get-mapping.ts'
import { indicesGetSettings } from './endpoints/indices-get-settings.ts'
import { indicesGetInverted, indicesPutInverted } from './endpoints/indices-inverted.ts'
import { indicesClose, indicesOpen } from './endpoints/indices-open.ts'
import { indicesPutAlias } from './endpoints/indices-put-alias.ts'
import { indicesPutMapping } from './endpoints/indices-put-mapping.ts'
import { indicesPutSettings } from './endpoints/indices-put-settings.ts'
import {
  indicesClearCache,
  indicesFlush,
  indicesFlushSynced,
  indicesForcemerge,
  indicesGetUpgrade,
  indicesRefresh,
  indicesUpgrade,
} from './endpoints/indices-refresh.ts'
import { indicesClone, indicesShrink, indicesSplit } from './endpoints/indices-resize.ts'
import { resolveIndex } from './endpoints/indices-resolve-index.ts'
import { indicesRollover } from './endpoints/indices-rollover.ts'
import {
  catRecovery,
  indicesRecovery,
  indicesSegments,
  indicesShardStores,
  searchShards,
} from './endpoints/indices-shards.ts'
import { indicesStats } from './endpoints/indices-stats.ts'
import { indicesDeleteTemplate, indicesGetTemplate, indicesPutTemplate } from './endpoints/indices-templates.ts'
import { indicesUpdateAliases } from './endpoints/indices-update-aliases.ts'
import { indicesValidateQuery } from './endpoints/indices-validate-query.ts'
import { info } from './endpoints/info.ts'
import { deletePipeline, getPipeline, putPipeline } from './endpoints/ingest-pipelines.ts'
import { grokPatterns } from './endpoints/ingest-processor-grok.ts'
import { simulatePipeline } from './endpoints/ingest-simulate.ts'
import { listHelp, listIndices, listShards } from './endpoints/list-tables.ts'
import { multiGet } from './endpoints/multi-get.ts'
import { msearch } from './endpoints/multi-search.ts'
import { msearchTemplate } from './endpoints/multi-search-template.ts'
import { mtermvectors } from './endpoints/multi-termvectors.ts'
import { nodesInfo } from './endpoints/nodes-info.ts'
import { nodesHotThreads, nodesReloadSecureSettings, nodesUsage } from './endpoints/nodes-other.ts'
import { nodesStats } from './endpoints/nodes-stats.ts'
import { painlessExecute } from './endpoints/painless-execute.ts'
import { createPit, deleteAllPits, deletePit, getAllPits } from './endpoints/point-in-time.ts'
import { rankEval } from './endpoints/rank-eval.ts'
import { reindex } from './endpoints/reindex.ts'
import { reloadSearchAnalyzers } from './endpoints/reload-search-analyzers.ts'
import { rethrottle } from './endpoints/rethrottle.ts'
import { clearScroll, scroll } from './endpoints/scroll.ts'
import { search } from './endpoints/search.ts'
import { deleteSearchPipeline, getSearchPipeline, putSearchPipeline } from './endpoints/search-pipelines.ts'
import { renderTemplate, searchTemplate } from './endpoints/search-template.ts'
import { cloneSnapshot, createSnapshot } from './endpoints/snapshot-create.ts'
import { deleteSnapshot, getSnapshot, snapshotStatus } from './endpoints/snapshot-get.ts'
import {
  catRepositories,
  cleanupRepository,
  createRepository,
  deleteRepository,
  getRepository,
  verifyRepository,
} from './endpoints/snapshot-repositories.ts'
import { restoreSnapshot } from './endpoints/snapshot-restore.ts'
import { deleteScript, getScript, putScript, scriptContexts, scriptLanguages } from './endpoints/stored-scripts.ts'
import { tasksCancel } from './endpoints/tasks-cancel.ts'
import { tasksGet } from './endpoints/tasks-get.ts'
import { tasksList } from './endpoints/tasks-list.ts'
import { termvectors } from './endpoints/termvectors.ts'
import { updateByQuery } from './endpoints/update-by-query.ts'
import { updateDocument } from './endpoints/update-document.ts'
import { deleteVotingConfigExclusions, postVotingConfigExclusions } from './endpoints/voting-config-exclusions.ts'
import { readable } from './statistics/readable.ts'

/** Who answers what: endpoints by their names in the API's specification (`rest-api.ts`). */
export const ENDPOINTS: Readonly<Record<string, EndpointHandler>> = {
  delete_script: deleteScript,
  scripts_painless_execute: painlessExecute,
  put_script: putScript,
  get_script: getScript,
  get_script_context: scriptContexts,
  get_script_languages: scriptLanguages,
  'ingest.delete_pipeline': deletePipeline,
  'ingest.get_pipeline': getPipeline,
  'ingest.processor_grok': grokPatterns,
  'ingest.put_pipeline': putPipeline,
  'ingest.simulate': simulatePipeline,
  'snapshot.cleanup_repository': cleanupRepository,
  'snapshot.clone': cloneSnapshot,
  'snapshot.create': createSnapshot,
  'snapshot.create_repository': createRepository,
  'snapshot.delete': deleteSnapshot,
  'snapshot.delete_repository': deleteRepository,
  'snapshot.get': getSnapshot,
  'snapshot.get_repository': getRepository,
  'snapshot.restore': restoreSnapshot,
  'snapshot.status': snapshotStatus,
  'snapshot.verify_repository': verifyRepository,
  bulk,
  'cat.aliases': catAliases,
  'cat.all_pit_segments': catAllPitSegments,
  'cat.allocation': catAllocation,
  'cat.count': catCount,
  'cat.fielddata': catFielddata,
  'cat.health': catHealth,
  'cat.help': catHelp,
  'cat.indices': catIndices,
  'cat.master': catMaster,
  'cat.nodeattrs': catNodeattrs,
  'cat.nodes': catNodes,
  'cat.pending_tasks': catPendingTasks,
  'cat.pit_segments': catPitSegments,
  'cat.plugins': catPlugins,
  'cat.recovery': catRecovery,
  'cat.repositories': catRepositories,
  'cat.segment_replication': catSegmentReplication,
  'cat.segments': catSegments,
  'cat.shards': catShards,
  'cat.snapshots': catSnapshots,
  'cat.tasks': catTasks,
  'cat.templates': catTemplates,
  'cat.thread_pool': catThreadPool,
  clear_scroll: clearScroll,
  'cluster.allocation_explain': clusterAllocationExplain,
  'cluster.delete_component_template': deleteComponentTemplate,
  'cluster.exists_component_template': getComponentTemplate,
  'cluster.get_component_template': getComponentTemplate,
  'cluster.put_component_template': putComponentTemplate,
  'indices.delete_index_template': deleteIndexTemplate,
  'indices.exists_index_template': getIndexTemplate,
  'indices.get_index_template': getIndexTemplate,
  'indices.put_index_template': putIndexTemplate,
  'indices.simulate_index_template': simulateIndexTemplate,
  'indices.simulate_template': simulateTemplate,
  'cluster.remote_info': remoteInfo,
  'cluster.reroute': clusterReroute,
  'cluster.delete_decommission_awareness': deleteDecommissionAwareness,
  'cluster.get_decommission_awareness': getDecommissionAwareness,
  'cluster.put_decommission_awareness': putDecommissionAwareness,
  'cluster.delete_voting_config_exclusions': deleteVotingConfigExclusions,
  'cluster.post_voting_config_exclusions': postVotingConfigExclusions,
  'cluster.get_settings': clusterGetSettings,
  'cluster.health': readable(clusterHealthEndpoint),
  'cluster.pending_tasks': clusterPendingTasks,
  'cluster.put_settings': clusterPutSettings,
  'cluster.state': clusterState,
  'cluster.stats': readable(clusterStats),
  count,
  create: createDocument,
  delete: deleteDocument,
  exists: getDocument,
  exists_source: getSource,
  explain,
  field_caps: fieldCaps,
  get: getDocument,
  get_source: getSource,
  index: indexDocument,
  'indices.add_block': indicesAddBlock,
  'indices.analyze': indicesAnalyze,
  'indices.clear_cache': indicesClearCache,
  'indices.clone': indicesClone,
  'indices.close': indicesClose,
  'indices.create': indicesCreate,
  'indices.delete': indicesDelete,
  'indices.delete_alias': indicesDeleteAlias,
  'indices.delete_template': indicesDeleteTemplate,
  'dangling_indices.delete_dangling_index': changeDanglingIndex,
  'dangling_indices.import_dangling_index': changeDanglingIndex,
  'dangling_indices.list_dangling_indices': listDanglingIndices,
  'indices.create_data_stream': createDataStream,
  'indices.data_streams_stats': readable(dataStreamStats),
  'indices.delete_data_stream': deleteDataStream,
  'indices.get_data_stream': getDataStream,
  'list.help': listHelp,
  'list.indices': listIndices,
  'list.shards': listShards,
  create_pit: createPit,
  delete_pit: deletePit,
  get_all_pits: getAllPits,
  delete_all_pits: deleteAllPits,
  'indices.digest': indicesDigest,
  'indices.get_dictionary': indicesGetDictionary,
  'indices.put_dictionary': indicesPutDictionary,
  'indices.documents': indicesDocuments,
  'indices.get_inverted': indicesGetInverted,
  'indices.put_inverted': indicesPutInverted,
  'indices.resolve_index': resolveIndex,
  'indices.exists': indicesGet,
  'indices.exists_alias': indicesGetAlias,
  'indices.exists_template': indicesGetTemplate,
  'indices.exists_type': indicesExistsType,
  'indices.flush': indicesFlush,
  'indices.flush_synced': indicesFlushSynced,
  'indices.forcemerge': indicesForcemerge,
  'indices.get': indicesGet,
  'indices.get_alias': indicesGetAlias,
  'indices.get_field_mapping': indicesGetFieldMapping,
  'indices.get_mapping': indicesGetMapping,
  'indices.get_settings': indicesGetSettings,
  'indices.get_template': indicesGetTemplate,
  'indices.get_upgrade': readable(indicesGetUpgrade),
  'indices.open': indicesOpen,
  'indices.put_alias': indicesPutAlias,
  'indices.put_mapping': indicesPutMapping,
  'indices.put_settings': indicesPutSettings,
  'indices.put_template': indicesPutTemplate,
  'indices.recovery': readable(indicesRecovery),
  'indices.refresh': indicesRefresh,
  'indices.reload_search_analyzers': reloadSearchAnalyzers,
  'indices.rollover': indicesRollover,
  'indices.segments': readable(indicesSegments),
  'indices.shard_stores': indicesShardStores,
  'indices.shrink': indicesShrink,
  'indices.split': indicesSplit,
  'indices.stats': readable(indicesStats),
  'indices.update_aliases': indicesUpdateAliases,
  'indices.upgrade': indicesUpgrade,
  'indices.validate_query': indicesValidateQuery,
  info,
  mget: multiGet,
  msearch,
  msearch_template: msearchTemplate,
  mtermvectors,
  'nodes.hot_threads': nodesHotThreads,
  'nodes.info': readable(nodesInfo),
  'nodes.reload_secure_settings': nodesReloadSecureSettings,
  'nodes.stats': readable(nodesStats),
  'nodes.usage': nodesUsage,
  ping: info,
  rank_eval: rankEval,
  scroll,
  render_search_template: renderTemplate,
  search,
  'search_pipeline.delete': deleteSearchPipeline,
  'search_pipeline.get': getSearchPipeline,
  'search_pipeline.put': putSearchPipeline,
  search_template: searchTemplate,
  search_shards: searchShards,
  'tasks.cancel': readable(tasksCancel),
  'tasks.get': tasksGet,
  'tasks.list': readable(tasksList),
  termvectors,
  delete_by_query: deleteByQuery,
  delete_by_query_rethrottle: rethrottle,
  reindex,
  reindex_rethrottle: rethrottle,
  update: updateDocument,
  update_by_query: updateByQuery,
  update_by_query_rethrottle: rethrottle,
}
