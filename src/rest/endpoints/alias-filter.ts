import { ServiceError } from '../../errors.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { parseQuery } from '../query-dsl/parse-query.ts'
import { uncheckedQueries } from '../search/query-lookup.ts'

/**
 * Checks that an alias's filter is a query.
 *
 * @throws {ServiceError} illegal_argument_exception with the query's fault as its cause
 */
export function checkFilter(
  alias: string,
  filter: Readonly<Record<string, unknown>> | undefined,
  dialect: Dialect,
): void {
  if (filter === undefined || Object.keys(filter).length === 0) return
  try {
    parseQuery(filter, uncheckedQueries(dialect))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new ServiceError('illegal_argument_exception', `failed to parse filter for alias [${alias}]`, {
      cause: error,
    })
  }
}
