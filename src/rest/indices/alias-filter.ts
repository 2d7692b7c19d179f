import { checkQuery } from '../../engine/search/queries/check-query.ts'
import { faultOf } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { type Json, writeJson } from '../json/json-writer.ts'
import { neverFetched } from '../query-dsl/never-fetched.ts'
import { parseFilter } from '../query-dsl/parse-query.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { judgedQueries } from '../search/query-lookup.ts'

/**
 * Checks that an alias's filter is a query that nothing has to be looked up for, and that the caller may read what it names.
 *
 * @param indices  those that have to be able to run it
 * @throws {ServiceError} illegal_argument_exception with the query's fault as its cause
 */
export function checkFilter(
  alias: string,
  filter: Readonly<Record<string, unknown>> | undefined,
  request: EndpointRequest,
  context: RestContext,
  indices: readonly string[] = [],
): void {
  if (filter === undefined || Object.keys(filter).length === 0) return
  const { engine } = context
  let isWaiting = false
  const queries = judgedQueries(request, context)
  const passOver = (index: string): void => {
    isWaiting = true
    queries.lookup.mapping(index)
  }
  const cause = faultOf(() => {
    const query = parseFilter(filter, { ...queries, passOver, warnings: request.warnings })
    if (isWaiting) throw neverFetched()
    for (const indexName of indices) {
      const indexUuid = engine.indices.get(indexName)?.uuid ?? ''
      checkQuery(query, { indexName, indexUuid, mapping: engine.mapping(indexName) }, engine.version)
    }
  })
  if (cause === undefined) return
  // It is read as it is kept.
  request.places?.note(writeJson(filter as Json), filter)
  throw illegalArgument(`failed to parse filter for alias [${alias}]`, cause)
}
