import type { SegmentStats } from '../../engine/engine.ts'
import { STRICT_EXPAND_OPEN_FORBID_CLOSED } from '../../engine/metadata/indices-options.ts'
import { catTable, column } from '../cat/cat-table.ts'
import { Bytes } from '../cat/cat-value.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { expandIndices } from '../indices/index-names.ts'
import { nodeHost } from '../node-identity.ts'

interface Row {
  readonly index: string
  readonly ip: string
  readonly nodeId: string
  readonly segment: SegmentStats
  readonly version: string
}

const COLUMNS = [
  column<Row>('index:i,idx', 'name of the index', (r) => r.index),
  column<Row>('shard:s,sh', 'number of the shard', () => 0),
  column<Row>('prirep:p,pr,primaryOrReplica', 'p for a primary, r for a copy', () => 'p'),
  column<Row>('ip', 'address of its node', (r) => r.ip),
  column<Row>('-id', 'id of its node', (r) => r.nodeId),
  column<Row>('segment:seg', 'name of the segment', (r) => r.segment.name),
  column<Row>('>generation:g,gen', 'number of the segment', (r) => r.segment.generation),
  column<Row>('>docs.count:dc,docsCount', 'documents', (r) => r.segment.numDocs),
  column<Row>('>docs.deleted:dd,docsDeleted', 'deleted documents', (r) => r.segment.deletedDocs),
  column<Row>('>size:si', 'size on disk', (r) => new Bytes(r.segment.sizeBytes)),
  column<Row>('>size.memory:sm,sizeMemory', 'memory in use, bytes', (r) => r.segment.memoryBytes),
  column<Row>('committed:ic,isCommitted', 'whether its file is on disk', (r) => r.segment.committed),
  column<Row>('searchable:is,isSearchable', 'whether searches see it', () => true),
  column<Row>('version:v,ver', 'version it was written by', (r) => r.version),
  column<Row>('compound:ico,isCompound', 'whether it is one file', () => true),
]

/** `GET /_cat/segments[/<index>]`. */
export const catSegments: EndpointHandler = (request, context) => {
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN_FORBID_CLOSED, '_cat')
  const rows = indices.flatMap(({ name }) =>
    context.engine.stats(name).segments.map((segment) => ({
      index: name,
      ip: nodeHost(context),
      nodeId: context.engine.nodeId,
      segment,
      version: request.dialect.luceneVersion,
    })),
  )
  return catTable(request, COLUMNS, rows)
}
