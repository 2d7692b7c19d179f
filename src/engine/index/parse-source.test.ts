import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../errors.ts'
import { parseSource } from './parse-source.ts'

const parse = (text: string) => parseSource(Buffer.from(text))

/** Bigints as the doubles JSON.parse makes of them. */
const rounded = (value: unknown): unknown =>
  typeof value === 'bigint'
    ? Number(value)
    : Array.isArray(value)
      ? value.map(rounded)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, rounded(v)]))
        : value

describe('a source', () => {
  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), fc.boolean(), (object, spaced) => {
        const text = spaced ? JSON.stringify(object, null, 1).replaceAll('":', '" :') : JSON.stringify(object)
        expect(rounded(parse(text))).toEqual(JSON.parse(text))
      }),
    )
  })

  it('keeps whole numbers that a double cannot hold', () => {
    expect(parse('{"a":9007199254740993,"b":[-9223372036854775808],"c":1.5e300,"d":9007199254740991}')).toEqual({
      a: 9007199254740993n,
      b: [-9223372036854775808n],
      c: 1.5e300,
      d: 9007199254740991,
    })
  })

  it('takes a member named like a prototype as any other', () => {
    expect(Object.entries(parse('{"__proto__":1,"x" :2}'))).toEqual([
      ['__proto__', 1],
      ['x', 2],
    ])
  })

  it('is refused with a duplicate, a broken end, a deep nest or when it is no object', () => {
    const bad = [
      '{"a":1,"a":2}',
      '{"a":{"b":1,"b" :2}}',
      '{',
      '{"a":',
      '[]',
      '1',
      '{"a":1}x',
      '{"a":01}',
      '{"a":tru}',
      '',
    ]
    for (const text of [...bad, `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, `{"a":${'{"b":'.repeat(5_000)}1`]) {
      expect(() => parse(text), text.slice(0, 30)).toThrow(ServiceError)
    }
  })
})
