import { flattenIndexSettings } from '../../engine/metadata/flatten-settings.ts'
import { validateSettingsUpdate } from '../../engine/metadata/index-settings.ts'
import { STRICT_FIND_SOME } from '../../engine/metadata/indices-options.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { ACKNOWLEDGED, isObject, lenientBody, requiredBody } from '../rest-request.ts'
import { validationFailed } from './document-parameters.ts'
import { expandIndices } from './index-names.ts'

/** `PUT [/<index>]/_settings`. */
export const indicesPutSettings: EndpointHandler = async (request, context) => {
  if (request.body.length === 0) requiredBody(request)
  const body = lenientBody(request)
  const preserveExisting = request.parameters.boolean('preserve_existing', false)
  const wrapped = Object.keys(body).length === 1 ? body['settings'] : undefined
  const changes = flattenIndexSettings(isObject(wrapped) ? wrapped : body)
  if (Object.keys(changes).length === 0) throw validationFailed(['no settings to update'])
  const indices = expandIndices(request, context, request.path['index'], STRICT_FIND_SOME, '_settings')
  validateSettingsUpdate(changes, indices, context.engine.version)
  for (const { name } of indices) await context.engine.updateSettings(name, changes, { preserveExisting })
  return ACKNOWLEDGED
}
