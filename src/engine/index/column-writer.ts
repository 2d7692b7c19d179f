import { GrowableBytes, GrowableInt32Array } from './growable-array.ts'
import type { ColumnDirectory, FieldDirectory } from './segment-directory.ts'
import type { SectionArray, SegmentFileWriter } from './segment-file.ts'

/** Collects one number a call, documents ascending; several calls a document make it multi-valued. */
export class NumericColumnWriter {
  readonly #docs = new GrowableInt32Array()
  readonly #values: (number | bigint)[] = []
  #hasBigInt = false

  add(doc: number, value: number | bigint): void {
    this.#docs.push(doc)
    this.#values.push(value)
    if (typeof value === 'bigint') this.#hasBigInt = true
  }

  get size(): number {
    return this.#values.length
  }

  /** Documents with at least one value. */
  docCount(): number {
    return countDistinct(this.#docs.view())
  }

  /** Lays out the column: values of a document ascending. */
  writeColumn(file: SegmentFileWriter, maxDoc: number): ColumnDirectory {
    const docs = this.#docs.view()
    const layout = columnLayout(docs, maxDoc)
    const values = this.#hasBigInt
      ? BigInt64Array.from(this.#values, (v) => BigInt(v))
      : Float64Array.from(this.#values as number[])
    if (layout.offsets !== undefined) sortWithin(values, layout.offsets)
    const placed = layout.offsets === undefined ? placeByDoc(values, docs, maxDoc) : values
    return {
      kind: this.#hasBigInt ? 'bigint' : 'numeric',
      values: file.add(placed instanceof BigInt64Array ? placed : narrow(placed)),
      ...writeLayout(file, layout),
    }
  }

  /** Lays out (value, document) pairs sorted by value, then document. */
  writePoints(file: SegmentFileWriter): NonNullable<FieldDirectory['points']> {
    const docs = this.#docs.view()
    // One kind of number: 5 and 5n are one value.
    const order = orderByValue(this.#hasBigInt ? this.#values.map((v) => BigInt(v)) : this.#values)
    const sortedDocs = new Uint32Array(order.length)
    const bigints = this.#hasBigInt ? new BigInt64Array(order.length) : undefined
    const numbers = this.#hasBigInt ? undefined : new Float64Array(order.length)
    for (let i = 0; i < order.length; i++) {
      const at = order[i] as number
      sortedDocs[i] = docs[at] as number
      if (bigints !== undefined) bigints[i] = BigInt(this.#values[at] as number | bigint)
      else (numbers as Float64Array)[i] = this.#values[at] as number
    }
    return { values: file.add(bigints ?? narrow(numbers as Float64Array)), docs: file.add(narrowUnsigned(sortedDocs)) }
  }
}

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
      const run = ordinals.subarray(from, to)
      if (run.length > 1) run.sort()
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
    const values = Uint32Array.from(ordinals.subarray(0, kept))
    const placed = layout.offsets === undefined ? placeByDoc(values, keptDocs, maxDoc) : values
    return { kind: 'ordinal', values: file.add(narrowUnsigned(placed)), ...writeLayout(file, layout) }
  }
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

  docCount(): number {
    return countDistinct(this.#docs.view())
  }

  writeColumn(file: SegmentFileWriter, maxDoc: number): ColumnDirectory {
    const docs = this.#docs.view()
    // Always with offsets: a value's index is its place in the list.
    const layout = columnLayout(docs, maxDoc, true)
    const valueOffsets = new Uint32Array(this.#ends.length + 1)
    valueOffsets.set(this.#ends.view(), 1)
    return {
      kind: 'binary',
      values: file.add(this.#bytes.view()),
      valueOffsets: file.add(valueOffsets),
      ...writeLayout(file, layout),
    }
  }
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

function placeByDoc<A extends Float64Array | BigInt64Array | Uint32Array>(
  values: A,
  docs: Int32Array,
  maxDoc: number,
): A {
  if (values.length === maxDoc) return values
  const placed = new (values.constructor as new (length: number) => A)(maxDoc)
  for (let i = 0; i < docs.length; i++) placed[docs[i] as number] = values[i] as never
  return placed
}

function sortWithin(values: Float64Array | BigInt64Array, offsets: Uint32Array): void {
  for (let doc = 0; doc + 1 < offsets.length; doc++) {
    const from = offsets[doc] as number
    const to = offsets[doc + 1] as number
    if (to - from > 1) values.subarray(from, to).sort()
  }
}

/** Places of the values in ascending order; equal values keep their order. Ranks first, so that a native sort does the work. */
function orderByValue(values: readonly (number | bigint)[]): Uint32Array {
  const n = values.length
  const distinct = [...new Set(values)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const rank = new Map<number | bigint, number>()
  for (let i = 0; i < distinct.length; i++) rank.set(distinct[i] as number, i)
  const keys = new Float64Array(n)
  for (let i = 0; i < n; i++) keys[i] = (rank.get(values[i] as number) as number) * n + i
  keys.sort()
  const order = new Uint32Array(n)
  for (let i = 0; i < n; i++) order[i] = (keys[i] as number) % n
  return order
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
    if (min >= 0 && max <= 0xff) return Uint8Array.from(values)
    if (min >= -0x80 && max <= 0x7f) return Int8Array.from(values)
    if (min >= 0 && max <= 0xffff) return Uint16Array.from(values)
    if (min >= -0x8000 && max <= 0x7fff) return Int16Array.from(values)
    if (min >= -0x80000000 && max <= 0x7fffffff) return Int32Array.from(values)
    if (min >= 0 && max <= 0xffffffff) return Uint32Array.from(values)
  }
  return floats ? Float32Array.from(values) : values
}

function narrowUnsigned(values: Uint32Array): Uint8Array | Uint16Array | Uint32Array {
  let max = 0
  for (let i = 0; i < values.length; i++) if ((values[i] as number) > max) max = values[i] as number
  return max <= 0xff ? Uint8Array.from(values) : max <= 0xffff ? Uint16Array.from(values) : values
}

function countDistinct(docs: Int32Array): number {
  let count = 0
  for (let i = 0; i < docs.length; i++) if (i === 0 || docs[i] !== docs[i - 1]) count++
  return count
}
