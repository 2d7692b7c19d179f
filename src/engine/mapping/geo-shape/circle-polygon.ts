import { EARTH_RADIUS_METERS, RADIANS } from '../geo/earth.ts'
import type { PolygonGeometry, Position } from './geometry.ts'

/** Corners of a circle's polygon: it is out by less than a thousandth of the radius. */
const CORNERS = 128

/** A circle on the earth as a polygon, for fields whose cells are coarser than its corners. */
export function circlePolygon(center: Position, meters: number): PolygonGeometry {
  const arc = meters / EARTH_RADIUS_METERS
  const lat = center.y * RADIANS
  const shell: Position[] = []
  for (let i = 0; i < CORNERS; i++) {
    // Against the clock.
    const bearing = -(2 * Math.PI * i) / CORNERS
    const sine = Math.sin(lat) * Math.cos(arc) + Math.cos(lat) * Math.sin(arc) * Math.cos(bearing)
    const y = Math.asin(Math.max(-1, Math.min(1, sine)))
    const x = Math.atan2(Math.sin(bearing) * Math.sin(arc) * Math.cos(lat), Math.cos(arc) - Math.sin(lat) * Math.sin(y))
    shell.push({ x: center.x + x / RADIANS, y: y / RADIANS, z: Number.NaN })
  }
  shell.push(shell[0] as Position)
  return { kind: 'polygon', shell, holes: [], isRight: true }
}
