import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import { derivedPlace } from '../../engine/indices/limited-searcher.ts'
import { DerivedSearcher } from '../../engine/search/derived/derived-searcher.ts'
import { inQueryPhase } from '../../engine/search/query-phase.ts'
import { ServiceError } from '../../errors.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { SearchBody } from './search-body.ts'
import type { SearchView } from './search-view.ts'

/**
 * A view in which the derived fields that a search defines are known; it is released as the view itself.
 *
 * @throws {ServiceError} what an index finds wrong with their definitions
 */
export function withDerivedFields(view: SearchView, { derived }: SearchBody, { engine }: RestContext): SearchView {
  if (derived === undefined || Object.keys(derived).length === 0) return view
  const searcherOf = (searcher: IndexSearcher): IndexSearcher => {
    const place = derivedPlace(searcher, engine)
    if (!place.isAllowed)
      throw refused(`'index.query.derived_field.enabled' or 'search.derived_field.enabled' is set to false.`)
    if (searcher.allowsExpensive === false) throw refused(`'search.allow_expensive_queries' is set to false.`)
    const fields = searcher.mapping.derivedFields(derived)
    return new DerivedSearcher(searcher, place, fields)
  }
  return inQueryPhase(() => ({ ...view, searchers: view.searchers.map(searcherOf) }))
}

const refused = (why: string): ServiceError =>
  new ServiceError('exception', `[derived field] queries cannot be executed when ${why}`, { status: 400 })
