import { STRICT_EXPAND_OPEN } from '../../engine/metadata/indices-options.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { expandIndices } from '../indices/index-names.ts'
import { includeTypeName, isEveryType } from '../indices/mapping-body.ts'
import type { Json } from '../json/json-writer.ts'
import type { EndpointRequest, EndpointResponse } from '../rest-request.ts'
import { leaveLargeMappings } from '../turns/leave-large.ts'
import { renderMappings } from './indices-get.ts'

/** `GET [/<index>]/_mapping[/<type>]`. */
export const indicesGetMapping: EndpointHandler = (request, context) => {
  const { type } = request.path
  if (type !== undefined && !isEveryType(type) && !includeTypeName(request)) {
    throw illegalArgument('Types cannot be provided in get mapping requests, unless include_type_name is set to true.')
  }
  return mappingsOf(request, context)
}

function mappingsOf(request: EndpointRequest, context: RestContext): EndpointResponse {
  const types = request.path['type']?.split(',')
  const indices = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN, '_mapping')
  leaveLargeMappings(request, indices)
  const json: Record<string, Json> = {}
  const wanted = types ?? ['*']
  const isAll = isEveryType(request.path['type'] ?? '*')
  const found = new Set<string>(isAll ? wanted : [])
  for (const index of indices) {
    const kept = Object.entries(index.mappings).filter(
      ([type]) => isAll || wanted.some((pattern) => matchWildcard(pattern, type)),
    )
    for (const pattern of wanted) if (kept.some(([type]) => matchWildcard(pattern, type))) found.add(pattern)
    if (kept.length === 0 && !isAll) continue
    json[index.name] = { mappings: renderMappings(request, index, Object.fromEntries(kept)) }
  }
  const missing = wanted.filter((pattern) => !found.has(pattern)).sort()
  if (types === undefined || missing.length === 0) return { status: 200, json }
  if (Object.keys(json).length === 0) {
    throw new ServiceError('type_missing_exception', `type[[${types.join(',')}]] missing`, {
      index: '_all',
      indexUuid: '_na_',
    })
  }
  const error = `${missing.length === 1 ? 'type' : 'types'} [${missing.join(',')}] missing`
  return { status: 404, json: { error, status: 404, ...json } }
}

/** `HEAD /<index>/_mapping/<type>`: whether there is what is asked for. */
export const indicesExistsType: EndpointHandler = (request, context) => {
  request.parameters.boolean('include_type_name', true)
  return { status: mappingsOf(request, context).status, text: '' }
}
