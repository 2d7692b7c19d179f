import { murmur32 } from '../algorithms/murmur.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import type { SegmentReader } from '../index/segment-reader.ts'
import { shardAmong } from '../metadata/shard-routing.ts'
import { documentShard } from './document-shard.ts'
import { type BitSet, emptyBits, fullBits, hasBit, intersection, nextBit, setBit } from './lucene/bit-set.ts'
import { bitsDocSet, docSetBits } from './lucene/doc-set.ts'
import { keptDocSet } from './lucene/filter-cache.ts'
import { type Leaf, segmentKey } from './lucene/leaf.ts'
import { idTerm } from './query-texts/id-text.ts'
import { columnHashes } from './slice-hashes.ts'

/** One of `max` parts of a search: every document is in exactly one. */
export interface Slice {
  readonly id: number
  readonly max: number
  /** What tells documents apart: `_id`, or a field of numbers, of which each value may lead to another slice. */
  readonly field: string
  /** The shards that are searched, by searcher, ascending; undefined: all of the index. */
  readonly shards?: readonly (readonly number[] | undefined)[]
}

/** Documents from a number on, up to another. */
export interface Stretch {
  readonly from: number
  /** Exclusive. */
  readonly to: number
}

/** The documents of a segment that are in a slice; of those given, undefined: of all. */
export type SliceOf = (leaf: Leaf, accept: BitSet | undefined) => BitSet

/**
 * The documents of a stretch of numbers that are in a slice.
 *
 * @param base    number of the index' first document
 * @param sliced  undefined: all are
 */
export function withinStretch({ from, to }: Stretch, base: number, sliced: SliceOf | undefined): SliceOf {
  return (leaf, accept) => {
    const first = base + leaf.docBase
    const bits = emptyBits(leaf.segment.maxDoc)
    const end = Math.min(to - first, leaf.segment.maxDoc)
    for (let doc = Math.max(from - first, 0); doc < end; doc++) setBit(bits, doc)
    const allowed = sliced === undefined ? accept : sliced(leaf, accept)
    return allowed === undefined ? bits : (intersection(bits, allowed) as BitSet)
  }
}

/**
 * A slice of an index as the real server cuts it: whole shards are handed out first, and a shard is cut up only where there are
 * more slices than shards.
 *
 * @param shards  those of the index that are searched; undefined: all
 * @source        SliceBuilder, TermsSliceQuery, DocValuesSliceQuery
 */
export function openSlice(
  slice: Slice,
  searcher: IndexSearcher,
  shards: readonly number[] | undefined,
  engineVersion: EngineVersion,
): SliceOf {
  const { id, max, field } = slice
  const all = searcher.limit('index.number_of_shards', 1)
  const count = shards?.length ?? all
  const key = `slice ${id}/${max} ${field} ${shards?.join() ?? ''}`
  if (count === 1) return filtered(key, (leaf) => inPart(leaf, { id, max }))
  const routingShards = searcher.limit('index.number_of_routing_shards', 0) || undefined
  const shardOf = (routing: string): number => shardAmong(all, routingShards, engineVersion, routing)
  const shardAt = ({ segment }: Leaf, doc: number): number => {
    const shard = documentShard(searcher, segment, doc, shardOf)
    return shards?.indexOf(shard) ?? shard
  }
  // Slices that a shard is cut into: those whose number leads to it.
  const parts = max < count ? 1 : Math.floor(max / count) + (max % count > id % count ? 1 : 0)
  return filtered(key, (leaf) => {
    const isIn = parts === 1 ? undefined : inPart(leaf, { id: Math.floor(id / count), max: parts })
    return (doc) => hasShard(slice, shardAt(leaf, doc), count) && isIn?.(doc) !== false
  })

  function inPart(leaf: Leaf, part: Part): (doc: number) => boolean {
    if (field !== '_id' && field !== '_uid') return inColumnPart(leaf, field, searcher, part)
    const hashOf = idHashes(leaf.segment, searcher)
    return (doc) => isInPart(hashOf(doc), part)
  }
}

/** Whether a slice has documents of a shard, by the shard's place among those searched. */
export function hasShard({ id, max }: Part, shard: number, count: number): boolean {
  return max < count ? shard % max === id : id % count === shard
}

interface Part {
  readonly id: number
  readonly max: number
}

/** Whether a hash leads to a part; of the hash' remainder as it is without its sign. */
const isInPart = (hash: number, { id, max }: Part): boolean => ((hash % max) + max) % max === id

/** Kept for the documents that live in a view: of others the records, which ids are read from, may be gone. */
function filtered(key: string, isInOf: (leaf: Leaf) => (doc: number) => boolean): SliceOf {
  return (leaf, accept) => {
    const { maxDoc } = leaf.segment
    const set = keptDocSet(`${key} ${accept === undefined ? '' : numberOf(accept)}`, leaf, () => {
      const isIn = isInOf(leaf)
      const among = accept ?? fullBits(maxDoc)
      const bits = emptyBits(maxDoc)
      for (let doc = nextBit(among, 0); doc >= 0; doc = nextBit(among, doc + 1)) if (isIn(doc)) setBit(bits, doc)
      return bitsDocSet(bits)
    })
    return docSetBits(set, maxDoc)
  }
}

const numbers = new WeakMap<BitSet, number>()
let lastNumber = 0

/** Tells sets of living documents apart: a view keeps its own. */
function numberOf(live: BitSet): number {
  const number = numbers.get(live) ?? ++lastNumber
  numbers.set(live, number)
  return number
}

/** Documents by a number of theirs; of a field of that very name, so that an alias has none. */
function inColumnPart(
  { segment }: Leaf,
  field: string,
  { mapping }: IndexSearcher,
  part: Part,
): (doc: number) => boolean {
  const isAny = columnHashes(segment, field, mapping.field(field))
  return (doc) => isAny(doc, (hash) => isInPart(hash, part))
}

/** What ids are hashed with. */
const SEED = 7919

interface KnownHashes {
  readonly hashes: Int32Array
  /** Documents whose hash is known. */
  readonly known: BitSet
}

const idHashesOf = new WeakMap<object, KnownHashes>()

/** Hashes of ids, read once a document: a record each. */
function idHashes(segment: SegmentReader, searcher: IndexSearcher): (doc: number) => number {
  const key = segmentKey(segment)
  let kept = idHashesOf.get(key)
  if (kept === undefined) {
    kept = { hashes: new Int32Array(segment.maxDoc), known: emptyBits(segment.maxDoc) }
    idHashesOf.set(key, kept)
  }
  const { hashes, known } = kept
  return (doc) => {
    if (!hasBit(known, doc)) {
      hashes[doc] = murmur32(idTerm(searcher.name(segment, doc).id), SEED)
      setBit(known, doc)
    }
    return hashes[doc] as number
  }
}
