import type { TermDictionary } from '../../index/segment-reader.ts'
import { walkTerms } from './character-walk.ts'
import type { RegexpAutomaton } from './lucene-regexp.ts'

/** Ordinals of the terms a regular expression describes as a whole. */
export function regexpTerms(terms: TermDictionary, automaton: RegexpAutomaton): number[] {
  const states = [0]
  const found: number[] = []
  walkTerms(
    terms,
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
