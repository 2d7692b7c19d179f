import type { Analyzer } from '../analysis/analyzer.ts'
import { isStandard } from '../index/standard-words.ts'
import type { HighlightTerms } from './highlight-terms.ts'
import { type MatchedToken, matchedTokens } from './matched-tokens.ts'
import { standardMatcher } from './standard-matches.ts'

/** Finds the tokens of a text, a value behind the first or not, that a query is about, in the order of the text. */
export type TextMatcher = (text: string, isFurther?: boolean) => readonly MatchedToken[]

/** Of analyzers seen, whether they are the `standard` one: to find that out takes as long as highlighting a text. */
const standards = new WeakMap<Analyzer, boolean>()

function isKnownStandard(analyzer: Analyzer): boolean {
  let known = standards.get(analyzer)
  if (known === undefined) {
    known = isStandard(analyzer)
    standards.set(analyzer, known)
  }
  return known
}

/** What finds the terms of a query in texts of an analyzer; to be made once for many texts. */
export function textMatcher(analyzer: Analyzer, wanted: HighlightTerms): TextMatcher {
  const { terms, patterns, phrases } = wanted
  if (patterns.length === 0 && phrases.length === 0) {
    if (terms.size === 0) return () => []
    if (isKnownStandard(analyzer)) {
      const matcher = standardMatcher(analyzer, new Set(terms.keys()))
      return (text) => matcher.matches(text)
    }
  }
  return (text, isFurther) => matchedTokens(text, analyzer, wanted, isFurther)
}
