import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FlatPolygon, Ring } from './flat-shape.ts'
import { triangulate } from './triangulate.ts'

/** A ring around a place, its corners by turns nearer and farther. */
function star(corners: number, radius: number, wobble: number): Ring {
  const xs: number[] = []
  const ys: number[] = []
  for (let i = 0; i < corners; i++) {
    const angle = (2 * Math.PI * i) / corners
    const far = radius * (1 - wobble * ((i * 7919) % 13) * (1 / 13))
    xs.push(10 + far * Math.cos(angle))
    ys.push(20 + far * Math.sin(angle))
  }
  return { xs: [...xs, xs[0] as number], ys: [...ys, ys[0] as number] }
}

function area({ xs, ys }: Ring): number {
  let sum = 0
  for (let i = 1; i < xs.length; i++) {
    sum += (xs[i - 1] as number) * (ys[i] as number) - (xs[i] as number) * (ys[i - 1] as number)
  }
  return Math.abs(sum) / 2
}

function areaOfTriangles(polygon: FlatPolygon, isVersion6: boolean): number {
  let sum = 0
  for (const [a, , b, , c] of triangulate(polygon, isVersion6)) {
    sum += area({ xs: [a.x, b.x, c.x, a.x], ys: [a.y, b.y, c.y, a.y] })
  }
  return sum
}

describe('a polygon taken apart', () => {
  it('has the area of its triangles, with holes and without, few corners or many', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 3, max: 200 }),
        fc.double({ min: 0, max: 0.8, noNaN: true }),
        fc.option(fc.integer({ min: 3, max: 60 }), { nil: undefined }),
        fc.boolean(),
        (corners, wobble, holeCorners, isVersion6) => {
          const outline = star(corners, 10, corners < 5 ? 0 : wobble)
          const holes = holeCorners === undefined ? [] : [star(holeCorners, 0.8, 0.3)]
          const whole = area(outline) - holes.reduce((sum, hole) => sum + area(hole), 0)
          const sum = areaOfTriangles({ kind: 'polygon', ...outline, holes }, isVersion6)
          expect(sum).toBeCloseTo(whole, 6)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is refused where it is a line', () => {
    const line: FlatPolygon = { kind: 'polygon', xs: [0, 1, 2, 0], ys: [0, 1, 2, 0], holes: [] }
    expect(() => triangulate(line, false)).toThrow('at least three non-collinear points required')
    expect(() => triangulate(line, true)).toThrow('Unable to Tessellate shape')
  })

  it('is refused where it crosses itself everywhere, however many corners it has', () => {
    const corners = 10_000
    const at = (i: number): number => (2 * Math.PI * i * (corners / 2 - 1)) / corners
    const places = Array.from({ length: corners + 1 }, (_, i) => at(i % corners))
    const ring = { xs: places.map((angle) => 10 * Math.cos(angle)), ys: places.map((angle) => 10 * Math.sin(angle)) }
    const start = process.cpuUsage()
    for (const isVersion6 of [false, true])
      expect(() => triangulate({ kind: 'polygon', ...ring, holes: [] }, isVersion6)).toThrow('Unable to Tessellate')
    expect(process.cpuUsage(start).user).toBeLessThan(5e6)
  })

  it('takes milliseconds with thousands of corners', () => {
    const ring = star(5000, 10, 0.2)
    const start = performance.now()
    expect(areaOfTriangles({ kind: 'polygon', ...ring, holes: [] }, false)).toBeCloseTo(area(ring), 6)
    expect(performance.now() - start).toBeLessThan(15_000)
  })
})
