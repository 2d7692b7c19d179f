/** Several areas as one: what is in any of them is in it. */
export function manyAreas(areas) {
  const [only] = areas
  if (only !== undefined && areas.length === 1) return only
  const least = (side) => areas.reduce((a, area) => Math.min(a, area[side]), Number.POSITIVE_INFINITY)
  const most = (side) => areas.reduce((a, area) => Math.max(a, area[side]), Number.NEGATIVE_INFINITY)
  return {
    minX: least('minX'),
    maxX: most('maxX'),
    minY: least('minY'),
    maxY: most('maxY'),
    relateBox: (minX, maxX, minY, maxY) => {
      for (const area of areas) {
        const relation = area.relateBox(minX, maxX, minY, maxY)
        if (relation !== 'outside') return relation
      }
      return 'outside'
    },
    containsPoint: (x, y) => areas.some((area) => area.containsPoint(x, y)),
    intersects: (part) => areas.some((area) => area.intersects(part)),
    contains: (part) => areas.some((area) => area.contains(part)),
    around: () => {
      throw new Error('several areas are asked one by one what is around them')
    },
  }
}
