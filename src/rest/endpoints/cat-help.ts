import type { EndpointHandler } from '../endpoint-handler.ts'

/** Of OpenSearch alone. */
const OPENSEARCH_TABLES: ReadonlySet<string> = new Set([
  'segment_replication',
  'segment_replication/{index}',
  'pit_segments',
  'pit_segments/{pit_id}',
])

const TABLES = [
  'allocation',
  'segment_replication',
  'segment_replication/{index}',
  'shards',
  'shards/{index}',
  'master',
  'nodes',
  'tasks',
  'indices',
  'indices/{index}',
  'segments',
  'segments/{index}',
  'count',
  'count/{index}',
  'recovery',
  'recovery/{index}',
  'health',
  'pending_tasks',
  'aliases',
  'aliases/{alias}',
  'thread_pool',
  'thread_pool/{thread_pools}',
  'plugins',
  'fielddata',
  'fielddata/{fields}',
  'nodeattrs',
  'repositories',
  'snapshots/{repository}',
  'templates',
  'pit_segments',
  'pit_segments/{pit_id}',
]

/** `GET /_cat`. */
export const catHelp: EndpointHandler = ({ dialect }) => {
  const isOpenSearch = !dialect.takesTypedPaths
  const names = TABLES.filter((table) => isOpenSearch || !OPENSEARCH_TABLES.has(table)).map((table) =>
    table === 'master' && isOpenSearch ? 'cluster_manager' : table,
  )
  return { status: 200, text: `=^.^=\n${names.map((name) => `/_cat/${name}\n`).join('')}` }
}
