import type {
  AdjacencyMatrixDefinition,
  FilterDefinition,
  FiltersDefinition,
} from '../../engine/aggregation/buckets/filter-aggregators.ts'
import type { MissingDefinition } from '../../engine/aggregation/buckets/missing-aggregator.ts'
import type {
  GlobalDefinition,
  NestedDefinition,
  ReverseNestedDefinition,
} from '../../engine/aggregation/buckets/nested-aggregators.ts'
import type { Query } from '../../engine/search/queries/query.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { inField } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { type AggregationBody, type JsonObject, parsingError } from './aggregation-body.ts'
import { readValuesSource } from './values-source-fields.ts'

/** `missing`. */
export function parseMissing(body: AggregationBody): MissingDefinition {
  return { kind: 'missing', source: readValuesSource(body, { formattable: false, timeZone: false }) }
}

/** `filter`: its body is the query. */
export function parseFilter(body: AggregationBody): FilterDefinition {
  return { kind: 'filter', query: body.context.parseQuery(wholeBody(body)) }
}

/** `filters`: named or in a list. */
export function parseFilters(body: AggregationBody): FiltersDefinition {
  body.checkTokens({
    VALUE_BOOLEAN: ['other_bucket'],
    VALUE_STRING: ['other_bucket_key'],
    START_OBJECT: ['filters'],
    START_ARRAY: ['filters'],
    VALUE_NUMBER: [],
    VALUE_NULL: [],
  })
  const given = body.raw('filters') as JsonObject | readonly JsonValue[] | undefined
  const otherBucket = body.boolean('other_bucket')
  const otherKey = body.string('other_bucket_key')
  if (given === undefined && body.isLegacy) throw new ServiceError('null_pointer_exception', NO_FILTERS)
  if (given === undefined || (!body.isLegacy && isEmpty(given))) throw illegalArgument('[filters] cannot be empty.')
  const keyed = isObject(given)
  const filters = keyed
    ? Object.entries(given).map(([key, query]) => ({ key, query: body.context.parseQuery(query) }))
    : given.map((query, index) => ({ key: String(index), query: body.context.parseQuery(query) }))
  // Named filters are answered in the order of their names.
  if (keyed) filters.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  const other = otherBucket === false ? undefined : (otherKey ?? (otherBucket === true ? '_other_' : undefined))
  return { kind: 'filters', filters, keyed, otherKey: other }
}

const NO_FILTERS = 'Cannot invoke "java.util.List.size()" because "nonKeyedFilters" is null'

const isEmpty = (filters: JsonObject | readonly JsonValue[]): boolean => Object.keys(filters).length === 0

/** `adjacency_matrix`. */
export function parseAdjacencyMatrix(body: AggregationBody): AdjacencyMatrixDefinition {
  const given = body.objects('filters', (value) => {
    if (isObject(value)) return value
    throw illegalArgument("[filters] doesn't support arrays. Use a single object with multiple fields.")
  })
  if (given === undefined || isEmpty(given))
    body.refuse(new ServiceError('illegal_state_exception', `[${body.name}] is missing : filters parameter`))
  const filters = Object.entries(given ?? {}).map(([key, query]): { key: string; query: Query } => ({
    key,
    query: inField('adjacency_matrix', 'filters', () => inField('filters', key, () => body.context.parseQuery(query))),
  }))
  filters.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  const separator = body.string('separator') ?? '&'
  const isOpenSearch = body.context.engineVersion === 'OpenSearch_2.19'
  const showsOnlyIntersecting = isOpenSearch ? (body.boolean('show_only_intersecting') ?? false) : false
  return { kind: 'adjacency_matrix', filters, separator, showsOnlyIntersecting }
}

/** `nested`. */
export function parseNested(body: AggregationBody): NestedDefinition {
  body.checkTokens({ VALUE_STRING: ['path'] })
  const path = body.string('path')
  if (path === undefined) throw body.atEnd(parsingError(`Missing [path] field for nested aggregation [${body.name}]`))
  return { kind: 'nested', path }
}

/** `reverse_nested`. */
export function parseReverseNested(body: AggregationBody): ReverseNestedDefinition {
  body.checkTokens({ VALUE_STRING: ['path'] })
  return { kind: 'reverse_nested', path: body.string('path') }
}

/** `global`: its body is empty. */
export function parseGlobal(body: AggregationBody): GlobalDefinition {
  const [, value] = Object.entries(wholeBody(body))[0] ?? []
  if (value !== undefined) {
    throw parsingError(
      `Expected [FIELD_NAME] under a [START_OBJECT], but got a [${tokenName(value)}] in [${body.name}]`,
    )
  }
  return { kind: 'global' }
}

function wholeBody(body: AggregationBody): { [name: string]: JsonValue } {
  return body.whole() as JsonObject as { [name: string]: JsonValue }
}
