import {
  decodeLat,
  decodeLon,
  encodeLat,
  encodeLatCeil,
  encodeLon,
  encodeLonCeil,
} from '../../mapping/geo-shape/encoded-degrees.js'
import { emptyPart, visitParts } from '../../mapping/geo-shape/read-parts.js'
import { emptyBits, hasBit, setBit } from '../lucene/bit-set.js'
/**
 * Documents of a segment whose shapes stand to an area as asked. Boxes are compared first: of most shapes nothing else is
 * looked at.
 */
export function matchingShapes(segment, column, area, relation) {
  const bits = emptyBits(segment.maxDoc)
  const { present, offsets, boxes } = column
  const test = new ValueTest(column, area, relation)
  // Anything apart from the area's box is outside; this much is told without degrees.
  const [west, east] = [encodeLon(area.minX), encodeLonCeil(area.maxX)]
  const [south, north] = [encodeLat(area.minY), encodeLatCeil(area.maxY)]
  const outside = relation === 'disjoint' ? 'yes' : relation === 'within' ? 'no' : 'other'
  for (let doc = 0; doc < segment.maxDoc; doc++) {
    if (present !== undefined && !hasBit(present, doc)) continue
    const from = offsets === undefined ? doc : offsets[doc]
    const to = offsets === undefined ? doc + 1 : offsets[doc + 1]
    let matches = false
    for (let at = from; at < to; at++) {
      const [minX, maxX] = [boxes[4 * at], boxes[4 * at + 1]]
      const [minY, maxY] = [boxes[4 * at + 2], boxes[4 * at + 3]]
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
  #column
  #area
  #relation
  #part = emptyPart()
  constructor(column, area, relation) {
    this.#column = column
    this.#area = area
    this.#relation = relation
  }
  verdict(at) {
    const { boxes } = this.#column
    const box = this.#area.relateBox(
      decodeLon(boxes[4 * at]),
      decodeLon(boxes[4 * at + 1]),
      decodeLat(boxes[4 * at + 2]),
      decodeLat(boxes[4 * at + 3]),
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
  #some(at, test) {
    return visitParts(this.#column.value(at), this.#part, test)
  }
}
