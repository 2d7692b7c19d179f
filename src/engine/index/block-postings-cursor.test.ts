import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BlockPostingsCursor } from './block-postings-cursor.ts'
import { PostingsWriter } from './postings-format.ts'
import { NO_MORE_DOCS } from './segment-reader.ts'

interface Posting {
  readonly doc: number
  readonly positions: readonly number[]
}

const posting = fc.record({
  gap: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 3 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 100_000 }) },
  ),
  steps: fc.array(fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 70_000 })), {
    minLength: 1,
    maxLength: 4,
  }),
})

/** A term's postings: ascending documents, ascending positions (equal ones may follow each other). */
const term = fc
  .oneof(fc.array(posting, { minLength: 1, maxLength: 6 }), fc.array(posting, { minLength: 100, maxLength: 600 }))
  .map((items) => {
    let doc = -1
    return items.map(({ gap, steps }): Posting => {
      doc += gap
      let position = 0
      return { doc, positions: steps.map((step) => (position += step)) }
    })
  })

function write(terms: readonly (readonly Posting[])[], options: { hasFreqs: boolean; hasPositions: boolean }) {
  const writer = new PostingsWriter(options)
  const addresses = terms.map((postings) => {
    if (options.hasPositions)
      for (const { positions } of postings)
        for (const [i, position] of positions.entries()) writer.positions.vint(position - (positions[i - 1] ?? 0))
    const docs = Int32Array.from(postings, (p) => p.doc)
    const freqs = Int32Array.from(postings, (p) => p.positions.length)
    const { positionsStart } = writer
    return { start: writer.write(docs, freqs, postings.length), positionsStart }
  })
  const data = {
    words: writer.words.view(),
    positions: options.hasPositions ? writer.positions.view() : undefined,
    hasFreqs: options.hasFreqs,
  }
  return (i: number) => {
    const { start, positionsStart } = addresses[i] as (typeof addresses)[number]
    const postings = terms[i] as readonly Posting[]
    const total = options.hasFreqs ? postings.reduce((sum, p) => sum + p.positions.length, 0) : postings.length
    return new BlockPostingsCursor(data, postings.length, total, start, positionsStart)
  }
}

const formats = fc.constantFrom(
  { hasFreqs: true, hasPositions: true },
  { hasFreqs: true, hasPositions: false },
  { hasFreqs: false, hasPositions: false },
)

describe('a postings cursor', () => {
  it('walks every document with its frequency and positions', () => {
    fc.assert(
      fc.property(fc.array(term, { minLength: 1, maxLength: 4 }), formats, (terms, format) => {
        const open = write(terms, format)
        for (const [i, postings] of terms.entries()) {
          const cursor = open(i)
          expect(cursor.doc).toBe(-1)
          expect(cursor.cost).toBe(postings.length)
          for (const { doc, positions } of postings) {
            expect(cursor.nextDoc()).toBe(doc)
            expect(cursor.doc).toBe(doc)
            expect(cursor.freq).toBe(format.hasFreqs ? positions.length : 1)
            const found = cursor.positions()
            if (format.hasPositions) expect([...found.subarray(0, positions.length)]).toEqual(positions)
            else expect(found.length).toBe(0)
          }
          expect(cursor.nextDoc()).toBe(NO_MORE_DOCS)
          expect(cursor.nextDoc()).toBe(NO_MORE_DOCS)
          expect(cursor.advance(0)).toBe(NO_MORE_DOCS)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('finds what a scan finds, whatever steps and leaps it is moved by', () => {
    const move = fc.oneof(
      fc.record({ kind: fc.constant('next' as const) }),
      fc.record({ kind: fc.constant('advance' as const), by: fc.oneof(fc.nat(4), fc.nat(500), fc.nat(60_000)) }),
      fc.record({ kind: fc.constant('to' as const), index: fc.nat(600) }),
    )
    fc.assert(
      fc.property(
        fc.array(term, { minLength: 1, maxLength: 3 }),
        formats,
        fc.array(move, { maxLength: 60 }),
        (terms, format, moves) => {
          const open = write(terms, format)
          for (const [i, postings] of terms.entries()) {
            const cursor = open(i)
            let at = -1
            for (const m of moves) {
              if (m.kind === 'next') {
                at = Math.min(at + 1, postings.length)
                expect(cursor.nextDoc()).toBe(postings[at]?.doc ?? NO_MORE_DOCS)
              } else {
                const current = postings[at]?.doc ?? -1
                const target =
                  m.kind === 'advance' ? current + 1 + m.by : (postings[m.index % postings.length] as Posting).doc
                if (target <= current || at >= postings.length) continue
                while (at < postings.length && (postings[at]?.doc ?? -1) < target) at++
                expect(cursor.advance(target)).toBe(postings[at]?.doc ?? NO_MORE_DOCS)
              }
              const here = postings[at]
              if (here === undefined) continue
              expect(cursor.freq).toBe(format.hasFreqs ? here.positions.length : 1)
              // Asked for now and then, so that reading must catch up over documents whose positions nobody wanted.
              if (format.hasPositions && here.doc % 3 === 0) {
                expect([...cursor.positions().subarray(0, here.positions.length)]).toEqual(here.positions)
                expect([...cursor.positions().subarray(0, here.positions.length)]).toEqual(here.positions)
              }
            }
          }
        },
      ),
      { numRuns: 400 },
    )
  })

  it('reads block by block, also after single steps', () => {
    fc.assert(
      fc.property(term, formats, fc.nat(3), (postings, format, steps) => {
        const cursor = write([postings], format)(0)
        const docs: number[] = []
        const freqs: number[] = []
        for (let size = cursor.nextBlock(); size > 0; size = cursor.nextBlock()) {
          expect(size).toBeLessThanOrEqual(128)
          docs.push(...cursor.blockDocs.subarray(0, size))
          freqs.push(...cursor.blockFreqs.subarray(0, size))
        }
        expect(docs).toEqual(postings.map((p) => p.doc))
        expect(freqs).toEqual(postings.map((p) => (format.hasFreqs ? p.positions.length : 1)))
        // A block leaves the cursor before its first document.
        const mixed = write([postings], format)(0)
        for (let i = 0; i < steps; i++) mixed.nextBlock()
        const rest = postings.slice(Math.max(0, (Math.min(steps, Math.ceil(postings.length / 128)) - 1) * 128))
        const expected = steps > Math.ceil(postings.length / 128) ? NO_MORE_DOCS : (rest[0]?.doc ?? NO_MORE_DOCS)
        expect(mixed.nextDoc()).toBe(expected)
      }),
    )
  })
})
