import { UNSIGNED_MAX } from '../mapping/number-value.ts'
import type { SortKey } from './search-request.ts'

const LONG = [-(2n ** 63n), 2n ** 63n - 1n] as const
const UNSIGNED = [0, UNSIGNED_MAX] as const
const INTEGER = [-(2 ** 31), 2 ** 31 - 1] as const

/**
 * What a document without a value is sorted by and shown with, as the real servers answer: the type's last value in the
 * direction it goes to, null for words.
 */
export function missingSortValue(
  { order, missing }: SortKey & { kind: 'field' },
  type: string,
  isLucene7: boolean,
): string | number | bigint | null {
  if (missing !== '_first' && missing !== '_last') return missing
  const largest = (order === 'asc') === (missing === '_last') ? 1 : 0
  switch (type) {
    case 'long':
    case 'date':
      return LONG[largest]
    case 'unsigned_long':
      return UNSIGNED[largest]
    case 'integer':
    case 'short':
    case 'byte':
    case 'boolean':
      return isLucene7 ? LONG[largest] : INTEGER[largest]
    case 'float':
    case 'double':
    case 'half_float':
    case 'scaled_float':
      return largest === 1 ? 'Infinity' : '-Infinity'
    default:
      return null
  }
}
