import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SourceMembers } from './source-members.ts'

const names = fc.constantFrom('a', 'b', 'ab', 'a.b', '한', 'é', '', '__proto__', 'a"b', 'a\\')
const strings = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc
    .array(fc.constantFrom('"', '\\', '\\"', '{', '}', '[', ']', ',', ':', 'abc', '가', '😀', '\n', 'x'.repeat(40)))
    .map((parts) => parts.join('')),
)
const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    strings,
    fc.constantFrom(null, true, false, 0, -1.5e300, 12),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3 }),
  ),
})).value
/** Objects as text, names given twice among them. */
const sources = fc
  .tuple(fc.array(fc.tuple(names, values), { maxLength: 6 }), fc.constantFrom('', ' ', '\n\t'), fc.boolean())
  .map(([members, blank, escaped]) => {
    const nameOf = (name: string) =>
      escaped
        ? `"${[...name].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`
        : JSON.stringify(name)
    const inner = members.map(
      ([name, value]) => `${blank}${nameOf(name)}${blank}:${blank}${JSON.stringify(value)}${blank}`,
    )
    return `${blank}{${inner.join(',') || blank}}${blank}`
  })

describe('SourceMembers', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(sources, fc.array(names, { minLength: 1, maxLength: 3 }), (source, wanted) => {
        const all = JSON.parse(source) as Record<string, unknown>
        const read = new SourceMembers(wanted).read(Buffer.from(source)) as Record<string, unknown>
        for (const name of wanted) {
          expect(Object.hasOwn(read, name)).toBe(Object.hasOwn(all, name))
          if (Object.hasOwn(all, name)) expect(JSON.stringify(read[name])).toBe(JSON.stringify(all[name]))
        }
      }),
      { numRuns: 5000 },
    )
  })
})
