import { ServiceError } from '../../../errors.ts'
import { doubleOfText } from '../types/number-value.ts'

/** Meters of the units of distances, by the names each has; a text is looked at for their endings in this order. */
const UNITS: readonly (readonly [meters: number, ...names: string[]])[] = [
  [0.0254, 'in', 'inch'],
  [0.9144, 'yd', 'yards'],
  [0.3048, 'ft', 'feet'],
  [1000, 'km', 'kilometers'],
  [1852, 'NM', 'nmi', 'nauticalmiles'],
  [0.001, 'mm', 'millimeters'],
  [0.01, 'cm', 'centimeters'],
  [1609.344, 'mi', 'miles'],
  [1, 'm', 'meters'],
]

/** Meters in a unit of distances. @throws {ServiceError} illegal_argument_exception */
export function unitMeters(name: string): number {
  for (const [meters, ...names] of UNITS) if (names.includes(name)) return meters
  throw new ServiceError('illegal_argument_exception', `No distance unit match [${name}]`)
}

/**
 * Meters of a distance (`5km`, `1.5 mi`, `300`).
 *
 * @param unit  meters in the unit of a number without one
 * @throws {ServiceError} number_format_exception
 */
export function distanceMeters(text: string, unit: number): number {
  for (const [meters, ...names] of UNITS) {
    const name = names.find((ending) => text.endsWith(ending))
    if (name !== undefined) return doubleOfText(text.slice(0, -name.length)) * meters
  }
  return doubleOfText(text) * unit
}
