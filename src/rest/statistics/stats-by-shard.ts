import { durationText } from '../../engine/duration-text.ts'
import type { SegmentStats } from '../../engine/engine.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { shardCount } from '../../engine/metadata/shard-routing.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { JavaDouble, type Json } from '../json/json-writer.ts'
import { divided } from './divided.ts'
import type { StatsSections } from './index-stats-json.ts'
import { isStillOpen } from './is-still-open.ts'
import { segmentsByShard } from './segments-by-shard.ts'

/** What is told of one shard of an index. */
export interface ShardStats {
  readonly stats: StatsSections
  readonly segments: readonly SegmentStats[]
  readonly seqNo: {
    readonly max_seq_no: number
    readonly local_checkpoint: number
    readonly global_checkpoint: number
  }
}

/** What every shard of an index does alike; of the rest each has a part as large as its part of the documents. */
const ALIKE: ReadonlySet<string> = new Set(['search', 'refresh', 'flush', 'request_cache', 'query_cache', 'warmer'])

/**
 * Statistics of an index by shard. An index is stored whole here: documents and segments are those that would be in the shard,
 * what is counted for the whole index alone is divided, so that the shards' numbers sum up to the index'.
 */
export async function statsByShard(
  index: IndexMetadata,
  stats: StatsSections,
  context: RestContext,
): Promise<readonly ShardStats[]> {
  if (!isStillOpen(index, context.engine))
    return Array.from({ length: shardCount(index) }, () => ({ stats, segments: [], seqNo: NO_NUMBERS }))
  const { maxSeqNo, localCheckpoint } = context.engine.stats(index.name)
  const seqNo = { max_seq_no: maxSeqNo, local_checkpoint: localCheckpoint, global_checkpoint: localCheckpoint }
  const byShard = await segmentsByShard(index, context)
  // Operations are numbered across the index.
  if (byShard.length === 1) return [{ stats, segments: byShard[0] as readonly SegmentStats[], seqNo }]
  const docs = byShard.map((segments) => segments.reduce((sum, s) => sum + s.numDocs + s.deletedDocs, 0))
  const evenly = docs.map(() => 1)
  const sections = byShard.map((): Record<string, { readonly [name: string]: Json }> => ({}))
  for (const [section, values] of Object.entries(stats)) {
    for (const [shard, part] of dividedValues(values, ALIKE.has(section) ? evenly : docs).entries())
      (sections[shard] as Record<string, Json>)[section] = part
  }
  return byShard.map((segments, shard) => ({
    stats: withSegments(sections[shard] as StatsSections, segments),
    segments,
    seqNo: segments.length === 0 ? NO_NUMBERS : seqNo,
  }))
}

const NO_NUMBERS = { max_seq_no: -1, local_checkpoint: -1, global_checkpoint: -1 }

/** Puts in place of divided numbers those that are known. */
function withSegments(stats: StatsSections, segments: readonly SegmentStats[]): StatsSections {
  const sum = (of: (segment: SegmentStats) => number): number => segments.reduce((all, s) => all + of(s), 0)
  const out: { [section: string]: { readonly [name: string]: Json } } = { ...stats }
  if (out['docs'] !== undefined)
    out['docs'] = { ...out['docs'], count: sum((s) => s.numDocs), deleted: sum((s) => s.deletedDocs) }
  if (out['store'] !== undefined) out['store'] = { ...out['store'], size_in_bytes: sum((s) => s.sizeBytes) }
  if (out['segments'] !== undefined) out['segments'] = { ...out['segments'], count: segments.length }
  const get = out['get']
  if (get?.['getTime'] !== undefined) out['get'] = { ...get, getTime: durationText(Number(get['time_in_millis'])) }
  return out
}

type Values = { readonly [name: string]: Json }

function dividedValues(values: Values, weights: readonly number[]): Values[] {
  const parts = weights.map((): { [name: string]: Json } => ({}))
  for (const [name, value] of Object.entries(values)) {
    const of = dividedValue(value, weights)
    for (const [shard, part] of parts.entries()) part[name] = of[shard] as Json
  }
  return parts
}

function dividedValue(value: Json, weights: readonly number[]): readonly Json[] {
  // What is less than zero is no number of anything.
  if (typeof value === 'number' && value > 0) return divided(value, weights)
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof JavaDouble))
    return dividedValues(value as Values, weights)
  return weights.map(() => value)
}
