import type { FlatSettings } from '../engine/metadata/index-metadata.ts'
import { ServiceError } from '../errors.ts'
import { clusterFlag } from './cluster-flag.ts'
import type { RestContext } from './endpoint-handler.ts'
import type { Json } from './json/json-writer.ts'
import type { EndpointRequest } from './rest-request.ts'

/** A setting that keeps everything from being changed. */
interface ClusterBlock {
  readonly setting: string
  readonly id: number
  readonly description: string
  readonly letsDelete: boolean
}

const BLOCKS: readonly ClusterBlock[] = [
  {
    setting: 'cluster.blocks.read_only_allow_delete',
    id: 13,
    description: 'cluster read-only / allow delete (api)',
    letsDelete: true,
  },
  { setting: 'cluster.blocks.read_only', id: 6, description: 'cluster read-only (api)', letsDelete: false },
]

/** Endpoints that change something. (Settings of the cluster look themselves.) */
const CHANGING: ReadonlySet<string> = new Set(
  [
    'bulk create delete delete_by_query delete_script index put_script reindex update update_by_query',
    'cluster.delete_component_template cluster.put_component_template cluster.reroute',
    'indices.add_block indices.clone indices.close indices.create indices.delete indices.delete_alias',
    'indices.delete_index_template indices.delete_template indices.forcemerge indices.open indices.put_alias',
    'indices.put_index_template indices.put_mapping indices.put_settings indices.put_template indices.rollover',
    'indices.shrink indices.split indices.update_aliases indices.upgrade ingest.delete_pipeline ingest.put_pipeline',
    'snapshot.create_repository snapshot.delete_repository snapshot.restore',
  ].flatMap((names) => names.split(' ')),
)

/** Whose refusals name the index, since 7.x: these look at it and at the cluster at once. */
const NAMING: ReadonlyMap<string, 'index' | 'target'> = new Map([
  ...['close', 'create', 'delete', 'delete_alias', 'open', 'put_alias', 'put_mapping'].map(
    (name) => [`indices.${name}`, 'index'] as const,
  ),
  ...['clone', 'shrink', 'split'].map((name) => [`indices.${name}`, 'target'] as const),
])

/** Refuses what blocks of the whole cluster forbid. @throws {ServiceError} cluster_block_exception */
export function checkClusterBlocks({ endpoint, path, dialect }: EndpointRequest, context: RestContext): void {
  const isSix = dialect.engineVersion === 'Elasticsearch_6.8'
  if (!CHANGING.has(endpoint) && !(isSix && endpoint === 'indices.clear_cache')) return
  const member = isSix ? undefined : NAMING.get(endpoint)
  check(context, endpoint, member === undefined ? undefined : path[member])
}

/** As {@link checkClusterBlocks}, for changes of settings: one that is alone sets and lifts blocks. */
export function checkBlockedSettings(persistent: FlatSettings, transient: FlatSettings, context: RestContext): void {
  const [name, ...others] = [...Object.keys(persistent), ...Object.keys(transient)]
  if (others.length > 0 || !BLOCKS.some(({ setting }) => setting === name)) check(context, 'cluster.put_settings')
}

function check(context: RestContext, endpoint: string, index?: string): void {
  const set = clusterBlocks(context).filter(({ letsDelete }) => !letsDelete || endpoint !== 'indices.delete')
  if (set.length === 0) return
  const told = set.map(({ id, description }) => `FORBIDDEN/${id}/${description}`)
  const isSix = context.engine.version === 'Elasticsearch_6.8'
  const list = isSix ? told.map((block) => `[${block}];`).join('') : `[${told.join(', ')}];`
  throw new ServiceError(
    'cluster_block_exception',
    `${index === undefined ? '' : `index [${index}] `}blocked by: ${list}`,
  )
}

/** OpenSearch's alone, of indices that are asked for: not of those that a document makes. */
const CREATE_BLOCK = {
  setting: 'cluster.blocks.create_index',
  id: 10,
  description: 'cluster create-index blocked (api)',
}

/** @throws {ServiceError} index_create_block_exception where `cluster.blocks.create_index` is set */
export function checkMayBeMade(context: RestContext): void {
  if (!clusterFlag(context, CREATE_BLOCK.setting, false)) return
  const { id, description } = CREATE_BLOCK
  throw new ServiceError('index_create_block_exception', `blocked by: [FORBIDDEN/${id}/${description}];`)
}

/** The blocks that are set. */
function clusterBlocks(context: RestContext): readonly ClusterBlock[] {
  return BLOCKS.filter(({ setting }) => clusterFlag(context, setting, false))
}

/** Blocks as the cluster's state shows them, by id; undefined where there are none. */
export function renderClusterBlocks(context: RestContext): Json | undefined {
  const levels = ['write', 'metadata_write']
  const set = clusterBlocks(context).map(
    ({ id, description }) => [id, { description, retryable: false, levels }] as const,
  )
  if (clusterFlag(context, CREATE_BLOCK.setting, false)) {
    const { id, description } = CREATE_BLOCK
    set.push([id, { description, retryable: false, levels: ['create_index'] }])
  }
  return set.length === 0 ? undefined : Object.fromEntries(set)
}
