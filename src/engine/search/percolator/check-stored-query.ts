import { ServiceError } from '../../../errors.ts'
import type { EngineVersion } from '../../engine-version.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import type { IndexMapping } from '../../mapping/index-mapping.ts'
import { checkQuery } from '../check-query.ts'
import { isQuery } from '../is-query.ts'
import type { Query } from '../query.ts'

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
  checkQuery(withoutExists(query) as Query, { ...index, mapping: strictMapping(index) }, engineVersion)
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

/** A query without those that may name any field. */
function withoutExists(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutExists)
  if (typeof part !== 'object' || part === null || part.constructor !== Object) return part
  if ((part as { readonly kind?: unknown }).kind === 'exists') return { kind: 'match_all' }
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withoutExists(value)]))
}

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
