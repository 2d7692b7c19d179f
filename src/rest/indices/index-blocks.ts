import type { EngineVersion } from '../../engine/engine-version.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { ServiceError } from '../../errors.ts'
import type { EndpointRequest } from '../rest-request.ts'

/** What a request does to an index, as its blocks tell requests apart; `delete` frees what a full disk wants back. */
export type BlockLevel = 'read' | 'write' | 'metadata_read' | 'metadata_write' | 'delete'

/** A setting that forbids something. */
interface IndexBlock {
  readonly setting: string
  readonly id: number
  readonly description: string
  readonly levels: readonly BlockLevel[]
  /** Since 7.x, where the block is that of a full disk, which may pass. */
  readonly whenFull?: string
}

/** In the order they are told. */
const BLOCKS: readonly IndexBlock[] = [
  {
    setting: 'index.blocks.read_only_allow_delete',
    id: 12,
    description: 'index read-only / allow delete (api)',
    levels: ['write', 'metadata_write'],
    whenFull: 'disk usage exceeded flood-stage watermark, index has read-only-allow-delete block',
  },
  {
    setting: 'index.blocks.metadata',
    id: 9,
    description: 'index metadata (api)',
    levels: ['metadata_read', 'metadata_write', 'delete'],
  },
  { setting: 'index.blocks.write', id: 8, description: 'index write (api)', levels: ['write'] },
  { setting: 'index.blocks.read', id: 7, description: 'index read (api)', levels: ['read'] },
  {
    setting: 'index.blocks.read_only',
    id: 5,
    description: 'index read-only (api)',
    levels: ['write', 'metadata_write', 'delete'],
  },
]

const ofLevel = (level: BlockLevel): readonly IndexBlock[] => BLOCKS.filter(({ levels }) => levels.includes(level))

const BY_LEVEL: Readonly<Record<BlockLevel, readonly IndexBlock[]>> = {
  read: ofLevel('read'),
  write: ofLevel('write'),
  metadata_read: ofLevel('metadata_read'),
  metadata_write: ofLevel('metadata_write'),
  delete: ofLevel('delete'),
}

const endpoints = (level: BlockLevel, names: string): readonly (readonly [string, BlockLevel])[] =>
  names.split(' ').map((name) => [name, level])

/** What endpoints do to the indices that their path names; those that are not here are held up by no block, or look themselves. */
const LEVELS: ReadonlyMap<string, BlockLevel> = new Map([
  ...endpoints(
    'metadata_read',
    'cat.indices cat.segments cat.shards indices.exists indices.exists_alias indices.exists_type indices.get indices.get_alias indices.get_mapping indices.get_settings indices.get_upgrade indices.segments indices.shard_stores indices.stats search_shards',
  ),
  ...endpoints(
    'metadata_write',
    'indices.clear_cache indices.close indices.forcemerge indices.open indices.put_mapping indices.upgrade',
  ),
  ...endpoints('read', 'cat.recovery indices.recovery'),
  ...endpoints('delete', 'indices.delete'),
])

/** Where OpenSearch asks for less than its ancestors. */
const OPENSEARCH_LEVELS: ReadonlyMap<string, BlockLevel> = new Map(
  endpoints('metadata_read', 'cat.recovery indices.clear_cache indices.recovery'),
)

/** Refuses what blocks of the indices forbid an endpoint. @throws {ServiceError} cluster_block_exception */
export function checkEndpointBlocks(indices: readonly IndexMetadata[], endpoint: string, version: EngineVersion): void {
  const own = version === 'OpenSearch_2.19' ? OPENSEARCH_LEVELS.get(endpoint) : undefined
  const level = own ?? LEVELS.get(endpoint)
  if (level !== undefined) checkBlocks(indices, level, version)
}

/** Whether a block of the index forbids something. */
export function hasBlock({ settings }: IndexMetadata, level: BlockLevel): boolean {
  for (const { setting } of BY_LEVEL[level]) if (settings[setting] === 'true') return true
  return false
}

/** Refuses what blocks of the indices forbid. @throws {ServiceError} cluster_block_exception */
export function checkBlocks(indices: readonly IndexMetadata[], level: BlockLevel, version: EngineVersion): void {
  for (const index of indices) if (hasBlock(index, level)) throw blocked(indices, level, version)
}

/** Refuses closed indices where they are not refused as such. @throws {ServiceError} cluster_block_exception */
export function checkNoneClosed(indices: readonly IndexMetadata[], version: EngineVersion): void {
  const closed = indices.filter(({ state }) => state === 'close')
  if (closed.length === 0) return
  const block = 'blocked by: [FORBIDDEN/4/index closed];'
  const told = version === 'Elasticsearch_6.8' ? block : closed.map(({ name }) => `index [${name}] ${block}`).join('')
  throw new ServiceError('cluster_block_exception', told)
}

/** As {@link checkBlocks}, for indices about which the caller was not judged. @throws {Error} the access layer's denial */
export function judgeBlocks(
  request: EndpointRequest,
  indices: readonly IndexMetadata[],
  level: BlockLevel,
  api: string,
): void {
  const blocked = indices.filter((index) => hasBlock(index, level))
  if (blocked.length === 0) return
  request.authorize(
    blocked.map(({ name }) => name),
    api,
  )
  checkBlocks(blocked, level, request.dialect.engineVersion)
}

function blocked(indices: readonly IndexMetadata[], level: BlockLevel, version: EngineVersion): ServiceError {
  const isSix = version === 'Elasticsearch_6.8'
  const found = indices.map(
    ({ name, settings }) => [name, BY_LEVEL[level].filter(({ setting }) => settings[setting] === 'true')] as const,
  )
  const all = new Set(found.flatMap(([, blocks]) => blocks))
  if (isSix) {
    const told = BLOCKS.filter((block) => all.has(block)).map((block) => `[${textOf(block, isSix)}];`)
    return new ServiceError('cluster_block_exception', `blocked by: ${told.join('')}`)
  }
  const reason = found
    .filter(([, blocks]) => blocks.length > 0)
    .map(([name, blocks]) => `index [${name}] blocked by: [${blocks.map((b) => textOf(b, isSix)).join(', ')}];`)
    .join('')
  const mayPass = [...all].every(({ whenFull }) => whenFull !== undefined)
  return new ServiceError('cluster_block_exception', reason, { status: mayPass ? 429 : 403 })
}

function textOf({ id, description, whenFull }: IndexBlock, isSix: boolean): string {
  return isSix || whenFull === undefined ? `FORBIDDEN/${id}/${description}` : `TOO_MANY_REQUESTS/${id}/${whenFull}`
}

/** Blocks as the cluster's state shows them, by id. */
export function renderBlocks(
  { settings, state }: IndexMetadata,
  version: EngineVersion,
): readonly (readonly [id: string, block: { description: string; retryable: boolean; levels: readonly string[] }])[] {
  const closed = { description: 'index closed', retryable: false, levels: ['read', 'write'] }
  return [
    ...(state === 'close' ? ([['4', closed]] as const) : []),
    ...BLOCKS.filter(({ setting }) => settings[setting] === 'true')
      .map(({ id, description, whenFull, levels }) => {
        const told = version === 'Elasticsearch_6.8' ? description : (whenFull ?? description)
        return [
          String(id),
          { description: told, retryable: false, levels: levels.filter((level) => level !== 'delete') },
        ] as const
      })
      .reverse(),
  ]
}
