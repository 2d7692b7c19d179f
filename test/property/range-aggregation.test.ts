import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openRest } from '../open-rest.ts'

const number = fc.integer({ min: -20, max: 20 })
const bounds = fc.tuple(number, number).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }))

describe('a range aggregation', () => {
  it('counts a document once in each range that one of its values is in, whatever overlaps', async () => {
    const rest = await openRest('OpenSearch_2.19')
    try {
      const check = async (documents: number[][], ranges: { from: number; to: number }[]): Promise<void> => {
        await rest.ask('DELETE', '/i')
        const lines = documents.map((n) => `{"index":{}}\n${JSON.stringify({ n })}\n`)
        await rest.ask('POST', '/i/_bulk?refresh=true', lines.join(''))
        const { json } = await rest.ask('POST', '/i/_search', {
          size: 0,
          aggs: { r: { range: { field: 'n', ranges } } },
        })
        const { buckets } = (
          json as { aggregations: { r: { buckets: { from: number; to: number; doc_count: number }[] } } }
        ).aggregations.r
        const counted = buckets.map(({ from, to, doc_count }) => [from, to, doc_count])
        const sorted = [...ranges].sort((a, b) => a.from - b.from || a.to - b.to)
        const inRange = ({ from, to }: { from: number; to: number }): number =>
          documents.filter((n) => n.some((value) => value >= from && value < to)).length
        expect(counted).toEqual(sorted.map((range) => [range.from, range.to, inRange(range)]))
      }
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(number, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 8 }),
          fc.array(bounds, { minLength: 1, maxLength: 8 }),
          check,
        ),
        { numRuns: 60 },
      )
    } finally {
      await rest.close()
    }
  })
})
