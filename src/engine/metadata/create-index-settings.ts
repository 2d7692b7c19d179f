import { randomBytes } from 'node:crypto'
import { illegalArgument } from '../../illegal-argument.ts'
import type { EngineVersion } from '../engine-version.ts'
import { checkActiveShards } from './check-active-shards.ts'
import { checkSortSettings } from './check-sort-settings.ts'
import { expandReplicas } from './expand-replicas.ts'
import type { FlatSettings } from './index-metadata.ts'
import { indexSettingDefault, validateIndexSettings } from './index-settings.ts'
import { defaultRoutingShards } from './shard-routing.ts'

/** `index.version.created` of a new index: 6.8.23, 7.10.2, and OpenSearch 2.19.3 (its ids have bit 27 set). */
export const VERSION_IDS: Readonly<Record<EngineVersion, string>> = {
  'Elasticsearch_6.8': '6082399',
  'Elasticsearch_7.10': '7100299',
  'OpenSearch_2.19': '136408127',
}

/** Identity of a new index. */
export interface NewIndex {
  readonly engineVersion: EngineVersion
  /** As the request named it, date math and all. */
  readonly name: string
  /** 22 characters ({@link newUuid}). */
  readonly uuid: string
  /** Milliseconds since 1970. */
  readonly creationDate: number
  /** Copies of each shard, where nobody asks for some (`cluster.default_number_of_replicas`). */
  readonly replicas?: string | undefined
  /** What is told of the index that it is copied from. */
  readonly origin?: FlatSettings | undefined
}

/**
 * All settings of a new index: those asked for, the defaults that are written down, and its identity.
 *
 * @param requested  the request's settings over the templates', flat and `index.`-prefixed
 * @throws {ServiceError} illegal_argument_exception, validation_exception for unknown names, bad values, and settings that
 *   contradict one another
 */
export function createIndexSettings(requested: FlatSettings, options: NewIndex): FlatSettings {
  const { engineVersion } = options
  validateIndexSettings(requested, engineVersion)
  if (options.replicas !== undefined)
    validateIndexSettings({ 'index.number_of_replicas': options.replicas }, engineVersion)
  const settings: Record<string, string | readonly string[] | null> = {}
  Object.assign(settings, requested, options.origin)
  settings['index.number_of_shards'] ??= indexSettingDefault('index.number_of_shards', engineVersion) ?? '1'
  settings['index.number_of_replicas'] ??= options.replicas ?? '1'
  if (engineVersion === 'OpenSearch_2.19') settings['index.replication.type'] ??= 'DOCUMENT'
  settings['index.uuid'] = options.uuid
  settings['index.creation_date'] = String(options.creationDate)
  settings['index.provided_name'] = options.name
  settings['index.version.created'] = VERSION_IDS[engineVersion]
  checkTogether(settings, options)
  return expandReplicas(settings)
}

function checkTogether(settings: FlatSettings, { engineVersion, name }: NewIndex): void {
  const shards = Number(settings['index.number_of_shards'])
  const routingShards = settings['index.number_of_routing_shards']
  checkRoutingShards(settings, engineVersion)
  const partition = Number(settings['index.routing_partition_size'] ?? 1)
  const most = Number(routingShards ?? defaultRoutingShards(shards, engineVersion))
  if (partition > 1 && partition >= most) {
    throw illegalArgument(
      `routing partition size [${partition}] should be a positive number less than the number of shards [${most}] for [${name}]`,
    )
  }
  checkActiveShards(settings)
  checkSortSettings(settings)
}

/**
 * Whether an index of so many shards can have that many routing shards.
 *
 * @throws {ServiceError} illegal_argument_exception
 */
export function checkRoutingShards(settings: FlatSettings, engineVersion: EngineVersion): void {
  const shards = settings['index.number_of_shards'] ?? indexSettingDefault('index.number_of_shards', engineVersion)
  const routingShards = settings['index.number_of_routing_shards']
  if (typeof routingShards !== 'string') return
  if (Number(routingShards) < Number(shards)) {
    throw illegalArgument(
      `index.number_of_routing_shards [${routingShards}] must be >= index.number_of_shards [${shards}]`,
    )
  }
  if (Number(routingShards) % Number(shards) !== 0) {
    throw illegalArgument(`the number of source shards [${shards}] must be a factor of [${routingShards}]`)
  }
}

/** A new index or cluster uuid: 16 random bytes as 22 characters of URL-safe Base64. */
export function newUuid(): string {
  return randomBytes(16).toString('base64url')
}
