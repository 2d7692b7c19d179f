import { checkQueries } from '../../engine/search/queries/check-queries.ts'
import { sortReader } from '../../engine/search/sort/sort-values.ts'
import { groupReader } from '../../engine/search/sort/top-collapsed.ts'
import { ServiceError } from '../../errors.ts'
import { noteSortFields } from '../deprecation/search-deprecations.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { checkSuggestions } from '../suggest-dsl/check-suggestions.ts'
import { checkCombinations } from './check-combinations.ts'
import { SearchAggregations } from './search-aggregations.ts'
import type { SearchBody } from './search-body.ts'
import type { SearchView } from './search-view.ts'

/**
 * Runs a search that may be wrong in several ways. Of those the one is answered that comes first in the real servers, which make
 * the parts of a search one after the other before they look at how it goes together, and then run it.
 */
export function inOrderOfFaults<T>(
  view: SearchView,
  body: SearchBody,
  request: EndpointRequest,
  isScroll: boolean,
  run: () => T,
): T {
  try {
    const done = run()
    if (view.searchers.length > 0) noteSortFields(body.sort, request.warnings)
    return done
  } catch (error) {
    if (error instanceof ServiceError && error.detail.inQueryPhase) makeParts(view, body, request, isScroll)
    throw error
  }
}

/** @throws {ServiceError} of the first part that cannot be made */
function makeParts(view: SearchView, body: SearchBody, request: EndpointRequest, isScroll: boolean): void {
  const { dialect, queries, warnings } = request
  const { engineVersion, typed } = dialect
  const options = { engineVersion, now: Date.now() }
  const query = view.limit(body.query)
  const { sort, aggregations, collapse, postFilter, rescore, suggest } = body
  for (const searcher of view.searchers) {
    checkQueries({ query, postFilter, sort: [], rescore: [] }, searcher, options)
    for (const key of sort) {
      sortReader(key, searcher, typed)
      noteSortFields([key], warnings)
    }
    if (aggregations !== undefined) {
      const renderTopHits = (): null => null
      new SearchAggregations(aggregations, { searchers: [searcher], query, engineVersion, queries, renderTopHits })
    }
    checkSuggestions(suggest, searcher, engineVersion)
    checkQueries({ query, postFilter: undefined, sort: [], rescore }, searcher, options)
    checkCombinations(body, dialect, isScroll)
    if (collapse !== undefined) groupReader(collapse.field, searcher, typed)
  }
}
