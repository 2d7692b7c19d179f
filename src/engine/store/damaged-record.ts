import { ServiceError } from '../../errors.ts'

/** What is answered for what is in the store and not as it was written. */
export function damagedRecord(what: string): ServiceError {
  return new ServiceError('corrupt_index_exception', `checksum failed: ${what} is damaged on disk`)
}
