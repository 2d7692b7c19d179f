import { GrowableBytes, GrowableFloat64Array, GrowableInt32Array } from './growable-array.ts'
import type { ColumnDirectory, FieldDirectory } from './segment-directory.ts'
import type { SectionArray, SegmentFileWriter } from './segment-file.ts'

/** The numbers of a field with their documents, ascending, as plain arrays that another thread can take over. */
export interface NumbersDraft {
  readonly docs: Int32Array<ArrayBuffer>
  readonly values: Float64Array<ArrayBuffer> | BigInt64Array<ArrayBuffer> | BigUint64Array<ArrayBuffer>
}

/** Collects one number a call, documents ascending; several calls a document make it multi-valued. */
export class NumericColumnWriter {
  readonly #docs = new GrowableInt32Array()
  readonly #numbers = new GrowableFloat64Array()
  /** All values once one is a bigint. */
  #bigints: bigint[] | undefined

  add(doc: number, value: number | bigint): void {
    this.#docs.push(doc)
    if (this.#bigints !== undefined) this.#bigints.push(BigInt(value))
    else if (typeof value === 'number') this.#numbers.push(value)
    else this.#bigints = [...Array.from(this.#numbers.view(), BigInt), value]
  }

  get size(): number {
    return this.#docs.length
  }

  draft(): NumbersDraft {
    const values = this.#bigints === undefined ? this.#numbers.view() : longArray(this.#bigints)
    return { docs: this.#docs.view(), values }
  }

  /** {@link layOutNumbers} of what was added. */
  writeColumn(file: SegmentFileWriter, maxDoc: number): ColumnDirectory {
    return layOutNumbers(this.draft(), file, maxDoc)
  }
}

/** Unsigned where some are beyond 2^63. */
export function longArray(values: readonly bigint[]): BigInt64Array<ArrayBuffer> | BigUint64Array<ArrayBuffer> {
  return values.some((value) => value >= 2n ** 63n) ? BigUint64Array.from(values) : BigInt64Array.from(values)
}

/** Lays out a column: values of a document ascending, unsigned ones beyond 2^63 first, as Lucene keeps them. */
export function layOutNumbers(
  { docs, values }: NumbersDraft,
  file: SegmentFileWriter,
  maxDoc: number,
): ColumnDirectory {
  const layout = columnLayout(docs, maxDoc)
  const sorted = values.slice()
  if (layout.offsets !== undefined) sortWithin(sorted, layout.offsets)
  const placed = layout.offsets === undefined ? placeByDoc(sorted, docs, maxDoc) : sorted
  return {
    kind: placed instanceof Float64Array ? 'numeric' : 'bigint',
    values: file.add(placed instanceof Float64Array ? narrow(placed) : placed),
    ...writeLayout(file, layout),
  }
}

/** Lays out (value, document) pairs sorted by value, then document. */
export function layOutPoints(
  { docs, values }: NumbersDraft,
  file: SegmentFileWriter,
): NonNullable<FieldDirectory['points']> {
  const order = orderByValue(values)
  // Not by `from`, which takes ten times as long.
  const sortedDocs = new Int32Array(order.length)
  for (let i = 0; i < order.length; i++) sortedDocs[i] = docs[order[i] as number] as number
  if (!(values instanceof Float64Array))
    return layOutSortedPoints({ docs: sortedDocs, values: values.slice().sort() }, file)
  const sortedValues = new Float64Array(order.length)
  for (let i = 0; i < order.length; i++) sortedValues[i] = values[order[i] as number] as number
  return layOutSortedPoints({ docs: sortedDocs, values: sortedValues }, file)
}

/** {@link layOutPoints} of what is in order. */
export function layOutSortedPoints(
  { docs, values }: NumbersDraft,
  file: SegmentFileWriter,
): NonNullable<FieldDirectory['points']> {
  return {
    docs: file.add(narrowUnsigned(new Uint32Array(docs))),
    values: file.add(values instanceof Float64Array ? narrow(values) : values),
  }
}

/** How many documents a draft has values for. */
export const documentsOf = ({ docs }: { readonly docs: Int32Array }): number => countDistinct(docs)

/** Collects term ordinals, documents ascending, any order within a document; duplicates are dropped. */
export class OrdinalColumnWriter {
  readonly #docs = new GrowableInt32Array()
  readonly #ordinals = new GrowableInt32Array()

  add(doc: number, ordinal: number): void {
    this.#docs.push(doc)
    this.#ordinals.push(ordinal)
  }

  writeColumn(file: SegmentFileWriter, maxDoc: number): ColumnDirectory {
    const docs = this.#docs.view()
    const ordinals = this.#ordinals.view()
    // Sorted and unique within each document, compacted in place.
    let kept = 0
    for (let from = 0; from < docs.length; ) {
      let to = from + 1
      while (to < docs.length && docs[to] === docs[from]) to++
      // A view takes longer to make than all else does for one value.
      if (to - from > 1) ordinals.subarray(from, to).sort()
      const first = kept
      for (let i = from; i < to; i++) {
        const ordinal = ordinals[i] as number
        if (kept > first && ordinals[kept - 1] === ordinal) continue
        docs[kept] = docs[i] as number
        ordinals[kept++] = ordinal
      }
      from = to
    }
    const keptDocs = docs.subarray(0, kept)
    const layout = columnLayout(keptDocs, maxDoc)
    const values = new Uint32Array(ordinals.subarray(0, kept))
    const placed = layout.offsets === undefined ? placeByDoc(values, keptDocs, maxDoc) : values
    return { kind: 'ordinal', values: file.add(narrowUnsigned(placed)), ...writeLayout(file, layout) }
  }
}

/** Byte strings of a field with their documents, as plain arrays that another thread can take over. */
export interface BinaryDraft {
  readonly docs: Int32Array<ArrayBuffer>
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Where each value ends. */
  readonly ends: Int32Array<ArrayBuffer>
}

/** Collects byte strings, documents ascending. */
export class BinaryColumnWriter {
  readonly #docs = new GrowableInt32Array()
  readonly #bytes = new GrowableBytes()
  readonly #ends = new GrowableInt32Array()

  add(doc: number, value: Uint8Array): void {
    this.#docs.push(doc)
    this.#bytes.append(value)
    this.#ends.push(this.#bytes.length)
  }

  draft(): BinaryDraft {
    return { docs: this.#docs.view(), bytes: this.#bytes.view(), ends: this.#ends.view() }
  }

  writeColumn(file: SegmentFileWriter, maxDoc: number): ColumnDirectory {
    return layOutBinary(this.draft(), file, maxDoc)
  }
}

/** Lays out a column of byte strings, those of a document in the order they came. */
export function layOutBinary(
  { docs, bytes, ends }: BinaryDraft,
  file: SegmentFileWriter,
  maxDoc: number,
): ColumnDirectory {
  // Always with offsets: a value's index is its place in the list.
  const layout = columnLayout(docs, maxDoc, true)
  const valueOffsets = new Uint32Array(ends.length + 1)
  valueOffsets.set(ends, 1)
  return { kind: 'binary', values: file.add(bytes), valueOffsets: file.add(valueOffsets), ...writeLayout(file, layout) }
}

interface ColumnLayout {
  readonly present: Uint32Array | undefined
  readonly offsets: Uint32Array | undefined
}

function columnLayout(docs: Int32Array, maxDoc: number, alwaysOffsets = false): ColumnLayout {
  const present = new Uint32Array((maxDoc + 31) >>> 5)
  let distinct = 0
  let previous = -1
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i] as number
    if (doc === previous) continue
    distinct++
    previous = doc
    present[doc >>> 5] = (present[doc >>> 5] as number) | (1 << (doc & 31))
  }
  let offsets: Uint32Array | undefined
  if (alwaysOffsets || distinct !== docs.length) {
    offsets = new Uint32Array(maxDoc + 1)
    for (let i = 0; i < docs.length; i++) offsets[(docs[i] as number) + 1]!++
    for (let doc = 0; doc < maxDoc; doc++) offsets[doc + 1] = (offsets[doc + 1] as number) + (offsets[doc] as number)
  }
  return { present: distinct === maxDoc ? undefined : present, offsets }
}

function writeLayout(file: SegmentFileWriter, layout: ColumnLayout): Pick<ColumnDirectory, 'present' | 'offsets'> {
  return {
    ...(layout.present === undefined ? {} : { present: file.add(layout.present) }),
    ...(layout.offsets === undefined ? {} : { offsets: file.add(layout.offsets) }),
  }
}

function placeByDoc<A extends Float64Array | BigInt64Array | BigUint64Array | Uint32Array>(
  values: A,
  docs: Int32Array,
  maxDoc: number,
): A {
  if (values.length === maxDoc) return values
  const placed = new (values.constructor as new (length: number) => A)(maxDoc)
  for (let i = 0; i < docs.length; i++) placed[docs[i] as number] = values[i] as never
  return placed
}

function sortWithin(values: NumbersDraft['values'], offsets: Uint32Array): void {
  const signed =
    values instanceof BigUint64Array ? new BigInt64Array(values.buffer, values.byteOffset, values.length) : values
  for (let doc = 0; doc + 1 < offsets.length; doc++) {
    const from = offsets[doc] as number
    const to = offsets[doc + 1] as number
    if (to - from > 1) signed.subarray(from, to).sort()
  }
}

/**
 * Places of the values in ascending order; equal values keep their order. The native sort does the work, of rank and place
 * in one number.
 */
function orderByValue(values: NumbersDraft['values']): Uint32Array {
  const n = values.length
  const keys = new Float64Array(n)
  // A power of two, so that dividing by it is exact.
  const places = 2 ** Math.ceil(Math.log2(Math.max(n, 1)))
  const rank = smallRanks(values, Number.MAX_SAFE_INTEGER / places) ?? sortedRanks(values)
  for (let i = 0; i < n; i++) keys[i] = rank(values[i] as number) * places + i
  keys.sort()
  const order = new Uint32Array(n)
  for (let i = 0; i < n; i++) {
    const key = keys[i] as number
    order[i] = key - Math.floor(key / places) * places
  }
  return order
}

/** Of whole numbers that are not too far apart, how far each is from the least; undefined for others. */
function smallRanks(values: NumbersDraft['values'], most: number): ((value: number) => number) | undefined {
  if (!(values instanceof Float64Array)) return undefined
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (!Number.isInteger(value) || Object.is(value, -0)) return undefined
    if (value < min) min = value
    if (value > max) max = value
  }
  return max - min < most ? (value) => value - min : undefined
}

/** The first place of a value among all in order. */
function sortedRanks(values: NumbersDraft['values']): (value: number) => number {
  const sorted = values.slice().sort()
  // -0.0 stands before 0.0, which a comparison does not see.
  const minusZeros = countMinusZeros(values)
  return (value) => {
    let low = 0
    let high = sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sorted[middle] as number) < value) low = middle + 1
      else high = middle
    }
    return minusZeros > 0 && Object.is(value, 0) ? low + minusZeros : low
  }
}

function countMinusZeros(values: NumbersDraft['values']): number {
  let count = 0
  if (values instanceof Float64Array) for (let i = 0; i < values.length; i++) if (Object.is(values[i], -0)) count++
  return count
}

/** The smallest typed array that holds the values exactly. */
function narrow(values: Float64Array): SectionArray {
  let min = 0
  let max = 0
  let integers = true
  let floats = true
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    if (value < min) min = value
    if (value > max) max = value
    if (integers && (!Number.isInteger(value) || Object.is(value, -0))) integers = false
    if (floats && Math.fround(value) !== value && !Number.isNaN(value)) floats = false
  }
  if (integers) {
    if (min >= 0 && max <= 0xff) return new Uint8Array(values)
    if (min >= -0x80 && max <= 0x7f) return new Int8Array(values)
    if (min >= 0 && max <= 0xffff) return new Uint16Array(values)
    if (min >= -0x8000 && max <= 0x7fff) return new Int16Array(values)
    if (min >= -0x80000000 && max <= 0x7fffffff) return new Int32Array(values)
    if (min >= 0 && max <= 0xffffffff) return new Uint32Array(values)
  }
  return floats ? new Float32Array(values) : values
}

function narrowUnsigned(values: Uint32Array): Uint8Array | Uint16Array | Uint32Array {
  let max = 0
  for (let i = 0; i < values.length; i++) if ((values[i] as number) > max) max = values[i] as number
  return max <= 0xff ? new Uint8Array(values) : max <= 0xffff ? new Uint16Array(values) : values
}

function countDistinct(docs: Int32Array): number {
  let count = 0
  for (let i = 0; i < docs.length; i++) if (i === 0 || docs[i] !== docs[i - 1]) count++
  return count
}
