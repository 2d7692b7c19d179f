import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { shardCount } from '../../engine/metadata/shard-routing.ts'
import { replicaCount } from '../indices/shard-counts.ts'

/** How well a cluster or index is: yellow where replicas are asked for that one node cannot hold, red where an index is unavailable. */
export type HealthStatus = 'green' | 'yellow' | 'red'

/** Shards of one index or of several. */
export interface Health {
  readonly status: HealthStatus
  readonly primaries: number
  readonly unassigned: number
}

/** Health of an index; a closed one has no shards to count. */
export function indexHealth(index: IndexMetadata): Health {
  const primaries = shardCount(index)
  const unassigned = primaries * replicaCount(index)
  if (index.unavailable !== undefined) return { status: 'red', primaries: 0, unassigned: primaries + unassigned }
  return { status: unassigned > 0 ? 'yellow' : 'green', primaries, unassigned }
}

/**
 * Health of indices together.
 *
 * @param countsClosed  whether closed ones keep shards, as from 7.2 on
 */
export function clusterHealth(
  indices: readonly IndexMetadata[],
  countsClosed: boolean,
): Health & { readonly activePercent: number } {
  let primaries = 0
  let unassigned = 0
  let isRed = false
  for (const index of indices) {
    if (index.state !== 'open' && !countsClosed) continue
    const health = indexHealth(index)
    primaries += health.primaries
    unassigned += health.unassigned
    isRed ||= health.status === 'red'
  }
  const all = primaries + unassigned
  return {
    status: isRed ? 'red' : unassigned > 0 ? 'yellow' : 'green',
    primaries,
    unassigned,
    activePercent: all === 0 ? 100 : (primaries / all) * 100,
  }
}
