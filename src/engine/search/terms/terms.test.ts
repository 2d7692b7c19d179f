import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RegexpAutomaton } from '../../analysis/lucene-regexp.ts'
import type { TermDictionary } from '../../index/segment-reader.ts'
import { SortedTermDictionary } from '../../index/term-dictionary.ts'
import { infixTerms, scanForInfix } from './infix-terms.ts'
import { allNearTerms, nearTermSearch } from './near-terms.ts'
import { prefixTerms } from './prefix-terms.ts'
import { regexpTerms } from './regexp-terms.ts'
import { wildcardTerms } from './wildcard-terms.ts'

/** A dictionary of the given terms, without postings. */
function dictionaryOf(words: readonly string[]): TermDictionary {
  const sorted = [...new Set(words)].map((word) => Buffer.from(word)).sort(Buffer.compare)
  const termOffsets = new Uint32Array(sorted.length + 1)
  for (const [i, bytes] of sorted.entries()) termOffsets[i + 1] = (termOffsets[i] as number) + bytes.length
  return new SortedTermDictionary({
    termBytes: new Uint8Array(Buffer.concat(sorted)),
    termOffsets,
    docFreqs: new Uint32Array(sorted.length).fill(1),
    totalTermFreqs: undefined,
    starts: new Uint32Array(sorted.length),
    positionStarts: undefined,
    postings: { words: new Int32Array(0), positions: undefined, hasFreqs: false },
  })
}

/** Optimal string alignment distance, the plain way. */
function distance(a: readonly string[], b: readonly string[], transpositions: boolean): number {
  const d = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  const at = (i: number, j: number): number => (d[i] as number[])[j] as number
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      let best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1))
      if (transpositions && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, at(i - 2, j - 2) + 1)
      ;(d[i] as number[])[j] = best
    }
  }
  return at(a.length, b.length)
}

const alphabet = fc.constantFrom('a', 'b', 'c', 'é', '가', '나', '😀')
const word = fc.array(alphabet, { maxLength: 9 }).map((letters) => letters.join(''))
const words = fc.array(word, { minLength: 1, maxLength: 60 })
const textsOf = (terms: TermDictionary, ordinals: ArrayLike<number>): string[] =>
  Array.from(ordinals, (o) => terms.termText(o))

/** A text and words that are a few edits away from it, or not. */
const textAndWords = fc
  .tuple(
    fc.array(alphabet, { minLength: 1, maxLength: 12 }),
    fc.array(
      fc.array(fc.tuple(fc.constantFrom('insert', 'delete', 'replace', 'swap'), fc.nat(), alphabet), { maxLength: 3 }),
      { maxLength: 40 },
    ),
    words,
  )
  .map(([letters, edits, others]) => {
    const near = edits.map((steps) => {
      const out: string[] = [...letters]
      for (const [step, place, letter] of steps) {
        const at = place % (out.length + 1)
        if (step === 'insert') out.splice(at, 0, letter)
        else if (step === 'delete') out.splice(at, 1)
        else if (step === 'replace') out.splice(at, 1, letter)
        else if (at + 1 < out.length) out.splice(at, 2, out[at + 1] as string, out[at] as string)
      }
      return out.join('')
    })
    return { text: letters.join(''), list: [...near, ...others] }
  })

describe('terms of a dictionary', () => {
  it('finds the terms within some edits, as the plain distance does', () => {
    fc.assert(
      fc.property(
        textAndWords,
        fc.constantFrom(1, 2),
        fc.boolean(),
        fc.nat(2),
        ({ list, text }, maxEdits, transpositions, prefixLength) => {
          const terms = dictionaryOf(list)
          const letters = Array.from(text)
          const prefix = letters.slice(0, prefixLength).join('')
          const expected = Array.from({ length: terms.size }, (_, ordinal) => ({
            ordinal,
            edits: distance(letters, Array.from(terms.termText(ordinal)), transpositions),
            length: Array.from(terms.termText(ordinal)).length,
          })).filter(({ ordinal, edits }) => edits <= maxEdits && terms.termText(ordinal).startsWith(prefix))
          const options = { maxEdits, transpositions, prefixLength }
          expect(nearTermSearch(text, options)(terms)).toEqual(expected)
          expect(allNearTerms(terms, text, options)).toEqual(expected)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('finds the terms that begin with or contain a text', () => {
    fc.assert(
      fc.property(textAndWords, ({ list, text: whole }) => {
        const text = whole.slice(0, 4).replace(/[\ud800-\udbff]$/, '')
        const terms = dictionaryOf(list)
        const all = textsOf(
          terms,
          Array.from({ length: terms.size }, (_, i) => i),
        )
        const { from, to } = prefixTerms(terms, Buffer.from(text))
        expect(all.slice(from, to)).toEqual(all.filter((t) => t.startsWith(text)))
        if (text === '') return
        const expected = all.filter((t) => t.includes(text))
        // The index is made the second time.
        for (let time = 0; time < 2; time++)
          expect(textsOf(terms, infixTerms(terms, Buffer.from(text)))).toEqual(expected)
        expect(textsOf(terms, scanForInfix(terms, Buffer.from(text)))).toEqual(expected)
      }),
    )
  })

  it('finds the terms a pattern with stars and question marks describes', () => {
    const pattern = fc
      .array(fc.oneof(alphabet, fc.constantFrom('*', '?')), { maxLength: 6 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(words, pattern, (list, text) => {
        const terms = dictionaryOf(list)
        const expression = new RegExp(`^${text.replace(/\*/g, '.*').replace(/\?/g, '.')}$`, 'su')
        const all = textsOf(
          terms,
          Array.from({ length: terms.size }, (_, i) => i),
        )
        expect(textsOf(terms, wildcardTerms(terms, text))).toEqual(all.filter((t) => expression.test(t)))
      }),
      { numRuns: 300 },
    )
  })

  it('finds the terms a regular expression describes as a whole', () => {
    const terms = dictionaryOf(['a', 'ab', 'abb', 'abc', 'b', 'ba', '가나', '가나다'])
    expect(textsOf(terms, regexpTerms(terms, new RegexpAutomaton('ab+')))).toEqual(['ab', 'abb'])
    expect(textsOf(terms, regexpTerms(terms, new RegexpAutomaton('~(a@)')))).toEqual(['b', 'ba', '가나', '가나다'])
    expect(textsOf(terms, regexpTerms(terms, new RegexpAutomaton('가.?.')))).toEqual(['가나', '가나다'])
  })

  it('refuses expressions of too many states instead of hanging', () => {
    const expression = '(0|1)*1(0|1){12}'
    expect(() => new RegexpAutomaton(expression, { maxStates: 100 })).toThrow(
      `Determinizing ${expression} would result in more than 100 states.`,
    )
    expect(() => new RegexpAutomaton(expression, { maxStates: 100, lucene: 9 })).toThrow(
      `Determinizing ${expression} would require more than 100 effort.`,
    )
  })
})
