import { murmur32 } from '../algorithms/murmur.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexMetadata } from './index-metadata.ts'

/**
 * The shard of an index that a routing value (a document's routing, or else its id) leads to, as the real server
 * numbers them: Murmur3 of the text's UTF-16LE units, taken modulo the routing shards.
 *
 * An index here is stored whole; the number decides what a request with a `routing` gets to see.
 */
export function shardOf(metadata: IndexMetadata, engineVersion: EngineVersion, routing: string): number {
  return shardAmong(shardCount(metadata), metadata.settings['index.number_of_routing_shards'], engineVersion, routing)
}

/**
 * {@link shardOf} of an index of so many shards.
 *
 * @param asked  `index.number_of_routing_shards`; undefined where nobody set it
 */
export function shardAmong(shards: number, asked: unknown, engineVersion: EngineVersion, routing: string): number {
  if (shards === 1) return 0
  const slots = routingShards(shards, asked, engineVersion)
  const hash = murmur32(Buffer.from(routing, 'utf16le'), 0)
  const slot = ((hash % slots) + slots) % slots
  return Math.floor(slot / Math.max(1, Math.floor(slots / shards)))
}

/** How many shards an index says it has. */
export function shardCount(metadata: IndexMetadata): number {
  return Number(metadata.settings['index.number_of_shards'] ?? 1)
}

/** The numbers of an index' shards. */
export function shardNumbers(metadata: IndexMetadata): number[] {
  return Array.from({ length: shardCount(metadata) }, (_, shard) => shard)
}

/** How many slots the routing values of an index of so many shards are divided into. @param asked  as of {@link shardAmong} */
export function routingShards(shards: number, asked: unknown, engineVersion: EngineVersion): number {
  return Number(asked ?? defaultRoutingShards(shards, engineVersion))
}

/** From 7.0 on an index may be split up to 1,024 shards, so routing counts in finer steps. */
export function defaultRoutingShards(shards: number, engineVersion: EngineVersion): number {
  if (engineVersion === 'Elasticsearch_6.8') return shards
  const splits = Math.max(1, 10 - Math.ceil(Math.log2(shards)))
  return shards * 2 ** splits
}
