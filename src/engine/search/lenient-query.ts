import { ServiceError } from '../../errors.ts'
import { isTooLarge } from './boolean-queries.ts'
import type { LuceneQuery } from './lucene/lucene-query.ts'
import { MatchNoDocsQuery } from './lucene/match-no-docs-query.ts'

/**
 * A query that finds nothing where it cannot be made, and says why.
 *
 * @param field  the field it is about; undefined: a text in several fields, which does not tell
 */
export function leniently(field: string | undefined, make: () => LuceneQuery): LuceneQuery {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof ServiceError) || isTooLarge(error)) throw error
    // What went wrong, not that the query could not be made.
    const { cause } = error.detail
    const { type, reason } = error.type === 'query_shard_exception' && cause !== undefined ? cause : error
    return new MatchNoDocsQuery(
      field === undefined
        ? `failed query, caused by ${reason}`
        : `failed [${field}] query, caused by ${type}:[${reason}]`,
    )
  }
}
