import type { EndpointHandler } from '../endpoint-handler.ts'

const TABLES = [
  'allocation',
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
]

/** `GET /_cat`. */
export const catHelp: EndpointHandler = ({ dialect }) => {
  const name = (table: string): string => (table === 'master' && !dialect.takesTypedPaths ? 'cluster_manager' : table)
  return { status: 200, text: `=^.^=\n${TABLES.map((table) => `/_cat/${name(table)}\n`).join('')}` }
}
