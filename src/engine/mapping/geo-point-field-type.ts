import { ServiceError } from '../../errors.ts'
import { commonParameters, fieldBase } from './common-parameters.ts'
import type { GeoPointField } from './field-mapping.ts'
import { type FieldType, parameterValue } from './field-type.ts'
import {
  checkGeoPoint,
  encodeGeoPoint,
  type GeoPoint,
  isPointArray,
  normalizeGeoPoint,
  parseGeoPoint,
  pointOfFieldArray,
  quantizeGeoPoint,
} from './geo-point-value.ts'
import { booleanParameter, refuseNull } from './parameter.ts'

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
    const encode = (point: GeoPoint): Uint8Array => {
      if (!ignoreMalformed) checkGeoPoint(point, scope.path)
      return encodeGeoPoint(quantizeGeoPoint(ignoreMalformed ? normalizeGeoPoint(point) : point))
    }
    const field: GeoPointField = {
      kind: 'geo_point',
      nullValue: nullValue === undefined ? undefined : encode(nullValue),
      ignoreMalformed,
      ignoreZValue,
      ...fieldBase(GEO_POINT, scope),
    }
    // 6.x forgives what is no point, and nothing of one that is an array; later servers all faults.
    const isSix = scope.engineVersion === 'Elasticsearch_6.8'
    const isForgiven = ({ type }: ServiceError): boolean => ignoreMalformed && (!isSix || type === 'parse_exception')
    const parse = (value: unknown): Uint8Array | undefined => {
      try {
        return encode(parseGeoPoint(value, ignoreZValue, scope.engineVersion))
      } catch (error) {
        if (error instanceof ServiceError && isForgiven(error)) return undefined
        throw error
      }
    }
    const parseArray = (value: readonly unknown[]): Uint8Array | undefined => {
      try {
        return encode(pointOfFieldArray(value, ignoreZValue, scope.engineVersion))
      } catch (error) {
        if (error instanceof ServiceError && ignoreMalformed && !isSix) return undefined
        throw error
      }
    }
    const parseAll = (value: unknown, onMalformed: () => void): Uint8Array[] => {
      if (value === null) return field.nullValue === undefined ? [] : [field.nullValue as Uint8Array]
      const noted = (bytes: Uint8Array | undefined): Uint8Array[] => {
        if (bytes === undefined) onMalformed()
        return bytes === undefined ? [] : [bytes]
      }
      if (!Array.isArray(value)) return noted(parse(value))
      if (!isPointArray(value)) return value.flatMap((one) => noted(parse(one)))
      // The real parser takes what is behind a height for further values.
      return [...noted(parseArray(value)), ...value.slice(3).flatMap((one) => noted(parse(one)))]
    }
    return { field, parse, parseAll }
  },
}
