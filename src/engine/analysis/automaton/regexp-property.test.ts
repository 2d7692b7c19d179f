import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { luceneRegexp } from '../lucene-regexp.ts'

/** A pattern of Lucene's and a plain test of what it means. */
interface Meaning {
  readonly pattern: string
  readonly matches: (text: string) => boolean
}

const letters = ['a', 'b', '가', '😀'] as const
const text = fc.array(fc.constantFrom(...letters), { maxLength: 6 }).map((chars) => chars.join(''))

/** Parts that both Lucene and JavaScript write alike. */
const plain: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...letters, '.', '[ab]', '[^a]', '[가-힣]'),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => `${a}${b}`),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(${a}|${b})`),
    fc
      .tuple(tie('node'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{0,2}', '{2,}'))
      .map(([a, op]) => `(${a})${op}`),
  ),
})).node

const meaning: fc.Arbitrary<Meaning> = fc.letrec<{ node: Meaning }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    plain.map((pattern) => {
      const expression = new RegExp(`^(?:${pattern})$`, 'su')
      return { pattern, matches: (one: string) => expression.test(one) }
    }),
    tie('node').map(({ pattern, matches }) => ({ pattern: `~(${pattern})`, matches: (one: string) => !matches(one) })),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => ({
      pattern: `(${a.pattern})&(${b.pattern})`,
      matches: (one: string) => a.matches(one) && b.matches(one),
    })),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => ({
      pattern: `(${a.pattern})|(${b.pattern})`,
      matches: (one: string) => a.matches(one) || b.matches(one),
    })),
  ),
})).node

describe('automata of expressions', () => {
  it('match what the parts of the expression say, with what is not and what is both', () => {
    fc.assert(
      fc.property(meaning, fc.array(text, { minLength: 1, maxLength: 12 }), ({ pattern, matches }, texts) => {
        for (const lucene of [7, 9] as const) {
          const test = luceneRegexp(pattern, { lucene })
          for (const one of texts) expect(test(one), `${pattern} on ${one}`).toBe(matches(one))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('match the numbers of an interval, with zeros in front as the bounds have them', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.nat(300), fc.nat(400), fc.nat(3), (a, b, n, zeros) => {
        const [low, high] = a < b ? [a, b] : [b, a]
        const isIn = n >= low && n <= high
        const written = String(n).padStart(String(n).length + zeros, '0')
        const isFixed = String(a).length === String(b).length
        const expected = isIn && (!isFixed || written.length === String(a).length)
        expect(luceneRegexp(`<${a}-${b}>`)(written)).toBe(expected)
      }),
    )
  })

  it('end in time, or are refused, whatever limit their query sets', () => {
    const bombs = ['.*a.{30}', '(.{0,900}a){5}', '(a?){250000}', '@{250000}', 'a{2147483647}', '(ab){2000000000}']
    const began = performance.now()
    for (const pattern of bombs) {
      for (const lucene of [7, 9] as const) {
        expect(() => luceneRegexp(pattern, { lucene, maxStates: 2_000_000_000 })).toThrow(/^Determinizing/)
      }
    }
    // Generous: it takes some seconds where nothing else runs.
    expect(performance.now() - began).toBeLessThan(60_000)
  })
})
