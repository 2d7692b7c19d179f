import { ServiceError } from '../../../errors.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { isTooLarge } from './boolean-queries.ts'
import { askedPath, fieldOf, type QueryContext } from './query-context.ts'

/**
 * A query that finds nothing where it cannot be made, and says why.
 *
 * @param path  the field it is about; undefined: a text in several fields, which does not tell
 */
export function leniently(path: string | undefined, context: QueryContext, make: () => LuceneQuery): LuceneQuery {
  // Of many fields most may not take a text: where they say so is of no use, and finding out was most of their cost.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return make()
  } catch (error) {
    Error.stackTraceLimit = stackTraceLimit
    // What is no fault of the request says where it happened.
    if (!(error instanceof ServiceError)) return make()
    if (isTooLarge(error)) throw error
    // What went wrong, not that the query could not be made.
    const { cause } = error.detail
    const { type, reason } = error.type === 'query_shard_exception' && cause !== undefined ? cause : error
    if (path === undefined) return new MatchNoDocsQuery(`failed query, caused by ${reason}`)
    // An alias goes by the name of what it stands for.
    const field = fieldOf(path, context)
    const name = field === undefined ? path : askedPath(field)
    return new MatchNoDocsQuery(`failed [${name}] query, caused by ${type}:[${reason}]`)
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
