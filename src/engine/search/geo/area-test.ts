import { arcMeters } from '../earth-distance.ts'
import type { GeoArea } from '../queries/query.ts'
import { degreesOf } from './area-bounds.ts'

/** Tells whether a point lies in an area. */
export function areaTest(area: GeoArea, isLucene7: boolean): (lat: number, lon: number) => boolean {
  switch (area.shape) {
    case 'circle':
      return circleTest(area)
    case 'box':
      return boxTest(area)
    case 'polygon':
      return holedTest(area, isLucene7)
  }
}

function circleTest({
  lat,
  lon,
  meters,
}: GeoArea & { readonly shape: 'circle' }): (lat: number, lon: number) => boolean {
  // Most points are too far to the north or south: no need to measure.
  const reach = degreesOf(meters)
  return (pointLat, pointLon) => Math.abs(pointLat - lat) <= reach && arcMeters(lat, lon, pointLat, pointLon) <= meters
}

function boxTest({
  top,
  left,
  bottom,
  right,
}: GeoArea & { readonly shape: 'box' }): (lat: number, lon: number) => boolean {
  // No indexed latitude is 90 and no longitude 180: what begins there is empty.
  if (bottom === 90 || (left === 180 && right === 180)) return () => false
  const west = left === 180 && right < left ? -180 : left
  if (west > right) return (lat, lon) => lat >= bottom && lat <= top && (lon >= west || lon <= right)
  return (lat, lon) => lat >= bottom && lat <= top && lon >= west && lon <= right
}

function holedTest(
  area: GeoArea & { readonly shape: 'polygon' },
  isLucene7: boolean,
): (lat: number, lon: number) => boolean {
  const isInside = polygonTest(area, isLucene7)
  const holes = (area.holes ?? []).map((hole) => polygonTest(asArea(hole), isLucene7))
  if (holes.length === 0) return isInside
  return (lat, lon) => isInside(lat, lon) && !holes.some((isInHole) => isInHole(lat, lon))
}

/** Counts the edges east of a point: odd, it lies within. From Lucene 8 on a point on an edge does too. */
function polygonTest(
  { lats, lons }: GeoArea & { readonly shape: 'polygon' },
  isLucene7: boolean,
): (lat: number, lon: number) => boolean {
  return (lat, lon) => {
    let isInside = false
    for (let i = 0; i + 1 < lats.length; i++) {
      const [lat1, lon1, lat2, lon2] = [lats[i], lons[i], lats[i + 1], lons[i + 1]] as [number, number, number, number]
      if (!isLucene7 && isOnEdge(lat, lon, lat1, lon1, lat2, lon2)) return true
      if (lat1 > lat === lat2 > lat) continue
      if (lon < ((lon1 - lon2) * (lat - lat2)) / (lat1 - lat2) + lon2) isInside = !isInside
    }
    return isInside
  }
}

function isOnEdge(lat: number, lon: number, lat1: number, lon1: number, lat2: number, lon2: number): boolean {
  if (lat < Math.min(lat1, lat2) || lat > Math.max(lat1, lat2)) return false
  if (lon < Math.min(lon1, lon2) || lon > Math.max(lon1, lon2)) return false
  return (lon2 - lon1) * (lat - lat1) === (lon - lon1) * (lat2 - lat1)
}

function asArea({ xs, ys }: { readonly xs: readonly number[]; readonly ys: readonly number[] }): GeoArea & {
  readonly shape: 'polygon'
} {
  return { shape: 'polygon', lats: ys, lons: xs }
}
