import { ServiceError } from '../../errors.ts'
import { isTooLarge } from './boolean-queries.ts'
import type { LuceneQuery } from './lucene/lucene-query.ts'
import { MatchNoDocsQuery } from './lucene/match-no-docs-query.ts'
import { askedPath, fieldOf, type QueryContext } from './query-context.ts'

/**
 * A query that finds nothing where it cannot be made, and says why.
 *
 * @param path  the field it is about; undefined: a text in several fields, which does not tell
 */
export function leniently(path: string | undefined, context: QueryContext, make: () => LuceneQuery): LuceneQuery {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof ServiceError) || isTooLarge(error)) throw error
    // What went wrong, not that the query could not be made.
    const { cause } = error.detail
    const { type, reason } = error.type === 'query_shard_exception' && cause !== undefined ? cause : error
    if (path === undefined) return new MatchNoDocsQuery(`failed query, caused by ${reason}`)
    // An alias goes by the name of what it stands for.
    const field = fieldOf(path, context)
    const name = field === undefined ? path : askedPath(field)
    return new MatchNoDocsQuery(`failed [${name}] query, caused by ${type}:[${reason}]`)
  }
}
