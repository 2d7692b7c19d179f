import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { DocValues } from '../../index/segment-reader.ts'
import type { TermArrays } from '../../index/term-arrays.ts'
import { SortedTermDictionary } from '../../index/term-dictionary.ts'
import type { Leaf } from '../lucene/leaf.ts'
import type { SortKey } from '../search-request.ts'
import type { SortValue } from './segment-sort.ts'
import { sortReader } from './sort-values.ts'
import { type SortedCandidate, TopSorted } from './top-sorted.ts'

/** Values of a segment's documents by field; null: the document has none. */
interface Segment {
  readonly a: readonly (number | null)[]
  readonly b: readonly (number | null)[]
  /** Texts, several a document. */
  readonly w: readonly (readonly string[])[]
  readonly big: boolean
}

const SIZE = 40
const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(null, 0.5, 1e9))
const text = fc.constantFrom('', 'a', 'aa', 'ab', 'b', 'é', '5', '0', '￿', '😀', '가')
const texts = fc.uniqueArray(text, { maxLength: 3 })
const segment: fc.Arbitrary<Segment> = fc.record({
  a: fc.array(value, { minLength: SIZE, maxLength: SIZE }),
  b: fc.array(value, { minLength: SIZE, maxLength: SIZE }),
  w: fc.oneof(
    fc.array(texts, { minLength: SIZE, maxLength: SIZE }),
    fc.array(
      text.map((one) => [one]),
      { minLength: SIZE, maxLength: SIZE },
    ),
    fc.constant(Array.from({ length: SIZE }, () => [])),
  ),
  big: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
})

function columnOf(values: readonly (number | null)[], big: boolean): DocValues | undefined {
  if (values.every((one) => one === null)) return undefined
  const present = new Uint32Array(2)
  values.forEach((one, doc) => {
    if (one !== null) present[doc >>> 5] = (present[doc >>> 5] as number) | (1 << (doc & 31))
  })
  const shared = { present: values.includes(null) ? present : undefined, offsets: undefined }
  return big
    ? { kind: 'bigint', values: BigInt64Array.from(values, (one) => BigInt(Math.trunc(one ?? 0))), ...shared }
    : { kind: 'numeric', values: Float64Array.from(values, (one) => one ?? 0), ...shared }
}

function textColumn(values: Segment['w']): DocValues | undefined {
  const terms = [...new Set(values.flat())].map((one) => Buffer.from(one)).sort(Buffer.compare)
  if (terms.length === 0) return undefined
  const offsets = new Uint32Array(terms.length + 1)
  terms.forEach((term, i) => {
    offsets[i + 1] = (offsets[i] as number) + term.length
  })
  const arrays = { termBytes: Buffer.concat(terms), termOffsets: offsets, docFreqs: new Uint32Array(terms.length) }
  const ordinals = values.map((own) =>
    own.map((one) => terms.findIndex((term) => term.equals(Buffer.from(one)))).sort((a, b) => a - b),
  )
  const present = new Uint32Array(2)
  const starts = new Uint32Array(SIZE + 1)
  ordinals.forEach((own, doc) => {
    if (own.length > 0) present[doc >>> 5] = (present[doc >>> 5] as number) | (1 << (doc & 31))
    starts[doc + 1] = (starts[doc] as number) + own.length
  })
  return {
    kind: 'ordinal',
    dictionary: new SortedTermDictionary(arrays as unknown as TermArrays),
    values: Uint8Array.from(ordinals.flat()),
    present: ordinals.some((own) => own.length === 0) ? present : undefined,
    offsets: ordinals.every((own) => own.length === 1) ? undefined : starts,
  }
}

const searcher = {
  mapping: {
    types: ['_doc'],
    field: (path: string) =>
      path === 'none'
        ? undefined
        : path === 'w'
          ? { kind: 'keyword', docValues: true, path }
          : { kind: 'number', type: 'double', docValues: true, path },
  },
} as unknown as IndexSearcher

const leafOf = ({ a, b, w, big }: Segment, docBase: number): Leaf =>
  ({
    docBase,
    segment: {
      maxDoc: SIZE,
      field: (path: string) => ({
        docValues: path === 'w' ? textColumn(w) : path === 'a' ? columnOf(a, big) : columnOf(b, false),
      }),
    },
  }) as unknown as Leaf

const direction = fc.constantFrom('asc' as const, 'desc' as const)
const key: fc.Arbitrary<SortKey> = fc.oneof(
  fc.record({
    kind: fc.constant('field' as const),
    field: fc.constantFrom('a', 'b'),
    order: direction,
    missing: fc.constantFrom<'_first' | '_last' | number>('_first', '_last', 1),
  }),
  fc.record({
    kind: fc.constant('field' as const),
    field: fc.constant('w'),
    order: direction,
    mode: fc.constantFrom(undefined, 'min', 'max'),
    missing: fc.constantFrom('_first' as const, '_last' as const, '_last' as const, 'aa'),
  }) as fc.Arbitrary<SortKey>,
  fc.record({
    kind: fc.constant('field' as const),
    field: fc.constant('none'),
    order: direction,
    missing: fc.constantFrom('_first' as const, '_last' as const),
    unmappedType: fc.constantFrom('keyword', 'long'),
  }) as fc.Arbitrary<SortKey>,
  fc.record({ kind: fc.constantFrom('score' as const, 'doc' as const), order: direction }),
)

function top(
  plain: boolean,
  options: { segments: readonly Segment[]; keys: SortKey[]; size: number; after: SortValue[]; afterDoc?: number },
): SortedCandidate[] {
  const { segments, keys, size, after, afterDoc } = options
  const sorted = new TopSorted(size, keys, after.length === 0 ? undefined : after, afterDoc, plain)
  segments.forEach((one, i) => {
    const leaf = leafOf(one, i * SIZE)
    const sorts = keys.map((sortKey) => sortReader(sortKey, searcher, false)(leaf))
    for (let from = 0; from < SIZE; from += 16) {
      const docs = Int32Array.from({ length: Math.min(16, SIZE - from) }, (_, j) => from + j)
      sorted.addAll(
        docs,
        Float32Array.from(docs, (doc) => (doc * 7) % 5),
        docs.length,
        i * SIZE,
        sorts,
      )
    }
  })
  return sorted.sorted(0)
}

describe('the first documents by sort keys', () => {
  it('are those without a value, too, behind a segment whose numbers are too large', () => {
    const a = Array.from({ length: SIZE }, (_, doc) => (doc % 2 === 0 ? 1 : null))
    const segments = [true, false].map((big) => ({ a, b: a, w: a.map(() => []), big }))
    const keys: SortKey[] = [{ kind: 'field', field: 'a', order: 'asc', missing: '_last' }]
    const options = { segments, keys, size: 200, after: [0] }
    expect(top(false, options)).toEqual(top(true, options))
    expect(top(false, options)).toHaveLength(2 * SIZE)
  })

  it('are the same by numbers as by values', () => {
    fc.assert(
      fc.property(
        fc.array(segment, { minLength: 1, maxLength: 3 }),
        fc.array(key, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(1, 3, 10, 200),
        fc.option(
          fc.array(fc.constantFrom<SortValue>(0, 1, -1, 0.5, '2', null, 2n, 'aa', 'c', '\ud800'), {
            minLength: 3,
            maxLength: 3,
          }),
        ),
        (segments, keys, size, page) => {
          const options = { segments, keys, size, after: (page ?? []).slice(0, page === null ? 0 : keys.length) }
          expect(top(false, options)).toEqual(top(true, options))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('are found page by page, each behind the last of the one before', () => {
    fc.assert(
      fc.property(
        fc.array(segment, { minLength: 1, maxLength: 3 }),
        fc.array(key, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(7, 10, 50),
        fc.boolean(),
        (segments, keys, size, plain) => {
          const all = top(true, { segments, keys, size: 200, after: [] })
          const found = top(plain, { segments, keys, size, after: [] })
          for (let page = found; page.length === size; found.push(...page)) {
            const { values, doc } = page.at(-1) as SortedCandidate
            page = top(plain, { segments, keys, size, after: [...values], afterDoc: doc })
          }
          expect(found).toEqual(all)
        },
      ),
      { numRuns: 300 },
    )
  })
})
