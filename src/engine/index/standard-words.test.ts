import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Analyzer } from '../analysis/analyzer.ts'
import { createIndexAnalyzers } from '../analysis/create-index-analyzers.ts'
import { FieldInverter } from './field-inverter.ts'
import { addStandardBytes, addStandardText, isStandard } from './standard-words.ts'

const analyzers = createIndexAnalyzers(
  { 'index.analysis.analyzer.short.type': 'standard', 'index.analysis.analyzer.short.max_token_length': '5' },
  { engineVersion: 'Elasticsearch_6.8' },
)
const analyzerOf = (name: string): Analyzer => {
  const analyzer = analyzers.analyzer(name)
  if (analyzer === undefined) throw new Error(`no analyzer ${name}`)
  return analyzer
}

/** Terms and positions of what was inverted, in order. */
function inverted(inverter: FieldInverter): string[] {
  const { termBytes, termEnds, termIds, positions, docs } = inverter.draft()
  return Array.from(termIds, (id, i) => {
    const term = Buffer.from(termBytes.subarray(id === 0 ? 0 : termEnds[id - 1], termEnds[id]))
    return `${docs[i]} ${positions[i]} ${term}`
  })
}

const piece = fc.oneof(
  fc.constantFrom(...`abzAZ09 _'".,;:#*-!?()/@&%\n\t\0~`),
  fc.constantFrom(
    'don’t',
    "don't",
    'U.S.A.',
    '3.14',
    '1,000',
    'foo_bar',
    'a:b',
    "'tis",
    'É',
    'ß',
    'İ',
    '한국어',
    'ㅋㅋ',
    '하ㅠ',
    '\u1100\u1161',
    '\uac00',
    '\ud7a3',
    '\ud7b0',
    '\u3131',
    '\u318e',
    '\u318f',
    '\u3130',
    '\uabff',
    '…',
    '..',
    '·',
    'カタカナ',
    '漢字',
  ),
  fc.constantFrom(
    '1\ufe0f\u20e3',
    '#\ufe0f\u20e3',
    'a\u0301',
    '\u0301',
    '\u200d',
    '\u{1F600}',
    '\ud800',
    'א"ב',
    'x'.repeat(254),
    'ab',
  ),
)

describe('words taken straight from a text', () => {
  it('are what the standard analyzer makes of it', () => {
    const analyzer = analyzerOf('standard')
    expect(isStandard(analyzer)).toBe(true)
    const text = fc.oneof(
      fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
      fc.array(piece, { maxLength: 15 }).map((pieces) => pieces.join(' ')),
      fc.string({ maxLength: 40 }),
      fc.string({ unit: 'binary', maxLength: 20 }),
    )
    fc.assert(
      fc.property(text, (value) => {
        const fast = new FieldInverter({ hasFreqs: true, hasPositions: true })
        const count = addStandardText(fast, value, { doc: 3, position: 10, path: 'f', analyzer })
        const plain = new FieldInverter({ hasFreqs: true, hasPositions: true })
        const tokens = analyzer.analyze(value)
        for (let i = 0; i < tokens.length; i++) plain.add(tokens.terms[i] as string, 3, 11 + i)
        expect(inverted(fast)).toEqual(inverted(plain))
        expect(count).toBe(tokens.length)
        if (!value.isWellFormed()) return
        const bytes = new FieldInverter({ hasFreqs: true, hasPositions: true })
        const source = Buffer.from(`{"a한":"${value}"}`)
        const to = source.length - 2
        expect(addStandardBytes(bytes, source, 9, to, { doc: 3, position: 10, path: 'f', analyzer })).toBe(count)
        expect(inverted(bytes)).toEqual(inverted(plain))
      }),
      { numRuns: Number(process.env['RUNS'] ?? 3_000) },
    )
  })

  it('are not for analyzers that do more, or cut words shorter', () => {
    for (const name of ['simple', 'stop', 'english', 'whitespace', 'keyword', 'short']) {
      expect(isStandard(analyzerOf(name)), name).toBe(false)
    }
  })
})
