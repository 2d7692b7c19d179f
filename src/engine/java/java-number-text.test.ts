import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { javaDouble, javaFloat, roundedFloat } from './java-number-text.ts'

const FORM = /^-?(?:\d{1,7}\.\d+|\d\.\d+E-?\d+|Infinity)$|^NaN$/
const bits = new DataView(new ArrayBuffer(8))

const anyFloat = fc.integer({ min: 0, max: 2 ** 32 - 1 }).map((word) => {
  bits.setUint32(0, word)
  return bits.getFloat32(0)
})

describe('the text of a float', () => {
  // Float.toString of Java 17, as Elasticsearch 6.8.23 wrote them as scores.
  it('ends in an even digit where two texts are as near', () => {
    const ties = [4.72265625, 0.337890625, 1.87890625, 1609.21875, 376.546875, 465.328125]
    const texts = ['4.7226562', '0.33789062', '1.8789062', '1609.2188', '376.54688', '465.32812']
    expect(ties.map(javaFloat)).toEqual(texts)
    expect(ties.map((tie) => roundedFloat(tie))).toEqual(texts)
    expect(javaFloat(-4.72265625)).toBe('-4.7226562')
  })

  it('is that of Java 17 at the ends of what a float holds, and for large whole ones', () => {
    const texts: readonly (readonly [number, string])[] = [
      [-0, '-0.0'],
      [Number.NaN, 'NaN'],
      [Number.NEGATIVE_INFINITY, '-Infinity'],
      [2 ** -149, '1.4E-45'],
      [3.4028234663852886e38, '3.4028235E38'],
      [47884238848, '4.7884239E10'],
      [33323158691676160, '3.33231587E16'],
      [-6396302098432, '-6.3963021E12'],
    ]
    expect(texts.map(([value]) => javaFloat(value))).toEqual(texts.map(([, text]) => text))
  })

  it('reads back as the same float, whichever way it was written', () => {
    fc.assert(
      fc.property(anyFloat, (value) => {
        const text = javaFloat(value)
        expect(text).toMatch(FORM)
        expect(Math.fround(Number(text))).toBe(value)
        expect(text).toBe(roundedFloat(value))
      }),
    )
  })
})

describe('the text of a double', () => {
  it('is that of Java 17 at the ends of what a double holds, and for large whole ones', () => {
    const texts: readonly (readonly [number, string])[] = [
      [0, '0.0'],
      [-0, '-0.0'],
      [Number.NaN, 'NaN'],
      [Number.POSITIVE_INFINITY, 'Infinity'],
      [Number.MIN_VALUE, '4.9E-324'],
      [-Number.MIN_VALUE, '-4.9E-324'],
      [Number.MAX_VALUE, '1.7976931348623157E308'],
      [1e-3, '0.001'],
      [2 ** 800, '6.668014432879854E240'],
      [2 ** 803, '5.3344115463038834E241'],
      [9.999e-4, '9.999E-4'],
      [9999999.5, '9999999.5'],
      [1e7, '1.0E7'],
      [1_779_266_152_111_982_300, '1.77926615211198234E18'],
      [81127301980102768, '8.1127301980102768E16'],
      [2 ** 63, '9.223372036854776E18'],
      [2 ** 64, '1.8446744073709552E19'],
    ]
    expect(texts.map(([value]) => javaDouble(value))).toEqual(texts.map(([, text]) => text))
  })

  it('reads back as the same double', () => {
    const large = fc.maxSafeInteger().map((value) => value * 512)
    fc.assert(
      fc.property(fc.oneof(fc.double(), large), (value) => {
        expect(javaDouble(value)).toMatch(FORM)
        expect(Number(javaDouble(value))).toBe(value)
      }),
    )
  })
})
