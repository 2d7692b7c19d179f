import type { EngineVersion } from '../../engine-version.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import type { SortKey } from '../search-request.ts'
import { sortedClass } from './sorted-class.ts'

/** The first and the last value that an index has of a field. */
interface SortEnds {
  /** Java's class of the values: others are not compared with them. */
  readonly type: string
  readonly least: number | bigint | Uint8Array
  readonly most: number | bigint | Uint8Array
}

/**
 * The order in which the shards of a search sorted by a field are asked from 7.x on: by the first value that each has, by its last
 * one for a descending order, those without behind, deleted documents' values among them. It decides between hits that are sorted
 * by the same.
 *
 * @returns places in `searchers`; undefined: as they are
 */
export function shardOrder(
  searchers: readonly IndexSearcher[],
  key: SortKey & { kind: 'field' },
  engineVersion: EngineVersion,
): readonly number[] | undefined {
  const ends = searchers.map((searcher) => sortEnds(searcher, key, engineVersion))
  // Ends of several classes are not compared.
  if (new Set(ends.flatMap((one) => one?.type ?? [])).size !== 1) return undefined
  const end = key.order === 'asc' ? 'least' : 'most'
  const sign = key.order === 'asc' ? 1 : -1
  const compare = (a: number, b: number): number => {
    const [x, y] = [ends[a], ends[b]]
    if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined)
    return sign * compareEnds(x[end], y[end])
  }
  return searchers.map((_, i) => i).sort(compare)
}

function compareEnds(a: SortEnds['least'], b: SortEnds['least']): number {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b)
  return a < b ? -1 : a > b ? 1 : 0
}

/** Types whose ends the real servers do not look at. */
const WITHOUT_ENDS: ReadonlySet<string> = new Set(['scaled_float', 'half_float'])

/** The `numeric_type` by which a field's values are sorted as they are. */
function ownNumericType(field: FieldMapping): string | undefined {
  if (field.kind === 'date') return field.inNanos ? 'date_nanos' : 'date'
  return field.kind === 'number' ? field.type : undefined
}

function sortEnds(
  { mapping, segments }: IndexSearcher,
  key: SortKey & { kind: 'field' },
  engineVersion: EngineVersion,
): SortEnds | undefined {
  const field = mapping.field(key.field)
  const type = sortedClass(field, key, engineVersion)
  if (field === undefined || type === undefined) return undefined
  const { numericType } = key
  if (numericType !== undefined && numericType !== ownNumericType(field)) return undefined
  const hasPoints = field.kind === 'date' || (field.kind === 'number' && !WITHOUT_ENDS.has(field.type))
  if (!hasPoints && field.kind !== 'keyword') return undefined
  let least: SortEnds['least'] | undefined
  let most: SortEnds['most'] | undefined
  for (const segment of segments) {
    const { points, terms } = segment.field(field.path) ?? {}
    const count = (hasPoints ? points?.values.length : terms?.size) ?? 0
    if (count === 0) continue
    const valueAt = (i: number): SortEnds['least'] =>
      hasPoints ? (points?.values[i] as number | bigint) : (terms?.term(i) as Uint8Array)
    const [first, last] = [valueAt(0), valueAt(count - 1)]
    if (least === undefined || compareEnds(first, least) < 0) least = first
    if (most === undefined || compareEnds(last, most) > 0) most = last
  }
  return least === undefined || most === undefined ? undefined : { type, least, most }
}
