import type { FieldMapping } from '../../mapping/field-mapping.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MatchAllDocsQuery } from '../lucene/match-all-docs-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'

/**
 * All documents or none, by what a query says of the one value of a `constant_keyword`; undefined: it is another field.
 */
export function constantQuery(field: FieldMapping, matches: (value: string) => boolean): LuceneQuery | undefined {
  if (field.kind !== 'keyword' || field.constant === undefined) return undefined
  return matches(field.constant) ? new MatchAllDocsQuery() : new MatchNoDocsQuery('User requested "match_none" query.')
}
