import { ServiceError } from '../../../errors.ts'
import type { EngineVersion } from '../../engine-version.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import { castFailure, ownCastFailure } from '../../java/java-class-text.ts'
import type { SortKey } from '../search-request.ts'
import type { SortValue } from './segment-sort.ts'
import { SORTED_WORD, sortedClass } from './sorted-class.ts'

/**
 * Refuses to merge hits of indices that map the field they are first sorted by to values that Java does not compare, such as
 * numbers and words, or whole numbers and others. Indices without hits, and first hits without a word, do no harm.
 *
 * @param how         `widens`: numbers of any class are compared (OpenSearch does so with a search's own hits)
 * @param firstValue  what the best hit of an index is sorted by; undefined: it has no hit
 * @throws {ServiceError} class_cast_exception, of merging
 */
export function checkSortedClasses(
  searchers: readonly IndexSearcher[],
  [key]: readonly SortKey[],
  { engineVersion, widens }: { readonly engineVersion: EngineVersion; readonly widens: boolean },
  firstValue: (searcher: number) => SortValue | undefined,
): void {
  const classes = classesOf(searchers, key, engineVersion)
  const differ = (a: string, b: string): boolean => a !== b && (!widens || a === SORTED_WORD || b === SORTED_WORD)
  const some = classes.find((name) => name !== undefined)
  if (some === undefined || classes.every((name) => name === undefined || !differ(name, some))) return
  let first: string | undefined
  for (const [i, name] of classes.entries()) {
    if (name === undefined || (first !== undefined && !differ(name, first))) continue
    const value = firstValue(i)
    if (value === undefined || value === null) continue
    if (first !== undefined) throw cannotMerge(first, name)
    first = name
  }
}

/** Whether indices map the field that hits are first sorted by to values of several of Java's classes. */
export function isSortedByClasses(
  searchers: readonly IndexSearcher[],
  [key]: readonly SortKey[],
  engineVersion: EngineVersion,
): boolean {
  return new Set(classesOf(searchers, key, engineVersion).filter((name) => name !== undefined)).size > 1
}

/** Of what class the values are that each index is sorted by; undefined: of one that does no harm. */
function classesOf(
  searchers: readonly IndexSearcher[],
  key: SortKey | undefined,
  engineVersion: EngineVersion,
): readonly (string | undefined)[] {
  if (key?.kind !== 'field' || searchers.length < 2) return []
  return searchers.map(({ mapping }) => sortedClass(mapping.field(key.field), key, engineVersion))
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

/** Words are compared with words alone, numbers with what is of their class. */
function cannotMerge(first: string, next: string): ServiceError {
  const isOfWord = first === SORTED_WORD || next === SORTED_WORD
  const reason = isOfWord ? ownCastFailure(first === SORTED_WORD ? next : first, SORTED_WORD) : castFailure(first, next)
  return new ServiceError('class_cast_exception', reason, { inReducePhase: true })
}
