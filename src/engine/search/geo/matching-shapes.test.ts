import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SegmentReader } from '../../index/segment-reader.ts'
import { encodeShape } from '../../mapping/geo-shape/encode-shape.ts'
import { decodeLat, decodeLon } from '../../mapping/geo-shape/encoded-degrees.ts'
import { flattenShape } from '../../mapping/geo-shape/flatten-shape.ts'
import { defaultReading } from '../../mapping/geo-shape/geometry.ts'
import { parseShape } from '../../mapping/geo-shape/parse-shape.ts'
import { emptyPart, visitParts } from '../../mapping/geo-shape/read-parts.ts'
import { hasBit } from '../lucene/bit-set.ts'
import { BoxArea } from './box-area.ts'
import { BoxGrid } from './box-grid.ts'
import { PolygonArea } from './edges-area.ts'
import { LuceneSevenArea } from './lucene-seven-area.ts'
import { matchingShapes, type ShapeRelation } from './matching-shapes.ts'
import type { QueryArea } from './query-area.ts'
import { shapeColumn } from './shape-column.ts'

const ring = fc
  .record({
    x: fc.double({ min: -20, max: 20, noNaN: true }),
    y: fc.double({ min: -20, max: 20, noNaN: true }),
    radii: fc.array(fc.double({ min: 0.5, max: 12, noNaN: true }), { minLength: 3, maxLength: 9 }),
  })
  .map(({ x, y, radii }) => {
    const points = radii.map((radius, i) => {
      const angle = (2 * Math.PI * i) / radii.length
      return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)] as const
    })
    return [...points, points[0] as readonly [number, number]]
  })

const shape = fc.oneof(
  ring.map((coordinates) => ({ type: 'polygon', coordinates: [coordinates] })),
  ring.map((coordinates) => ({ type: 'linestring', coordinates })),
  ring.map(([coordinates]) => ({ type: 'point', coordinates })),
)

const area = ring.chain((points) => {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const polygon = { kind: 'polygon', xs, ys, holes: [] } as const
  const sides = { left: Math.min(...xs), right: Math.max(...xs), bottom: Math.min(...ys), top: Math.max(...ys) }
  return fc.constantFrom<QueryArea>(
    new PolygonArea(polygon),
    new LuceneSevenArea([polygon]),
    new BoxArea(sides, false),
    new BoxArea(sides, true),
  )
})

function encoded(json: unknown): Uint8Array {
  const geometry = parseShape(json, defaultReading(false))
  if (geometry === undefined) throw new Error('no shape')
  const flat = flattenShape(geometry, { isVersion6: false, isRight: true, isQuery: false })
  return encodeShape(flat, false) as Uint8Array
}

/** A segment with a shape a document. */
function segmentOf(values: readonly Uint8Array[]): SegmentReader {
  const docValues = { kind: 'binary', present: undefined, offsets: undefined, value: (i: number) => values[i] }
  return { maxDoc: values.length, field: () => ({ docValues }) } as unknown as SegmentReader
}

/** By every part of a shape, without boxes. */
function naive(value: Uint8Array, asked: QueryArea, relation: ShapeRelation): boolean {
  const some = (test: Parameters<typeof visitParts>[2]): boolean => visitParts(value, emptyPart(), test)
  switch (relation) {
    case 'intersects':
      return some((part) => asked.intersects(part))
    case 'disjoint':
      return !some((part) => asked.intersects(part))
    case 'within':
      return !some((part) => !asked.contains(part))
    case 'contains':
      return !some((part) => asked.around(part) === 'not') && some((part) => asked.around(part) === 'candidate')
  }
}

describe('shapes of a segment', () => {
  it('are found by their boxes as they are by all their parts', () => {
    fc.assert(
      fc.property(fc.array(shape, { minLength: 1, maxLength: 20 }), area, (shapes, asked) => {
        const values = shapes.map(encoded)
        const segment = segmentOf(values)
        const column = shapeColumn(segment, 's', false)
        if (column === undefined) throw new Error('no column')
        const relations: ShapeRelation[] = ['intersects', 'disjoint', 'within']
        if (!(asked instanceof LuceneSevenArea)) relations.push('contains')
        for (const relation of relations) {
          const found = matchingShapes(segment, column, asked, relation)
          expect(values.map((_, doc) => hasBit(found, doc))).toEqual(
            values.map((value) => naive(value, asked, relation)),
          )
        }
      }),
      { numRuns: 400 },
    )
  })

  it('stand to an area as a grid over it says', () => {
    const box = fc.tuple(
      fc.integer({ min: -300_000_000, max: 300_000_000 }),
      fc.integer({ min: 0, max: 20_000_000 }),
      fc.integer({ min: -600_000_000, max: 600_000_000 }),
      fc.integer({ min: 0, max: 40_000_000 }),
    )
    fc.assert(
      fc.property(area, fc.array(box, { minLength: 1, maxLength: 50 }), (asked, boxes) => {
        const grid = new BoxGrid(asked)
        for (const [x, width, y, height] of boxes) {
          const sides = [decodeLon(x), decodeLon(x + width), decodeLat(y), decodeLat(y + height)] as const
          const [byGrid, bySelf] = [grid.relateBox(...sides), asked.relateBox(...sides)]
          // A grid may only know more: that a box which the area itself is not sure of has nothing to do with it.
          if (byGrid !== bySelf) expect([byGrid, bySelf]).not.toContain(byGrid === 'inside' ? 'outside' : 'inside')
        }
      }),
      { numRuns: 300 },
    )
  })

  it('that were kept as JSON are found too', () => {
    const json = new TextEncoder().encode('{"type":"point","coordinates":[1,2]}')
    const segment = segmentOf([
      json,
      encoded({ type: 'point', coordinates: [50, 2] }),
      new TextEncoder().encode('"FOO"'),
    ])
    const column = shapeColumn(segment, 's', false)
    if (column === undefined) throw new Error('no column')
    const asked = new BoxArea({ left: 0, right: 3, bottom: 0, top: 3 }, false)
    const found = matchingShapes(segment, column, asked, 'intersects')
    expect([0, 1, 2].map((doc) => hasBit(found, doc))).toEqual([true, false, false])
  })
})
