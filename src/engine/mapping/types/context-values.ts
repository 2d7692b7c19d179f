import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import type { EngineVersion } from '../../engine-version.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import { isPointArray, parseGeoPoint } from '../geo/geo-point-value.ts'
import { encodeGeohash } from '../geo/geohash.ts'
import { JsonNumber } from '../lossless-json.ts'
import { tokenName } from './number-value.ts'

/** A context of a completion field, as far as it tells how its values are read. */
export interface ContextForm {
  readonly type: 'category' | 'geo'
  /** Letters of a geohash. */
  readonly precision: number
}

/**
 * Values of a context that a suggestion names, as they are matched: categories as texts, places as geohashes.
 *
 * @throws {ServiceError} parse_exception, illegal_argument_exception
 */
export function contextValues(value: unknown, context: ContextForm, engineVersion: EngineVersion): string[] {
  return context.type === 'category' ? categories(value) : places(value, context.precision, engineVersion)
}

function categories(value: unknown): string[] {
  if (!Array.isArray(value)) return [category(value, MAY_BE_LIST)]
  return value.map((one) => category(one, 'context array must have string, number or boolean values'))
}

const MAY_BE_LIST = 'contexts must be a string, number or boolean or a list of string, number or boolean'

function category(value: unknown, expected: string): string {
  if (value instanceof JsonNumber) return value.text
  if (typeof value !== 'object') return String(value)
  throw new ServiceError('parse_exception', `${expected}, but was [${contextToken(value)}]`)
}

function places(value: unknown, letters: number, engineVersion: EngineVersion): string[] {
  // A text that stands alone is taken for a geohash, whatever it says.
  if (typeof value === 'string') return [value.slice(0, letters)]
  const geohash = (point: unknown): string => {
    const { lat, lon } = parseGeoPoint(point, false, engineVersion)
    if (engineVersion === 'Elasticsearch_6.8') checkDegrees(lat, lon)
    return encodeGeohash(lat, lon, letters)
  }
  if (!Array.isArray(value)) return [geohash(value)]
  if (!isPointArray(value)) return value.map(geohash)
  const [, lat] = value
  if (typeof lat === 'string' || !isPointArray([lat]))
    throw new ServiceError('parse_exception', 'latitude must be a numeric value')
  if (value.length > 2) throw new ServiceError('parse_exception', 'only two values [lon, lat] expected')
  return [geohash(value)]
}

function checkDegrees(lat: number, lon: number): void {
  for (const [name, degrees, most] of [
    ['latitude', lat, 90],
    ['longitude', lon, 180],
  ] as const) {
    if (Math.abs(degrees) <= most) continue
    throw illegalArgument(`invalid ${name} ${javaDouble(degrees)}; must be between -${most}.0 and ${most}.0`)
  }
}

/** A JSON token as the readers of completions name it. */
export function contextToken(value: unknown): string {
  return tokenName(value)
    .replace(/_(INT|FLOAT)$/, '')
    .replace(/_(TRUE|FALSE)$/, '_BOOLEAN')
}
