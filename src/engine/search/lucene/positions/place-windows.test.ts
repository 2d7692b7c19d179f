import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SimilarityWeight } from '../similarity/term-similarity.ts'
import { documentAt, placeWindows, windowMaximum } from './place-windows.ts'

const ROOM = 40
const similarity = { score: (freq, norm) => freq / (freq + norm), maxScore: 1 } as SimilarityWeight

describe('windows of places', () => {
  it('are cut between documents, none of which scores more than its window says', () => {
    const freqs = fc.array(
      fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: ROOM })),
      { minLength: 1, maxLength: 600 },
    )
    fc.assert(
      fc.property(freqs, fc.infiniteStream(fc.nat(255)), (documents, someNorms) => {
        const docStarts = Int32Array.from({ length: documents.length + 1 }, (_, doc) => 16 + doc * ROOM)
        const norms = Uint8Array.from(documents, () => someNorms.next().value as number)
        const places = Int32Array.from(
          documents.flatMap((freq, doc) => Array.from({ length: freq }, (_, i) => (docStarts[doc] as number) + i)),
        )
        const windows = placeWindows({ places } as never, docStarts, norms)
        expect(windows.starts.at(-1)).toBe(places.length)
        for (let window = 0; window + 1 < windows.starts.length; window++) {
          const best = windowMaximum(windows, window, similarity)
          const from = windows.starts[window] as number
          const to = windows.starts[window + 1] as number
          const seen = new Map<number, number>()
          for (let at = from; at < to; at++) {
            const doc = documentAt(docStarts, 0, places[at] as number)
            seen.set(doc, (seen.get(doc) ?? 0) + 1)
          }
          const scores = [...seen].map(([doc, freq]) => {
            expect(freq).toBe(documents[doc])
            return similarity.score(freq, norms[doc] as number)
          })
          expect(Math.max(...scores)).toBeLessThanOrEqual(best)
          // No looser than it must be, where frequencies are told apart.
          if (best < 1) expect(Math.max(...scores)).toBe(best)
        }
      }),
      { numRuns: 200 },
    )
  })
})
