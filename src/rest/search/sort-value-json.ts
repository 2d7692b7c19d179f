import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import { wordAsAddress } from '../../engine/mapping/types/ip-address.ts'
import type { SortKey } from '../../engine/search/search-request.ts'
import { shownAddress } from '../../engine/search/sort/sorted-address.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { JavaDouble, JavaFloat, type Json } from '../json/json-writer.ts'

/** A number as a field's type has it written. */
export function numberJson(value: number, type: string | undefined): Json {
  if (type === 'float' || type === 'half_float') return new JavaFloat(value)
  return type === 'double' || type === 'scaled_float' ? new JavaDouble(value) : value
}

/**
 * A sort value as an answer shows it: floats and distances as Java writes them.
 *
 * @param searchers  of all indices that hits may be of: 6.x shows addresses and words as the first of them shows its own
 * @throws {ServiceError} illegal_argument_exception of a word where that has addresses
 */
export function sortValueJson(
  value: string | number | bigint | boolean | null,
  key: SortKey,
  { mapping }: IndexSearcher,
  searchers: readonly IndexSearcher[] = [],
): Json {
  if (typeof value === 'number') {
    if (key.kind === 'score') return new JavaFloat(value)
    if (key.kind === 'geo_distance' || key.kind === 'script') return new JavaDouble(value)
    if (key.kind === 'doc') return value
    if (key.numericType !== undefined) return key.numericType === 'double' ? new JavaDouble(value) : value
    const field = mapping.field(key.field)
    const type = field?.kind === 'number' ? field.type : key.unmappedType
    return numberJson(value, type)
  }
  if (typeof value === 'string' && key.kind === 'field') {
    const field = mapping.field(key.field)
    // Later versions put first what is sorted first, which is not known here.
    if (searchers.length > 1 && mapping.engineVersion === 'Elasticsearch_6.8') {
      const showsAddresses = isShownAsAddress(key, searchers)
      if (field?.kind === 'ip' && !showsAddresses) return Buffer.from(value, 'latin1').toString()
      if (field?.kind !== 'ip' && showsAddresses) return shownWord(value)
    }
    if (field?.kind === 'ip') return shownAddress(value)
    if (field?.kind === 'keyword' && field.flat?.prefix !== undefined) return flatSortValue(value, field.flat.prefix)
  }
  if (value === null && key.kind === 'field' && key.missing !== '_first' && key.missing !== '_last') return key.missing
  return value
}

/** Whether the first index that sorts by a field, or takes it for one of a type, sorts by addresses. */
function isShownAsAddress(key: SortKey & { kind: 'field' }, searchers: readonly IndexSearcher[]): boolean {
  for (const { mapping } of searchers) {
    const type = mapping.field(key.field)?.kind ?? key.unmappedType
    if (type !== undefined) return type === 'ip'
  }
  return false
}

function shownWord(word: string): string {
  try {
    return wordAsAddress(Buffer.from(word))
  } catch (error) {
    throw error instanceof ServiceError ? error.with({ inReducePhase: true }) : error
  }
}

/**
 * By a path in a flat object the real server sorts by the values of all paths, and can show those at that path alone.
 *
 * @throws {ServiceError} illegal_argument_exception
 */
function flatSortValue(value: string, prefix: string): string {
  if (value.startsWith(prefix)) return value.slice(prefix.length)
  throw illegalArgument('cannot write xcontent for unknown value of type class java.lang.Object')
}
