import { LENIENT_EXPAND_OPEN } from '../../engine/metadata/indices-options.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import { catTable, column } from '../cat/cat-table.ts'
import { Bytes } from '../cat/cat-value.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { expandIndices } from '../indices/index-names.ts'
import { nodeHost, nodeName } from '../node-identity.ts'
import { fieldMemory } from '../statistics/field-memory.ts'

interface Row {
  readonly id: string
  readonly ip: string
  readonly name: string
  readonly field: string
  readonly bytes: number
}

const COLUMNS = [
  column<Row>('id', 'node id', (r) => r.id),
  column<Row>('host:h', 'host name', (r) => r.ip),
  column<Row>('ip', 'ip address', (r) => r.ip),
  column<Row>('node:n', 'node name', (r) => r.name),
  column<Row>('field:f', 'field name', (r) => r.field),
  column<Row>('>size:s', 'field data usage', (r) => new Bytes(r.bytes)),
]

/** `GET /_cat/fielddata[/<fields>]`: columns made in memory, field by field over all indices. */
export const catFielddata: EndpointHandler = (request, context) => {
  const patterns = (request.path['fields'] ?? request.parameters.text('fields'))?.split(',')
  const bytes = new Map<string, number>()
  for (const index of expandIndices(request, context, undefined, LENIENT_EXPAND_OPEN, '_cat')) {
    if (index.state !== 'open') continue
    for (const [path, size] of fieldMemory(index, context).fielddata) bytes.set(path, (bytes.get(path) ?? 0) + size)
  }
  const { nodeId } = context.engine
  const node = { id: nodeId, ip: nodeHost(context), name: nodeName(nodeId) }
  const rows = [...bytes]
    .filter(([path]) => patterns === undefined || patterns.some((pattern) => matchWildcard(pattern, path)))
    .map(([field, size]) => ({ ...node, field, bytes: size }))
  return catTable(request, COLUMNS, rows)
}
