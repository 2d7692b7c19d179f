import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askBackend } from '../../../test/ask-backend.ts'
import { openRest, type Rest } from '../../../test/open-rest.ts'

// A script that gives a field's own values makes of an aggregation what the field makes of it.

let rest: Rest

const documents = fc.array(
  fc.record(
    {
      n: fc.array(fc.integer({ min: -20, max: 20 }), { maxLength: 3 }),
      d: fc.array(fc.double({ min: -5, max: 5, noNaN: true, noDefaultInfinity: true }), { maxLength: 2 }),
      k: fc.array(fc.constantFrom('a', 'b', 'c', '한글', ''), { maxLength: 3 }),
      g: fc.constantFrom('x', 'y', 'z'),
    },
    { requiredKeys: ['g'] },
  ),
  { minLength: 1, maxLength: 60 },
)

/** Aggregations of a source: `{ field }`, or `{ script }` for the same values. */
const AGGREGATIONS: readonly ((source: (field: 'n' | 'd' | 'k') => object) => object)[] = [
  (source) => ({ sum: source('d') }),
  (source) => ({ extended_stats: source('n') }),
  (source) => ({ percentiles: source('d') }),
  (source) => ({ value_count: source('k') }),
  (source) => ({ cardinality: source('k') }),
  (source) => ({ missing: source('n') }),
  (source) => ({ histogram: { ...source('n'), interval: 7 }, aggs: { s: { sum: source('d') } } }),
  (source) => ({ range: { ...source('d'), ranges: [{ to: 0 }, { from: -1, to: 2 }, { from: 2 }] } }),
  (source) => ({ terms: { ...source('k'), size: 3 }, aggs: { m: { max: source('n') } } }),
  (source) => ({ terms: { ...source('k'), order: { m: 'desc' } }, aggs: { m: { avg: source('d') } } }),
  (source) => ({ terms: { ...source('n'), value_type: 'long' }, aggs: { k: { terms: source('k') } } }),
  (source) => ({ terms: { field: 'g' }, aggs: { t: { terms: source('k'), aggs: { s: { stats: source('n') } } } } }),
  (source) => ({ filter: { term: { g: 'x' } }, aggs: { t: { terms: source('k') }, c: { cardinality: source('k') } } }),
  (source) => ({ composite: { sources: [{ k: { terms: source('k') } }, { g: { terms: { field: 'g' } } }] } }),
  (source) => ({ global: {}, aggs: { t: { terms: source('k') } } }),
]

beforeAll(async () => {
  rest = await openRest('OpenSearch_2.19')
})

afterAll(() => rest.close())

async function ask(method: string, path: string, body: string): Promise<string> {
  return String((await askBackend(rest.backend, method, path, body)).body)
}

describe('values that scripts give', () => {
  it('come to what the field itself comes to', async () => {
    const properties = { n: { type: 'long' }, d: { type: 'double' }, k: { type: 'keyword' }, g: { type: 'keyword' } }
    let run = 0
    await fc.assert(
      fc.asyncProperty(documents, fc.array(fc.nat(59), { maxLength: 5 }), async (sources, deleted) => {
        const index = `s${run++}`
        await ask('PUT', `/${index}`, JSON.stringify({ mappings: { properties } }))
        // Two segments, and some documents gone from them.
        const half = sources.length >> 1
        for (const [from, to] of [
          [0, half],
          [half, sources.length],
        ] as const) {
          const lines = sources
            .slice(from, to)
            .map((source, i) => `{"index":{"_id":"${from + i}"}}\n${JSON.stringify(source)}\n`)
          if (lines.length > 0) await ask('POST', `/${index}/_bulk?refresh=true`, lines.join(''))
        }
        const gone = deleted.map((id) => `{"delete":{"_id":"${id}"}}\n`).join('')
        if (gone !== '') await ask('POST', `/${index}/_bulk?refresh=true`, gone)
        const query = { bool: { must_not: { term: { g: 'z' } } } }
        for (const make of AGGREGATIONS) {
          const [own, scripted] = await Promise.all(
            [
              (field: string) => ({ field }),
              (field: string) => ({ script: { source: 'doc[params.f]', params: { f: field } } }),
            ].map((source) =>
              ask('POST', `/${index}/_search`, JSON.stringify({ size: 0, query, aggs: { a: make(source) } })),
            ),
          )
          const aggregations = (text = ''): string => text.slice(text.indexOf('"aggregations"'))
          expect(scripted).toContain('"aggregations"')
          expect(aggregations(scripted)).toBe(aggregations(own))
        }
        await ask('DELETE', `/${index}`, '')
      }),
      { numRuns: 15 },
    )
  })
})
