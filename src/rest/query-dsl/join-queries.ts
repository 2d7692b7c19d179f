import type { HasChildQuery, Query } from '../../engine/search/queries/query.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { optional } from './query-options.ts'
import { type QueryContext, QueryReader } from './query-reader.ts'

/** Most children there may be, where nobody says. */
const ANY_NUMBER = 0x7fffffff

type ParseInner = (json: unknown) => Query

/** `has_child`. @throws {ServiceError} parsing_exception, illegal_argument_exception */
export function hasChild(body: unknown, context: QueryContext, parse: ParseInner): Query {
  const reader = new QueryReader('has_child', body, context.engineVersion)
  const isVersion6 = context.engineVersion === 'Elasticsearch_6.8'
  const type = reader.text('type')
  const inner = innerQuery(reader, parse)
  const mode = reader.text('score_mode') ?? 'none'
  const { minChildren, maxChildren } = childrenLimits(reader, isVersion6)
  const options = joinOptions(reader)
  reader.done()
  if (!['none', 'min', 'max', 'avg', 'sum'].includes(mode))
    throw reader.at('score_mode', illegalArgument(`No score mode for child query [${mode}] found`))
  if (type === undefined) throw illegalArgument("[has_child] requires 'type' field")
  if (inner === undefined) throw illegalArgument("[has_child] requires 'query' field")
  if (maxChildren < minChildren) throw illegalArgument("[has_child] 'max_children' is less than 'min_children'")
  const scoreMode = mode as HasChildQuery['scoreMode']
  return { kind: 'has_child', type, query: inner, scoreMode, minChildren, maxChildren, ...options }
}

/** `has_parent`. @throws {ServiceError} parsing_exception, illegal_argument_exception */
export function hasParent(body: unknown, parse: ParseInner): Query {
  const reader = new QueryReader('has_parent', body)
  const parentType = reader.text('parent_type')
  const inner = innerQuery(reader, parse)
  const score = reader.boolean('score', false)
  const options = joinOptions(reader)
  reader.done()
  if (parentType === undefined) throw illegalArgument("[has_parent] requires 'parent_type' field")
  if (inner === undefined) throw illegalArgument("[has_parent] requires 'query' field")
  return { kind: 'has_parent', parentType, query: inner, score, ...options }
}

/** `parent_id`. @throws {ServiceError} parsing_exception, illegal_argument_exception */
export function parentId(body: unknown): Query {
  const reader = new QueryReader('parent_id', body)
  const query: Query = {
    kind: 'parent_id',
    type: reader.text('type'),
    id: reader.text('id'),
    ignoreUnmapped: reader.boolean('ignore_unmapped', false),
    ...reader.base(),
  }
  reader.done()
  return query
}

function innerQuery(reader: QueryReader, parse: ParseInner): Query | undefined {
  const json = reader.object('query')
  return json && parse(json)
}

/** What `has_child` and `has_parent` have in common. */
function joinOptions(reader: QueryReader) {
  return {
    ignoreUnmapped: reader.boolean('ignore_unmapped', false),
    ...optional('innerHits', reader.object('inner_hits')),
    ...reader.base(),
  }
}

/** With none at least as many are found as with one at least. */
function childrenLimits(reader: QueryReader, isVersion6: boolean): { minChildren: number; maxChildren: number } {
  const limit = (key: string, fallback: number): number => {
    const number = reader.int(key) ?? fallback
    if (number >= 0) return number
    throw illegalArgument(`[has_child] requires non-negative '${key}' field`)
  }
  return { minChildren: limit('min_children', isVersion6 ? 0 : 1), maxChildren: limit('max_children', ANY_NUMBER) }
}
