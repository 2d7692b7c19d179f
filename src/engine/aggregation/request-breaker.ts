import { ServiceError } from '../../errors.ts'

/**
 * What the real servers' request breaker says of aggregations that multiply beyond what memory holds.
 *
 * @param wanted  bytes, and so is the limit
 */
export function requestTooLarge(wanted: number, limit: number): ServiceError {
  return new ServiceError(
    'circuit_breaking_exception',
    `[request] Data too large, data for [<reused_arrays>] would be [${wanted}/${wanted}b], which is larger than the limit of [${limit}/${limit}b]`,
    { inQueryPhase: true, metadata: { bytes_wanted: wanted, bytes_limit: limit } },
  )
}
