import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeGeohash } from '../../mapping/geo/geohash.ts'
import { geohashCells, geotileCells, greaterFirst } from './geo-cells.ts'
import { tileName, tileOf } from './geo-tile.ts'

const lat = fc.double({ min: -90, max: 90, noNaN: true })
const lon = fc.double({ min: -180, max: 180, noNaN: true })

describe('cells of a map', () => {
  it('have the names of the geohashes and tiles that points lie in', () => {
    fc.assert(
      fc.property(lat, lon, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 29 }), (y, x, letters, zoom) => {
        const [hashes, tiles] = [geohashCells(letters), geotileCells(zoom)]
        expect(hashes.name(hashes.of(y, x))).toBe(encodeGeohash(y, x, letters))
        expect(tiles.name(tiles.of(y, x))).toBe(tileName(tileOf(y, x, zoom)))
      }),
    )
  })

  it('stand in the order of their names or places, the greater first', () => {
    fc.assert(
      fc.property(lat, lon, lat, lon, fc.integer({ min: 1, max: 11 }), fc.integer({ min: 0, max: 29 }), (...given) => {
        const [y1, x1, y2, x2, letters, zoom] = given
        const hashes = geohashCells(letters)
        const [a, b] = [encodeGeohash(y1, x1, letters), encodeGeohash(y2, x2, letters)]
        const order = Math.sign(greaterFirst(hashes.rank(hashes.of(y1, x1)), hashes.rank(hashes.of(y2, x2))))
        expect(order).toBe(a < b ? 1 : a > b ? -1 : 0)
        const tiles = geotileCells(zoom)
        const [s, t] = [tileOf(y1, x1, zoom), tileOf(y2, x2, zoom)]
        expect(Math.sign(greaterFirst(tiles.rank(tiles.of(y1, x1)), tiles.rank(tiles.of(y2, x2))))).toBe(
          Math.sign(t.x - s.x || t.y - s.y),
        )
      }),
    )
  })
})
