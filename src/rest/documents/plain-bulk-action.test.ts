import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type PlainAction, type PlainActionDefaults, PlainActions } from './plain-bulk-action.ts'

const DEFAULTS: PlainActionDefaults = {
  index: 'books',
  type: undefined,
  takesTypes: true,
  typed: false,
  allowsIndex: true,
  noteType: () => {},
}

const id = fc.oneof(
  fc.string({ minLength: 1, maxLength: 12 }),
  fc.constantFrom('1', 'a"b', 'a\\u0041', '한글', '}}', '"}}', ' ', 'x'.repeat(512), 'x'.repeat(513)),
)
const start = fc.constantFrom(
  '{"index":{"_id":"',
  '{"index": {"_id": "',
  '{"create":{"_index":"films","_id":"',
  '{"index":{"_index":"films","_type":"film","_id":"',
)
const end = fc.constantFrom('"}}', '"}}\r', '"}} ', '"}', '","version":3,"version_type":"external"}}')
const line = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(start, id, end).map((parts) => parts.join('')) },
  fc.constantFrom('{"index":{}}', '{"delete":{"_id":"1"}}', '', '{"index":{"_id":""}}', '{"index":{"_id":"1'),
)

test('a line reads the same after others as alone', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 2, maxLength: 8 }), (lines) => {
      const body = Buffer.from(`${lines.join('\n')}\n`)
      const actions = new PlainActions(body, DEFAULTS)
      let at = 0
      for (const text of lines) {
        expect(actions.read(at)).toEqual(new PlainActions(body, DEFAULTS).read(at))
        at += Buffer.byteLength(text) + 1
      }
    }),
    { numRuns: 2_000 },
  )
})

test('ids at the end of lines that are otherwise alike are told apart, whatever ends the line', () => {
  const read = (text: string): (PlainAction | undefined)[] => {
    const actions = new PlainActions(Buffer.from(text), DEFAULTS)
    const starts = [0, ...[...text.matchAll(/\n(?=.)/g)].map(({ index }) => index + 1)]
    return starts.map((at) => actions.read(at))
  }
  const found = read('{"create":{"_id":"1"}}\n{"create":{"_id":"22"}}\r\n{"create":{"_id":"3"}}\n')
  expect(found.map((action) => [action?.action, action?.id])).toEqual([
    ['create', '1'],
    ['create', '22'],
    ['create', '3'],
  ])
  // Without its line feed a line is cut off.
  expect(read('{"index":{"_id":"1"}}\n{"index":{"_id":"2"}}').at(-1)).toBeUndefined()
})
