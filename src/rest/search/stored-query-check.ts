import type { StoredQueryCheck } from '../../engine/engine.ts'
import { checkStoredQuery } from '../../engine/search/percolator/check-stored-query.ts'
import { faultOf, ServiceError } from '../../errors.ts'
import { parseJson } from '../body/parse-json.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { parseQuery } from '../query-dsl/parse-query.ts'
import { uncheckedQueries } from './query-lookup.ts'

/**
 * Makes the check of queries that documents store: whether they can be read and run. What they look up in other documents
 * is looked up when they are run, for the one who percolates.
 */
export function storedQueryCheck(dialect: Dialect): StoredQueryCheck {
  const context = uncheckedQueries(dialect)
  return (json, index) => {
    const cause = faultOf(() => checkStoredQuery(parseQuery(parseJson(json), context), index, dialect.engineVersion))
    if (cause === undefined) return
    throw new ServiceError('mapper_parsing_exception', 'failed to parse', { cause })
  }
}
