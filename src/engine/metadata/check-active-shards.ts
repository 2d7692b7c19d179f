import type { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { FlatSettings } from './index-metadata.ts'

/**
 * Sees to it that an index asks for no more active copies of a shard than it is to have.
 *
 * @param settings  all of the index, as they are to be
 * @throws {ServiceError} illegal_argument_exception
 */
export function checkActiveShards(settings: FlatSettings): void {
  const waitFor = settings['index.write.wait_for_active_shards']
  const copies = Number(settings['index.number_of_replicas'] ?? 1) + 1
  if (typeof waitFor === 'string' && Number(waitFor) > copies)
    throw tooManyCopies('index.write.wait_for_active_shards', waitFor, copies)
}

/** The refusal to wait for more copies than there can be. @param name  of the setting or parameter */
export function tooManyCopies(name: string, wanted: string | number, copies: number): ServiceError {
  return illegalArgument(`invalid ${name}[${wanted}]: cannot be greater than number of shard copies [${copies}]`)
}
