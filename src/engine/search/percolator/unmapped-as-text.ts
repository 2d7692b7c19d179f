import { ServiceError } from '../../../errors.ts'
import type { EngineVersion } from '../../engine-version.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import { MemorySearcher } from '../../index/memory-searcher.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import type { IndexMapping } from '../../mapping/index-mapping.ts'
import { OverlaidMapping } from '../../mapping/overlaid-mapping.ts'
import { SearchContext } from '../lucene/search-context.ts'
import type { Query } from '../queries/query.ts'
import { rewriteQuery } from '../queries/rewrite-query.ts'

const made = new WeakMap<IndexMapping, IndexMapping>()

/** The mapping that an index' stored queries are made by: the same, or one where fields that are not mapped are texts. */
export function storedQueryMapping(mapping: IndexMapping): IndexMapping {
  if (!mapping.mapsUnmappedAsText) return mapping
  const known = made.get(mapping)
  if (known !== undefined) return known
  const texts = new Map<string, FieldMapping | undefined>()
  const field = (path: string): FieldMapping | undefined => {
    const mapped = mapping.field(path)
    if (mapped !== undefined) return mapped
    if (!texts.has(path)) texts.set(path, textOf(path, mapping))
    return texts.get(path)
  }
  const whole = new OverlaidMapping(mapping, field)
  made.set(mapping, whole)
  return whole
}

/** A query for words in several fields, in those of them that are mapped; the same where all are. */
export function withKnownFields(query: Query, mapping: IndexMapping): Query {
  if (query.kind !== 'multi_match' && query.kind !== 'simple_query_string' && query.kind !== 'query_string')
    return query
  const fields = query.fields.filter(([path]) => path.includes('*') || mapping.field(path) !== undefined)
  if (fields.length === query.fields.length) return query
  return fields.length === 0 ? { kind: 'match_all' } : { ...query, fields }
}

/** A stored query as the real servers rewrite it before it is made, knowing of no fields but those that are mapped. */
export function rewriteStoredQuery(
  query: Query,
  index: Pick<IndexSearcher, 'indexName' | 'indexUuid' | 'mapping'>,
  engineVersion: EngineVersion,
): Query {
  return withoutNone(rewriteQuery(query, new SearchContext(new MemorySearcher(index), { engineVersion }), false))
}

/** A query without alternatives that find nothing. */
function withoutNone(query: Query): Query {
  if (query.kind === 'bool') {
    const { must, filter, should } = query
    return {
      ...query,
      must: must.map(withoutNone),
      filter: filter.map(withoutNone),
      should: should.map(withoutNone).filter(({ kind }) => kind !== 'match_none'),
    }
  }
  if (query.kind !== 'dis_max') return query
  const queries = query.queries.map(withoutNone).filter(({ kind }) => kind !== 'match_none')
  return queries.length === 0 ? { kind: 'match_none' } : { ...query, queries }
}

/** Undefined where no field can be called so. */
function textOf(path: string, mapping: IndexMapping): FieldMapping | undefined {
  if (path.startsWith('_') || path.includes('*')) return undefined
  try {
    return mapping.merge(mapping.types[0] ?? '_doc', { properties: { [path]: { type: 'text' } } }).field(path)
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}
