import type { EngineVersion } from '../../engine-version.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import type { SortKey } from '../search-request.ts'

/** Java's class of words that documents are sorted by. */
export const SORTED_WORD = 'org.apache.lucene.util.BytesRef'

/** Java's class of what a field's documents are sorted by; undefined: it cannot be sorted by, or is the same in each index. */
export function sortedClass(
  field: FieldMapping | undefined,
  { numericType }: SortKey & { kind: 'field' },
  engineVersion: EngineVersion,
): string | undefined {
  const whole = engineVersion === 'OpenSearch_2.19' ? 'java.lang.Integer' : 'java.lang.Long'
  switch (field?.kind) {
    case 'keyword':
    case 'text':
    case 'ip':
      return SORTED_WORD
    case 'date':
      return 'java.lang.Long'
    case 'boolean':
      return whole
    case 'number':
      if (numericType !== undefined) return numericType === 'double' ? 'java.lang.Double' : 'java.lang.Long'
      switch (field.type) {
        case 'float':
        case 'half_float':
          return 'java.lang.Float'
        case 'double':
        case 'scaled_float':
          return 'java.lang.Double'
        case 'integer':
        case 'short':
        case 'byte':
          return whole
        default:
          return 'java.lang.Long'
      }
    default:
      return undefined
  }
}
