import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseForcedMerge, chooseMerge, chooseQuietMerge, type SegmentSize } from './merge-policy.ts'

describe('the merge policy', () => {
  it('comes to an end, with few segments, over whatever is written', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5_000 }), { maxLength: 200 }), (sizes) => {
        let segments: SegmentSize[] = []
        for (const maxDoc of sizes) {
          segments.push({ maxDoc, numDocs: maxDoc, sizeBytes: 10 })
          for (let rounds = 0; ; rounds++) {
            const choice = chooseMerge(segments)
            if (choice === undefined) break
            expect(rounds).toBeLessThan(10)
            expect(choice.count).toBeGreaterThanOrEqual(1)
            const merged = segments.slice(choice.from, choice.from + choice.count)
            expect(merged.length).toBe(choice.count)
            const docs = merged.reduce((sum, s) => sum + s.numDocs, 0)
            segments = [
              ...segments.slice(0, choice.from),
              { maxDoc: docs, numDocs: docs, sizeBytes: 10 },
              ...segments.slice(choice.from + choice.count),
            ]
          }
          expect(segments.length).toBeLessThanOrEqual(8)
        }
      }),
    )
  })

  it('rewrites a segment of which a third is deleted', () => {
    expect(
      chooseMerge([
        { maxDoc: 9_000, numDocs: 9_000, sizeBytes: 10 },
        { maxDoc: 9_000, numDocs: 5_000, sizeBytes: 10 },
      ]),
    ).toEqual({
      from: 1,
      count: 1,
    })
    expect(chooseMerge([{ maxDoc: 900, numDocs: 5, sizeBytes: 10 }])).toBeUndefined()
  })

  it('joins nothing to a segment of two gigabytes and more', () => {
    const gib = 2 ** 30
    expect(chooseForcedMerge([1, 2, 3], 1)).toEqual({ from: 0, count: 3 })
    expect(chooseForcedMerge([1, 2, 3], 2)).toEqual({ from: 0, count: 2 })
    expect(chooseForcedMerge([1, 2, 3], 3)).toBeUndefined()
    expect(chooseForcedMerge([gib, gib, 3, 4], 1)).toEqual({ from: 1, count: 3 })
    expect(chooseForcedMerge([gib, gib], 1)).toBeUndefined()
    const large = Array.from({ length: 20 }, () => ({ maxDoc: 1_000, numDocs: 1_000, sizeBytes: gib }))
    expect(chooseMerge(large)).toBeUndefined()
  })

  it('joins the small segments at the end of an index that rests', () => {
    const mib = 2 ** 20
    expect(chooseQuietMerge([11 * mib, 2 * mib, mib])).toEqual({ from: 0, count: 3 })
    expect(chooseQuietMerge([400 * mib, 2 * mib, mib])).toEqual({ from: 1, count: 2 })
    expect(chooseQuietMerge([400 * mib, 20 * mib])).toBeUndefined()
    expect(chooseQuietMerge([20 * mib])).toBeUndefined()
    expect(chooseQuietMerge([])).toBeUndefined()
    // Not for so little, but for so many.
    expect(chooseQuietMerge([20 * mib, 10])).toBeUndefined()
    expect(chooseQuietMerge([20 * mib, 10, 10, 10])).toEqual({ from: 0, count: 4 })
  })
})
