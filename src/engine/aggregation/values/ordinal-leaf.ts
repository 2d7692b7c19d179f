import { hasBit } from '../../search/lucene/bit-set.ts'
import type { BucketHash } from '../bucket-hash.ts'
import type { DocBatch, DocBatchBuffer } from '../doc-batch.ts'

/** Ordinals by document: of terms, or of the keys that numbers are rounded to. */
export interface OrdinalColumn {
  /** At a document's number, or between its {@link offsets}. */
  readonly values: Uint8Array | Uint16Array | Uint32Array
  /** Bit d is set when document d has a value; undefined when all have. */
  readonly present: Uint32Array | undefined
  /** Where ordinals of several a document can be: ascending and different within each. */
  readonly offsets: Uint32Array | undefined
}

/** A field's ordinals in one segment and how they become global ones. */
export interface OrdinalLeaf {
  readonly column: OrdinalColumn | undefined
  /** Undefined: segment ordinals are global ones. */
  readonly map: Int32Array | undefined
  /** Ordinal of documents without a value; -1: they have none. */
  readonly missing: number
}

/** Counts documents by global ordinal: nothing but array reads. */
export function countOrdinals(batch: DocBatch, { column, map, missing }: OrdinalLeaf, counts: Int32Array): void {
  const { docs, count } = batch
  if (column === undefined) {
    if (missing >= 0) counts[missing]! += count
    return
  }
  const { values, present, offsets } = column
  if (offsets !== undefined) {
    countMany(docs, count, offsets, values, map, missing, counts)
    return
  }
  if (present === undefined) {
    if (map === undefined) for (let i = 0; i < count; i++) counts[values[docs[i] as number] as number]!++
    else for (let i = 0; i < count; i++) counts[map[values[docs[i] as number] as number] as number]!++
    return
  }
  for (let i = 0; i < count; i++) {
    const doc = docs[i] as number
    if (!hasBit(present, doc)) {
      if (missing >= 0) counts[missing]!++
      continue
    }
    const ordinal = values[doc] as number
    counts[map === undefined ? ordinal : (map[ordinal] as number)]!++
  }
}

/** Adds a segment's counts by its own ordinals to those by global ordinals. */
export function addCounts(own: Int32Array, map: Int32Array | undefined, counts: Int32Array): void {
  for (let ordinal = 0; ordinal < own.length; ordinal++)
    counts[map === undefined ? ordinal : (map[ordinal] as number)]! += own[ordinal] as number
}

function countMany(
  docs: Int32Array,
  count: number,
  offsets: Uint32Array,
  values: OrdinalColumn['values'],
  map: Int32Array | undefined,
  missing: number,
  counts: Int32Array,
): void {
  // The usual case apart: what does not change is not asked of every value.
  if (map !== undefined && missing < 0) {
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      const to = offsets[doc + 1] as number
      for (let at = offsets[doc] as number; at < to; at++) counts[map[values[at] as number] as number]!++
    }
    return
  }
  for (let i = 0; i < count; i++) {
    const doc = docs[i] as number
    const to = offsets[doc + 1] as number
    let at = offsets[doc] as number
    if (at === to && missing >= 0) counts[missing]!++
    for (; at < to; at++) {
      const ordinal = values[at] as number
      counts[map === undefined ? ordinal : (map[ordinal] as number)]!++
    }
  }
}

/**
 * Puts a batch's documents into buckets of (bucket around, global ordinal), numbered as they come.
 *
 * @param accepted  1 by global ordinal for those that get buckets; undefined: all do
 */
export function spreadOrdinals(
  batch: DocBatch,
  { column, map, missing }: OrdinalLeaf,
  pairs: BucketHash,
  accepted: Uint8Array | undefined,
  out: DocBatchBuffer,
): void {
  const { docs, buckets, scores, count } = batch
  if (column !== undefined && accepted === undefined && scores === undefined) {
    if (column.offsets === undefined) spreadSingles(batch, column, map, missing, pairs, out)
    else spreadMany(batch, column.offsets, column.values, map, missing, pairs, out)
    return
  }
  const offsets = column?.offsets
  const present = column?.present
  for (let i = 0; i < count; i++) {
    const doc = docs[i] as number
    const parent = buckets[i] as number
    const score = scores === undefined ? 0 : (scores[i] as number)
    let from = 0
    let to = 0
    if (offsets !== undefined) {
      from = offsets[doc] as number
      to = offsets[doc + 1] as number
    } else if (column !== undefined && (present === undefined || hasBit(present, doc))) {
      from = doc
      to = doc + 1
    }
    if (from >= to) {
      if (missing >= 0 && (accepted === undefined || accepted[missing] === 1))
        out.push(doc, pairs.add(parent, missing), score)
      continue
    }
    for (let at = from; at < to; at++) {
      const own = (column as OrdinalColumn).values[at] as number
      const ordinal = map === undefined ? own : (map[own] as number)
      if (accepted === undefined || accepted[ordinal] === 1) out.push(doc, pairs.add(parent, ordinal), score)
    }
  }
}

/** The usual case, one ordinal a document, without a call for each. */
function spreadSingles(
  { docs, buckets, count }: DocBatch,
  { values, present }: OrdinalColumn,
  map: Int32Array | undefined,
  missing: number,
  pairs: BucketHash,
  out: DocBatchBuffer,
): void {
  out.reserve(out.count + count)
  const outDocs = out.docs
  const outBuckets = out.buckets
  let size = out.count
  for (let i = 0; i < count; i++) {
    const doc = docs[i] as number
    let ordinal: number
    if (present === undefined || hasBit(present, doc)) {
      const own = values[doc] as number
      ordinal = map === undefined ? own : (map[own] as number)
    } else if (missing >= 0) ordinal = missing
    else continue
    outDocs[size] = doc
    outBuckets[size++] = pairs.add(buckets[i] as number, ordinal)
  }
  out.count = size
}

/** The same where documents have several ordinals. */
function spreadMany(
  { docs, buckets, count }: DocBatch,
  offsets: Uint32Array,
  values: OrdinalColumn['values'],
  map: Int32Array | undefined,
  missing: number,
  pairs: BucketHash,
  out: DocBatchBuffer,
): void {
  let size = out.count
  for (let i = 0; i < count; i++) {
    const doc = docs[i] as number
    size += Math.max(1, (offsets[doc + 1] as number) - (offsets[doc] as number))
  }
  out.reserve(size)
  const outDocs = out.docs
  const outBuckets = out.buckets
  size = out.count
  for (let i = 0; i < count; i++) {
    const doc = docs[i] as number
    const parent = buckets[i] as number
    const to = offsets[doc + 1] as number
    let at = offsets[doc] as number
    if (at === to && missing >= 0) {
      outDocs[size] = doc
      outBuckets[size++] = pairs.add(parent, missing)
    }
    for (; at < to; at++) {
      const own = values[at] as number
      outDocs[size] = doc
      outBuckets[size++] = pairs.add(parent, map === undefined ? own : (map[own] as number))
    }
  }
  out.count = size
}
