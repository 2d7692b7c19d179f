import { expect, it } from 'vitest'
import { RecordSizes } from './record-sizes.ts'
import type { StoredSegment } from './stored-segment.ts'

const segment = (maxDoc: number, rootDocs?: Uint32Array) =>
  ({ maxDoc, rootDocs, seqNo: (doc: number) => 100 + doc }) as unknown as StoredSegment

it('is exact for few documents, of which nested ones have no record', () => {
  const asked: number[] = []
  const sizes = new RecordSizes((seqNo) => asked.push(seqNo) * 10)
  expect(sizes.of(segment(5, Uint32Array.of(2, 4)))).toBe(30)
  expect(asked).toEqual([102, 104])
})

it('looks at some of many, evenly spread, once', () => {
  let asked = 0
  const sizes = new RecordSizes((seqNo) => {
    asked++
    return seqNo < 5_100 ? 10 : 30
  })
  const large = segment(10_000)
  expect(Math.abs(sizes.of(large) - 200_000)).toBeLessThan(2_000)
  expect(sizes.of(large)).toBe(sizes.of(large))
  expect(asked).toBeLessThan(300)
})

it('looks again while records are being committed', () => {
  let size: number | undefined
  const sizes = new RecordSizes(() => size)
  const one = segment(1)
  expect(sizes.of(one)).toBe(0)
  size = 12
  expect(sizes.of(one)).toBe(12)
})
