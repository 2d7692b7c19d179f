import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { prettyJson } from './pretty-json.ts'

describe('prettyJson', () => {
  it('indents as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(prettyJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
      }),
    )
  })

  it('keeps the characters of numbers and the words of strings', () => {
    expect(prettyJson('{"n":9007199254740993,"f":1.0,"s":"{a: [1, \\"2\\"]}"}')).toBe(
      '{\n  "n": 9007199254740993,\n  "f": 1.0,\n  "s": "{a: [1, \\"2\\"]}"\n}',
    )
  })
})
