import { createHash } from 'node:crypto'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { shardCount } from '../../engine/metadata/shard-routing.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import { replicaCount } from './shard-counts.ts'

type ShardJson = { readonly [name: string]: Json }

/** A primary as routing tables show it. */
export function shardRouting(index: IndexMetadata, shard: number, context: RestContext) {
  return {
    state: 'STARTED',
    primary: true,
    node: context.engine.nodeId,
    relocating_node: null,
    shard,
    index: index.name,
    allocation_id: { id: allocationId(index, shard) },
  }
}

/** The shards of an index by number: each primary, and the copies that one node cannot hold. */
export function shardRoutings(index: IndexMetadata, context: RestContext): Readonly<Record<string, ShardJson[]>> {
  const unassigned = (shard: number, isPrimary = false): ShardJson => ({
    state: 'UNASSIGNED',
    primary: isPrimary,
    node: null,
    relocating_node: null,
    shard,
    index: index.name,
    recovery_source: { type: isPrimary ? 'EXISTING_STORE' : 'PEER' },
    unassigned_info: {
      reason: 'INDEX_CREATED',
      at: new Date(index.creationDate).toISOString(),
      delayed: false,
      allocation_status: 'no_attempt',
    },
  })
  return Object.fromEntries(
    Array.from({ length: shardCount(index) }, (_, shard) => [
      String(shard),
      [
        index.unavailable === undefined ? shardRouting(index, shard, context) : unassigned(shard, true),
        ...Array.from({ length: replicaCount(index) }, () => unassigned(shard)),
      ],
    ]),
  )
}

/** 22 characters, the same for a shard as long as it lives. */
function allocationId(index: IndexMetadata, shard: number): string {
  return createHash('sha256').update(`${index.uuid}/${shard}`).digest('base64url').slice(0, 22)
}
