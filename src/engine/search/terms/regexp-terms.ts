import type { RegexpAutomaton } from '../../analysis/lucene-regexp.ts'
import type { TermDictionary } from '../../index/segment-reader.ts'
import { walkTrie } from './character-walk.ts'
import { termTrie } from './term-trie.ts'

/** Ordinals of the terms a regular expression describes as a whole. */
export function regexpTerms(terms: TermDictionary, automaton: RegexpAutomaton): number[] {
  const states = [0]
  const found: number[] = []
  walkTrie(
    termTrie(terms),
    { from: 0, to: terms.size },
    {
      step(depth, codePoint) {
        const next = automaton.step(states[depth] as number, codePoint)
        states[depth + 1] = next
        return next >= 0
      },
      accepts: (depth) => automaton.accepts(states[depth] as number),
    },
    (ordinal) => {
      found.push(ordinal)
    },
  )
  return found
}
