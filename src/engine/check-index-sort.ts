import { ServiceError } from '../errors.ts'
import type { IndexMapping } from './mapping/index-mapping.ts'
import type { FlatSettings } from './metadata/index-metadata.ts'
import { listedValues } from './metadata/listed-values.ts'

/**
 * Checks that the fields that an index is to be sorted by are there to sort by.
 *
 * @throws {ServiceError} illegal_argument_exception
 */
export function checkIndexSort(settings: FlatSettings, mapping: IndexMapping): void {
  for (const name of listedValues(settings['index.sort.field'] ?? [])) {
    const field = mapping.field(name)
    const lacking = field === undefined ? 'unknown' : field.docValues ? undefined : 'docvalues not found for'
    if (lacking !== undefined)
      throw new ServiceError('illegal_argument_exception', `${lacking} index sort field:[${name}]`)
  }
}
