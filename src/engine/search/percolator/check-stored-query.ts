import { ServiceError } from '../../../errors.ts'
import type { EngineVersion } from '../../engine-version.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import type { IndexMapping } from '../../mapping/index-mapping.ts'
import { TYPED_METADATA } from '../../mapping/metadata-fields.ts'
import { checkQuery } from '../queries/check-query.ts'
import { isQuery } from '../queries/is-query.ts'
import type { Query, RangeQuery } from '../queries/query.ts'
import { rewriteStoredQuery, storedQueryMapping, withKnownFields } from './unmapped-as-text.ts'

/**
 * Checks that a query can be stored in an index: its fields are mapped, its values are theirs.
 *
 * @throws {ServiceError} the fault itself, which the caller wraps
 */
export function checkStoredQuery(
  query: Query,
  index: Pick<IndexSearcher, 'indexName' | 'indexUuid' | 'mapping'>,
  engineVersion: EngineVersion,
): void {
  refuseJoins(query)
  const loose = withoutLoose(query, index.mapping, engineVersion) as Query
  // Where fields need not be mapped, what is left out of queries by its field is so before they are made.
  const { mapsUnmappedAsText } = index.mapping
  const asked = mapsUnmappedAsText ? rewriteStoredQuery(loose, index, engineVersion) : loose
  const mapping = mapsUnmappedAsText ? storedQueryMapping(index.mapping) : strictMapping(index)
  checkQuery(asked, { ...index, mapping }, engineVersion)
}

/** Queries for other documents cannot be asked of one alone. */
function refuseJoins(query: Query): void {
  if (query.kind === 'has_child' || query.kind === 'has_parent') {
    throw new ServiceError(
      'illegal_argument_exception',
      `the [${query.kind}] query is unsupported inside a percolator query`,
    )
  }
  for (const value of Object.values(query)) {
    for (const part of Array.isArray(value) ? value : [value]) {
      if (isQuery(part)) refuseJoins(part)
    }
  }
}

/**
 * A query without what may name any field: in OpenSearch only patterns of fields that have values, in 7.10 lists of fields
 * too, and in 6.8 ranges that hang on the time, whatever their field is.
 */
function withoutLoose(part: unknown, mapping: IndexMapping, engineVersion: EngineVersion): unknown {
  if (Array.isArray(part)) return part.map((item) => withoutLoose(item, mapping, engineVersion))
  if (typeof part !== 'object' || part === null || part.constructor !== Object) return part
  const query = part as Query
  if (query.kind === 'exists') {
    const { field } = query
    const isStrict = engineVersion === 'OpenSearch_2.19' && !field.includes('*')
    return isStrict && !TYPED_METADATA[engineVersion].has(field) ? query : { kind: 'match_all' }
  }
  if (engineVersion === 'Elasticsearch_6.8' && query.kind === 'range' && speaksOfNow(query))
    return { kind: 'match_all' }
  const known = engineVersion === 'Elasticsearch_7.10' ? withKnownFields(query, mapping) : query
  if (known !== query) return known
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, withoutLoose(value, mapping, engineVersion)]),
  )
}

const speaksOfNow = ({ gt, gte, lt, lte }: RangeQuery): boolean =>
  [gt, gte, lt, lte].some((end) => typeof end === 'string' && end.includes('now'))

/** The same mapping, in which a field that is looked for has to be. */
function strictMapping({
  mapping,
  indexName,
  indexUuid,
}: Pick<IndexSearcher, 'indexName' | 'indexUuid' | 'mapping'>): IndexMapping {
  const field = (path: string): FieldMapping => {
    const found = mapping.field(path)
    if (found !== undefined) return found
    throw new ServiceError('query_shard_exception', `No field mapping can be found for the field with name [${path}]`, {
      index: indexName,
      indexUuid,
    })
  }
  return new Proxy(mapping, {
    get: (target, key) => {
      if (key === 'field') return field
      const value: unknown = Reflect.get(target, key, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
