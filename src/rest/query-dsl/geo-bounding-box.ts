import { javaDouble } from '../../engine/java/java-number-text.ts'
import { parseGeoPoint } from '../../engine/mapping/geo/geo-point-value.ts'
import { geohashCell } from '../../engine/mapping/geo/geohash.ts'
import { doubleOfText, notNumeric } from '../../engine/mapping/types/number-value.ts'
import { ServiceError } from '../../errors.ts'

/** Sides of a box, in degrees; NaN where none was given. */
export interface Corners {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

/**
 * A box by two of its corners, by its sides, or in well-known text.
 *
 * @param isVersion6  true: a geohash is its cell's south-western corner; else the one that makes the box largest
 * @throws {ServiceError} parse_exception
 */
export function boundingBox(json: { readonly [member: string]: unknown }, isVersion6: boolean): Corners {
  let top = Number.NaN
  let left = Number.NaN
  let bottom = Number.NaN
  let right = Number.NaN
  for (const [key, value] of Object.entries(json)) {
    switch (key) {
      case 'wkt':
        return envelope(String(value), isVersion6)
      case 'top':
        top = side(value)
        break
      case 'left':
        left = side(value)
        break
      case 'bottom':
        bottom = side(value)
        break
      case 'right':
        right = side(value)
        break
      case 'top_left':
        ;({ lat: top, lon: left } = corner(value, isVersion6 ? undefined : { isTop: true, isLeft: true }))
        break
      case 'bottom_right':
        ;({ lat: bottom, lon: right } = corner(value, isVersion6 ? undefined : { isTop: false, isLeft: false }))
        break
      case 'top_right':
        ;({ lat: top, lon: right } = corner(value, isVersion6 ? undefined : { isTop: true, isLeft: false }))
        break
      case 'bottom_left':
        ;({ lat: bottom, lon: left } = corner(value, isVersion6 ? undefined : { isTop: false, isLeft: true }))
        break
      default:
        throw failedBox(`failed to parse bounding box. unexpected field [${key}]`)
    }
  }
  return { top, left, bottom, right }
}

function corner(
  value: unknown,
  place: { readonly isTop: boolean; readonly isLeft: boolean } | undefined,
): { readonly lat: number; readonly lon: number } {
  try {
    const { geohash } = typeof value === 'object' && value !== null ? (value as { geohash?: unknown }) : {}
    const text = geohash ?? value
    if (place !== undefined && typeof text === 'string' && !/,|point/i.test(text)) {
      const { north, south, east, west } = geohashCell(text)
      return { lat: place.isTop ? north : south, lon: place.isLeft ? west : east }
    }
    return parseGeoPoint(value, false, place === undefined ? 'Elasticsearch_6.8' : 'OpenSearch_2.19')
  } catch (error) {
    if (error instanceof ServiceError && error.type === 'parse_exception') throw failedBox(error.reason)
    throw error
  }
}

function side(value: unknown): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  try {
    if (typeof value === 'string') return doubleOfText(value)
  } catch (error) {
    throw error instanceof ServiceError ? failedBox(error.reason) : error
  }
  throw failedBox(notNumeric(value).reason)
}

/** `BBOX (left, right, top, bottom)`. */
function envelope(text: string, isVersion6: boolean): Corners {
  const failed = (reason: string): ServiceError => failedBox(isVersion6 ? reason : 'failed to parse WKT bounding box')
  const [, shape = '', rest = ''] = /^\s*([A-Za-z]+)\s*(.*)$/s.exec(text) ?? []
  const name = shape.toLowerCase()
  if (name !== 'bbox' && name !== 'envelope') {
    if (!isVersion6 && KNOWN_SHAPES.has(name))
      throw failedBox(`failed to parse WKT bounding box. [${name.toUpperCase()}] found. expected [ENVELOPE]`)
    throw failed(
      KNOWN_SHAPES.has(name)
        ? `Expected geometry type [envelope] but found [${name}]`
        : `unknown geo_shape [${shape === '' ? text : name}]`,
    )
  }
  const [first, ...parts] = rest.split(/([(),])/).map((part) => part.trim())
  if (first !== '' || parts[0] !== '(') throw failed(`expected ( but found: ${first === '' ? 'END-OF-STREAM' : first}`)
  const numbers: number[] = []
  for (let i = 0; i < 4; i++) {
    const number = Number(parts[1 + i * 2] === '' ? Number.NaN : parts[1 + i * 2])
    if (Number.isNaN(number)) throw failed(`expected number but found: ${parts[1 + i * 2] || 'END-OF-STREAM'}`)
    numbers.push(number)
    const separator = parts[2 + i * 2]
    const expected = i === 3 ? ')' : ','
    if (separator !== expected)
      throw failed(`expected ${expected} but found: ${separator === undefined ? 'END-OF-STREAM' : `'${separator}'`}`)
  }
  const [left, right, top, bottom] = numbers as [number, number, number, number]
  if (isVersion6) checkRectangle({ top, left, bottom, right })
  return { top, left, bottom, right }
}

/** The whole world, as it is told. */
const WORLD = 'Rect(minX=-180.0,maxX=180.0,minY=-90.0,maxY=90.0)'

/** 6.x makes a rectangle of it, which is checked whatever is asked of the box. @throws {ServiceError} parse_exception */
function checkRectangle({ top, left, bottom, right }: Corners): void {
  const [low, high] = [javaDouble(bottom), javaDouble(top)]
  if (bottom < -90 || top > 90) throw failedBox(`Y values [${low} to ${high}] not in boundary ${WORLD}`)
  if (bottom > top) throw failedBox(`maxY must be >= minY: ${low} to ${high}`)
  const bad = [left, right].find((x) => Math.abs(x) > 180)
  if (bad !== undefined) throw failedBox(`Bad X value ${javaDouble(bad)} is not in boundary ${WORLD}`)
}

const KNOWN_SHAPES = new Set([
  'point',
  'multipoint',
  'linestring',
  'multilinestring',
  'polygon',
  'multipolygon',
  'geometrycollection',
  'circle',
])

function failedBox(reason: string): ServiceError {
  return new ServiceError('parse_exception', `failed to parse [geo_bounding_box] query. [${reason}]`)
}
