import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UnicodeCharFilter } from './unicode-char-filter.ts'
import { UNICODE_FORMS } from './unicode-form.ts'

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '학교',
        '학교'.normalize('NFD'),
        'ᄒ',
        'ㅋ',
        'é',
        'e\u0301',
        'ﬁ',
        'Ｆ',
        '㈜',
        'İ',
        'ß',
        '\u00ad',
        '😀',
        ' ',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

describe('UnicodeCharFilter', () => {
  it('gives what String.normalize gives', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(new UnicodeCharFilter('nfc').filter(given).text).toBe(given.normalize('NFC'))
        expect(new UnicodeCharFilter('nfkc').filter(given).text).toBe(given.normalize('NFKC'))
        expect(new UnicodeCharFilter('nfc', true).filter(given).text).toBe(given.normalize('NFD'))
      }),
    )
  })

  it('folds case and drops what is invisible in nfkc_cf, and leaves nothing more to fold', () => {
    const filter = new UnicodeCharFilter('nfkc_cf')
    expect(filter.filter('ＡＢＣ Straße\u00ad ΑΣ').text).toBe('abc strasse ας'.replace('ς', 'σ'))
    fc.assert(
      fc.property(text, (given) => {
        const once = filter.filter(given).text
        expect(filter.filter(once).text).toBe(once)
      }),
    )
  })

  it('leads offsets back into the text, in order, from start to end', () => {
    fc.assert(
      fc.property(text, fc.constantFrom(...UNICODE_FORMS), (given, form) => {
        const { text: filtered, correctOffset } = new UnicodeCharFilter(form).filter(given)
        if (correctOffset === undefined) return
        let before = 0
        for (let offset = 0; offset <= filtered.length; offset++) {
          const corrected = correctOffset(offset)
          expect(corrected).toBeGreaterThanOrEqual(before)
          expect(corrected).toBeLessThanOrEqual(given.length)
          before = corrected
        }
        expect(correctOffset(filtered.length)).toBe(given.length)
      }),
    )
  })

  it('leads the offsets of a composed syllable back to its jamo', () => {
    const { correctOffset } = new UnicodeCharFilter('nfc').filter('학교 길'.normalize('NFD'))
    // 학 is three jamo, 교 two, the space one.
    expect([0, 1, 2, 3, 4].map((offset) => correctOffset!(offset))).toEqual([0, 3, 5, 6, 9])
  })

  it('leaves a text alone that has nothing to normalize', () => {
    for (const form of UNICODE_FORMS) {
      expect(new UnicodeCharFilter(form).filter('학교에서 10시')).toEqual({ text: '학교에서 10시' })
    }
  })
})
