import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TypeSplicer } from './type-splicer.ts'

const splice = (text: string, cut = text.length): string => {
  const splicer = new TypeSplicer((index, count) => `${index}:${count}`)
  const bytes = Buffer.from(text)
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += cut) parts.push(...splicer.push(bytes.subarray(at, at + cut)))
  return Buffer.concat(parts).toString()
}

describe('TypeSplicer', () => {
  it('puts the type behind the index of every document', () => {
    const text = '{"hits":[{"_index":"a","_id":"1","_source":{"_index":"b"}},{"_index":"책","_score":1.0}]}'
    expect(splice(text)).toBe(
      '{"hits":[{"_index":"a","_type":"a:0","_id":"1","_source":{"_index":"b"}},{"_index":"책","_type":"책:1","_score":1.0}]}',
    )
  })

  it('keeps the layout of answers that are laid out', () => {
    expect(splice('{\n  "_index" : "a",\n  "_id" : "1"\n}')).toBe(
      '{\n  "_index" : "a",\n  "_type" : "a:0",\n  "_id" : "1"\n}',
    )
  })

  it('leaves names alone that are no index of a document', () => {
    for (const text of [
      '{"aggregations":{"_index":{"buckets":[{"key":"_index"}]}}}',
      '{"key":{"_index":"a"}}',
      '{"x":"_index","y":"a"}',
      '["_index","a"]',
      '{"t":"\\"_index\\":\\"a\\""}',
    ]) {
      expect(splice(text)).toBe(text)
    }
  })

  it('does the same however the answer is cut, and what a parser would', () => {
    const name = fc.constantFrom('_index', '_source', 'a', 'é"\\', '_type x', 'fields', 'long'.repeat(20))
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<unknown>('x', '_index', '\\"', 1.5, null, true),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(name, tie('node'), { maxKeys: 4 }),
      ),
    })).node
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 9 }), fc.boolean(), (json, cut, isPretty) => {
        const text = JSON.stringify(json, null, isPretty ? 2 : 0)
        const spliced = splice(text, cut)
        expect(spliced).toBe(splice(text))
        let count = 0
        const expected = walk(json, (index) => `${index}:${count++}`)
        expect(JSON.stringify(JSON.parse(spliced))).toBe(JSON.stringify(expected))
      }),
    )
  })
})

/** The plain way. */
function walk(value: unknown, typeOf: (index: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => walk(one, typeOf))
  if (typeof value !== 'object' || value === null) return value
  const out: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    const isForeign = (name === '_source' || name === 'fields') && typeof member === 'object'
    out[name] = isForeign ? member : walk(member, typeOf)
    if (name === '_index' && typeof member === 'string') out['_type'] = typeOf(member)
  }
  return out
}
