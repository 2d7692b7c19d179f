import type { DocValues } from '../../index/segment-reader.ts'
import { numberOfLong } from '../../script/values/long-of.ts'
import { emptyBits, hasBit, nextBit, setBit } from '../../search/lucene/bit-set.ts'
import type { ScratchColumns } from './scratch-columns.ts'
import type { StringColumn } from './string-terms.ts'

/** The values of some documents of a segment, in whatever order the documents come. */
class Rows<V> {
  readonly #counts: Int32Array
  readonly docs: number[] = []
  readonly values: V[] = []

  constructor(maxDoc: number) {
    this.#counts = new Int32Array(maxDoc)
  }

  add(doc: number, values: readonly V[]): void {
    this.#counts[doc] = values.length
    this.docs.push(doc)
    for (const value of values) this.values.push(value)
  }

  /** Where values stand when the documents are in order, and which those are by place. */
  layOut(): { readonly present: Uint32Array; readonly offsets: Uint32Array; readonly order: Uint32Array } {
    const maxDoc = this.#counts.length
    const present = emptyBits(maxDoc)
    const offsets = new Uint32Array(maxDoc + 1)
    for (let doc = 0; doc < maxDoc; doc++) {
      const count = this.#counts[doc] as number
      if (count > 0) setBit(present, doc)
      offsets[doc + 1] = (offsets[doc] as number) + count
    }
    const order = new Uint32Array(this.values.length)
    let at = 0
    for (const doc of this.docs) {
      const first = offsets[doc] as number
      const count = this.#counts[doc] as number
      for (let i = 0; i < count; i++) order[first + i] = at++
    }
    return { present, offsets, order }
  }
}

/** Gathers numbers by document into a column. */
export class ComputedNumbers {
  readonly #maxDoc: number
  /** Documents that came. */
  readonly #seen: Uint32Array
  /** Those that have a number, and their numbers, while each has one at most that is exact in a double. */
  readonly #present: Uint32Array
  readonly #single: Float64Array<ArrayBuffer>
  #rows: Rows<number | bigint> | undefined

  constructor(maxDoc: number, scratch: ScratchColumns) {
    this.#maxDoc = maxDoc
    this.#seen = emptyBits(maxDoc)
    this.#present = emptyBits(maxDoc)
    this.#single = scratch.take(maxDoc)
  }

  /** Whether a document's values are known already. */
  has(doc: number): boolean {
    return hasBit(this.#seen, doc)
  }

  /** @param values  in any order; bigints only for whole numbers */
  add(doc: number, values: readonly (number | bigint)[]): void {
    setBit(this.#seen, doc)
    if (values.length === 1) this.addOne(doc, values[0] as number | bigint)
    else if (values.length > 0) this.#inRows().add(doc, [...values].sort(ascending))
  }

  /** The one value of a document. */
  addOne(doc: number, value: number | bigint): void {
    setBit(this.#seen, doc)
    const number = typeof value === 'bigint' ? numberOfLong(value) : value
    if (this.#rows !== undefined || (typeof value === 'bigint' && !Number.isSafeInteger(number))) {
      this.#inRows().add(doc, [value])
      return
    }
    setBit(this.#present, doc)
    this.#single[doc] = number
  }

  column(): DocValues {
    if (this.#rows === undefined) {
      return { kind: 'numeric', values: this.#single, present: this.#present, offsets: undefined }
    }
    const { present, offsets, order } = this.#rows.layOut()
    const { values } = this.#rows
    const isBig = values.some((value) => typeof value === 'bigint' && !Number.isSafeInteger(Number(value)))
    if (isBig) {
      const longs = new BigInt64Array(order.length)
      for (let i = 0; i < order.length; i++) longs[i] = BigInt(values[order[i] as number] as number | bigint)
      return { kind: 'bigint', values: longs, present, offsets }
    }
    const numbers = new Float64Array(order.length)
    for (let i = 0; i < order.length; i++) numbers[i] = Number(values[order[i] as number])
    return { kind: 'numeric', values: numbers, present, offsets }
  }

  /** All from here on, and what came before. */
  #inRows(): Rows<number | bigint> {
    this.#rows ??= rowsOf<number | bigint>(this.#maxDoc, this.#present, this.#single)
    return this.#rows
  }
}

/** What single values become once some document has several. */
function rowsOf<V>(maxDoc: number, present: Uint32Array, single: { readonly [doc: number]: V }): Rows<V> {
  const rows = new Rows<V>(maxDoc)
  for (let doc = nextBit(present, 0); doc >= 0; doc = nextBit(present, doc + 1)) rows.add(doc, [single[doc] as V])
  return rows
}

/** NaN comes last, as Java sorts. */
function ascending(a: number | bigint, b: number | bigint): number {
  if (a === b) return 0
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : 1
  if (Number.isNaN(b)) return -1
  return a < b ? -1 : 1
}

/** Gathers strings by document into a column of terms. */
export class ComputedStrings {
  readonly #maxDoc: number
  readonly #keepsDuplicates: boolean
  readonly #bytesOf: (text: string) => Uint8Array
  /** Strings by their number, in the order they came in. */
  readonly #numbers = new Map<string, number>()
  readonly #seen: Uint32Array
  /** Documents that have a string, and its number, while each has one at most. */
  readonly #present: Uint32Array
  readonly #single: Uint32Array
  #rows: Rows<number> | undefined

  /**
   * @param keepsDuplicates  for counting values: equal ones of a document count each
   * @param bytesOf          the term that a string is of: its own bytes
   */
  constructor(
    maxDoc: number,
    keepsDuplicates: boolean,
    scratch: ScratchColumns,
    bytesOf: (text: string) => Uint8Array = Buffer.from,
  ) {
    this.#maxDoc = maxDoc
    this.#keepsDuplicates = keepsDuplicates
    this.#bytesOf = bytesOf
    this.#seen = emptyBits(maxDoc)
    this.#present = emptyBits(maxDoc)
    this.#single = new Uint32Array(scratch.take((maxDoc + 1) >>> 1).buffer)
  }

  has(doc: number): boolean {
    return hasBit(this.#seen, doc)
  }

  add(doc: number, values: readonly string[]): void {
    setBit(this.#seen, doc)
    const kept = values.length < 2 || this.#keepsDuplicates ? values : [...new Set(values)]
    if (kept.length === 1) this.addOne(doc, kept[0] as string)
    if (kept.length < 2) return
    this.#inRows().add(
      doc,
      kept.map((value) => this.#numberOf(value)),
    )
  }

  /** The one value of a document. */
  addOne(doc: number, value: string): void {
    setBit(this.#seen, doc)
    const number = this.#numberOf(value)
    if (this.#rows !== undefined) {
      this.#rows.add(doc, [number])
      return
    }
    setBit(this.#present, doc)
    this.#single[doc] = number
  }

  column(): StringColumn {
    const terms = [...this.#numbers.keys()]
      .map((text, number) => ({ text, number, bytes: this.#bytesOf(text) }))
      .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    const ordinals = new Uint32Array(terms.length)
    terms.forEach(({ number }, ordinal) => {
      ordinals[number] = ordinal
    })
    return {
      ...this.#columnOf(ordinals),
      terms: {
        size: terms.length,
        term: (ordinal) => terms[ordinal]!.bytes,
        termText: (ordinal) => terms[ordinal]!.text,
      },
      dictionary: undefined,
    }
  }

  /** @param ordinals  by the strings' numbers */
  #columnOf(ordinals: Uint32Array): Pick<StringColumn, 'values' | 'present' | 'offsets'> {
    if (this.#rows === undefined) {
      const present = this.#present
      const values = this.#single
      for (let doc = nextBit(present, 0); doc >= 0; doc = nextBit(present, doc + 1)) {
        values[doc] = ordinals[values[doc] as number] as number
      }
      return { values, present, offsets: undefined }
    }
    const { present, offsets, order } = this.#rows.layOut()
    const numbers = this.#rows.values
    const values = new Uint32Array(order.length)
    for (let i = 0; i < order.length; i++) values[i] = ordinals[numbers[order[i] as number] as number] as number
    for (let doc = 0; doc + 1 < offsets.length; doc++) {
      if ((offsets[doc + 1] as number) - (offsets[doc] as number) > 1) {
        values.subarray(offsets[doc] as number, offsets[doc + 1] as number).sort()
      }
    }
    return { values, present, offsets }
  }

  #numberOf(value: string): number {
    let number = this.#numbers.get(value)
    if (number === undefined) {
      number = this.#numbers.size
      this.#numbers.set(value, number)
    }
    return number
  }

  /** All from here on, and what came before. */
  #inRows(): Rows<number> {
    this.#rows ??= rowsOf(this.#maxDoc, this.#present, this.#single)
    return this.#rows
  }
}
