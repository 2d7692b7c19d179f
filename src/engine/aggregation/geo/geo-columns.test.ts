import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeGeohash, geohashOfNumber } from '../../mapping/geo/geohash.ts'
import { geohashColumns, geohashNumberOf, tileRows } from './geo-columns.ts'
import { tileOf } from './geo-tile.ts'

/** Many of them where cells meet, or as near as doubles get. */
function degrees(end: number): fc.Arbitrary<number> {
  const part = fc.tuple(fc.integer({ min: 0, max: 2 ** 12 }), fc.integer({ min: 0, max: 12 }))
  const border = part.map(([place, bits]) => ((place % (2 ** bits + 1)) * 2 * end) / 2 ** bits - end)
  const near = fc
    .tuple(border, fc.constantFrom(-1, 1))
    .map(([at, side]) => Math.min(Math.max(at + side * 2 ** -45, -end), end))
  return fc.oneof(fc.double({ min: -end, max: end, noNaN: true }), border, near, fc.constantFrom(-0, -5e-324, -1e-20))
}

/** Latitudes where rows of tiles meet. */
const tileBorder = fc.tuple(fc.nat(26), fc.double({ min: 0, max: 1, noNaN: true })).map(([zoom, share]) => {
  const y = Math.floor(share * 2 ** zoom) / 2 ** zoom
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI
})
const points = fc.array(fc.tuple(fc.oneof(degrees(90), tileBorder), degrees(180)), { minLength: 1, maxLength: 50 })

function filled(columns: ReturnType<typeof tileRows>, list: readonly (readonly [number, number])[]): number[] {
  const cells = new Float64Array(list.length)
  const [lats, lons] = [Float64Array.from(list, ([lat]) => lat), Float64Array.from(list, ([, lon]) => lon)]
  columns.fill(lats, lons, list.length, cells)
  return [...cells]
}

describe('cells of many points', () => {
  it('are the tiles that each point lies in', () => {
    fc.assert(
      fc.property(points, fc.nat(26), (list, zoom) => {
        const plain = list.map(([lat, lon]) => {
          const { x, y } = tileOf(lat, lon, zoom)
          return x * 2 ** zoom + y
        })
        expect(filled(tileRows(zoom), list)).toEqual(plain)
      }),
      { numRuns: 2_000 },
    )
  })

  it('are the geohashes that each point lies in', () => {
    fc.assert(
      fc.property(points, fc.integer({ min: 1, max: 10 }), (list, letters) => {
        const { count } = geohashColumns(letters)
        const cells = filled(geohashColumns(letters), list)
        expect(cells.every((cell) => cell >= 0 && cell < count)).toBe(true)
        expect(cells.map((cell) => geohashOfNumber(geohashNumberOf(cell, letters), letters))).toEqual(
          list.map(([lat, lon]) => encodeGeohash(lat, lon, letters)),
        )
      }),
      { numRuns: 2_000 },
    )
  })
})
