import type { SegmentStats } from '../../engine/engine.ts'
import { STRICT_EXPAND_OPEN_FORBID_CLOSED } from '../../engine/metadata/indices-options.ts'
import { catTable, column } from '../cat/cat-table.ts'
import { Bytes } from '../cat/cat-value.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { expandIndices } from '../indices/index-names.ts'
import { nodeHost } from '../node-identity.ts'
import type { EndpointRequest } from '../rest-request.ts'

/** A segment in a table. */
export interface SegmentRow {
  readonly index: string
  readonly ip: string
  readonly nodeId: string
  readonly segment: SegmentStats
  readonly version: string
}

/** What is told of a segment. */
export const SEGMENT_COLUMNS = [
  column<SegmentRow>('index:i,idx', 'name of the index', (r) => r.index),
  column<SegmentRow>('shard:s,sh', 'number of the shard', () => 0),
  column<SegmentRow>('prirep:p,pr,primaryOrReplica', 'p for a primary, r for a copy', () => 'p'),
  column<SegmentRow>('ip', 'address of its node', (r) => r.ip),
  column<SegmentRow>('-id', 'id of its node', (r) => r.nodeId),
  column<SegmentRow>('segment:seg', 'name of the segment', (r) => r.segment.name),
  column<SegmentRow>('>generation:g,gen', 'number of the segment', (r) => r.segment.generation),
  column<SegmentRow>('>docs.count:dc,docsCount', 'documents', (r) => r.segment.numDocs),
  column<SegmentRow>('>docs.deleted:dd,docsDeleted', 'deleted documents', (r) => r.segment.deletedDocs),
  column<SegmentRow>('>size:si', 'size on disk', (r) => new Bytes(r.segment.sizeBytes)),
  column<SegmentRow>('>size.memory:sm,sizeMemory', 'memory in use, bytes', (r) => r.segment.memoryBytes),
  column<SegmentRow>('committed:ic,isCommitted', 'whether its file is on disk', (r) => r.segment.committed),
  column<SegmentRow>('searchable:is,isSearchable', 'whether searches see it', () => true),
  column<SegmentRow>('version:v,ver', 'version it was written by', (r) => r.version),
  column<SegmentRow>('compound:ico,isCompound', 'whether it is one file', () => true),
]

/** The segments of an index. */
export const segmentRows = (name: string, { dialect }: EndpointRequest, context: RestContext): SegmentRow[] =>
  context.engine.stats(name).segments.map((segment) => ({
    index: name,
    ip: nodeHost(context),
    nodeId: context.engine.nodeId,
    segment,
    version: dialect.luceneVersion,
  }))

/** `GET /_cat/segments[/<index>]`. */
export const catSegments: EndpointHandler = (request, context) => {
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN_FORBID_CLOSED, '_cat')
  const rows = indices.flatMap(({ name }) => segmentRows(name, request, context))
  return catTable(request, SEGMENT_COLUMNS, rows)
}
