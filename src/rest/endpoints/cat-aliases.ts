import type { AliasMetadata, IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import {
  type IndicesOptions,
  indicesOptionsFromQuery,
  STRICT_EXPAND_HIDDEN,
} from '../../engine/metadata/indices-options.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import { catTable, column } from '../cat/cat-table.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { judgeBlocks } from '../indices/index-blocks.ts'

interface Row {
  readonly alias: string
  readonly index: string
  readonly metadata: AliasMetadata
  readonly typed: boolean
}

const COLUMNS = [
  column<Row>('alias:a', 'alias name', (r) => r.alias),
  column<Row>('index:i,idx', 'index alias points to', (r) => r.index),
  column<Row>('filter:f,fi', 'filter', (r) => (r.metadata.filter === undefined ? '-' : '*')),
  column<Row>('routing.index:ri,routingIndex', 'index routing', (r) => r.metadata.indexRouting ?? '-'),
  column<Row>('routing.search:rs,routingSearch', 'search routing', (r) => r.metadata.searchRouting ?? '-'),
]

/** From 7.4 on the table also says which index is written to. */
const WITH_WRITE_INDEX = [
  ...COLUMNS,
  column<Row>('is_write_index:w,isWriteIndex', 'write index', (r) =>
    r.metadata.isWriteIndex === undefined ? '-' : String(r.metadata.isWriteIndex),
  ),
]

function isExpandedTo({ state, settings }: IndexMetadata, options: IndicesOptions): boolean {
  const isOfState = state === 'open' ? options.expandWildcardsOpen : options.expandWildcardsClosed
  return isOfState && (options.expandWildcardsHidden || settings['index.hidden'] !== 'true')
}

/** `GET /_cat/aliases[/<alias>]`. */
export const catAliases: EndpointHandler = (request, context) => {
  const columns = request.dialect.typed ? COLUMNS : WITH_WRITE_INDEX
  if (request.parameters.boolean('help', false)) return catTable(request, columns, [])
  const patterns = request.path['name']?.split(',') ?? ['*']
  const options = indicesOptionsFromQuery(request.parameters.values, STRICT_EXPAND_HIDDEN)
  const indices = [...context.engine.indices.values()].filter((index) => isExpandedTo(index, options))
  const rows = indices.flatMap((index) =>
    Object.entries(index.aliases)
      .filter(([alias]) => patterns.some((p) => p === '_all' || matchWildcard(p, alias)))
      .map(([alias, metadata]) => ({ alias, index: index.name, metadata, typed: request.dialect.typed })),
  )
  rows.sort((a, b) => (a.alias < b.alias ? -1 : a.alias > b.alias ? 1 : 0))
  judgeBlocks(request, [...context.engine.indices.values()], 'metadata_read', '_cat')
  request.authorize([...new Set(rows.map((row) => row.index))], '_cat')
  return catTable(request, columns, rows)
}
