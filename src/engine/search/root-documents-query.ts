import type { IndexMapping } from '../mapping/index-mapping.ts'
import { BlockJoinQuery } from './lucene/block-join-query.ts'
import { BooleanQuery } from './lucene/boolean-query.ts'
import { BoostQuery } from './lucene/boost-query.ts'
import { ConstantScoreQuery } from './lucene/constant-score-query.ts'
import { bitsDocSet } from './lucene/doc-set.ts'
import type { LuceneQuery } from './lucene/lucene-query.ts'
import { MadeSetQuery } from './lucene/made-set-query.ts'
import { MatchAllDocsQuery } from './lucene/match-all-docs-query.ts'
import { MatchNoDocsQuery } from './lucene/match-no-docs-query.ts'
import { PointRangeQuery } from './lucene/point-range-query.ts'
import type { SearchContext } from './lucene/search-context.ts'
import { TermInSetQuery } from './lucene/term-in-set-query.ts'
import { TermQuery } from './lucene/term-query.ts'
import { ToldSetQuery } from './lucene/told-set-query.ts'

/**
 * The query as the real server runs it: besides a filter for root documents where it might find nested objects too.
 * Searches here never look at those, so only what is told about a query needs the filter.
 *
 * @param isTyped  the types were told: such a search asks for root documents at any rate
 * @source NestedHelper.mightMatchNestedDocs: guesses on the safe side
 */
export function withRootFilter(query: LuceneQuery, context: SearchContext, isTyped = false): LuceneQuery {
  const { mapping } = context
  if (!hasNestedObjects(mapping) || !(isTyped || mightFindNested(query, mapping))) return query
  return new BooleanQuery([
    { occur: 'must', query },
    { occur: 'filter', query: rootDocuments(context) },
  ])
}

function rootDocuments({ engineVersion }: SearchContext): LuceneQuery {
  const name = engineVersion === 'OpenSearch_2.19' ? 'FieldExistsQuery' : 'DocValuesFieldExistsQuery'
  return new MadeSetQuery(`${name} [field=_primary_term]`, ({ segment }) =>
    segment.rootDocs === undefined ? { kind: 'all', count: segment.maxDoc } : bitsDocSet(segment.rootDocs),
  )
}

function mightFindNested(query: LuceneQuery, mapping: IndexMapping): boolean {
  const mightInner = (inner: LuceneQuery): boolean => mightFindNested(inner, mapping)
  if (query instanceof ConstantScoreQuery || query instanceof BoostQuery) return mightInner(query.query)
  if (query instanceof MatchAllDocsQuery) return true
  if (query instanceof MatchNoDocsQuery) return false
  if (query instanceof TermQuery || query instanceof PointRangeQuery) return mightBeNested(query.field, mapping)
  if (query instanceof ToldSetQuery) return query.pointsOf === undefined || mightBeNested(query.pointsOf, mapping)
  if (query instanceof TermInSetQuery) return mightBeNested(query.field, mapping)
  if (query instanceof BlockJoinQuery) return query.join.parentPath !== undefined
  if (query instanceof BooleanQuery) {
    const required = [...query.of('must'), ...query.of('filter')]
    return required.length > 0 ? required.every(mightInner) : query.of('should').some(mightInner)
  }
  return true
}

function mightBeNested(path: string, mapping: IndexMapping): boolean {
  if (path.startsWith('_')) return true
  if (mapping.field(path) === undefined) return false
  const names = path.split('.')
  return names.some((_, i) => i > 0 && mapping.isNested(names.slice(0, i).join('.')))
}

const known = new WeakMap<IndexMapping, boolean>()

function hasNestedObjects(mapping: IndexMapping): boolean {
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
