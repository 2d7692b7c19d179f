import type { EndpointRequest } from '../rest-request.ts'

/** How long a search took, ms, and by its phases where that is asked for: all there is here is the query's. */
export function took(request: EndpointRequest, started: number) {
  const ms = Math.round(performance.now() - started)
  const phases = { dfs_pre_query: 0, query: ms, fetch: 0, dfs_query: 0, expand: 0, can_match: 0 }
  return { took: ms, ...(request.parameters.boolean('phase_took', false) ? { phase_took: phases } : {}) }
}
