import { ServiceError } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexMetadata } from './index-metadata.ts'

/** The error of an index that is not there, as the version words it. */
export function indexNotFound(name: string, version: EngineVersion): ServiceError {
  const reason = version === 'Elasticsearch_6.8' ? 'no such index' : `no such index [${name}]`
  return new ServiceError('index_not_found_exception', reason, { index: name, indexUuid: '_na_' })
}

/** The error of an index that is closed. */
export function indexClosed({ name, uuid }: Pick<IndexMetadata, 'name' | 'uuid'>): ServiceError {
  return new ServiceError('index_closed_exception', 'closed', { index: name, indexUuid: uuid })
}

/** The error of an index that is there and cannot be read. */
export function noShardAvailable({ name, uuid, unavailable }: IndexMetadata): ServiceError {
  return new ServiceError(
    'no_shard_available_action_exception',
    `No shard available for [${name}]: ${unavailable?.reason}`,
    {
      index: name,
      indexUuid: uuid,
    },
  )
}

/** The error of a write to one. */
export function shardsUnavailable({ name, unavailable }: IndexMetadata): ServiceError {
  const reason = `[${name}][0] primary shard is not active: ${unavailable?.reason}`
  return new ServiceError('unavailable_shards_exception', reason)
}

/** The error of a shard that an index has not. */
export function shardNotFound({ name, uuid }: Pick<IndexMetadata, 'name' | 'uuid'>, shard: number): ServiceError {
  return new ServiceError('shard_not_found_exception', 'no such shard', {
    index: name,
    indexUuid: uuid,
    metadata: { shard: String(shard) },
  })
}
