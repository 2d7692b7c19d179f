import { STRICT_EXPAND_OPEN } from '../../engine/metadata/indices-options.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { expandIndices } from '../indices/index-names.ts'
import { copiesOf } from '../indices/shard-counts.ts'

/** `POST|GET /<index>/_reload_search_analyzers`: reads user dictionaries again. */
export const reloadSearchAnalyzers: EndpointHandler = (request, context) => {
  const api = '_reload_search_analyzers'
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN, api)
  const details = indices.map(({ name }) => ({
    index: name,
    reloaded_analyzers: context.engine.reloadSearchAnalyzers(name),
    reloaded_node_ids: [context.engine.nodeId],
  }))
  const reloaded = details.filter(({ reloaded_analyzers: names }) => names.length > 0)
  return { status: 200, json: { _shards: copiesOf(indices), reload_details: reloaded } }
}
