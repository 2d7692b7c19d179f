import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sortedTexts, walkBeginnings } from './beginning-walk.ts'
import { NearBeginning, type NearOptions } from './near-beginning.ts'
import { utf8Units } from './utf8-units.ts'

const character = fc.constantFrom('a', 'b', 'c', 'é', 'ê', '가', '각', '😀', '😁', '\ud83d')
const text = fc.array(character, { maxLength: 7 }).map((parts) => parts.join(''))
const options: fc.Arbitrary<NearOptions> = fc.record({
  edits: fc.integer({ min: 0, max: 2 }),
  transpositions: fc.boolean(),
  minLength: fc.integer({ min: 0, max: 4 }),
  prefixLength: fc.integer({ min: 0, max: 3 }),
})

const codePoints = (given: string): number[] => Array.from(given, (one) => one.codePointAt(0) as number)
const bytesOf = (given: string): number[] => [...Buffer.from(given)]

/** Edits between two texts, from the whole table. */
function distance(a: readonly number[], b: readonly number[], transpositions: boolean): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j))
  const at = (i: number, j: number): number => table[i]?.[j] as number
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      let least = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1))
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (transpositions && isSwapped) least = Math.min(least, at(i - 2, j - 2) + 1)
      ;(table[i] as number[])[j] = least
    }
  }
  return at(a.length, b.length)
}

/** The shortest beginning of a form that is near to a text, tried one by one; undefined: none is. */
function shortest(form: readonly number[], wanted: readonly number[], given: NearOptions): number | undefined {
  const { edits, prefixLength, minLength, transpositions } = given
  const isExact = edits === 0 || wanted.length <= prefixLength || wanted.length < minLength
  const exact = isExact ? wanted.length : prefixLength
  if (!wanted.slice(0, exact).every((unit, i) => form[i] === unit)) return undefined
  for (let length = exact; length <= form.length; length++) {
    if (distance(form.slice(exact, length), wanted.slice(exact), transpositions) <= edits) return length
  }
  return undefined
}

describe('a walk over beginnings', () => {
  it('finds the forms whose beginnings are near to a text, by the shortest', () => {
    const texts = fc.array(text, { minLength: 1, maxLength: 2 })
    fc.assert(
      fc.property(fc.array(text, { maxLength: 40 }), texts, options, fc.boolean(), (given, wanted, near, inBytes) => {
        const forms = given.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
        const unitsOf = inBytes ? bytesOf : codePoints
        const reader = new NearBeginning(wanted.map(unitsOf), near)
        const runs = walkBeginnings(
          sortedTexts(forms.length, (at) => forms[at] as string),
          inBytes ? utf8Units : (one) => [one],
          {
            start: reader.start,
            step: (state, unit) => reader.step(state, unit),
            match: (state, units) => (reader.accepts(state) ? units.length : undefined),
          },
        )
        const found = new Map<number, number>()
        for (const { from, to, match } of runs) for (let at = from; at < to; at++) found.set(at, match)
        const expected = forms.map((form) => {
          const lengths = wanted.map((one) => shortest(unitsOf(form), unitsOf(one), near))
          return lengths.reduce((a, b) => (a === undefined || (b !== undefined && b < a) ? b : a))
        })
        expect(forms.map((_, at) => found.get(at))).toEqual(expected)
      }),
      { numRuns: 3000 },
    )
  })

  it('reads characters as their bytes in UTF-8', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(codePoints(given).flatMap(utf8Units)).toEqual(bytesOf(given))
      }),
    )
  })
})
