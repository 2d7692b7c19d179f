import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrayElements, canonicalJson, objectMembers } from './raw-json.ts'

const slices = (text: string) =>
  Object.fromEntries([...objectMembers(text, 0)].map(([k, s]) => [k, text.slice(s.start, s.end)]))

describe('objectMembers', () => {
  it('finds where each member begins and ends, whatever stands inside', () => {
    expect(slices('{ "a" : {"x":[1,"}\\""]} , "b":12345678901234567890, "c\\u0041":"\\\\" }')).toEqual({
      a: '{"x":[1,"}\\""]}',
      b: '12345678901234567890',
      cA: '"\\\\"',
    })
  })

  it('refuses an object that does not end', () => {
    expect(() => objectMembers('{"a":{"b":1', 0)).toThrow(SyntaxError)
    expect(() => objectMembers('{"a":"x', 0)).toThrow(SyntaxError)
  })

  it('reads back every member of any object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value, null, 1)
        const parsed = JSON.parse(text) as Record<string, unknown>
        const members = objectMembers(text, 0)
        expect([...members.keys()].sort()).toEqual(Object.keys(parsed).sort())
        for (const [key, span] of members) expect(JSON.parse(text.slice(span.start, span.end))).toEqual(parsed[key])
      }),
    )
  })
})

describe('arrayElements', () => {
  it('finds each element', () => {
    const text = ' [1, {"a":[]} ,"x,]"] '
    expect(arrayElements(text, 0).map((s) => text.slice(s.start, s.end))).toEqual(['1', '{"a":[]}', '"x,]"'])
    expect(arrayElements('[]', 0)).toEqual([])
  })
})

describe('canonicalJson', () => {
  it('is the same for all ways to write one document', () => {
    expect(canonicalJson('{"b":[1,2],"a":"\\u0041한"}')).toBe(canonicalJson(' { "a" : "A한" , "b" : [ 1 , 2 ] } '))
  })

  it('keeps the characters of numbers', () => {
    expect(canonicalJson('{"n":9007199254740993,"f":1.0}')).toBe('{"f":1.0,"n":9007199254740993}')
  })

  it('parses back to an equal value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value)
        expect(JSON.parse(canonicalJson(text))).toEqual(JSON.parse(text))
      }),
    )
  })
})
