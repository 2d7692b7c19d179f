import type { AggregationTree } from '../../engine/aggregation/aggregation-tree.ts'
import { checkPipelines } from '../../engine/aggregation/pipelines/check-pipelines.ts'
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
    if (error instanceof ServiceError) {
      checkMembers(request, body())
      checkPipelinesOf(request, body())
    }
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

/** Later versions check pipeline aggregations before they look for indices. @throws {ServiceError} action_request_validation_exception */
function checkPipelinesOf({ dialect }: EndpointRequest, { aggs, aggregations = aggs }: Body): void {
  if (dialect.typed || aggregations === undefined) return
  const tree = readable(() => readAggregations(aggregations, uncheckedQueries(dialect)))
  if (tree !== undefined) checkPipelines(tree, dialect.engineVersion)
}

/** What can be read; undefined where only an index tells what is wrong. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

function checkMember(request: EndpointRequest, name: string, value: JsonValue): void {
  const { queries, dialect } = request
  // 6.x leaves it to the shards to refuse windows before the beginning.
  if (dialect.typed && (name === 'from' || name === 'size') && Number(value) < 0) return
  parseSearchBody(request, { [name]: value })
  if (name === 'aggs' || name === 'aggregations') readAggregations(value, queries)
  else if (name === 'suggest') parseSuggest(value, { dialect, queries })
  else if (name === 'highlight') {
    new HighlightFetch(value, { query: { kind: 'match_all' }, queries, engineVersion: dialect.engineVersion })
  }
}

function readAggregations(json: JsonValue, queries: QueryContext): AggregationTree {
  return parseAggregations(json, {
    engineVersion: queries.engineVersion,
    parseQuery: (query) => parseQuery(query, queries),
    parseSort: (sort) => parseSort(sort, queries),
    queries,
  })
}
