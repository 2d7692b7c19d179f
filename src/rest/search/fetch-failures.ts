import type { ScoredHit } from '../../engine/search/search-request.ts'
import { faultOf, type IndexFailure } from '../../errors.ts'
import type { Json } from '../json/json-writer.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { isOfQueryPhase } from './failed-index.ts'
import type { SearchView } from './search-view.ts'

/** Whether an index is searched and shown in one. */
export const isAlone = ({ indices, isPart }: SearchView): boolean => indices.length < 2 && isPart !== true

/** Hits as far as they can be shown. */
export interface FetchedHits {
  readonly hits: Json[]
  readonly failures: readonly IndexFailure[]
}

/**
 * Shows the hits of a search. Where several indices were searched those are left out whose hits cannot be shown: they were
 * found and counted all the same.
 *
 * @throws {ServiceError} when no index can show what it has, or `allow_partial_search_results` is false
 */
export function fetchWhatShows(
  hits: readonly ScoredHit[],
  view: SearchView,
  request: EndpointRequest,
  fetch: (hits: readonly ScoredHit[]) => Json[],
): FetchedHits {
  try {
    return { hits: fetch(hits), failures: [] }
  } catch (error) {
    if (!isOfQueryPhase(error) || isAlone(view)) throw error
    const failures = view.indices.flatMap(({ name }, i): IndexFailure[] => {
      const own = hits.filter(({ searcher }) => searcher === i)
      const fault = own.length === 0 ? undefined : faultOf(() => fetch(own))
      return fault === undefined ? [] : [{ index: name, error: fault }]
    })
    const isPartial = failures.length < view.indices.length
    const [first] = failures
    if (first === undefined) throw error
    if (!isPartial || !request.parameters.boolean('allow_partial_search_results', true))
      throw first.error.with({ failures, isPartial, searchPhase: 'fetch' })
    const failed = new Set(failures.map(({ index }) => index))
    return { hits: fetch(hits.filter(({ searcher }) => !failed.has(view.indices[searcher]?.name ?? ''))), failures }
  }
}
