import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eachElement, objectMembers, oneLine, skipValue } from './raw-json.ts'

const slices = (text: string) => {
  const json = Buffer.from(text)
  return Object.fromEntries([...objectMembers(json, 0)].map(([k, s]) => [k, json.toString('utf8', s.start, s.end)]))
}

describe('objectMembers', () => {
  it('finds where each member begins and ends, whatever stands inside', () => {
    expect(slices('{ "a" : {"x":[1,"}\\""]} , "b":12345678901234567890, "c\\u0041":"\\\\" }')).toEqual({
      a: '{"x":[1,"}\\""]}',
      b: '12345678901234567890',
      cA: '"\\\\"',
    })
  })

  it('refuses an object that does not end', () => {
    for (const text of ['{"a":{"b":1', '{"a":"x', '{"a":"x\\', '{"a"', '{"a":1', '', '{', '{"a":}', '[]', '{"a":1]']) {
      expect(() => slices(text), text).toThrow(SyntaxError)
    }
  })

  it('reads back every member of any object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 8 }),
        fc.constantFrom(undefined, 1),
        (value, indent) => {
          const text = JSON.stringify(value, null, indent)
          const parsed = JSON.parse(text) as Record<string, unknown>
          const json = Buffer.from(text)
          const members = objectMembers(json, 0)
          expect([...members.keys()].sort()).toEqual(Object.keys(parsed).sort())
          for (const [key, span] of members)
            expect(JSON.parse(json.toString('utf8', span.start, span.end))).toEqual(parsed[key])
        },
      ),
    )
  })
})

describe('eachElement', () => {
  it('finds each element', () => {
    const elements = (text: string) => {
      const json = Buffer.from(text)
      const found: string[] = []
      const end = eachElement(json, 0, (start) => {
        const after = skipValue(json, start)
        found.push(json.toString('utf8', start, after))
        return after
      })
      return [found, end]
    }
    expect(elements(' [1, {"a":[]} ,"x,]"] ')).toEqual([['1', '{"a":[]}', '"x,]"'], 21])
    expect(elements('[]')).toEqual([[], 2])
  })
})

describe('oneLine', () => {
  it('turns line breaks between tokens into blanks', () => {
    expect(oneLine(Buffer.from('{\r\n"a":\n1}')).toString()).toBe('{  "a": 1}')
  })
})
