import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchWildcard } from './match-wildcard.ts'

/** The definition, by trying everything. */
function matchesByDefinition(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  if (pattern[0] !== '*')
    return text !== '' && pattern[0] === text[0] && matchesByDefinition(pattern.slice(1), text.slice(1))
  for (let i = 0; i <= text.length; i++) if (matchesByDefinition(pattern.slice(1), text.slice(i))) return true
  return false
}

describe('a wildcard pattern', () => {
  it('matches what its definition says', () => {
    const letters = (alphabet: string, maxLength: number) =>
      fc.string({ unit: fc.constantFrom(...alphabet), maxLength })
    fc.assert(
      fc.property(letters('ab*', 8), letters('ab', 10), (pattern, text) => {
        expect(matchWildcard(pattern, text)).toBe(matchesByDefinition(pattern, text))
      }),
      { numRuns: 5000 },
    )
  })

  it('takes time in proportion to the text, with nine stars too', () => {
    const started = performance.now()
    for (let i = 0; i < 1000; i++) expect(matchWildcard(`${'*a'.repeat(9)}*b`, 'a'.repeat(200))).toBe(false)
    // Milliseconds; with a power of the text's length it would not end.
    expect(performance.now() - started).toBeLessThan(15_000)
  })
})
