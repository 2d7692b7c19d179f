import { ServiceError } from '../../../errors.ts'
import { joinParentOf } from '../../mapping/types/join-field.ts'
import { BooleanQuery } from '../lucene/boolean-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { MultiTermQuery } from '../lucene/multi-term-query.ts'
import { OrdinalsJoinQuery } from '../lucene/ordinals-join-query.ts'
import { TermQuery } from '../lucene/term-query.ts'
import type { CreateInner } from './boolean-queries.ts'
import type { HasChildQuery, HasParentQuery, ParentIdQuery } from './query.ts'
import { type QueryContext, requireAllowed, shardError } from './query-context.ts'

/** Children that are enough or too many, where nobody says. */
const ANY_NUMBER = 0x7fffffff

/** The DSL's `has_child`: parents by their children. */
export function hasChildQuery(query: HasChildQuery, context: QueryContext, create: CreateInner): LuceneQuery {
  requireAllowed('[joining] queries', context)
  const { join } = context.search.mapping
  if (join === undefined) return unmapped('[has_child] no join field has been configured', query, context)
  const { path } = join.field
  const parent = joinParentOf(join, query.type)
  if (parent === undefined) {
    return unmapped(`[has_child] join field [${path}] doesn't hold [${query.type}] as a child`, query, context)
  }
  const children = ofName(create(query.query, { ...context, nestedPath: undefined }), path, query.type)
  const { scoreMode, minChildren: min, maxChildren: max } = query
  const names = [parent.name]
  const { engineVersion } = context.search
  const rules = { idPath: parent.idField.path, namePath: path, names, scoreMode, min, max, engineVersion }
  return new OrdinalsJoinQuery(children, rules, context.search.searcher.segments)
}

/** The DSL's `has_parent`: children by their parent. */
export function hasParentQuery(query: HasParentQuery, context: QueryContext, create: CreateInner): LuceneQuery {
  requireAllowed('[joining] queries', context)
  const { join } = context.search.mapping
  if (join === undefined) return unmapped('[has_parent] no join field has been configured', query, context)
  const { path } = join.field
  const parent = join.parents.get(query.parentType)
  if (parent === undefined) {
    const reason = `[has_parent] join field [${path}] doesn't hold [${query.parentType}] as a parent`
    return unmapped(reason, query, context)
  }
  const parents = ofName(create(query.query, { ...context, nestedPath: undefined }), path, query.parentType)
  const rules = {
    idPath: parent.idField.path,
    namePath: path,
    names: parent.children,
    scoreMode: query.score ? ('max' as const) : ('none' as const),
    min: context.search.isLucene7 ? 0 : 1,
    max: ANY_NUMBER,
    engineVersion: context.search.engineVersion,
  }
  return new OrdinalsJoinQuery(parents, rules, context.search.searcher.segments)
}

/** The DSL's `parent_id`: the children of one document. */
export function parentIdQuery(query: ParentIdQuery, context: QueryContext): LuceneQuery {
  requireAllowed('[joining] queries', context)
  const { mapping, searcher } = context.search
  const { join } = mapping
  if (join === undefined) {
    return unmapped(`[parent_id] no join field found for index [${searcher.indexName}]`, query, context)
  }
  const { type, id } = query
  const parent = type === undefined ? undefined : joinParentOf(join, type)
  if (parent === undefined || type === undefined) {
    return unmapped(`[parent_id] no relation found for child [${type ?? 'null'}]`, query, context)
  }
  if (id === undefined) {
    const reason = 'Cannot read field "length" because "target" is null'
    throw new ServiceError('null_pointer_exception', reason, { inQueryPhase: true })
  }
  return ofName(new TermQuery(parent.idField.path, id), join.field.path, type)
}

/** What of a query's documents bears a name. */
function ofName(query: LuceneQuery, path: string, name: string): LuceneQuery {
  const named = new MultiTermQuery(path, name, (terms) => {
    const ordinal = terms.find(Buffer.from(name))
    return ordinal < 0 ? [] : [ordinal]
  })
  return new BooleanQuery([
    { occur: 'must', query },
    { occur: 'filter', query: named },
  ])
}

function unmapped(reason: string, query: { readonly ignoreUnmapped: boolean }, context: QueryContext): LuceneQuery {
  if (query.ignoreUnmapped) return new MatchNoDocsQuery('')
  throw shardError(context, reason)
}
