import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BinaryDocValues } from '../../index/segment-reader.ts'
import { forEachValue, pairColumn } from '../queries/pair-column.ts'
import type { GeoArea } from '../queries/query.ts'
import { areaBounds } from './area-bounds.ts'
import { areaTest } from './area-test.ts'
import { PointGrid } from './point-grid.ts'

const lat = fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, -89.5, 0, 88, 89.99))
const lon = fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(-180, -179.99, 0, 179.99))
const point = fc.record({ lat, lon })
const corners = fc.array(point, { minLength: 3, maxLength: 6 })
const area: fc.Arbitrary<GeoArea> = fc.oneof(
  fc.record({
    shape: fc.constant('circle' as const),
    lat,
    lon,
    meters: fc.double({ min: 0, max: 2.1e7, noNaN: true }),
  }),
  fc
    .record({ shape: fc.constant('box' as const), top: lat, bottom: lat, left: lon, right: lon })
    .filter(({ top, bottom }) => top >= bottom),
  corners.map((list) => {
    const closed = [...list, list[0] as { lat: number; lon: number }]
    return { shape: 'polygon' as const, lats: closed.map((one) => one.lat), lons: closed.map((one) => one.lon) }
  }),
)

/** A column with some points for each document. */
function columnOf(docs: readonly (readonly { readonly lat: number; readonly lon: number }[])[]): BinaryDocValues {
  const points = Float64Array.from(docs.flat().flatMap((one) => [one.lat, one.lon]))
  const offsets = new Uint32Array(docs.length + 1)
  docs.forEach((list, doc) => {
    offsets[doc + 1] = (offsets[doc] as number) + list.length
  })
  const bytes = new Uint8Array(points.buffer)
  return { kind: 'binary', present: undefined, offsets, value: (i) => bytes.subarray(16 * i, 16 * i + 16) }
}

describe('a grid of points', () => {
  it('has all that lie in an area in the cells that its bounds touch', () => {
    fc.assert(
      fc.property(fc.array(fc.array(point, { maxLength: 3 }), { minLength: 1, maxLength: 60 }), area, (docs, asked) => {
        const points = pairColumn(columnOf(docs), docs.length)
        const contains = areaTest(asked, false)
        const among = (visit: (take: (doc: number, at: number) => void) => void): number[] => {
          const found = new Set<number>()
          visit((doc, at) => {
            if (contains(points.doubles[2 * at] as number, points.doubles[2 * at + 1] as number)) found.add(doc)
          })
          return [...found].sort((a, b) => a - b)
        }
        const grid = new PointGrid(points, docs.length)
        expect(among((take) => grid.visit(areaBounds(asked), take))).toEqual(
          among((take) => forEachValue(points, docs.length, take)),
        )
      }),
      { numRuns: 3000 },
    )
  })
})
