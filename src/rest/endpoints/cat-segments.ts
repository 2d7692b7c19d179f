import type { SegmentStats } from '../../engine/engine.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { STRICT_EXPAND_OPEN_FORBID_CLOSED } from '../../engine/metadata/indices-options.ts'
import { catTable, column } from '../cat/cat-table.ts'
import { Bytes } from '../cat/cat-value.ts'
import { checkResponseLimit } from '../cat/check-response-limit.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { expandIndices } from '../indices/index-names.ts'
import { nodeHost } from '../node-identity.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { segmentsByShard } from '../statistics/segments-by-shard.ts'
import { toldMemory } from '../statistics/told-memory.ts'

/** A segment in a table. */
export interface SegmentRow {
  readonly index: string
  readonly shard: number
  readonly ip: string
  readonly nodeId: string
  readonly segment: SegmentStats
  readonly memoryBytes: number
  readonly version: string
}

/** What is told of a segment. */
export const SEGMENT_COLUMNS = [
  column<SegmentRow>('index:i,idx', 'index name', (r) => r.index),
  column<SegmentRow>('shard:s,sh', 'shard name', (r) => r.shard),
  column<SegmentRow>('prirep:p,pr,primaryOrReplica', 'primary or replica', () => 'p'),
  column<SegmentRow>('ip', 'ip of node where it lives', (r) => r.ip),
  column<SegmentRow>('-id', 'unique id of node where it lives', (r) => r.nodeId),
  column<SegmentRow>('segment:seg', 'segment name', (r) => r.segment.name),
  column<SegmentRow>('>generation:g,gen', 'segment generation', (r) => r.segment.generation),
  column<SegmentRow>('>docs.count:dc,docsCount', 'number of docs in segment', (r) => r.segment.numDocs),
  column<SegmentRow>('>docs.deleted:dd,docsDeleted', 'number of deleted docs in segment', (r) => r.segment.deletedDocs),
  column<SegmentRow>('>size:si', 'segment size in bytes', (r) => new Bytes(r.segment.sizeBytes)),
  column<SegmentRow>('>size.memory:sm,sizeMemory', 'segment memory in bytes', (r) => r.memoryBytes),
  column<SegmentRow>('committed:ic,isCommitted', 'is segment committed', (r) => r.segment.committed),
  column<SegmentRow>('searchable:is,isSearchable', 'is segment searched', () => true),
  column<SegmentRow>('version:v,ver', 'version', (r) => r.version),
  column<SegmentRow>('compound:ico,isCompound', 'is segment compound', () => true),
]

/** The segments of indices, shard by shard. */
export async function segmentRows(
  indices: readonly IndexMetadata[],
  { dialect }: EndpointRequest,
  context: RestContext,
): Promise<SegmentRow[]> {
  const rows: SegmentRow[] = []
  const row = { ip: nodeHost(context), nodeId: context.engine.nodeId, version: dialect.luceneVersion }
  for (const index of indices) {
    for (const [shard, segments] of (await segmentsByShard(index, context)).entries())
      for (const segment of segments)
        rows.push({
          index: index.name,
          shard,
          segment,
          memoryBytes: toldMemory(segment.memoryBytes, context.engine.version),
          ...row,
        })
  }
  return rows
}

/** `GET /_cat/segments[/<index>]`. */
export const catSegments: EndpointHandler = async (request, context) => {
  if (request.parameters.boolean('help', false)) return catTable(request, SEGMENT_COLUMNS, [])
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN_FORBID_CLOSED, '_cat')
  checkResponseLimit('segments', indices.length, context)
  return catTable(request, SEGMENT_COLUMNS, await segmentRows(indices, request, context))
}
