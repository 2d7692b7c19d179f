import { Breather } from '../../breather.ts'
import type { SegmentStats } from '../../engine/engine.ts'
import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import type { SegmentReader } from '../../engine/index/segment-reader.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { shardCount, shardOf } from '../../engine/metadata/shard-routing.ts'
import { documentShard, noticedShards, UNNOTICED } from '../../engine/search/document-shard.ts'
import { hasBit } from '../../engine/search/lucene/bit-set.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { divided } from './divided.ts'
import { isStillOpen } from './is-still-open.ts'

/** So many documents are read of an index at most (some tenths of a second); of a larger one every second, or third, and so on. */
const MOST_READ = 100_000

/** Documents between two looks at the clock. */
const BETWEEN_TURNS = 1_000

/**
 * The segments that an index' shards would have on the real server, by shard: an index is stored whole here, so each of its
 * segments is told in every shard that some of its documents lead to. Sizes are divided by documents. Living documents are
 * counted by their routing, which is read once a document and lets other requests be served meanwhile; of deleted ones it is
 * gone where nobody asked before, and they are taken to be where the others are, as are those of a large index that are not read.
 */
export async function segmentsByShard(
  index: IndexMetadata,
  { engine }: RestContext,
): Promise<readonly (readonly SegmentStats[])[]> {
  const shards = shardCount(index)
  if (!isStillOpen(index, engine)) return Array.from({ length: shards }, () => [])
  const { segments } = engine.stats(index.name)
  if (shards === 1) return [segments]
  const searcher = engine.searcher(index.name)
  const shardOfRouting = (routing: string): number => shardOf(index, engine.version, routing)
  try {
    const every = Math.ceil(searcher.maxDoc / MOST_READ)
    const byShard: SegmentStats[][] = Array.from({ length: shards }, () => [])
    for (const [i, segment] of segments.entries()) {
      const counted = new Array<number>(shards).fill(0)
      const counts = { live: counted, deleted: [...counted] }
      await countByShard(counts, searcher, searcher.segments[i] as SegmentReader, { every, shardOfRouting })
      for (const [shard, part] of partsOf(segment, counts).entries()) if (part !== undefined) byShard[shard]?.push(part)
    }
    return byShard
  } finally {
    searcher.release()
  }
}

interface ShardCounts {
  readonly live: number[]
  /** Deleted documents whose shard is known. */
  readonly deleted: number[]
}

/** @param options.every  one of so many documents is counted */
async function countByShard(
  { live, deleted }: ShardCounts,
  searcher: IndexSearcher,
  segment: SegmentReader,
  { every, shardOfRouting }: { readonly every: number; readonly shardOfRouting: (routing: string) => number },
): Promise<void> {
  const { liveDocs, maxDoc } = segment
  const breather = new Breather()
  let untilTurn = BETWEEN_TURNS
  for (let doc = 0; doc < maxDoc; doc += every) {
    const isLive = liveDocs === undefined || hasBit(liveDocs, doc)
    const shard = isLive
      ? documentShard(searcher, segment, doc, shardOfRouting)
      : (noticedShards(segment)?.[doc] ?? UNNOTICED)
    if (shard !== UNNOTICED) (isLive ? live : deleted)[shard]! += 1
    if (--untilTurn > 0) continue
    untilTurn = BETWEEN_TURNS
    const others = breather.turn()
    if (others !== undefined) await others
    // Its records are gone, and nobody asks any more.
    if (searcher.isGone) return
  }
}

/** What each shard has of a segment; undefined: nothing. */
function partsOf(segment: SegmentStats, counts: ShardCounts): (SegmentStats | undefined)[] {
  const live = filledUp(counts.live, segment.numDocs)
  const deleted = filledUp(counts.deleted, segment.deletedDocs, live)
  const docs = live.map((count, shard) => count + (deleted[shard] as number))
  const sizes = divided(segment.sizeBytes, docs)
  const memory = divided(segment.memoryBytes, docs)
  return docs.map((count, shard) =>
    count === 0
      ? undefined
      : {
          name: segment.name,
          generation: segment.generation,
          numDocs: live[shard] as number,
          deletedDocs: deleted[shard] as number,
          sizeBytes: sizes[shard] as number,
          memoryBytes: memory[shard] as number,
          committed: segment.committed,
        },
  )
}

/** Numbers with as much added as they lack of a total, divided as others are. */
function filledUp(counts: readonly number[], total: number, like = counts): number[] {
  const lacking = total - counts.reduce((sum, count) => sum + count, 0)
  const added = divided(lacking, like)
  return counts.map((count, i) => count + (added[i] as number))
}
