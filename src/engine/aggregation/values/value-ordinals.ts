import type { NumericDocValues } from '../../index/segment-reader.ts'
import { BucketHash } from '../bucket-hash.ts'

/* Numbers as ordinals of what they are rounded to, by segment and rounding: what lets aggregations count numbers as they
 * count terms. Made when the documents gone through without them are as many as the segment has, so that making them at
 * most doubles the work; kept by segment data, least recently used out first. */

/** A column whose values are numbers of keys. */
export interface ValueOrdinals {
  /** At a document's number, or between its {@link offsets}. */
  readonly values: Uint8Array | Uint16Array
  /** Bit d is set when document d has a value; undefined when all have. A copy: the segment's would keep all of it in memory. */
  readonly present: Uint32Array | undefined
  /** Where ordinals of several a document can be: ascending and different within each. */
  readonly offsets: Uint32Array | undefined
  /** What ordinals stand for, ascending and different. */
  readonly keys: Float64Array
  /** Documents by ordinal, deleted and nested ones included. */
  readonly docCounts: Int32Array
}

/** How values become keys. */
export interface Rounding {
  /** The same for the same function. */
  readonly name: string
  round(value: number): number
}

/** Values that are their own keys. */
export const NO_ROUNDING: Rounding = { name: '', round: (value) => value }

/** Keys of a segment at most; columns with more are left as they are. */
const MAX_KEYS = 65_536
/** Bytes that all kept ordinals may take. */
const MAX_BYTES = 64 * 1024 * 1024
/** Segments up to this size are not waited for. */
const SMALL_DOCS = 4_096
/** Columns not yet made that are remembered. */
const MAX_WAITING = 4_096

const made = new Map<string, ValueOrdinals>()
let bytes = 0
/** Documents gone through without ordinals by column and rounding; Infinity: they cannot be made. */
const spent = new Map<string, number>()
const columnIds = new WeakMap<NumericDocValues, number>()
let lastColumnId = 0

/** The ordinals of a column where they are worth having by now; undefined: use its values. */
export function valueOrdinals(column: NumericDocValues, maxDoc: number, rounding: Rounding): ValueOrdinals | undefined {
  const name = nameOf(column, rounding)
  const kept = made.get(name)
  if (kept !== undefined) {
    // Last in, last out: a Map keeps the order of insertion.
    made.delete(name)
    made.set(name, kept)
    return kept
  }
  const documents = spent.get(name) ?? 0
  if (documents === Number.POSITIVE_INFINITY || (documents < maxDoc && maxDoc > SMALL_DOCS)) return undefined
  const ordinals = makeOrdinals(column, maxDoc, rounding)
  if (ordinals === undefined) {
    spent.set(name, Number.POSITIVE_INFINITY)
    return undefined
  }
  spent.delete(name)
  made.set(name, ordinals)
  bytes += sizeOf(ordinals)
  for (const [oldest, old] of made) {
    if (bytes <= MAX_BYTES) break
    made.delete(oldest)
    bytes -= sizeOf(old)
  }
  return ordinals
}

/** Notes that so many documents were gone through without ordinals. */
export function noteSpent(column: NumericDocValues, rounding: Rounding, documents: number): void {
  const name = nameOf(column, rounding)
  spent.set(name, (spent.get(name) ?? 0) + documents)
  if (spent.size > MAX_WAITING) spent.delete(spent.keys().next().value as string)
}

/** Works the ordinals of a column out; undefined where there are too many keys, or keys that are not plain numbers. */
export function makeOrdinals(column: NumericDocValues, maxDoc: number, rounding: Rounding): ValueOrdinals | undefined {
  const { values, present, offsets } = column
  const hash = new BucketHash()
  const arrivals = new Uint16Array(values.length)
  const takes = offsets !== undefined || present === undefined ? undefined : present
  const size = offsets === undefined ? maxDoc : values.length
  let lastValue = Number.NaN
  let last = 0
  for (let i = 0; i < size; i++) {
    if (takes !== undefined && ((takes[i >>> 5] as number) & (1 << (i & 31))) === 0) continue
    const value = values[i] as number
    if (value !== lastValue) {
      const key = rounding.round(value)
      if (!Number.isFinite(key) || Object.is(key, -0)) return undefined
      last = hash.add(0, key)
      if (hash.size > MAX_KEYS) return undefined
      lastValue = value
    } else if (Object.is(value, -0)) return undefined
    arrivals[i] = last
  }
  const keys = hash.keys.slice(0, hash.size).sort()
  const ranks = new Uint16Array(hash.size)
  for (let rank = 0; rank < keys.length; rank++) ranks[hash.find(0, keys[rank] as number)] = rank
  const ordinals = keys.length <= 256 ? new Uint8Array(values.length) : arrivals
  for (let i = 0; i < values.length; i++) ordinals[i] = ranks[arrivals[i] as number] as number
  const ownPresent = present?.slice()
  if (offsets !== undefined) return withoutRepeats(ordinals, offsets, ownPresent, keys, maxDoc)
  const docCounts = new Int32Array(keys.length)
  for (let doc = 0; doc < maxDoc; doc++) {
    if (present !== undefined && ((present[doc >>> 5] as number) & (1 << (doc & 31))) === 0) continue
    docCounts[ordinals[doc] as number]!++
  }
  return { values: ordinals, present: ownPresent, offsets: undefined, keys, docCounts }
}

/** Values of one document that share a key count once. */
function withoutRepeats(
  ordinals: Uint8Array | Uint16Array,
  offsets: Uint32Array,
  present: Uint32Array | undefined,
  keys: Float64Array,
  maxDoc: number,
): ValueOrdinals {
  const kept = new Uint32Array(maxDoc + 1)
  const docCounts = new Int32Array(keys.length)
  let size = 0
  for (let doc = 0; doc < maxDoc; doc++) {
    kept[doc] = size
    const to = offsets[doc + 1] as number
    for (let at = offsets[doc] as number; at < to; at++) {
      const ordinal = ordinals[at] as number
      if (size > (kept[doc] as number) && ordinals[size - 1] === ordinal) continue
      ordinals[size++] = ordinal
      docCounts[ordinal]!++
    }
  }
  kept[maxDoc] = size
  return { values: ordinals.slice(0, size), present, offsets: kept, keys, docCounts }
}

function nameOf(column: NumericDocValues, { name }: Rounding): string {
  let id = columnIds.get(column)
  if (id === undefined) {
    id = ++lastColumnId
    columnIds.set(column, id)
  }
  return `${id} ${name}`
}

function sizeOf({ values, present, offsets, keys, docCounts }: ValueOrdinals): number {
  return (
    values.byteLength +
    (present?.byteLength ?? 0) +
    (offsets?.byteLength ?? 0) +
    keys.byteLength +
    docCounts.byteLength +
    256
  )
}
