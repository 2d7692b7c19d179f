import type { EndpointRequest } from '../rest-request.ts'

/** How long the phases of a search took, ms, where that is asked for: all there is here is the query's. */
export function phaseTook({ parameters }: EndpointRequest, ms: number) {
  if (!parameters.boolean('phase_took', false)) return undefined
  return { phase_took: { dfs_pre_query: 0, query: ms, fetch: 0, dfs_query: 0, expand: 0, can_match: 0 } }
}
