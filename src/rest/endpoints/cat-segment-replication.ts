import { STRICT_EXPAND_OPEN } from '../../engine/metadata/indices-options.ts'
import { catTable, column } from '../cat/cat-table.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { expandIndices } from '../indices/index-names.ts'

const none = () => undefined

const COLUMNS = [
  column<never>('shardId:s', ' shard Id', none),
  column<never>('target_node:tnode', 'target node name', none),
  column<never>('target_host:thost', 'target host', none),
  column<never>('checkpoints_behind:cpb', 'checkpoints behind primary', none),
  column<never>('bytes_behind:bb', 'bytes behind primary', none),
  column<never>('current_lag:clag', 'ongoing time elapsed waiting for replica to catch up to primary', none),
  column<never>('last_completed_lag:lcl', 'time taken for replica to catch up to latest primary refresh', none),
  column<never>('rejected_requests:rr', 'count of rejected requests for the replication group', none),
]

/** `GET /_cat/segment_replication[/<index>]`: one node has nobody to send segments to. */
export const catSegmentReplication: EndpointHandler = (request, context) => {
  if (!request.parameters.boolean('help', false))
    expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN, '_cat')
  return catTable(request, COLUMNS, [])
}
