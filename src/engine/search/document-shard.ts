import type { IndexSearcher } from '../index/index-searcher.ts'
import type { SegmentReader } from '../index/segment-reader.ts'
import { segmentKey } from './lucene/leaf.ts'

/** Of a document that nobody has asked about. */
export const UNNOTICED = -1

/** Shard by document of a segment, as far as it was asked for. */
const knownShards = new WeakMap<object, Int16Array>()

/** What {@link documentShard} has found out about a segment's documents so far, deleted ones too. */
export const noticedShards = (segment: SegmentReader): Int16Array | undefined => knownShards.get(segmentKey(segment))

/**
 * The shard in which the real server would keep a living document: an index is stored whole here, so it is worked out from
 * the document's routing when somebody asks, once a document.
 *
 * @param shardOf  shard of a routing value
 */
export function documentShard(
  searcher: IndexSearcher,
  segment: SegmentReader,
  doc: number,
  shardOf: (routing: string) => number,
): number {
  const key = segmentKey(segment)
  let known = knownShards.get(key)
  if (known === undefined) {
    known = new Int16Array(segment.maxDoc).fill(UNNOTICED)
    knownShards.set(key, known)
  }
  let shard = known[doc] as number
  if (shard === UNNOTICED) {
    const { id, routing } = searcher.name(segment, doc)
    shard = shardOf(routing ?? id)
    known[doc] = shard
  }
  return shard
}
