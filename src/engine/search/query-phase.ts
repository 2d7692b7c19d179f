import { type ErrorType, ServiceError } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'

/** Runs what the real server does in each shard: what goes wrong is answered as it is, as a failure of the query phase. */
export function inQueryPhase<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof ServiceError ? error.with({ inQueryPhase: true }) : error
  }
}

/** A fault of the query phase. */
export function faultInQueryPhase(type: ErrorType, reason: string): ServiceError {
  return new ServiceError(type, reason, { inQueryPhase: true })
}

/** An `illegal_argument_exception` of the query phase. */
export function illegalInQueryPhase(reason: string): ServiceError {
  return faultInQueryPhase('illegal_argument_exception', reason)
}

/** What a search asks of an index that it does not allow, such as too much: a type of its own in 6.x, an illegal argument from 7 on. */
export function queryPhaseFault(engineVersion: EngineVersion, reason: string): ServiceError {
  const type = engineVersion === 'Elasticsearch_6.8' ? 'query_phase_execution_exception' : 'illegal_argument_exception'
  return faultInQueryPhase(type, reason)
}
