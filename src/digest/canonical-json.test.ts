import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CanonicalJsonWriter } from './canonical-json.ts'

const writer = new CanonicalJsonWriter()
const canonical = (text: string, prefix?: string) => writer.write(prefix, Buffer.from(text)).toString('utf8')

/** The same by a parser: members sorted by their names' written bytes. Numbers here are such as JSON.stringify writes. */
function naive(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(naive).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([k, v]) => ({ name: Buffer.from(JSON.stringify(k)), text: naive(v) }))
  members.sort((a, b) => a.name.compare(b.name))
  return `{${members.map(({ name, text }) => `${name}:${text}`).join(',')}}`
}

describe('CanonicalJsonWriter', () => {
  it('is the same for all ways to write one document', () => {
    expect(canonical('{"b":[1,2],"a":"\\u0041한"}')).toBe(canonical(' { "a" : "A한" ,\r\n "b" : [ 1 , 2 ] } '))
  })

  it('keeps the characters of numbers', () => {
    expect(canonical('{"n":9007199254740993,"f":1.0}')).toBe('{"f":1.0,"n":9007199254740993}')
  })

  it('keeps the last of members with one name', () => {
    expect(canonical('{"b":1,"a":2,"\\u0062":{"d":1,"c":2}}')).toBe('{"a":2,"b":{"c":2,"d":1}}')
    expect(canonical('{"b":1,"b":2}')).toBe('{"b":2}')
  })

  it('puts a key before it', () => {
    expect(canonical('{}', '문서')).toBe('문서\0{}')
    expect(canonical('[]', '')).toBe('\0[]')
  })

  it('refuses what is broken off or nested too deeply', () => {
    for (const text of ['', '{"a":1', '{"a"', '[1', '"x', '{"a":[{"b":"c"}', '{"a":}'])
      expect(() => canonical(text), text).toThrow(SyntaxError)
    expect(() => canonical('['.repeat(2_000) + ']'.repeat(2_000))).toThrow('nested deeper')
  })

  it('is what a parser makes of it, in whatever order and spacing it was written', () => {
    const shuffled = (value: unknown, indent: number | undefined, escaped: boolean): string => {
      const reorder = (v: unknown): unknown => {
        if (Array.isArray(v)) return v.map(reorder)
        if (typeof v !== 'object' || v === null) return v
        return Object.fromEntries(
          Object.entries(v)
            .reverse()
            .map(([k, inner]) => [k, reorder(inner)]),
        )
      }
      const text = JSON.stringify(reorder(value), null, indent)
      return escaped
        ? text.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
        : text
    }
    // Many members, names that are prefixes of each other, long strings: as documents have them.
    const name = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 4 }),
      fc.constantFrom('a', 'ab', 'a!', 'title', '제목'),
    )
    const document = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.string({ unit: 'grapheme' }),
        fc.string({ minLength: 60, maxLength: 90 }),
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((d) => (Object.is(d, -0) ? 0 : d)),
        fc.constantFrom(null, true, false, {}, []),
        fc.array(tie('value'), { maxLength: 5 }),
        fc.dictionary(name, tie('value'), { maxKeys: 24 }),
      ),
    })).value
    fc.assert(
      fc.property(document, fc.constantFrom(undefined, 2), fc.boolean(), (value, indent, escaped) => {
        expect(canonical(shuffled(value, indent, escaped))).toBe(naive(value))
      }),
      { numRuns: 500 },
    )
  })
})
