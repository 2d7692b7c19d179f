import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { byFrequency, byScore, type SimilarWord, type SpellCheckOptions, similarWords } from './spell-checker.ts'
import { suggestAnalyzer } from './suggest-analyzer.ts'
import { SuggestDictionary } from './suggest-dictionary.ts'
import type { SuggestEntry } from './suggest-result.ts'

/** `term`: other words for each word of a text. */
export interface TermSuggestion extends SpellCheckOptions {
  readonly kind: 'term'
  readonly text: string
  readonly field: string
  readonly analyzer: string | undefined
  readonly size: number
  readonly shardSize: number
}

/** Entries of one index after the other, joined word by word. */
export function suggestTerms(
  suggestion: TermSuggestion,
  searchers: readonly IndexSearcher[],
  engineVersion: EngineVersion,
): SuggestEntry[] {
  const { text, field, analyzer: name, shardSize, size, sort } = suggestion
  const words: { text: string; offset: number; length: number; found: Map<string, SimilarWord> }[] = []
  searchers.forEach((searcher, s) => {
    const analyzer = suggestAnalyzer(searcher, field, name, engineVersion)
    const dictionary = new SuggestDictionary(searcher, field)
    const tokens = analyzer.analyze(text)
    for (let i = 0; i < tokens.length; i++) {
      const term = tokens.terms[i] as string
      const offset = tokens.startOffsets[i] as number
      // Indices analyze alike as a rule: the first one's words stand for all.
      if (s === 0)
        words.push({ text: term, offset, length: (tokens.endOffsets[i] as number) - offset, found: new Map() })
      const entry = words.find((word) => word.text === term && word.offset === offset)
      if (entry === undefined) continue
      for (const word of similarWords(term, shardSize, dictionary, suggestion)) {
        const known = entry.found.get(word.text)
        entry.found.set(word.text, {
          ...word,
          score: Math.max(word.score, known?.score ?? 0),
          freq: word.freq + (known?.freq ?? 0),
        })
      }
    }
  })
  return words.map(({ found, ...entry }) => ({
    ...entry,
    options: [...found.values()].sort(sort === 'score' ? byScore : byFrequency).slice(0, size),
  }))
}
