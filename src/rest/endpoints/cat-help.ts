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
  'templates',
]

/** `GET /_cat`. */
export const catHelp: EndpointHandler = () => ({
  status: 200,
  text: `=^.^=\n${TABLES.map((table) => `/_cat/${table}\n`).join('')}`,
})
