import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { roundedFloat } from '../../engine/java/java-number-text.ts'
import { doubleText, encodeJson, floatText, JavaDouble, JavaFloat, RawJson, writeJson } from './json-writer.ts'

describe('numbers as Java writes them', () => {
  it('gives floats a point and the fewest digits that tell them apart', () => {
    expect([1, 0.2876821, 1e10, 123456.78, 0.001, 0.0001, 1.3862944, 1e7].map(floatText)).toEqual([
      '1.0',
      '0.2876821',
      '1.0E10',
      '123456.78',
      '0.001',
      '1.0E-4',
      '1.3862944',
      '1.0E7',
    ])
  })

  it('reads back to the same float', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (f) => {
        expect(Math.fround(Number(floatText(f)))).toBe(f)
      }),
    )
  })

  it('writes every float as the plain way by texts does', () => {
    const bits = new Uint32Array(1)
    const floats = new Float32Array(bits.buffer)
    fc.assert(
      fc.property(
        fc.oneof(
          fc.float({ noNaN: true, noDefaultInfinity: true }),
          fc.float({ min: 0, max: 64, noNaN: true }),
          fc.integer({ min: -100_000, max: 100_000 }).map((n) => Math.fround(n / 100)),
          fc.integer({ min: 0x3a000000, max: 0x4b200000 }).map((n) => {
            bits[0] = n
            return floats[0] as number
          }),
        ),
        (f) => {
          expect(floatText(f)).toBe(roundedFloat(f))
        },
      ),
      { numRuns: 5_000 },
    )
  })

  it('writes doubles', () => {
    expect([0.1, 100, 1.5e300, -0.00012].map(doubleText)).toEqual(['0.1', '100.0', '1.5E300', '-1.2E-4'])
  })
})

describe('writeJson', () => {
  it('leaves stored JSON as it is and undefined members out', () => {
    expect(
      writeJson({
        a: new RawJson('{"x": 1.00}'),
        b: undefined,
        c: new JavaFloat(1),
        d: new JavaDouble(2),
        e: 3n,
        f: [null],
      }),
    ).toBe('{"a":{"x": 1.00},"c":1.0,"d":2.0,"e":3,"f":[null]}')
  })

  it('puts bytes among texts without decoding them', () => {
    const value = {
      이름: 'é',
      hits: [new RawJson('{"_source":', Buffer.from('{"t":"한글"}'), '}')],
      last: new RawJson(Buffer.from('1')),
    }
    const text = '{"이름":"é","hits":[{"_source":{"t":"한글"}}],"last":1}'
    expect(writeJson(value)).toBe(text)
    expect(encodeJson(value).toString()).toBe(text)
    expect(encodeJson({ a: 1 })).toBe('{"a":1}')
  })

  it('indents as the real server does', () => {
    expect(writeJson({ a: { b: [] }, s: new RawJson('{"k":[1,{}],"t":"a,b"}') }, true)).toBe(
      '{\n  "a" : {\n    "b" : [ ]\n  },\n  "s" : {\n    "k" : [\n      1,\n      { }\n    ],\n    "t" : "a,b"\n  }\n}',
    )
  })
})
