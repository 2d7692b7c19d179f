import fc from 'fast-check'
import { expect, it } from 'vitest'
import { selectTop } from '../algorithms/select-top.ts'
import { everywhere } from './completion-contexts.ts'
import type { CompletionEntry } from './completion-index.ts'
import { comparePaths, pathsAnywhere, pathsUnder } from './completion-paths.ts'

const COUNT = 60
const run = fc
  .tuple(fc.nat(COUNT), fc.nat(COUNT), fc.constantFrom('a', 'b', 'ab'), fc.nat(2))
  .map(([a, b, prefix, boost]) => ({ from: Math.min(a, b), to: Math.max(a, b), match: { prefix, boost } }))

it('the best entries are the same whether those behind them are passed over or not', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(4), { minLength: COUNT, maxLength: COUNT }),
      fc.array(run, { maxLength: 4 }),
      fc.option(fc.array(fc.integer(), { minLength: 2, maxLength: 2 }), { nil: undefined }),
      fc.constantFrom(1, 3, 10, Number.POSITIVE_INFINITY),
      (weights, runs, live, each) => {
        const entries = weights.map(
          (weight, doc) => ({ weight, doc, text: '', form: '', contexts: {} }) as CompletionEntry,
        )
        const liveDocs = live === undefined ? undefined : Uint32Array.from(live)
        const plain = pathsUnder(everywhere, entries, runs, liveDocs)
        const found = pathsAnywhere(entries, runs, liveDocs, each)
        expect(found.beginnings).toBe(plain.beginnings)
        const wanted = Math.min(each, COUNT * 4) * plain.beginnings
        expect(selectTop(found.paths, wanted, comparePaths)).toEqual(selectTop(plain.paths, wanted, comparePaths))
      },
    ),
    { numRuns: 1_000 },
  )
})
