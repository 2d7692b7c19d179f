import { ServiceError } from '../../errors.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { castFailure, ownCastFailure } from '../java-class-text.ts'
import type { FieldMapping } from '../mapping/field-mapping.ts'
import type { SortKey } from './search-request.ts'
import type { SortValue } from './segment-sort.ts'

const WORD = 'org.apache.lucene.util.BytesRef'

/**
 * Refuses to merge hits of indices that map the field they are first sorted by to values that Java does not compare, such as
 * numbers and words, or whole numbers and others. Indices without hits, and first hits without a word, do no harm.
 *
 * @param firstValue  what the best hit of an index is sorted by; undefined: it has no hit
 * @throws {ServiceError} class_cast_exception, of merging
 */
export function checkSortedClasses(
  searchers: readonly IndexSearcher[],
  [key]: readonly SortKey[],
  firstValue: (searcher: number) => SortValue | undefined,
): void {
  if (key?.kind !== 'field' || searchers.length < 2) return
  const classes = searchers.map(({ mapping }) => classOf(mapping.field(key.field)))
  if (new Set(classes.filter((name) => name !== undefined)).size < 2) return
  let first: string | undefined
  for (const [i, name] of classes.entries()) {
    if (name === undefined || name === first) continue
    const value = firstValue(i)
    if (value === undefined || value === null) continue
    if (first !== undefined) throw cannotMerge(first, name)
    first = name
  }
}

/**
 * Refuses to sort hits of indices that map a field to unsigned longs here and to other numbers there, whether they have hits or not.
 *
 * @throws {ServiceError} illegal_argument_exception, of merging
 */
export function checkSortedUnsigned(searchers: readonly IndexSearcher[], keys: readonly SortKey[]): void {
  if (searchers.length < 2) return
  for (const key of keys) {
    if (key.kind !== 'field') continue
    const numbers = searchers.map(({ mapping }) => mapping.field(key.field)).filter((field) => field?.kind === 'number')
    if (new Set(numbers.map(({ type }) => type === 'unsigned_long')).size < 2) continue
    const reason =
      "Can't do sort across indices, as a field has [unsigned_long] type in one index, and different type in another index!"
    throw new ServiceError('illegal_argument_exception', reason, { inReducePhase: true })
  }
}

/** What compares the values is that of the first: words take none but words, numbers take what they are given. */
function cannotMerge(first: string, next: string): ServiceError {
  const isOfWord = first === WORD || next === WORD
  const reason = isOfWord ? ownCastFailure(first === WORD ? next : first, WORD) : castFailure(first, next)
  return new ServiceError('class_cast_exception', reason, { inReducePhase: true })
}

/** Java's class of what a field's documents are sorted by; undefined: it cannot be sorted by, or is the same in each index. */
function classOf(field: FieldMapping | undefined): string | undefined {
  switch (field?.kind) {
    case 'keyword':
    case 'text':
    case 'ip':
      return WORD
    case 'date':
    case 'boolean':
      return 'java.lang.Long'
    case 'number':
      switch (field.type) {
        case 'float':
        case 'half_float':
          return 'java.lang.Float'
        case 'double':
        case 'scaled_float':
          return 'java.lang.Double'
        default:
          return 'java.lang.Long'
      }
    default:
      return undefined
  }
}
