import type { ServiceError } from '../../errors.ts'
import type { Dialect } from '../dialects/dialect.ts'

/** A fault as a version answers it: a breaker that trips has its status and members there. */
export function asAnswered(error: ServiceError, { circuitBreakerStatus: status }: Dialect): ServiceError {
  const { metadata } = error.detail
  if (error.type !== 'circuit_breaking_exception' || metadata?.['bytes_wanted'] === undefined) return error
  return error.with(status === 429 ? { status, metadata: { ...metadata, durability: 'TRANSIENT' } } : { status })
}
