import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import type { SearchWatch } from '../search/search-watch.ts'
import { type CompletionSuggestion, suggestCompletions } from './completion-suggester.ts'
import { type PhraseSuggestion, suggestPhrases } from './phrase-suggester.ts'
import type { SuggestEntry, SuggestResult } from './suggest-result.ts'
import { suggestTerms, type TermSuggestion } from './term-suggester.ts'

/** A suggester with all its settings. */
export type Suggestion = TermSuggestion | PhraseSuggestion | CompletionSuggestion

/** A suggester under its name. */
export interface NamedSuggestion {
  readonly name: string
  readonly suggestion: Suggestion
}

/**
 * Computes suggestions over indices.
 *
 * @throws {ServiceError} illegal_argument_exception when a field does not suit its suggester
 */
export function runSuggestions(
  suggestions: readonly NamedSuggestion[],
  searchers: readonly IndexSearcher[],
  engineVersion: EngineVersion,
  watch?: SearchWatch,
): SuggestResult[] {
  return suggestions.map(({ name, suggestion }) => {
    watch?.requireClient()
    return { name, kind: suggestion.kind, entries: entriesOf(suggestion, searchers, engineVersion) }
  })
}

function entriesOf(
  suggestion: Suggestion,
  searchers: readonly IndexSearcher[],
  engineVersion: EngineVersion,
): SuggestEntry[] {
  switch (suggestion.kind) {
    case 'term':
      return suggestTerms(suggestion, searchers, engineVersion)
    case 'phrase':
      return suggestPhrases(suggestion, searchers, engineVersion)
    case 'completion':
      return suggestCompletions(suggestion, searchers, engineVersion)
  }
}
