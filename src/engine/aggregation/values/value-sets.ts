import { KeptArrays } from '../../search/lucene/kept-arrays.ts'
import type { DocBatch } from '../doc-batch.ts'
import type { OrdinalColumn } from './ordinal-leaf.ts'

/** Documents to a list at least, on the average: what is saved by the document is spent by the list. */
const MIN_DOCS = 8
/** Lists are numbered in 16 bits. */
const MAX_SETS = 2 ** 16

/**
 * The different lists of ordinals that documents of a column have, numbered: documents are counted by their list, which
 * is one read and no loop, and the lists by their ordinals once that is done. (Genres of a million films: 1,600 lists.)
 */
export class ValueSets {
  readonly size: number
  /** Number of the list, by document. */
  readonly #byDoc: Uint16Array
  /** The lists one after the other, and where each begins. */
  readonly #members: OrdinalColumn['values']
  readonly #starts: Uint32Array

  private constructor(byDoc: Uint16Array, members: OrdinalColumn['values'], starts: Uint32Array) {
    this.size = starts.length - 1
    this.#byDoc = byDoc
    this.#members = members
    this.#starts = starts
  }

  /** Undefined where documents have too many different ones. */
  static of(values: OrdinalColumn['values'], offsets: Uint32Array): ValueSets | undefined {
    const maxDoc = offsets.length - 1
    const limit = Math.min(MAX_SETS, Math.floor(maxDoc / MIN_DOCS))
    const byDoc = new Uint16Array(maxDoc)
    /** A document of each list. */
    const first: number[] = []
    const hashes = new Map<number, number[]>()
    for (let doc = 0; doc < maxDoc; doc++) {
      const from = offsets[doc] as number
      const to = offsets[doc + 1] as number
      let hash = to - from
      for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + (values[at] as number)) | 0
      let alike = hashes.get(hash)
      if (alike === undefined) {
        alike = []
        hashes.set(hash, alike)
      }
      let set = alike.find((other) => isSame(values, offsets, first[other] as number, doc))
      if (set === undefined) {
        if (first.length === limit) return undefined
        set = first.push(doc) - 1
        alike.push(set)
      }
      byDoc[doc] = set
    }
    const lists = first.map((doc) => values.subarray(offsets[doc], offsets[doc + 1]))
    const starts = new Uint32Array(lists.length + 1)
    lists.forEach((list, set) => {
      starts[set + 1] = (starts[set] as number) + list.length
    })
    const members = values.slice(0, starts[lists.length])
    lists.forEach((list, set) => {
      members.set(list, starts[set])
    })
    return new ValueSets(byDoc, members, starts)
  }

  get sizeBytes(): number {
    return this.#byDoc.byteLength + this.#members.byteLength + this.#starts.byteLength
  }

  /** Counts documents by the number of their list. */
  count({ docs, count }: DocBatch, counts: Int32Array): void {
    const byDoc = this.#byDoc
    for (let i = 0; i < count; i++) counts[byDoc[docs[i] as number] as number]!++
  }

  /**
   * Adds what was counted by list to counts by global ordinal.
   *
   * @param map      global ordinals by the segment's own; undefined: the same
   * @param missing  ordinal of documents without a value; -1: they have none
   */
  spread(bySet: Int32Array, map: Int32Array | undefined, missing: number, counts: Int32Array): void {
    const members = this.#members
    for (let set = 0; set < this.size; set++) {
      const count = bySet[set] as number
      if (count === 0) continue
      let at = this.#starts[set] as number
      const to = this.#starts[set + 1] as number
      if (at === to && missing >= 0) counts[missing]! += count
      for (; at < to; at++) {
        const ordinal = members[at] as number
        counts[map === undefined ? ordinal : (map[ordinal] as number)]! += count
      }
    }
  }
}

interface KeptSets {
  /** Undefined: there are too many. */
  readonly sets: ValueSets | undefined
  readonly sizeBytes: number
}

const kept = new WeakMap<Uint32Array, KeptArrays<KeptSets>>()

/** A column's lists; undefined where documents have one value, too many different lists, or are counted for the first time. */
export function valueSets({ values, offsets }: OrdinalColumn): ValueSets | undefined {
  if (offsets === undefined) return undefined
  let known = kept.get(offsets)
  if (known === undefined) {
    known = new KeptArrays()
    kept.set(offsets, known)
  }
  if (known.value === undefined && known.isAskedAgain()) {
    const sets = ValueSets.of(values, offsets)
    known.set({ sets, sizeBytes: sets?.sizeBytes ?? 0 })
  }
  return known.value?.sets
}

function isSame(values: OrdinalColumn['values'], offsets: Uint32Array, a: number, b: number): boolean {
  const from = offsets[a] as number
  const length = (offsets[a + 1] as number) - from
  const other = offsets[b] as number
  if ((offsets[b + 1] as number) - other !== length) return false
  for (let i = 0; i < length; i++) if (values[from + i] !== values[other + i]) return false
  return true
}
