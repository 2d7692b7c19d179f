import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partsOfSource } from '../../engine/mapping/source-parts.ts'
import { type Json, writeJson } from '../json/json-writer.ts'
import { readSource, renderSource } from './source-filter.ts'

const names = fc.constantFrom('a', 'b', 'ab', 'a.b', 'a.b.c', '한', '', 'a"b', 'a\\', '1')
const { value: values } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(null, true, -0, 1, -1.5e300, 1e-7, 1e25),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4 }),
  ),
}))
const patterns = fc.array(fc.constantFrom('a', 'b', 'a.b', 'a.*', '*b', '*.c', 'a*c', '한', 'ab.b', '*'), {
  maxLength: 3,
})

describe('a filtered source', () => {
  it('has the parts that the whole source, parsed, would have', () => {
    const objects = fc.dictionary(names, values, { maxKeys: 6 })
    fc.assert(
      fc.property(objects, patterns, patterns, fc.boolean(), (object, includes, excludes, spaced) => {
        const text = JSON.stringify(object, null, spaced ? 1 : 0)
        const filter = { enabled: true, includes, excludes }
        for (const version of ['Elasticsearch_6.8', 'OpenSearch_2.19'] as const) {
          const plain = includes.length + excludes.length === 0
          const shown = writeJson(renderSource(Buffer.from(text), filter, version))
          expect(shown).toBe(plain ? text : writeJson(partsOfSource(readSource(text), filter, version) as Json))
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('is read whole where names are written with escapes', () => {
    const source = Buffer.from('{"\\u0061": 1, "b": 2}')
    const filter = { enabled: true, includes: ['a'], excludes: [] }
    expect(writeJson(renderSource(source, filter, 'OpenSearch_2.19'))).toBe('{"a":1}')
  })
})
