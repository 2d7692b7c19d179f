import type { DocValues } from '../index/segment-reader.ts'
import { emptyBits, hasBit, setBit } from '../search/lucene/bit-set.ts'
import type { StringColumn } from './string-column.ts'

/** The values of some documents of a segment, in whatever order the documents come. */
class Rows<V> {
  readonly #seen: Uint32Array
  readonly #counts: Int32Array
  readonly docs: number[] = []
  readonly values: V[] = []

  constructor(maxDoc: number) {
    this.#seen = emptyBits(maxDoc)
    this.#counts = new Int32Array(maxDoc)
  }

  has(doc: number): boolean {
    return hasBit(this.#seen, doc)
  }

  add(doc: number, values: readonly V[]): void {
    setBit(this.#seen, doc)
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
  readonly #rows: Rows<number | bigint>

  constructor(maxDoc: number) {
    this.#rows = new Rows(maxDoc)
  }

  /** Whether a document's values are known already. */
  has(doc: number): boolean {
    return this.#rows.has(doc)
  }

  /** @param values  in any order; bigints only for whole numbers */
  add(doc: number, values: readonly (number | bigint)[]): void {
    this.#rows.add(doc, values.length < 2 ? values : [...values].sort(ascending))
  }

  column(): DocValues {
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
  readonly #rows: Rows<string>
  readonly #keepsDuplicates: boolean

  /** @param keepsDuplicates  for counting values: equal ones of a document count each */
  constructor(maxDoc: number, keepsDuplicates: boolean) {
    this.#rows = new Rows(maxDoc)
    this.#keepsDuplicates = keepsDuplicates
  }

  has(doc: number): boolean {
    return this.#rows.has(doc)
  }

  add(doc: number, values: readonly string[]): void {
    this.#rows.add(doc, values.length < 2 || this.#keepsDuplicates ? values : [...new Set(values)])
  }

  column(): StringColumn {
    const { present, offsets, order } = this.#rows.layOut()
    const { values } = this.#rows
    const terms = [...new Set(values)]
      .map((text) => ({ text, bytes: Buffer.from(text) }))
      .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
    const ordinals = new Map(terms.map(({ text }, ordinal) => [text, ordinal]))
    const column = new Uint32Array(order.length)
    for (let i = 0; i < order.length; i++) column[i] = ordinals.get(values[order[i] as number] as string) as number
    for (let doc = 0; doc + 1 < offsets.length; doc++) {
      if ((offsets[doc + 1] as number) - (offsets[doc] as number) > 1) {
        column.subarray(offsets[doc] as number, offsets[doc + 1] as number).sort()
      }
    }
    return {
      values: column,
      present,
      offsets,
      terms: {
        size: terms.length,
        term: (ordinal) => terms[ordinal]!.bytes,
        termText: (ordinal) => terms[ordinal]!.text,
      },
      dictionary: undefined,
    }
  }
}
