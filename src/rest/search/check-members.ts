import { ServiceError } from '../../errors.ts'
import { parseAggregations } from '../aggregation-dsl/parse-aggregations.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { parseQuery } from '../query-dsl/parse-query.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { parseSuggest } from '../suggest-dsl/parse-suggest.ts'
import { HighlightFetch } from './highlight-fetch.ts'
import { uncheckedQueries } from './query-lookup.ts'
import { parseSearchBody } from './search-body.ts'
import { parseSort } from './search-sort.ts'

type Body = { readonly [name: string]: JsonValue }

/**
 * Runs what a search's body asks for. The real servers read all of a body, member by member, before they look at anything
 * else: where the body is wrong, the first fault in it goes before whatever else is wrong.
 */
export function withMembersFirst<T>(request: EndpointRequest, body: () => Body, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof ServiceError) checkMembers(request, body())
    throw error
  }
}

/** Reads a search's body for its faults alone. @throws {ServiceError} the first of them, in the order of its members */
export function checkMembers(request: EndpointRequest, body: Body): void {
  const unchecked = { ...request, queries: uncheckedQueries(request.dialect) }
  for (const [name, value] of Object.entries(body)) {
    try {
      checkMember(unchecked, name, value)
    } catch (error) {
      // Whatever needs an index is told by the index.
      if (error instanceof ServiceError && !error.detail.inQueryPhase)
        throw value === null || typeof value !== 'object' ? error.at(body, name) : error
    }
  }
}

function checkMember(request: EndpointRequest, name: string, value: JsonValue): void {
  const { queries, dialect } = request
  // 6.x leaves it to the shards to refuse windows before the beginning.
  if (dialect.typed && (name === 'from' || name === 'size') && Number(value) < 0) return
  parseSearchBody(request, { [name]: value })
  if (name === 'aggs' || name === 'aggregations') checkAggregations(value, queries)
  else if (name === 'suggest') parseSuggest(value, { dialect, queries })
  else if (name === 'highlight') {
    new HighlightFetch(value, { query: { kind: 'match_all' }, queries, engineVersion: dialect.engineVersion })
  }
}

function checkAggregations(json: JsonValue, queries: QueryContext): void {
  parseAggregations(json, {
    engineVersion: queries.engineVersion,
    parseQuery: (query) => parseQuery(query, queries),
    parseSort: (sort) => parseSort(sort, queries),
    queries,
  })
}
