import { ServiceError } from '../../errors.ts'
import { clusterSetting } from '../cluster-flag.ts'
import type { RestContext } from '../endpoint-handler.ts'

/** Tables whose length the cluster's settings bound, and how that is told. */
const LIMITS = {
  indices: ['cat.indices.response.limit.number_of_indices', 'INDICES', 'Too many indices requested.'],
  segments: ['cat.segments.response.limit.number_of_indices', 'INDICES', 'Segments from too many indices requested.'],
  shards: ['cat.shards.response.limit.number_of_shards', 'SHARDS', 'Too many shards requested.'],
} as const

/** Refuses a table of more than the cluster's settings allow. @throws {ServiceError} response_limit_breached_exception */
export function checkResponseLimit(table: keyof typeof LIMITS, count: number, context: RestContext): void {
  const [setting, entity, reason] = LIMITS[table]
  const limit = Number(clusterSetting(context, setting))
  if (limit <= 0 || count <= limit) return
  const metadata = { response_limit: limit, limit_entity: entity }
  throw new ServiceError('response_limit_breached_exception', reason, { metadata })
}
