import { NO_MORE_DOCS } from '../../index/segment-reader.ts'
import { type BitSet, countBits, emptyBits, hasBit, nextBit, setBit } from './bit-set.ts'
import type { DocIterator } from './scorer.ts'

/**
 * Documents of one segment, deleted ones included: as bits, as an ascending list, or all of them.
 * Immutable; shared through the filter cache.
 */
export type DocSet =
  | { readonly kind: 'bits'; readonly bits: BitSet; readonly count: number }
  | { readonly kind: 'list'; readonly docs: Int32Array; readonly count: number }
  | { readonly kind: 'all'; readonly count: number }

/** No documents. */
export const NO_DOCS: DocSet = { kind: 'list', docs: new Int32Array(0), count: 0 }

/** The set of a bit set. */
export function bitsDocSet(bits: BitSet): DocSet {
  return { kind: 'bits', bits, count: countBits(bits) }
}

/** The set of an ascending list. */
export function listDocSet(docs: Int32Array): DocSet {
  return { kind: 'list', docs, count: docs.length }
}

/** Whether a document is in a set. */
export function docSetHas(set: DocSet, doc: number): boolean {
  switch (set.kind) {
    case 'all':
      return doc < set.count
    case 'bits':
      return hasBit(set.bits, doc)
    case 'list': {
      const { docs } = set
      let low = 0
      let high = docs.length
      while (low < high) {
        const middle = (low + high) >>> 1
        if ((docs[middle] as number) < doc) low = middle + 1
        else high = middle
      }
      return docs[low] === doc
    }
  }
}

/** The same documents as bits (the set's own where it has them: do not change). */
export function docSetBits(set: DocSet, maxDoc: number): BitSet {
  if (set.kind === 'bits') return set.bits
  const bits = emptyBits(maxDoc)
  if (set.kind === 'list') for (const doc of set.docs) setBit(bits, doc)
  else for (let doc = 0; doc < set.count; doc++) setBit(bits, doc)
  return bits
}

/** Bytes a set takes. */
export function docSetBytes(set: DocSet): number {
  return set.kind === 'bits' ? set.bits.byteLength : set.kind === 'list' ? set.docs.byteLength : 0
}

/** A cursor over a set. */
export function docSetIterator(set: DocSet): DocIterator {
  switch (set.kind) {
    case 'all':
      return new AllIterator(set.count)
    case 'bits':
      return new BitsIterator(set.bits, set.count)
    case 'list':
      return new ListIterator(set.docs)
  }
}

class AllIterator implements DocIterator {
  doc = -1
  readonly cost: number
  constructor(maxDoc: number) {
    this.cost = maxDoc
  }
  nextDoc(): number {
    return this.advance(this.doc + 1)
  }
  advance(target: number): number {
    this.doc = target < this.cost ? target : NO_MORE_DOCS
    return this.doc
  }
}

class BitsIterator implements DocIterator {
  doc = -1
  readonly cost: number
  readonly bits: BitSet
  constructor(bits: BitSet, count: number) {
    this.bits = bits
    this.cost = count
  }
  nextDoc(): number {
    return this.advance(this.doc + 1)
  }
  advance(target: number): number {
    const next = nextBit(this.bits, target)
    this.doc = next < 0 ? NO_MORE_DOCS : next
    return this.doc
  }
}

class ListIterator implements DocIterator {
  doc = -1
  readonly cost: number
  readonly #docs: Int32Array
  #at = -1
  constructor(docs: Int32Array) {
    this.#docs = docs
    this.cost = docs.length
  }
  nextDoc(): number {
    this.#at++
    this.doc = this.#at < this.cost ? (this.#docs[this.#at] as number) : NO_MORE_DOCS
    return this.doc
  }
  advance(target: number): number {
    const docs = this.#docs
    // Doubling steps, then binary search: targets are usually near.
    let low = this.#at + 1
    let step = 1
    while (low + step < docs.length && (docs[low + step] as number) < target) {
      low += step
      step <<= 1
    }
    let high = Math.min(low + step + 1, docs.length)
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((docs[middle] as number) < target) low = middle + 1
      else high = middle
    }
    this.#at = low
    this.doc = low < docs.length ? (docs[low] as number) : NO_MORE_DOCS
    return this.doc
  }
}

/** Documents of a bit set, ascending. */
export function docsOfBits(bits: BitSet, maxDoc: number): Int32Array {
  const docs = new Int32Array(countBits(bits))
  let n = 0
  for (let doc = nextBit(bits, 0); doc >= 0 && doc < maxDoc; doc = nextBit(bits, doc + 1)) docs[n++] = doc
  return docs.subarray(0, n)
}
