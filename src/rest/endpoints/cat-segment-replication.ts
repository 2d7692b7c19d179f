import { STRICT_EXPAND_OPEN } from '../../engine/metadata/indices-options.ts'
import { catTable, column } from '../cat/cat-table.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { expandIndices } from '../indices/index-names.ts'

const none = () => undefined

const COLUMNS = [
  column<never>('shardId:s', 'the shard', none),
  column<never>('target_node:tnode', 'name of the node that gets it', none),
  column<never>('target_host:thost', 'host of the node that gets it', none),
  column<never>('checkpoints_behind:cpb', 'checkpoints it is behind', none),
  column<never>('bytes_behind:bb', 'bytes it is behind', none),
  column<never>('current_lag:clag', 'how long it has been behind', none),
  column<never>('last_completed_lag:lcl', 'how long the last one took', none),
  column<never>('rejected_requests:rr', 'writes refused since it was behind', none),
]

/** `GET /_cat/segment_replication[/<index>]`: one node has nobody to send segments to. */
export const catSegmentReplication: EndpointHandler = (request, context) => {
  if (!request.parameters.boolean('help', false))
    expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN, '_cat')
  return catTable(request, COLUMNS, [])
}
