import { countUp } from '../algorithms/count-up.ts'
import type { IndexMapping } from '../mapping/index-mapping.ts'
import { listedValues } from '../metadata/listed-values.ts'
import { globalOrdinals } from './global-ordinals.ts'
import type { DocValues, OrdinalDocValues, SegmentReader } from './segment-reader.ts'

/** What documents of an index are ordered by in its segments (`index.sort.*`): plain data, which threads are told. */
export type DocumentOrder = readonly OrderKey[]

/** One field of it. Of several values of a document the least or the greatest counts. */
export interface OrderKey {
  readonly path: string
  readonly isDescending: boolean
  readonly takesMost: boolean
  /** Documents without a value come first; else last, either way of the order. */
  readonly missingFirst: boolean
}

/** The order that an index' settings ask for; undefined: that of its writes. */
export function documentOrder(
  settings: Readonly<Record<string, unknown>>,
  mapping: IndexMapping,
): DocumentOrder | undefined {
  const list = (name: string) => listedValues((settings[`index.sort.${name}`] ?? []) as string | readonly string[])
  const [orders, modes, missing] = [list('order'), list('mode'), list('missing')]
  const keys = list('field').flatMap((name, i): OrderKey[] => {
    const field = mapping.field(name)
    if (field === undefined) return []
    const isDescending = orders[i] === 'desc'
    const takesMost = (modes[i] ?? (isDescending ? 'max' : 'min')) === 'max'
    return [{ path: field.path, isDescending, takesMost, missingFirst: missing[i] === '_first' }]
  })
  return keys.length === 0 ? undefined : keys
}

/** A document of one of several segments. */
export interface DocumentPlaces {
  /** Index of its segment. */
  readonly segments: Int32Array
  readonly docs: Int32Array
}

/**
 * Puts documents in order; equal ones keep theirs.
 *
 * @returns undefined where they are in order
 */
export function orderDocuments(
  segments: readonly SegmentReader[],
  places: DocumentPlaces,
  order: DocumentOrder,
): DocumentPlaces | undefined {
  const compares = order.map((key) => keyOrder(key, segments, places))
  const compare = (a: number, b: number): number => {
    for (const by of compares) {
      const difference = by(a, b)
      if (difference !== 0) return difference
    }
    return a - b
  }
  const size = places.docs.length
  let isInOrder = true
  for (let i = 1; i < size && isInOrder; i++) isInOrder = compare(i - 1, i) < 0
  if (isInOrder) return undefined
  const sorted = countUp(size).sort(compare)
  return {
    segments: sorted.map((i) => places.segments[i] as number),
    docs: sorted.map((i) => places.docs[i] as number),
  }
}

type Compare = (a: number, b: number) => number

/** Compares documents, by index in `places`, by one key. */
function keyOrder(key: OrderKey, segments: readonly SegmentReader[], places: DocumentPlaces): Compare {
  const columns = segments.map((segment) => segment.field(key.path)?.docValues)
  const size = places.docs.length
  const hasValue = new Uint8Array(size)
  const values = valuesOf(columns, size)
  const ranks = ranksOf(columns)
  for (let i = 0; i < size; i++) {
    const at = places.segments[i] as number
    const column = columns[at]
    if (column === undefined || column.kind === 'binary') continue
    const index = valueIndex(column, places.docs[i] as number, key.takesMost)
    if (index < 0) continue
    hasValue[i] = 1
    const value = column.values[index] as number | bigint
    if (values instanceof BigInt64Array) values[i] = BigInt(value)
    else values[i] = ranks?.[at]?.[value as number] ?? (value as number)
  }
  const sign = key.isDescending ? -1 : 1
  const missing = key.missingFirst ? 1 : -1
  return (a, b) => {
    if (hasValue[a] !== hasValue[b]) return hasValue[a] === 1 ? missing : -missing
    const left = values[a] as number
    const right = values[b] as number
    if (left !== right) return left < right ? -sign : sign
    // -0.0 stands before 0.0, which a comparison does not see.
    return left === 0 ? sign * (Number(Object.is(right, -0)) - Number(Object.is(left, -0))) : 0
  }
}

function valuesOf(columns: readonly (DocValues | undefined)[], size: number): Float64Array | BigInt64Array {
  return columns.some((column) => column?.kind === 'bigint') ? new BigInt64Array(size) : new Float64Array(size)
}

/** Ranks of terms among those of all segments, by ordinal; undefined where a segment's own will do. */
function ranksOf(columns: readonly (DocValues | undefined)[]): readonly (Int32Array | undefined)[] | undefined {
  const ordinals = columns.filter((column): column is OrdinalDocValues => column?.kind === 'ordinal')
  if (ordinals.length === 0) return undefined
  const { maps } = globalOrdinals(
    ordinals.map(({ dictionary }) => dictionary),
    false,
  )
  let next = 0
  return columns.map((column) => (column?.kind === 'ordinal' ? maps[next++] : undefined))
}

/** Where the value of a document that counts stands; -1: it has none. */
function valueIndex({ present, offsets }: DocValues, doc: number, takesMost: boolean): number {
  if (present !== undefined && ((present[doc >>> 5] as number) & (1 << (doc & 31))) === 0) return -1
  if (offsets === undefined) return doc
  return takesMost ? (offsets[doc + 1] as number) - 1 : (offsets[doc] as number)
}
