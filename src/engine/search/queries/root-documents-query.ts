import type { IndexMapping } from '../../mapping/index-mapping.ts'
import { BlockJoinQuery, nestedDocs } from '../lucene/block-join-query.ts'
import { BooleanQuery } from '../lucene/boolean-query.ts'
import { BoostQuery } from '../lucene/boost-query.ts'
import { ConstantScoreQuery } from '../lucene/constant-score-query.ts'
import { bitsDocSet } from '../lucene/doc-set.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MadeSetQuery } from '../lucene/made-set-query.ts'
import { MatchAllDocsQuery } from '../lucene/match-all-docs-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { PointRangeQuery } from '../lucene/point-range-query.ts'
import type { SearchContext } from '../lucene/search-context.ts'
import { TermInSetQuery } from '../lucene/term-in-set-query.ts'
import { TermQuery } from '../lucene/term-query.ts'
import { ToldSetQuery } from '../lucene/told-set-query.ts'

/** What limits a query besides what it asks for itself, as the real servers tell of it. */
export interface ToldLimits {
  /** Of the types that a path names. */
  readonly types?: LuceneQuery | undefined
  /** Of the alias that is searched. */
  readonly alias?: LuceneQuery | undefined
}

/**
 * The query as the real server runs it: besides filters of types and aliases, and one for root documents where it might find nested
 * objects too. Searches here never look at those, so only what is told about a query needs that filter.
 *
 * @param isTyped  the types were told: such a search asks for root documents at any rate
 * @source DefaultSearchContext.buildFilteredQuery; NestedHelper.mightMatchNestedDocs: guesses on the safe side
 */
export function withToldFilters(
  query: LuceneQuery,
  context: SearchContext,
  { isTyped, types, alias }: ToldLimits & { readonly isTyped: boolean },
): LuceneQuery {
  const { mapping } = context
  const mightFindNested = (asked: LuceneQuery): boolean => mightFind(asked, nestedReach(mapping))
  const needsRoots =
    hasNestedObjects(mapping) &&
    types === undefined &&
    (isTyped || (mightFindNested(query) && (alias === undefined || mightFindNested(alias))))
  return filtered(query, types, needsRoots ? rootDocuments(context) : undefined, alias)
}

/**
 * The same for what is asked of a path's nested objects: with a filter for these where it might find other documents.
 *
 * @source NestedHelper.mightMatchNonNestedDocs
 */
export function withPathFilter(
  query: LuceneQuery,
  path: string,
  { mapping, engineVersion }: SearchContext,
): LuceneQuery {
  if (!mightFind(query, reachBeyond(path, mapping))) return query
  const text = engineVersion === 'OpenSearch_2.19' ? `_nested_path:${path}` : `_type:__${path}`
  return filtered(query, new MadeSetQuery(text, (leaf) => bitsDocSet(nestedDocs(leaf, path))))
}

function filtered(query: LuceneQuery, ...filters: readonly (LuceneQuery | undefined)[]): LuceneQuery {
  const limits = filters.flatMap((filter) =>
    filter === undefined ? [] : [{ occur: 'filter' as const, query: filter }],
  )
  return limits.length === 0 ? query : new BooleanQuery([{ occur: 'must', query }, ...limits])
}

/** Documents that are no nested objects. */
export function rootDocuments({ engineVersion }: SearchContext): LuceneQuery {
  const name = engineVersion === 'OpenSearch_2.19' ? 'FieldExistsQuery' : 'DocValuesFieldExistsQuery'
  return new MadeSetQuery(
    `${name} [field=_primary_term]`,
    ({ segment }) =>
      segment.rootDocs === undefined ? { kind: 'all', count: segment.maxDoc } : bitsDocSet(segment.rootDocs),
    true,
    'DocValuesFieldExistsQuery',
  )
}

/** What fields and joins within a query might find. */
interface Reach {
  field(path: string): boolean
  join(query: BlockJoinQuery): boolean
}

function mightFind(query: LuceneQuery, reach: Reach): boolean {
  const mightInner = (inner: LuceneQuery): boolean => mightFind(inner, reach)
  if (query instanceof ConstantScoreQuery || query instanceof BoostQuery) return mightInner(query.query)
  if (query instanceof MatchAllDocsQuery) return true
  if (query instanceof MatchNoDocsQuery) return false
  if (query instanceof TermQuery || query instanceof PointRangeQuery) return reach.field(query.field)
  if (query instanceof ToldSetQuery) return query.pointsOf === undefined || reach.field(query.pointsOf)
  if (query instanceof TermInSetQuery) return reach.field(query.field)
  if (query instanceof BlockJoinQuery) return reach.join(query)
  if (query instanceof BooleanQuery) {
    const required = [...query.of('must'), ...query.of('filter')]
    return required.length > 0 ? required.every(mightInner) : query.of('should').some(mightInner)
  }
  return true
}

/** Whether nested objects might be found. */
const nestedReach = (mapping: IndexMapping): Reach => ({
  field: (path) => isMetadata(path) || (mapping.field(path) !== undefined && nestedPathOf(path, mapping) !== undefined),
  join: ({ join }) => join.parentPath !== undefined,
})

/** Whether documents might be found that are no objects of a path. */
const reachBeyond = (nestedPath: string, mapping: IndexMapping): Reach => ({
  field: (path) =>
    isMetadata(path) || (mapping.field(path) !== undefined && nestedPathOf(path, mapping) !== nestedPath),
  join: () => true,
})

const isMetadata = (path: string): boolean => path.startsWith('_')

/** The nearest nested path around a field. */
function nestedPathOf(path: string, mapping: IndexMapping): string | undefined {
  const names = path.split('.')
  const around = names.map((_, i) => names.slice(0, i).join('.'))
  return around.findLast((name) => mapping.isNested(name))
}

const known = new WeakMap<IndexMapping, boolean>()

/** Whether an index maps any nested objects. */
export function hasNestedObjects(mapping: IndexMapping): boolean {
  let has = known.get(mapping)
  if (has === undefined) {
    has = mapping.types.some((type) => holdsNested(mapping.mapping(type)))
    known.set(mapping, has)
  }
  return has
}

function holdsNested(definition: unknown): boolean {
  const { type, properties } = (definition ?? {}) as { readonly type?: unknown; readonly properties?: object }
  return type === 'nested' || Object.values(properties ?? {}).some(holdsNested)
}
