import { type BitSet, emptyBits, setBit } from './bit-set.ts'
import { bitsDocSet, type DocSet, docSetBits, listDocSet } from './doc-set.ts'
import type { Leaf } from './leaf.ts'
import { PointRangeQuery } from './point-range-query.ts'
import { SetQuery } from './set-query.ts'

/** Documents with any of some numbers; all score alike. */
export class PointInSetQuery extends SetQuery {
  readonly #numbers: readonly PointRangeQuery[]

  constructor(field: string, numbers: readonly (number | bigint)[]) {
    super()
    this.#numbers = numbers.map((number) => new PointRangeQuery(field, number, number))
  }

  toString(): string {
    return this.#numbers.join(' ')
  }

  docSet(leaf: Leaf): DocSet | undefined {
    const sets = this.#numbers.flatMap((number) => number.docSet(leaf) ?? [])
    if (sets.length < 2) return sets[0]
    const { maxDoc } = leaf.segment
    const lists = sets.flatMap((set) => (set.kind === 'list' ? [set.docs] : []))
    const count = sets.reduce((sum, set) => sum + set.count, 0)
    if (lists.length === sets.length && count * 32 <= maxDoc) {
      const docs = new Int32Array(count)
      let n = 0
      for (const list of lists) {
        docs.set(list, n)
        n += list.length
      }
      return listDocSet(docs.sort().filter((doc, i) => i === 0 || doc !== docs[i - 1]))
    }
    const bits = emptyBits(maxDoc)
    for (const set of sets) {
      if (set.kind === 'list') for (const doc of set.docs) setBit(bits, doc)
      else addBits(bits, docSetBits(set, maxDoc))
    }
    return bitsDocSet(bits)
  }
}

function addBits(bits: BitSet, more: BitSet): void {
  for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] as number) | (more[i] as number)
}
