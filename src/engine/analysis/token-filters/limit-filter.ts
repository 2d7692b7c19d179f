import type { TokenFilter } from '../analyzer.ts'

/** Keeps the first tokens only. */
export function limitFilter(maxTokenCount: number): TokenFilter {
  return {
    filter(tokens) {
      tokens.length = Math.min(tokens.length, maxTokenCount)
    },
  }
}
