import type { EndpointHandler } from '../endpoint-handler.ts'
import { changeAliases } from './indices-update-aliases.ts'

/** `DELETE /<index>/_alias/<name>`. */
export const indicesDeleteAlias: EndpointHandler = (request, context) => {
  const { index = '', name = '' } = request.path
  const asked = { kind: 'remove' as const, indices: index.split(','), aliases: name.split(','), metadata: {} }
  return changeAliases(request, context, [asked])
}
