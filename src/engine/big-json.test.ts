import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readBigJson, writeBigJson } from './big-json.ts'

it('keeps every value of JSON, and all digits of whole numbers', () => {
  const number = fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n }),
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: 'binary' }),
      fc.constantFrom(null, true, '9007199254740993', '__proto__'),
      number,
      fc.array(tie('value')),
      fc.dictionary(fc.string(), tie('value')).map((object) => ({ ...object })),
    ),
  }))
  fc.assert(
    fc.property(value, (given) => {
      const text = writeBigJson(given)
      expect(() => JSON.parse(text)).not.toThrow()
      expect(readBigJson(text)).toEqual(given)
    }),
    { numRuns: 1_000 },
  )
})

it('leaves out what is undefined, and complains of what is no JSON', () => {
  expect(writeBigJson({ a: undefined, b: [undefined, 1n] })).toBe('{"b":[null,1]}')
  expect(() => readBigJson('{"a":')).toThrow(SyntaxError)
})
