import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonNumber, parseLosslessJson } from '../lossless-json.ts'
import { formatAddress, parseAddress } from './ip-address.ts'
import { halfFloat, type NumberOptions, readNumber, scaledFloat } from './number-value.ts'

/** Every finite half-precision number, by its bits. */
function halfFromBits(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25))
}

describe('half floats', () => {
  it('keep every number they can hold', () => {
    for (let bits = 0; bits < 0x7c00; bits++) expect(halfFloat(halfFromBits(bits))).toBe(halfFromBits(bits))
  })
  it('round to the nearest neighbour', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0x7bfe }), fc.double({ min: 0, max: 1, noNaN: true }), (bits, part) => {
        const low = halfFromBits(bits)
        const high = halfFromBits(bits + 1)
        const value = low + (high - low) * part
        const rounded = halfFloat(value)
        expect([low, high]).toContain(rounded)
        expect(Math.abs(rounded - value)).toBeLessThanOrEqual((high - low) / 2)
      }),
    )
  })
})

describe('unsigned longs', () => {
  const options: NumberOptions = {
    type: 'unsigned_long',
    coerce: true,
    scalingFactor: undefined,
    rangeError: 'input_coercion_exception',
  }

  // What OpenSearch 2.19.3 made of them.
  it('are read to the last digit, and cut', () => {
    const texts = ['18446744073709551615', '18446744073709551614.9', '1.8446744073709551615e19', '9223372036854775808']
    const values = [2n ** 64n - 1n, 2n ** 64n - 2n, 2n ** 64n - 1n, 2n ** 63n]
    expect(texts.map((text) => readNumber(text, options))).toEqual(values)
    expect(texts.map((text) => readNumber(new JsonNumber(text), options))).toEqual(values)
    expect([1.5, '1e3', '-0.4', '+5', -0].map((value) => readNumber(value, options))).toEqual([1, 1000, 0, 5, 0])
  })

  it('are refused outside of their range, and as anything but numbers', () => {
    const reasons = new Map<unknown, string>([
      [-1, 'Value [-1] is out of range for an unsigned long'],
      ['18446744073709551616', 'Value [18446744073709551616] is out of range for an unsigned long'],
      [new JsonNumber('1e20'), 'Value [100000000000000000000] is out of range for an unsigned long'],
      ['NaN', 'For input string: "NaN"'],
      [true, 'Current token (VALUE_TRUE) not numeric, can not use numeric value accessors'],
    ])
    for (const [value, reason] of reasons) expect(() => readNumber(value, options)).toThrow(reason)
    const strict = { ...options, coerce: false }
    expect(() => readNumber(1.5, strict)).toThrow('1.5 cannot be converted to BigInteger without data loss')
    expect(() => readNumber('5', strict)).toThrow('BigInteger value passed as String')
  })
})

describe('zeros of floats', () => {
  const options: NumberOptions = {
    type: 'double',
    coerce: true,
    scalingFactor: undefined,
    rangeError: 'json_parse_exception',
  }

  it('have a sign unless they were written as whole numbers', () => {
    expect(readNumber(new JsonNumber('-0.0'), options)).toBe(-0)
    expect(readNumber('-0', options)).toBe(-0)
    expect(readNumber(new JsonNumber('-0'), options)).toBe(0)
  })
})

describe('scaled floats', () => {
  it('are whole steps', () => {
    expect(scaledFloat(1.239, 100)).toBe(1.24)
    expect(scaledFloat(-1.005, 100)).toBeCloseTo(-1, 10)
    expect(scaledFloat(0.07, 100)).toBe(0.07)
  })
})

describe('lossless JSON', () => {
  it('is JSON.parse but for the numbers that this changes', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        const plain = JSON.stringify(parseLosslessJson(json), (_key, value: unknown) =>
          typeof value === 'bigint'
            ? Number(value)
            : typeof value === 'object' &&
                value !== null &&
                'text' in value &&
                'value' in value &&
                Object.keys(value).length === 2 &&
                value.constructor.name === 'JsonNumber'
              ? value.value
              : value,
        )
        expect(plain).toBe(JSON.stringify(JSON.parse(json)))
      }),
    )
  })
  it('keeps digits', () => {
    expect(String(parseLosslessJson('[9007199254740993,1.0,1e3,-0]'))).toBe('9007199254740993,1.0,1e3,-0')
  })
})

describe('addresses', () => {
  it('read back as the shortest form', () => {
    for (const text of ['1.2.3.4', '::', '::1', '2001:db8::1:0:0:1', 'fe80::', '1:2:3:4:5:6:7:8', '1:0:2::3']) {
      expect(formatAddress(parseAddress(text))).toBe(text)
    }
    expect(formatAddress(parseAddress('::ffff:1.2.3.4'))).toBe('1.2.3.4')
    expect(formatAddress(parseAddress('64:ff9b::192.0.2.33'))).toBe('64:ff9b::c000:221')
    expect(formatAddress(parseAddress('2001:0DB8:0:0:0:0:0:1'))).toBe('2001:db8::1')
  })
  it('survive the way there and back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        expect([...parseAddress(formatAddress(bytes))]).toEqual([...bytes])
      }),
    )
  })
})
