import { ServiceError } from '../../errors.ts'
import { BLOCK_SIZE } from '../index/postings-format.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { NO_MORE_DOCS, type SegmentReader } from '../index/segment-reader.ts'
import type { FieldMapping } from '../mapping/field-mapping.ts'
import { parseAddress } from '../mapping/ip-address.ts'
import type { CollectionStatistics } from './lucene/collection-statistics.ts'
import { similarityNamed } from './lucene/similarity.ts'
import type { SimilarityWeight } from './lucene/term-similarity.ts'
import type { EngineVersion } from '../engine-version.ts'
import { type Matches, NO_MATCHES } from './matches.ts'

/** Statistics of a field over a whole index; undefined when nothing has it. */
export function collectionStatistics(searcher: IndexSearcher, path: string): CollectionStatistics | undefined {
  let docCount = 0
  let sumTotalTermFreq = 0
  let sumDocFreq = 0
  for (const segment of searcher.segments) {
    const field = segment.field(path)
    if (field === undefined) continue
    docCount += field.docCount
    sumDocFreq += field.sumDocFreq
    sumTotalTermFreq = field.sumTotalTermFreq < 0 ? -1 : sumTotalTermFreq + field.sumTotalTermFreq
  }
  return docCount === 0 ? undefined : { field: path, maxDoc: searcher.maxDoc, docCount, sumTotalTermFreq, sumDocFreq }
}

/** Occurrences of a term over a whole index. */
export function termStatistics(searcher: IndexSearcher, path: string, term: Uint8Array): { readonly docFreq: number; readonly totalTermFreq: number } {
  let docFreq = 0
  let totalTermFreq = 0
  for (const segment of searcher.segments) {
    const terms = segment.field(path)?.terms
    const ordinal = terms?.find(term) ?? -1
    if (terms === undefined || ordinal < 0) continue
    docFreq += terms.docFreq(ordinal)
    totalTermFreq += terms.totalTermFreq(ordinal)
  }
  return { docFreq, totalTermFreq }
}

/** The weight of terms of a field, or undefined when the index has none of them. */
export function weightOf(
  searcher: IndexSearcher,
  field: FieldMapping,
  terms: readonly { readonly term: string; readonly docFreq: number; readonly totalTermFreq: number }[],
  boost: number,
  version: EngineVersion,
): SimilarityWeight | undefined {
  const statistics = collectionStatistics(searcher, field.path)
  if (statistics === undefined || terms.every((t) => t.docFreq === 0)) return undefined
  const similarity = field.kind === 'text' || field.kind === 'keyword' ? field.similarity : 'BM25'
  return similarityNamed(similarity, version).weigh(boost, statistics, terms)
}

/** Documents of a segment that hold a term, scored. */
export function termMatches(segment: SegmentReader, path: string, term: Uint8Array, weight: SimilarityWeight | undefined, constant: number): Matches {
  const field = segment.field(path)
  const terms = field?.terms
  const ordinal = terms?.find(term) ?? -1
  if (field === undefined || terms === undefined || ordinal < 0) return NO_MATCHES
  const cursor = terms.postings(ordinal)
  const docs = new Int32Array(cursor.cost)
  const scores = weight === undefined ? undefined : new Float32Array(cursor.cost)
  let n = 0
  for (let size = cursor.nextBlock(); size > 0; size = cursor.nextBlock()) {
    docs.set(size === BLOCK_SIZE ? cursor.blockDocs : cursor.blockDocs.subarray(0, size), n)
    if (scores !== undefined) weight?.scoreBlock(cursor, 0, size, field.norms, scores, n)
    n += size
  }
  return { docs, scores, constant }
}

/** Documents that hold any of a run of a segment's terms, unscored. */
export function ordinalMatches(segment: SegmentReader, path: string, ordinals: Iterable<number>, constant: number): Matches {
  const terms = segment.field(path)?.terms
  if (terms === undefined) return NO_MATCHES
  const bits = new Uint32Array((segment.maxDoc + 31) >>> 5)
  let any = false
  for (const ordinal of ordinals) {
    any = true
    const cursor = terms.postings(ordinal)
    for (let size = cursor.nextBlock(); size > 0; size = cursor.nextBlock()) {
      for (let i = 0; i < size; i++) {
        const doc = cursor.blockDocs[i] as number
        bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31))
      }
    }
  }
  return any ? bitMatches(bits, segment.maxDoc, constant) : NO_MATCHES
}

/** Matches from a bit set. */
export function bitMatches(bits: Uint32Array, maxDoc: number, constant: number): Matches {
  let count = 0
  const docs = new Int32Array(maxDoc)
  for (let doc = 0; doc < maxDoc; doc++) if (((bits[doc >>> 5] as number) & (1 << (doc & 31))) !== 0) docs[count++] = doc
  return { docs: docs.subarray(0, count), scores: undefined, constant }
}

/** Documents in which the terms stand one behind the other (up to `slop` moves), scored by how often. */
export function phraseMatches(
  segment: SegmentReader,
  path: string,
  phrase: readonly { readonly terms: readonly Uint8Array[]; readonly position: number }[],
  slop: number,
  weight: SimilarityWeight,
): Matches {
  const field = segment.field(path)
  const dictionary = field?.terms
  if (field === undefined || dictionary === undefined) return NO_MATCHES
  if (!dictionary.hasPositions) {
    throw new ServiceError('illegal_state_exception', `field "${path}" was indexed without position data; cannot run PhraseQuery`)
  }
  const slots = phrase.map(({ terms, position }) => ({
    position,
    cursors: terms
      .map((t) => dictionary.find(t))
      .filter((o) => o >= 0)
      .map((o) => dictionary.postings(o)),
  }))
  if (slots.some((s) => s.cursors.length === 0)) return NO_MATCHES
  const docs: number[] = []
  const scores: number[] = []
  const seek = (cursors: (typeof slots)[number]['cursors'], target: number): number => {
    let next = NO_MORE_DOCS
    for (const cursor of cursors) {
      const doc = cursor.doc < target ? cursor.advance(target) : cursor.doc
      if (doc < next) next = doc
    }
    return next
  }
  const order = [...slots].sort((a, b) => costOf(a.cursors) - costOf(b.cursors))
  for (let target = 0; ; ) {
    let doc = seek((order[0] as (typeof slots)[number]).cursors, target)
    if (doc === NO_MORE_DOCS) break
    let agreed = true
    for (let i = 1; i < order.length; i++) {
      const other = seek((order[i] as (typeof slots)[number]).cursors, doc)
      if (other !== doc) {
        doc = other
        agreed = false
        break
      }
    }
    if (doc === NO_MORE_DOCS) break
    target = doc
    if (!agreed) continue
    const positions = slots.map((slot) => slotPositions(slot, doc))
    const freq = slop === 0 ? exactOccurrences(positions) : sloppyFrequency(positions, slop)
    if (freq > 0) {
      docs.push(doc)
      scores.push(weight.score(freq, field.norms === undefined ? -1 : (field.norms[doc] as number)))
    }
    target = doc + 1
  }
  return { docs: Int32Array.from(docs), scores: Float32Array.from(scores), constant: 0 }
}

const costOf = (cursors: readonly { readonly cost: number }[]): number => cursors.reduce((sum, c) => sum + c.cost, 0)

/** Places of a slot's terms in a document, each less the slot's own place in the phrase; ascending. */
function slotPositions(slot: { readonly position: number; readonly cursors: readonly { readonly doc: number; readonly freq: number; positions(): Int32Array }[] }, doc: number): number[] {
  const out: number[] = []
  for (const cursor of slot.cursors) {
    if (cursor.doc !== doc) continue
    const { freq } = cursor
    const positions = cursor.positions()
    for (let i = 0; i < freq; i++) out.push((positions[i] as number) - slot.position)
  }
  if (slot.cursors.length > 1) out.sort((a, b) => a - b)
  return out
}

/** Places common to all. */
function exactOccurrences(positions: readonly (readonly number[])[]): number {
  const [first, ...rest] = positions
  let count = 0
  const at = rest.map(() => 0)
  for (const place of first as readonly number[]) {
    let all = true
    for (let i = 0; i < rest.length && all; i++) {
      const list = rest[i] as readonly number[]
      let k = at[i] as number
      while (k < list.length && (list[k] as number) < place) k++
      at[i] = k
      all = list[k] === place
    }
    if (all) count++
  }
  return count
}

/** Lucene's sloppy frequency: each window of places no wider than `slop` counts 1 / (1 + width). */
function sloppyFrequency(positions: readonly (readonly number[])[], slop: number): number {
  const at = positions.map(() => 0)
  let freq = 0
  const place = (i: number) => (positions[i] as readonly number[])[at[i] as number] as number
  let end = Math.max(...positions.map((_, i) => place(i)))
  for (;;) {
    let lowest = 0
    for (let i = 1; i < at.length; i++) if (place(i) < place(lowest)) lowest = i
    let start = place(lowest)
    let width = end - start
    let next = Number.POSITIVE_INFINITY
    for (let i = 0; i < at.length; i++) if (i !== lowest) next = Math.min(next, place(i))
    // Moves the lowest on while that only makes the window smaller.
    let exhausted = false
    for (;;) {
      at[lowest] = (at[lowest] as number) + 1
      if ((at[lowest] as number) >= (positions[lowest] as readonly number[]).length) {
        exhausted = true
        break
      }
      if (place(lowest) > next) break
      start = place(lowest)
      width = Math.min(width, end - start)
    }
    if (width <= slop) freq = Math.fround(freq + Math.fround(1 / (1 + width)))
    if (exhausted) return freq
    end = Math.max(end, place(lowest))
  }
}

/** A term's bytes as the field's dictionary holds it. @throws {ServiceError} for an address that is none */
export function termBytes(field: FieldMapping, text: string): Uint8Array {
  return field.kind === 'ip' ? parseAddress(text) : Buffer.from(text)
}
