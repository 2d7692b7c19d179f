import { expandsToNone } from '../../engine/metadata/expand-replicas.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { shardCount } from '../../engine/metadata/shard-routing.ts'
import type { Json } from '../json/json-writer.ts'

/** Number of copies of each primary that were asked for; one node holds none of them. */
export function replicaCount(index: IndexMetadata): number {
  if (expandsToNone(index.settings)) return 0
  return Number(index.settings['index.number_of_replicas'] ?? 1)
}

/** `_shards` of a call that goes to every copy of every shard (refresh, flush, stats). */
export function copiesOf(indices: readonly IndexMetadata[], withReplicas = true): Json {
  let total = 0
  let successful = 0
  for (const index of indices) {
    const primaries = shardCount(index)
    total += primaries * (withReplicas ? 1 + replicaCount(index) : 1)
    if (index.unavailable === undefined) successful += primaries
  }
  return { total, successful, failed: 0 }
}
