import { checkQuery } from '../../engine/search/check-query.ts'
import type { Query } from '../../engine/search/query.ts'
import { faultOf } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { type Json, writeJson } from '../json/json-writer.ts'
import { asyncActionsLeft } from '../query-dsl/async-actions-left.ts'
import { parseQuery } from '../query-dsl/parse-query.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { judgedQueries } from '../search/query-lookup.ts'

/**
 * Checks that an alias's filter is a query, and that the caller may read what it looks up.
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
  const cause = faultOf(() => {
    const query = readFilter(filter, request, context)
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

/** Later versions do not wait for what a filter looks up. @throws {ServiceError} illegal_state_exception for such a filter */
function readFilter(filter: object, request: EndpointRequest, context: RestContext): Query {
  const queries = judgedQueries(request, context)
  if (request.dialect.engineVersion === 'Elasticsearch_6.8') return parseQuery(filter, queries)
  let isWaiting = false
  const passOver = (): void => {
    isWaiting = true
  }
  const query = parseQuery(filter, { ...queries, passOver })
  if (isWaiting) throw asyncActionsLeft()
  return query
}
