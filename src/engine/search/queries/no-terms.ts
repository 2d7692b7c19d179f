import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import type { QueryContext } from './query-context.ts'

/** What a text comes to of which an analyzer leaves no word. */
export function noTerms(): MatchNoDocsQuery {
  return new MatchNoDocsQuery('Matching no documents because no terms present')
}

const NONE_ASKED = 'User requested "match_none" query.'

/** What is made of a query that is seen to find nothing before it is made. */
export function noneAsked(): MatchNoDocsQuery {
  return new MatchNoDocsQuery(NONE_ASKED)
}

/** Whether a query is one of {@link noneAsked}: what needs it finds nothing either, and is not made. */
export function isNoneAsked(query: unknown): boolean {
  return query instanceof MatchNoDocsQuery && query.reason === NONE_ASKED
}

/** What a question for a value comes to in a field that no mapping lists. */
export function unmapped(path: string, { search }: QueryContext): MatchNoDocsQuery {
  return search.isLucene7 ? new MatchNoDocsQuery(`unmapped field [${path}]`) : noneAsked()
}

/** What a text to look for comes to where no mapping lists any of the fields to look in. */
export function unmappedFields(paths: readonly string[]): MatchNoDocsQuery {
  return new MatchNoDocsQuery(`unmapped fields [${paths.join(', ')}]`)
}
