import { RADIANS } from '../../mapping/geo/earth.ts'
import type { GeoArea } from '../queries/query.ts'
import type { GeoBounds } from './point-grid.ts'

/** Less than the real ones, so that a distance in degrees never comes out too short. */
const METERS_A_DEGREE = 111_000

/** A distance in degrees, rather too many. */
export const degreesOf = (meters: number): number => meters / METERS_A_DEGREE + 0.001

/** A box that no point of an area lies outside of. */
export function areaBounds(area: GeoArea): GeoBounds {
  switch (area.shape) {
    case 'circle':
      return circleBounds(area)
    case 'box':
      return { south: area.bottom, north: area.top, west: area.left, east: area.right }
    case 'polygon': {
      const { lats, lons } = area
      const least = (list: readonly number[]): number => list.reduce((a, b) => Math.min(a, b), 180)
      const most = (list: readonly number[]): number => list.reduce((a, b) => Math.max(a, b), -180)
      return { south: least(lats), north: most(lats), west: least(lons), east: most(lons) }
    }
  }
}

function circleBounds({ lat, lon, meters }: GeoArea & { readonly shape: 'circle' }): GeoBounds {
  const reach = degreesOf(meters)
  const [south, north] = [lat - reach, lat + reach]
  // Around a pole all longitudes are near.
  if (south <= -89 || north >= 89) return { south, north, west: -180, east: 180 }
  const sine = Math.sin(reach * RADIANS) / Math.cos(lat * RADIANS)
  const aside = Math.asin(Math.min(sine, 1)) / RADIANS + 0.001
  if (sine >= 1 || aside >= 180) return { south, north, west: -180, east: 180 }
  const [west, east] = [lon - aside, lon + aside]
  return { south, north, west: west < -180 ? west + 360 : west, east: east > 180 ? east - 360 : east }
}
