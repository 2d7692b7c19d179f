import type { TokenFilter } from '../analyzer.ts'

/**
 * Drops terms that were there before, with their positions. Only among terms of one position, or in the whole text.
 * @source Elasticsearch's UniqueTokenFilter: positions of what is dropped are not kept as gaps
 */
export function uniqueFilter(onlyOnSamePosition: boolean): TokenFilter {
  return {
    filter(tokens) {
      const seen = new Set<string>()
      let kept = 0
      for (let i = 0; i < tokens.length; i++) {
        const term = tokens.terms[i] as string
        const stacked = tokens.positionIncrements[i] === 0
        if (onlyOnSamePosition && !stacked) seen.clear()
        const duplicate = seen.has(term) && (!onlyOnSamePosition || stacked)
        seen.add(term)
        if (!duplicate) tokens.move(i, kept++)
      }
      tokens.length = kept
    },
  }
}
