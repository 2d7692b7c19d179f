import type { SegmentReader } from '../../index/segment-reader.ts'
import {
  decodeLat,
  decodeLon,
  encodeLat,
  encodeLatCeil,
  encodeLon,
  encodeLonCeil,
} from '../../mapping/geo-shape/encoded-degrees.ts'
import { emptyPart, visitParts } from '../../mapping/geo-shape/read-parts.ts'
import { type BitSet, emptyBits, hasBit, setBit } from '../lucene/bit-set.ts'
import { BoxArea } from './box-area.ts'
import { BoxGrid } from './box-grid.ts'
import type { QueryArea } from './query-area.ts'
import type { ShapeColumn } from './shape-column.ts'

/** How a document's shapes stand to what a query asks about. */
export type ShapeRelation = 'intersects' | 'disjoint' | 'within' | 'contains'

/** How one value stands to an area, in the terms of {@link ShapeRelation}: yes, no, or whatever the document's others say. */
type Verdict = 'yes' | 'no' | 'other'

/**
 * Documents of a segment whose shapes stand to an area as asked. Boxes are compared first: of most shapes nothing else is
 * looked at.
 */
export function matchingShapes(
  segment: SegmentReader,
  column: ShapeColumn,
  area: QueryArea,
  relation: ShapeRelation,
): BitSet {
  const bits = emptyBits(segment.maxDoc)
  const { present, offsets, boxes } = column
  const test = new ValueTest(column, area, relation)
  // Anything apart from the area's box is outside; this much is told without degrees.
  const [west, east] = [encodeLon(area.minX), encodeLonCeil(area.maxX)]
  const [south, north] = [encodeLat(area.minY), encodeLatCeil(area.maxY)]
  const outside = relation === 'disjoint' ? 'yes' : relation === 'within' ? 'no' : 'other'
  for (let doc = 0; doc < segment.maxDoc; doc++) {
    if (present !== undefined && !hasBit(present, doc)) continue
    const from = offsets === undefined ? doc : (offsets[doc] as number)
    const to = offsets === undefined ? doc + 1 : (offsets[doc + 1] as number)
    let matches = false
    for (let at = from; at < to; at++) {
      const [minX, maxX] = [boxes[4 * at] as number, boxes[4 * at + 1] as number]
      const [minY, maxY] = [boxes[4 * at + 2] as number, boxes[4 * at + 3] as number]
      if (minX > maxX) continue
      const isApart = maxX < west || minX > east || maxY < south || minY > north
      const verdict = isApart ? outside : test.verdict(at)
      if (verdict === 'other') continue
      matches = verdict === 'yes'
      // One is enough to be in, or to be out.
      if (matches === (relation === 'intersects') || (!matches && relation !== 'intersects')) break
    }
    if (matches) setBit(bits, doc)
  }
  return bits
}

class ValueTest {
  readonly #column: ShapeColumn
  readonly #area: QueryArea
  readonly #relation: ShapeRelation
  readonly #part = emptyPart()
  /** Boxes are told by their relation itself; whatever else an area is, a grid knows most of them. */
  readonly #grid: Pick<QueryArea, 'relateBox'>

  constructor(column: ShapeColumn, area: QueryArea, relation: ShapeRelation) {
    this.#column = column
    this.#area = area
    this.#relation = relation
    this.#grid = area instanceof BoxArea ? area : new BoxGrid(area)
  }

  verdict(at: number): Verdict {
    const { boxes } = this.#column
    const box = this.#grid.relateBox(
      decodeLon(boxes[4 * at] as number),
      decodeLon(boxes[4 * at + 1] as number),
      decodeLat(boxes[4 * at + 2] as number),
      decodeLat(boxes[4 * at + 3] as number),
    )
    switch (this.#relation) {
      case 'intersects': {
        const isMet = box === 'inside' || (box === 'crosses' && this.#some(at, (part) => this.#area.intersects(part)))
        return isMet ? 'yes' : 'other'
      }
      case 'disjoint': {
        const isMet = box === 'inside' || (box === 'crosses' && this.#some(at, (part) => this.#area.intersects(part)))
        return isMet ? 'no' : 'yes'
      }
      case 'within': {
        const isOut = box === 'outside' || (box === 'crosses' && this.#some(at, (part) => !this.#area.contains(part)))
        return isOut ? 'no' : 'yes'
      }
      case 'contains': {
        if (box !== 'crosses') return box === 'inside' ? 'no' : 'other'
        let isCandidate = false
        const isNot = this.#some(at, (part) => {
          const around = this.#area.around(part)
          if (around === 'candidate') isCandidate = true
          return around === 'not'
        })
        return isNot ? 'no' : isCandidate ? 'yes' : 'other'
      }
    }
  }

  #some(at: number, test: Parameters<typeof visitParts>[2]): boolean {
    return visitParts(this.#column.value(at), this.#part, test)
  }
}
