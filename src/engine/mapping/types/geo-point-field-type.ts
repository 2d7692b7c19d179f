import { ServiceError } from '../../../errors.ts'
import type { GeoPointField } from '../field-mapping.ts'
import {
  checkGeoPoint,
  encodeGeoPoint,
  type GeoPoint,
  isPointArray,
  normalizeGeoPoint,
  parseGeoPoint,
  pointOfFieldArray,
  quantizeGeoPoint,
} from '../geo/geo-point-value.ts'
import { encodeGeohash } from '../geo/geohash.ts'
import { commonParameters, fieldBase } from './common-parameters.ts'
import { type FieldType, parameterValue } from './field-type.ts'
import { booleanParameter, refuseNull } from './parameter.ts'

/** How long the geohashes are that multi-fields get in the place of points. */
const GEOHASH_LETTERS = 12

/** Points on the earth. */
export const GEO_POINT: FieldType = {
  name: 'geo_point',
  family: 'geo_point',
  parameters: [
    ...commonParameters({ docValues: true }),
    booleanParameter('ignore_malformed', false, { explicit: true }),
    booleanParameter('ignore_z_value', true, { explicit: true }),
    {
      name: 'null_value',
      fallback: undefined,
      read: (value, scope) => {
        refuseNull(value, 'null_value')
        const { lat, lon } = parseGeoPoint(value, true, scope.engineVersion)
        return { lat, lon }
      },
    },
  ],
  build: (scope) => {
    const ignoreMalformed =
      (scope.definition.parameters.get('ignore_malformed') as boolean | undefined) ??
      scope.settings['index.mapping.ignore_malformed'] === 'true'
    const ignoreZValue = parameterValue(GEO_POINT, scope.definition, 'ignore_z_value') as boolean
    const nullValue = parameterValue(GEO_POINT, scope.definition, 'null_value') as GeoPoint | undefined
    const onMap = (point: GeoPoint): GeoPoint => {
      if (ignoreMalformed) return normalizeGeoPoint(point)
      checkGeoPoint(point, scope.path)
      return point
    }
    const encode = (point: GeoPoint): Uint8Array => encodeGeoPoint(quantizeGeoPoint(point))
    const field: GeoPointField = {
      kind: 'geo_point',
      nullValue: nullValue === undefined ? undefined : encode(onMap(nullValue)),
      ignoreMalformed,
      ignoreZValue,
      ...fieldBase(GEO_POINT, scope),
    }
    // 6.x forgives what is no point, and nothing of one that is an array; later servers all faults.
    const isSix = scope.engineVersion === 'Elasticsearch_6.8'
    const isForgiven = ({ type }: ServiceError): boolean => ignoreMalformed && (!isSix || type === 'parse_exception')
    const read = (value: unknown): GeoPoint | undefined => {
      try {
        return onMap(parseGeoPoint(value, ignoreZValue, scope.engineVersion))
      } catch (error) {
        if (error instanceof ServiceError && isForgiven(error)) return undefined
        throw error
      }
    }
    const readArray = (value: readonly unknown[]): GeoPoint | undefined => {
      try {
        return onMap(pointOfFieldArray(value, ignoreZValue, scope.engineVersion))
      } catch (error) {
        if (error instanceof ServiceError && ignoreMalformed && !isSix) return undefined
        throw error
      }
    }
    const readAll = (value: unknown, onMalformed: () => void): GeoPoint[] => {
      if (value === null) return nullValue === undefined ? [] : [onMap(nullValue)]
      const noted = (point: GeoPoint | undefined): GeoPoint[] => {
        if (point === undefined) onMalformed()
        return point === undefined ? [] : [point]
      }
      if (!Array.isArray(value)) return noted(read(value))
      if (!isPointArray(value)) {
        const points = value.map((one) => noted(read(one)))
        // One that is malformed takes those before it with it.
        const from = isSix ? 0 : points.findLastIndex(({ length }) => length === 0) + 1
        return points.slice(from).flat()
      }
      // The real parser takes what is behind a height for further values.
      return [...noted(readArray(value)), ...value.slice(3).flatMap((one) => noted(read(one)))]
    }
    const forMultiFields = (value: unknown, type: string): readonly unknown[] => {
      if (type === 'geo_point' || type === 'completion') return [value]
      const hashes = readAll(value, () => {}).map(({ lat, lon }) => encodeGeohash(lat, lon, GEOHASH_LETTERS))
      // Later versions hand all of a document's on as one text.
      return isSix || hashes.length < 2 ? hashes : [`[${hashes.join()}]`]
    }
    return {
      field,
      parse: (value) => readAll(value, () => {}).map(encode)[0],
      parseAll: (value, onMalformed) => readAll(value, onMalformed).map(encode),
      forMultiFields,
    }
  },
}
