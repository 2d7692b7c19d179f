import { illegalArgument } from '../../illegal-argument.ts'
import type { FieldMapping, NumericType } from '../mapping/field-mapping.ts'
import type { IndexMapping } from '../mapping/index-mapping.ts'
import type { FlatSettings } from '../metadata/index-metadata.ts'
import { listedValues } from '../metadata/listed-values.ts'

/**
 * Checks that the fields that an index is to be sorted by are there to sort by.
 *
 * @throws {ServiceError} illegal_argument_exception
 */
export function checkIndexSort(settings: FlatSettings, mapping: IndexMapping): void {
  for (const name of listedValues(settings['index.sort.field'] ?? [])) {
    const field = mapping.field(name)
    if (field?.kind === 'binary' && field.docValues) throw illegalArgument("can't sort on binary field")
    if (field?.kind === 'geo_point' && field.docValues)
      throw illegalArgument("can't sort on geo_point field without using specific sorting feature, like geo_distance")
    const fault = field === undefined ? 'unknown' : field.docValues ? undefined : 'docvalues not found for'
    const lacking = fault ?? (isSortable(field as FieldMapping) ? undefined : 'invalid')
    if (lacking !== undefined) throw illegalArgument(`${lacking} index sort field:[${name}]`)
  }
}

/** Whether Lucene sorts segments by what a field's documents have. */
function isSortable(field: FieldMapping): boolean {
  if (field.kind === 'number') return !UNSORTABLE.has(field.type)
  return field.kind !== 'range' && !(field.kind === 'keyword' && field.typeName === 'constant_keyword')
}

const UNSORTABLE: ReadonlySet<NumericType> = new Set(['half_float', 'scaled_float', 'unsigned_long'])
