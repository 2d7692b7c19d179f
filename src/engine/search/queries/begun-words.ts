import type { MatchQuery } from './query.ts'

/** A text whose last word is only begun, as query strings with `analyze_wildcard` search one that ends in `*`. */
export function begunWords(
  field: string,
  text: string,
  options: { readonly operator: 'and' | 'or'; readonly lenient: boolean; readonly analyzer: string | undefined },
): MatchQuery {
  const { operator, lenient, analyzer } = options
  return {
    kind: 'match',
    field,
    text,
    operator,
    prefixLength: 0,
    maxExpansions: 50,
    transpositions: true,
    lenient,
    zeroTermsQuery: 'none',
    autoGenerateSynonymsPhraseQuery: false,
    lastIsPrefix: true,
    prefixAlternatives: true,
    ...(analyzer === undefined ? {} : { analyzer }),
  }
}
