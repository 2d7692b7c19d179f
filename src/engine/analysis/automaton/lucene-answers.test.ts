import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ServiceError } from '../../../errors.ts'
import { RegexpAutomaton, type RegexpOptions, regexpAutomaton } from '../lucene-regexp.ts'

// What Lucene itself makes of patterns; see vectors/SOURCE.md.

interface Answer extends RegexpOptions {
  readonly pattern: string
  readonly states?: number
  readonly transitions?: number
  /** Which of the texts are accepted. */
  readonly accepts?: readonly number[]
  readonly error?: string
  readonly reason?: string
}

describe.each(['7.7.3', '9.12.2'])('patterns of Lucene %s', (version) => {
  const file = new URL(`vectors/lucene-${version}.json`, import.meta.url)
  const { lucene, texts, cases } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly lucene: 7 | 9
    readonly texts: readonly string[]
    readonly cases: readonly Answer[]
  }

  const answer = ({ pattern, flags, maxStates, caseInsensitive }: Answer): Partial<Answer> => {
    const options = {
      lucene,
      ...(flags === undefined ? {} : { flags }),
      ...(maxStates === undefined ? {} : { maxStates }),
      ...(caseInsensitive === undefined ? {} : { caseInsensitive }),
    }
    try {
      const run = new RegexpAutomaton(pattern, options)
      const automaton = regexpAutomaton(pattern, options)
      return {
        states: automaton.size,
        transitions: automaton.transitionCount,
        accepts: texts.flatMap((text, i) => (run.matches(text) ? [i] : [])),
      }
    } catch (error) {
      const { type, reason } = error as ServiceError
      return { error: type, reason }
    }
  }

  it('are the same automata, accept the same and are refused for the same reason', () => {
    for (const one of cases) expect({ ...one, ...answer(one) }).toEqual(one)
  })
})
