import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import { derivedValues } from './derived-values.ts'

/** Documents that are looked at for a member's type; the real server takes as many by chance. */
const SAMPLE = 150

/** The type that the first value of a derived object's member would get in the index; undefined: it is not to be seen. */
export function inferMemberType(object: FieldMapping, part: string, searcher: IndexSearcher): string | undefined {
  const values = derivedValues(object, searcher)
  let left = SAMPLE
  for (const segment of searcher.segments) {
    const open = values.openJson(segment, part)
    for (let doc = 0; doc < segment.maxDoc && left > 0; doc++, left--) {
      const [value = null] = open(doc)
      if (value !== null) return typeOf(value, searcher)
    }
  }
  return undefined
}

function typeOf(value: unknown, { mapping }: IndexSearcher): string | undefined {
  const { mappingUpdate } = mapping.parse(mapping.types[0] ?? '_doc', '_id', { field: value })
  const properties = mappingUpdate?.mapping['properties'] as Readonly<Record<string, Readonly<Record<string, unknown>>>>
  const field = properties?.['field']
  if (field === undefined) return undefined
  return typeof field['type'] === 'string' ? field['type'] : 'object'
}
