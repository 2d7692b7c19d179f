import { ServiceError } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'

/** A fault that is found when an aggregation is made ready to collect: those of reading any other come before it. */
export function late(error: ServiceError): ServiceError {
  return error.with({ inQueryPhase: true, isLate: true })
}

/** Runs what finds such faults. */
export function lately<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof ServiceError ? late(error) : error
  }
}

/** Runs what finds such faults in 6.x, which later versions find with the others. */
export function latelyIn6<T>(engineVersion: EngineVersion, run: () => T): T {
  return engineVersion === 'Elasticsearch_6.8' ? lately(run) : run()
}
