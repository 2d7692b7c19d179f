import type { EngineVersion } from '../../engine/engine-version.ts'
import { flattenIndexSettings } from '../../engine/metadata/flatten-settings.ts'
import type { FlatSettings } from '../../engine/metadata/index-metadata.ts'
import { validateSettingsUpdate } from '../../engine/metadata/index-settings.ts'
import { STRICT_FIND_SOME } from '../../engine/metadata/indices-options.ts'
import { checkShardLimit, shardsAddedBy } from '../../engine/metadata/shard-limit.ts'
import { isObject } from '../../is-object.ts'
import { exactDocument } from '../body/exact-json.ts'
import { noteContents, noteRetention, noteShards } from '../deprecation/index-deprecations.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { checkBlocks } from '../indices/index-blocks.ts'
import { expandIndices } from '../indices/index-names.ts'
import { ACKNOWLEDGED, lenientBody, requiredBody } from '../rest-request.ts'

/** `PUT [/<index>]/_settings`. */
export const indicesPutSettings: EndpointHandler = async (request, context) => {
  if (request.body.length === 0) requiredBody(request)
  const body = lenientBody(request)
  const preserveExisting = request.parameters.boolean('preserve_existing', false)
  // Whatever stands beside them.
  const { settings } = body
  const changes = flattenIndexSettings(exactDocument(isObject(settings) ? settings : body))
  if (Object.keys(changes).length === 0) throw validationFailed(['no settings to update'])
  const indices = expandIndices(request, context, request.path['index'], STRICT_FIND_SOME, '_settings')
  if (!liftsBlock(changes, context.engine.version)) checkBlocks(indices, 'metadata_write', context.engine.version)
  validateSettingsUpdate(changes, indices, context.engine.version)
  const added = preserveExisting ? 0 : indices.reduce((sum, index) => sum + shardsAddedBy(changes, index), 0)
  checkShardLimit(added, context.engine)
  noteShards(added, context, request.warnings)
  noteRetention(changes, request.warnings)
  const names = indices.map(({ name }) => name)
  await context.engine.updateSettings(names, changes, { preserveExisting })
  for (const index of indices) noteContents(context.engine.indices.get(index.name) ?? index, request.warnings)
  return ACKNOWLEDGED
}

/** Whether a change is let through by blocks, which could not be lifted otherwise: of two of them together with others, up to 7.x. */
function liftsBlock(changes: FlatSettings, version: EngineVersion): boolean {
  const isAlone = Object.keys(changes).length === 1
  const has = (block: string): boolean => Object.hasOwn(changes, `index.blocks.${block}`)
  if (isAlone && has('metadata')) return true
  return (isAlone || version !== 'OpenSearch_2.19') && (has('read_only') || has('read_only_allow_delete'))
}
