import { MatchNoDocsQuery } from './lucene/match-no-docs-query.ts'
import type { QueryContext } from './query-context.ts'

/** What a text comes to of which an analyzer leaves no word. */
export function noTerms({ search }: QueryContext): MatchNoDocsQuery {
  const end = search.engineVersion === 'OpenSearch_2.19' ? '' : '.'
  return new MatchNoDocsQuery(`Matching no documents because no terms present${end}`)
}
