import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { LENIENT_EXPAND_OPEN } from '../../engine/metadata/indices-options.ts'
import { shardCount } from '../../engine/metadata/shard-routing.ts'
import { catTable } from '../cat/cat-table.ts'
import { askedPage, pageToken, withNextToken } from '../cat/list-pages.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { expandIndices } from '../indices/index-names.ts'
import { replicaCount } from '../indices/shard-counts.ts'
import { indicesTable, shownIndices } from './cat-indices.ts'
import { checkShardRows, type ShardRow, shardColumns, shardRows } from './cat-shards.ts'

const TABLES = ['indices', 'indices/{index}', 'shards', 'shards/{index}']

/** `GET /_list`. */
export const listHelp: EndpointHandler = () => ({
  status: 200,
  text: `:‑|\n${TABLES.map((table) => `/_list/${table}\n`).join('')}`,
})

/** `GET /_list/indices[/<index>]`: as `_cat/indices`, page by page in the order in which they were made. */
export const listIndices: EndpointHandler = (request, context) => {
  if (request.parameters.boolean('help', false)) return indicesTable(request, context, [])
  const { size, inOrder, after } = askedPage(
    request.parameters,
    { usual: 500, least: 1, most: 5000 },
    /^0*[1-9]\d*\|[^|]+$/,
  )
  const left = shownIndices(request, context)
    .filter((index) => after === undefined || inOrder(index, after) > 0)
    .sort(inOrder)
  const page = left.slice(0, size)
  const end = left.length > size ? page.at(-1) : undefined
  const token = end === undefined ? undefined : pageToken([end.creationDate, end.name])
  return withNextToken(indicesTable(request, context, page), 'indices', token)
}

/** `GET /_list/shards[/<index>]`: as `_cat/shards`, page by page; all copies of a shard are on one page. */
export const listShards: EndpointHandler = async (request, context) => {
  const columns = shardColumns(context.engine.version)
  if (request.parameters.boolean('help', false)) return catTable(request, columns, [])
  const { size, inOrder, after } = askedPage(
    request.parameters,
    { usual: 5000, least: 2000, most: 20_000 },
    /^\d+\|0*[1-9]\d*\|[^|]+$/,
  )
  const indices = expandIndices(request, context, request.path['index'], LENIENT_EXPAND_OPEN, '_cat')
    .filter((index) => after === undefined || inOrder(index, after) >= 0)
    .sort(inOrder)
  const isLeft = (row: ShardRow): boolean => row.index.name !== after?.name || row.shard > Number(after.rest[0])
  checkShardRows(indices, context)
  const { rows, end } = await pageOf(indices, size, isLeft, context)
  const token = end === undefined ? undefined : pageToken([end.shard, end.index.creationDate, end.index.name])
  return withNextToken(catTable(request, columns, rows), 'shards', token)
}

/** As many shards with all their copies as a page takes; `end` is the last of it where others follow. */
async function pageOf(
  indices: readonly IndexMetadata[],
  size: number,
  isLeft: (row: ShardRow) => boolean,
  context: RestContext,
): Promise<{ readonly rows: readonly ShardRow[]; readonly end?: ShardRow | undefined }> {
  const rows: ShardRow[] = []
  for (const index of indices) {
    const copies = 1 + replicaCount(index)
    const left = (await shardRows([index], context)).filter(isLeft)
    const fitting = Math.min(shardCount(index), Math.floor((size - rows.length) / copies)) * copies
    rows.push(...left.slice(0, fitting))
    if (fitting < left.length) return { rows, end: rows.at(-1) }
  }
  return { rows }
}
