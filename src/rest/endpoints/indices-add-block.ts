import { STRICT_EXPAND_OPEN } from '../../engine/metadata/indices-options.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { clusterFlag } from '../cluster-flag.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { checkBlocks } from '../indices/index-blocks.ts'
import { expandIndices } from '../indices/index-names.ts'
import { checkDestructive } from './indices-delete.ts'

const BLOCKS = ['read_only', 'read', 'write', 'metadata', 'read_only_allow_delete']

/** `PUT /<index>/_block/<block>`: the setting of that name, made true. */
export const indicesAddBlock: EndpointHandler = async (request, context) => {
  const block = request.path['block'] as string
  if (!BLOCKS.includes(block)) throw illegalArgument(`No block found with name ${block}`)
  if (block === 'read_only_allow_delete')
    throw validationFailed(['read_only_allow_delete block is for internal use only'])
  checkDestructive(clusterFlag(context, 'action.destructive_requires_name', false), request.path['index'])
  const setting = `index.blocks.${block}`
  const options = { ...STRICT_EXPAND_OPEN, ignoreDataStreams: true }
  const named = expandIndices(request, context, request.path['index'], options, '_block')
  // Blocks of metadata come on top of others.
  if (block === 'read' || block === 'write') checkBlocks(named, 'metadata_write', context.engine.version)
  // Of those that have it already nothing is said.
  const indices = named.filter(({ settings }) => settings[setting] !== 'true')
  const changes = { [setting]: 'true' }
  const names = indices.map(({ name }) => name)
  await context.engine.updateSettings(names, changes, { preserveExisting: false })
  const blocked = indices.map(({ name }) => ({ name, blocked: true }))
  return { status: 200, json: { acknowledged: true, shards_acknowledged: blocked.length > 0, indices: blocked } }
}
