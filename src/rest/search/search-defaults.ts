import { clusterSetting } from '../cluster-flag.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { RequestParameters } from '../parameters/request-parameters.ts'
import { type EndpointRequest, searchObject } from '../rest-request.ts'

/** Settings of the cluster that say what a search does that does not say so itself. */
const DEFAULTS = [
  ['search.default_allow_partial_results', 'allow_partial_search_results'],
  ['search.default_search_timeout', 'timeout'],
  ['search.phase_took_enabled', 'phase_took'],
] as const

/** A search that asks for what the cluster's settings say of those that do not. */
export function withSearchDefaults(request: EndpointRequest, context: RestContext): EndpointRequest {
  const { persistentSettings, transientSettings } = context.engine
  const set = DEFAULTS.filter(([name]) => name in persistentSettings || name in transientSettings)
  if (set.length === 0) return request
  const parameters = new Map(request.parameters.values)
  for (const [setting, name] of set) {
    const isAsked = parameters.has(name) || (name === 'timeout' && searchObject(request)?.[name] !== undefined)
    if (!isAsked) parameters.set(name, clusterSetting(context, setting))
  }
  return Object.assign({}, request, { parameters: new RequestParameters(parameters) })
}
