import { indicesOptionsFromQuery, STRICT_EXPAND_OPEN_FORBID_CLOSED } from '../../engine/metadata/indices-options.ts'
import { resolveNames } from '../../engine/metadata/resolve-indices.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { givenNames, scopeOf } from '../indices/index-names.ts'
import type { EndpointRequest } from '../rest-request.ts'

/** What the expressions of a search's path come to, aliases under their own names. */
export function pathNames(request: EndpointRequest, context: RestContext): ReadonlySet<string> {
  const options = indicesOptionsFromQuery(request.parameters.values, STRICT_EXPAND_OPEN_FORBID_CLOSED)
  return resolveNames(givenNames(request.path['index']), options, scopeOf(context))
}
