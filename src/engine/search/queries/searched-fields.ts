import { ServiceError } from '../../../errors.ts'
import { matchWildcard } from '../../../match-wildcard.ts'
import { inJavaHashOrder } from '../../java/java-hash-order.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import type { IndexMapping } from '../../mapping/index-mapping.ts'
import { isBuiltInField, searchedMetadata } from '../../mapping/metadata-fields.ts'

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
 * Fields by path with their boosts, in the order of the real server's map: 6.x adds their scores in it, which are floats,
 * and of several that cannot be asked the first one is complained of. A pattern names those that can be searched for words.
 *
 * @param suffix    of the fields to take instead, where there are such (`quote_field_suffix`)
 * @param isInText  whether a query's text names the fields: a pattern is for all of them then, but for metadata
 * @throws {ServiceError} index_not_found_exception in 7.x and later for a pattern that takes in `_index`, which no empty name is of
 */
export function searchedFields(
  patterns: BoostedPatterns,
  mapping: IndexMapping,
  { suffix = '', isInText = false }: { readonly suffix?: string; readonly isInText?: boolean } = {},
): Map<string, number> {
  const isLucene7 = mapping.engineVersion === 'Elasticsearch_6.8'
  const fields = new Map<string, number>()
  let capacity: number | undefined
  // Of a pattern given twice the last boost counts.
  for (const [pattern, boost] of new Map(patterns)) {
    const own = pattern.includes('*')
      ? ofPattern(pattern, boost, mapping, { suffix, isInText })
      : new Map([[withSuffix(pattern, mapping, suffix), boost]])
    if (own.size > 0) capacity ??= isLucene7 ? tableSize(own.size) : TABLE_SIZE
    for (const path of inJavaHashOrder([...own.keys()])) {
      const ownBoost = own.get(path) as number
      // 6.x lets the last pattern decide, later versions multiply.
      fields.set(path, isLucene7 ? ownBoost : (fields.get(path) ?? 1) * ownBoost)
    }
  }
  return new Map(inJavaHashOrder([...fields.keys()], capacity).map((path) => [path, fields.get(path) as number]))
}

/** Patterns in the order in which a sorted map lists them. */
export function sortedPatterns(patterns: BoostedPatterns): BoostedPatterns {
  return [...new Map(patterns)].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Patterns in the order of a hash map that they were put into all at once. */
export function mappedPatterns(patterns: BoostedPatterns): BoostedPatterns {
  const boosts = new Map(patterns)
  const asked = inJavaHashOrder([...boosts.keys()])
  return inJavaHashOrder(asked, tableSize(asked.length)).map((pattern) => [pattern, boosts.get(pattern) as number])
}

function ofPattern(
  pattern: string,
  boost: number,
  mapping: IndexMapping,
  { suffix, isInText }: { readonly suffix: string; readonly isInText: boolean },
): Map<string, number> {
  const { engineVersion } = mapping
  const metadata = searchedMetadata(engineVersion).filter((path) => matchWildcard(pattern, path))
  const matched = inJavaHashOrder([...mapping.matchFields(pattern), ...metadata])
  const isLucene7 = engineVersion === 'Elasticsearch_6.8'
  const names = new Set(matched)
  const fields = new Map<string, number>()
  for (const name of matched) {
    if (name.startsWith('_') && (pattern === '*' || isInText)) continue
    if (isBuiltInField(name, mapping)) {
      if (name === '_index' && !isLucene7) throw noIndex()
      fields.set(name, boost)
      continue
    }
    const path = withSuffix(name, mapping, suffix)
    const field = mapping.field(path)
    if (!isSearched(field) && (pattern === '*' || !isInText)) continue
    // Later versions look once into a field that aliases stand beside, as often as it was named.
    const target = field?.path ?? path
    const own = isLucene7 || !names.has(target) || isFlat(field) ? path : target
    fields.set(own, isLucene7 ? boost : (fields.get(own) ?? 1) * boost)
  }
  return fields
}

function withSuffix(path: string, mapping: IndexMapping, suffix: string): string {
  return suffix !== '' && mapping.field(path + suffix) !== undefined ? path + suffix : path
}

function noIndex(): ServiceError {
  return new ServiceError('index_not_found_exception', 'no such index []', {
    index: '',
    indexUuid: '_na_',
    metadata: { 'resource.type': 'index_or_alias', 'resource.id': '' },
  })
}

function isFlat(field: FieldMapping | undefined): boolean {
  return field?.kind === 'keyword' && field.flat !== undefined
}

/** Buckets of a new Java map. */
const TABLE_SIZE = 16

/** Buckets of a Java map that so many entries are put into at once. */
function tableSize(count: number): number {
  return 2 ** Math.ceil(Math.log2(Math.floor(count / 0.75 + 1)))
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
