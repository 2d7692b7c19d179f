import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasBit } from '../../search/lucene/bit-set.ts'
import { ComputedNumbers, ComputedStrings } from './computed-column.ts'
import { ScratchColumns } from './scratch-columns.ts'

const MAX_DOC = 40

/** What a column has of each document. */
function read<V>(
  { present, offsets }: { readonly present: Uint32Array | undefined; readonly offsets: Uint32Array | undefined },
  value: (at: number) => V,
): V[][] {
  return Array.from({ length: MAX_DOC }, (_, doc) => {
    if (present !== undefined && !hasBit(present, doc)) return []
    if (offsets === undefined) return [value(doc)]
    const [from, to] = [offsets[doc] as number, offsets[doc + 1] as number]
    return Array.from({ length: to - from }, (_value, i) => value(from + i))
  })
}

/** Values of documents in the order they come; a document comes once. */
const rows = <V>(value: fc.Arbitrary<V>, most: number): fc.Arbitrary<{ doc: number; values: V[] }[]> =>
  fc.uniqueArray(fc.record({ doc: fc.nat(MAX_DOC - 1), values: fc.array(value, { maxLength: most }) }), {
    selector: ({ doc }) => doc,
  })

const anyMost = fc.constantFrom(1, 3)

test('numbers come back by document, whether each has one or several, safe or not', () => {
  // Longs and fractions never come together.
  const doubles = fc.double({ noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(
      anyMost.chain((most) =>
        fc.oneof(rows<number | bigint>(doubles, most), rows(fc.maxSafeInteger().map(BigInt), most)),
      ),
      (given) => {
        const scratch = new ScratchColumns()
        const numbers = new ComputedNumbers(MAX_DOC, scratch)
        for (const { doc, values } of given) numbers.add(doc, values)
        const expected = Array.from({ length: MAX_DOC }, (): number[] => [])
        for (const { doc, values } of given) expected[doc] = values.map(Number).sort((a, b) => a - b)
        const column = numbers.column()
        if (column.kind !== 'numeric' && column.kind !== 'bigint') throw new Error(column.kind)
        const plain = (value: unknown): number => Number(value) + 0
        expect(read(column, (at) => plain(column.values[at]))).toEqual(expected.map((values) => values.map(plain)))
        for (let doc = 0; doc < MAX_DOC; doc++) {
          expect(numbers.has(doc)).toBe(given.some((row) => row.doc === doc))
        }
        scratch.giveBack()
      },
    ),
  )
})

test('longs beyond what a double holds stay exact', () => {
  const numbers = new ComputedNumbers(MAX_DOC, new ScratchColumns())
  numbers.add(3, [7n])
  numbers.add(1, [2n ** 62n + 1n])
  const column = numbers.column()
  expect(column.kind).toBe('bigint')
  if (column.kind === 'bigint') expect(read(column, (at) => column.values[at])[1]).toEqual([2n ** 62n + 1n])
})

test('strings come back by document in the order of their bytes', () => {
  fc.assert(
    fc.property(
      fc.boolean(),
      anyMost.chain((most) => rows(fc.string({ maxLength: 3 }), most)),
      (keepsDuplicates, given) => {
        const scratch = new ScratchColumns()
        const strings = new ComputedStrings(MAX_DOC, keepsDuplicates, scratch)
        for (const { doc, values } of given) strings.add(doc, values)
        const column = strings.column()
        const expected = Array.from({ length: MAX_DOC }, (): string[] => [])
        for (const { doc, values } of given) {
          expected[doc] = (keepsDuplicates ? values : [...new Set(values)]).sort((a, b) =>
            Buffer.compare(Buffer.from(a), Buffer.from(b)),
          )
        }
        expect(read(column, (at) => column.terms.termText(column.values[at] as number))).toEqual(expected)
        scratch.giveBack()
      },
    ),
  )
})
