import { NO_MORE_DOCS } from '../../index/segment-reader.ts'
import { runsScript } from '../script/script-mark.ts'
import { emptyBits, setBit } from './bit-set.ts'
import { bitsDocSet, type DocSet, docSetBytes, listDocSet } from './doc-set.ts'
import { type Leaf, segmentKey } from './leaf.ts'
import type { Weight } from './weight.ts'

/* Matches of filters by segment, least recently used out first. Sets hold deleted documents too, so deletes do not make
 * them stale; a set's segment is known by an object that lives as long as the segment's data, so a merge does. */

/** Bytes that all kept sets may take. */
const MAX_BYTES = 64 * 1024 * 1024
/** Segments below this size are quicker searched than looked up. */
const MIN_DOCS = 4096
/** A set is kept when its filter was asked for this often among the last {@link HISTORY} filters. */
const MIN_USES = 2
const HISTORY = 8192

const sets = new Map<string, DocSet>()
let bytes = 0
const uses = new Map<string, number>()
const segmentIds = new WeakMap<object, number>()
let lastSegmentId = 0

/**
 * The matches of a filter in a segment where they are to be had as a set: kept ones, or those of a weight that makes a
 * set anyway; undefined: run the filter.
 */
export function cachedDocSet(key: string, weight: Weight, leaf: Leaf): DocSet | undefined {
  const own = weight.docSet(leaf)
  if (own !== undefined) return own
  if (leaf.segment.maxDoc < MIN_DOCS || runsScript(key)) return undefined
  const name = nameOf(key, leaf)
  const kept = used(name)
  if (kept !== undefined) return kept
  if (countUse(name) < MIN_USES) return undefined
  return keep(name, collect(weight, leaf))
}

/** A set made by `make`, or the one kept from before. Kept when it is asked for again. */
export function keptDocSet(key: string, leaf: Leaf, make: () => DocSet): DocSet {
  if (leaf.segment.maxDoc < MIN_DOCS || runsScript(key)) return make()
  const name = nameOf(key, leaf)
  const kept = used(name)
  if (kept !== undefined) return kept
  const set = make()
  return countUse(name) < MIN_USES ? set : keep(name, set)
}

/** The set kept of a filter, if one is; does not count as a use of the filter. */
export function usedDocSet(key: string, leaf: Leaf): DocSet | undefined {
  return leaf.segment.maxDoc < MIN_DOCS ? undefined : used(nameOf(key, leaf))
}

function nameOf(key: string, leaf: Leaf): string {
  const owner = segmentKey(leaf.segment)
  let id = segmentIds.get(owner)
  if (id === undefined) {
    id = ++lastSegmentId
    segmentIds.set(owner, id)
  }
  return `${id} ${key}`
}

function used(name: string): DocSet | undefined {
  const kept = sets.get(name)
  if (kept !== undefined) {
    // Last in, last out: a Map keeps the order of insertion.
    sets.delete(name)
    sets.set(name, kept)
  }
  return kept
}

function keep(name: string, made: DocSet): DocSet {
  const set = withoutSegment(made)
  sets.set(name, set)
  bytes += cost(name, set)
  for (const [oldest, old] of sets) {
    if (bytes <= MAX_BYTES) break
    sets.delete(oldest)
    bytes -= cost(oldest, old)
  }
  return set
}

/** A set that is no view of its segment's memory: that would keep all of it when the segment is gone. */
function withoutSegment(set: DocSet): DocSet {
  if (set.kind !== 'bits' || !(set.bits.buffer instanceof SharedArrayBuffer)) return set
  return { kind: 'bits', bits: set.bits.slice(), count: set.count }
}

function countUse(name: string): number {
  const count = (uses.get(name) ?? 0) + 1
  uses.delete(name)
  uses.set(name, count)
  if (uses.size > HISTORY) uses.delete(uses.keys().next().value as string)
  return count
}

const cost = (name: string, set: DocSet): number => docSetBytes(set) + name.length * 2 + 128

/**
 * Runs a filter over a whole segment, deleted documents included.
 *
 * @param accept  documents that count; undefined: all
 */
export function collect(weight: Weight, leaf: Leaf, accept?: Uint32Array): DocSet {
  const { maxDoc } = leaf.segment
  const bulk = weight.bulkScorer(leaf)
  if (bulk === undefined) return listDocSet(new Int32Array(0))
  const limit = maxDoc >>> 5
  let list = new Int32Array(Math.min(limit, 1024))
  let count = 0
  let bits: Uint32Array | undefined
  bulk.score((docs, _scores, size) => {
    if (bits === undefined && count + size > limit) {
      bits = emptyBits(maxDoc)
      for (let i = 0; i < count; i++) setBit(bits, list[i] as number)
    }
    if (bits !== undefined) for (let i = 0; i < size; i++) setBit(bits, docs[i] as number)
    else {
      if (count + size > list.length) {
        const larger = new Int32Array(Math.max(list.length * 2, count + size))
        larger.set(list.subarray(0, count))
        list = larger
      }
      list.set(docs.subarray(0, size), count)
    }
    count += size
    return true
  }, accept)
  return bits === undefined ? listDocSet(list.slice(0, count)) : bitsDocSet(bits)
}

/** Whether a scorer finds a document. */
export function matchesDoc(weight: Weight, leaf: Leaf, doc: number): boolean {
  const scorer = weight.scorer(leaf)
  return scorer !== undefined && doc < NO_MORE_DOCS && scorer.advance(doc) === doc
}
