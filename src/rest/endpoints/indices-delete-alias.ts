import type { AliasAction } from '../../engine/engine.ts'
import { STRICT_EXPAND } from '../../engine/metadata/indices-options.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { ACKNOWLEDGED } from '../rest-request.ts'
import { expandIndices } from './index-names.ts'
import { aliasesNotFound, matchingAliases } from './indices-get-alias.ts'
import { applyAliasActions } from './indices-update-aliases.ts'

/** `DELETE /<index>/_alias/<name>`. */
export const indicesDeleteAlias: EndpointHandler = async (request, context) => {
  const names = (request.path['name'] as string).split(',')
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND, '_alias')
  const actions: AliasAction[] = []
  for (const index of indices) {
    for (const [alias] of matchingAliases(index, names)) actions.push({ kind: 'remove', index: index.name, alias })
  }
  if (actions.length === 0) throw aliasesNotFound(names)
  await applyAliasActions(context, actions)
  return ACKNOWLEDGED
}
