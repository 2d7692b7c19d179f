import { ServiceError } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'
import { clusterSettingText } from './cluster-settings.ts'
import type { FlatSettings, IndexMetadata } from './index-metadata.ts'

/** What the limit goes by: the indices there are, and the cluster's settings. */
export interface ShardLimitScope {
  readonly indices: ReadonlyMap<string, IndexMetadata>
  readonly persistentSettings: FlatSettings
  readonly transientSettings: FlatSettings
  readonly version: EngineVersion
}

/** Shards of an index, copies that no node has included. */
export const shardsOf = (settings: FlatSettings): number => primariesOf(settings) * (1 + replicasOf(settings))

/** Shards that a change of an index' settings adds. */
export function shardsAddedBy(changes: FlatSettings, { settings, state }: IndexMetadata): number {
  const replicas = changes['index.number_of_replicas']
  if (replicas === undefined || replicas === null || state !== 'open') return 0
  return primariesOf(settings) * (Number(replicas) - replicasOf(settings))
}

/**
 * Whether open indices would have more shards than `cluster.max_shards_per_node`, of the one node there is.
 *
 * @param counted  how many of those added are there already
 * @param least    the limit is not below that
 * @returns what is said of it; undefined where they stay within
 */
export function beyondShardLimit(added: number, scope: ShardLimitScope, counted = 0, least = 0): string | undefined {
  if (added <= 0) return undefined
  const { indices, persistentSettings, transientSettings, version } = scope
  const asked = Number(
    clusterSettingText('cluster.max_shards_per_node', persistentSettings, transientSettings, version),
  )
  const limit = Math.min(MOST_LISTED, Math.max(least, asked))
  let open = -counted
  for (const { settings, state } of indices.values()) if (state === 'open') open += shardsOf(settings)
  if (open + added <= limit) return undefined
  return `this action would add [${added}] total shards, but this cluster currently has [${open}]/[${limit}] maximum shards open`
}

/** Whether an index counts among those that the limit is for: with `cluster.ignore_dot_indexes` hidden ones do not. */
const isLimited = (name: string, scope: ShardLimitScope): boolean =>
  !name.startsWith('.') ||
  clusterSettingText('cluster.ignore_dot_indexes', scope.persistentSettings, scope.transientSettings, scope.version) !==
    'true'

/** Of more shards a domain would not get done with listing them, whatever the cluster's settings allow. */
const MOST_LISTED = 100_000

/**
 * Refuses shards beyond the limit. 6.8 only warns of those that the setting does not allow.
 *
 * @param name  of the index that is made
 * @throws {ServiceError} validation_exception
 */
export function checkShardLimit(added: number, scope: ShardLimitScope, name?: string): void {
  const isWarned = scope.version === 'Elasticsearch_6.8' || (name !== undefined && !isLimited(name, scope))
  const beyond = beyondShardLimit(added, scope, 0, isWarned ? MOST_LISTED : 0)
  if (beyond !== undefined) throw new ServiceError('validation_exception', `Validation Failed: 1: ${beyond};`)
}

const primariesOf = (settings: FlatSettings): number => Number(settings['index.number_of_shards'] ?? 1)
const replicasOf = (settings: FlatSettings): number => Number(settings['index.number_of_replicas'] ?? 1)
