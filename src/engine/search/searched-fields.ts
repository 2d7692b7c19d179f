import { inJavaHashOrder } from '../java-hash-order.ts'
import type { FieldMapping } from '../mapping/field-mapping.ts'
import type { IndexMapping } from '../mapping/index-mapping.ts'

/** Field names or patterns with their boosts, as a query names them. */
export type BoostedPatterns = readonly (readonly [pattern: string, boost: number])[]

/** Patterns that a query without fields stands for (`index.query.default_field`). */
export function defaultPatterns(mapping: IndexMapping): BoostedPatterns {
  return mapping.defaultFields.map((pattern) => {
    const [name = '', boost] = pattern.split('^')
    return [name, boost === undefined ? 1 : Number(boost)] as const
  })
}

/** Whether a query without fields looks into all of them: parts that a field cannot take are overlooked then. */
export function searchesAll(patterns: BoostedPatterns): boolean {
  return patterns.length === 1 && patterns[0]?.[0] === '*'
}

/**
 * Fields by path with their boosts; a pattern names those that can be searched for words.
 *
 * @param suffix  of the fields to take instead, where there are such (`quote_field_suffix`)
 */
export function searchedFields(patterns: BoostedPatterns, mapping: IndexMapping, suffix = ''): Map<string, number> {
  const fields = new Map<string, number>()
  // Of a field named twice the last boost counts.
  for (const [pattern, boost] of new Map(patterns)) {
    const isPattern = pattern.includes('*')
    for (const path of isPattern ? mapping.matchFields(pattern) : [pattern]) {
      const own = suffix !== '' && mapping.field(path + suffix) !== undefined ? path + suffix : path
      if (isPattern && !isSearched(mapping.field(own))) continue
      fields.set(own, (fields.get(own) ?? 1) * boost)
    }
  }
  return fields
}

/**
 * Fields in the order of 6.x's map of them, which begins small: in that order it adds their scores, which are floats.
 */
export function inMapOrder(fields: ReadonlyMap<string, number>): Map<string, number> {
  const paths = inJavaHashOrder([...fields.keys()].sort(), 2)
  return new Map(paths.map((path) => [path, fields.get(path) as number]))
}

function isSearched(field: FieldMapping | undefined): boolean {
  switch (field?.kind) {
    case 'text':
    case 'keyword':
    case 'number':
    case 'date':
    case 'ip':
    case 'boolean':
    case 'range':
      return true
    case 'opaque':
      return field.type === 'completion'
    default:
      return false
  }
}
