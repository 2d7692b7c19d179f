import { ServiceError } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'

/** A fault of a rule among others: OpenSearch tells its line (counted from 0 here), and has words of its own for some. */
export function wrongRule(engineVersion: EngineVersion, line: number, older: string, reason = older): ServiceError {
  return new ServiceError(
    'runtime_exception',
    engineVersion === 'OpenSearch_2.19' ? `Line [${line + 1}]: ${reason}` : older,
  )
}
