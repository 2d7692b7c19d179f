import type { IndexSearcher } from '../index/index-searcher.ts'
import type { SegmentReader } from '../index/segment-reader.ts'
import { segmentKey } from './lucene/leaf.ts'

/** Not asked for yet. */
const UNKNOWN = -1

/** Shard by document of a segment, as far as it was asked for. */
const knownShards = new WeakMap<object, Int16Array>()

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
    known = new Int16Array(segment.maxDoc).fill(UNKNOWN)
    knownShards.set(key, known)
  }
  let shard = known[doc] as number
  if (shard === UNKNOWN) {
    const { id, routing } = searcher.name(segment, doc)
    shard = shardOf(routing ?? id)
    known[doc] = shard
  }
  return shard
}
