import type { RestContext } from '../endpoint-handler.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { withDerivedFields } from '../search/derived-view.ts'
import { openView } from '../search/open-view.ts'
import type { SearchView } from '../search/search-view.ts'
import type { ByQuerySearch } from './by-query-search.ts'

/**
 * Opens the indices that a call by query searches, with the derived fields that its search defines.
 *
 * @param api  as of {@link openView}
 * @throws {ServiceError} as {@link openView}, and what an index finds wrong with those fields
 */
export function openSearched(
  request: EndpointRequest,
  context: RestContext,
  api: string,
  search: ByQuerySearch,
): SearchView {
  const view = openView(request, context, api)
  try {
    return withDerivedFields(view, search, context)
  } catch (error) {
    view.release()
    throw error
  }
}

/** The names of a path that a call by query searches, as given. */
export const sourcesOf = ({ path }: EndpointRequest): readonly string[] => path['index']?.split(',') ?? []
