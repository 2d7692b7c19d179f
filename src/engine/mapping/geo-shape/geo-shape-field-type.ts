import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import type { GeoShapeField } from '../field-mapping.ts'
import { distanceMeters } from '../geo/distance-units.ts'
import { mapperParsing } from '../mapping-errors.ts'
import { fieldBase } from '../types/common-parameters.ts'
import { type FieldType, MULTI_FIELDS, parameterValue } from '../types/field-type.ts'
import { booleanParameter, differentValues, readDouble, readInteger, readText } from '../types/parameter.ts'
import { circlePolygon } from './circle-polygon.ts'
import { encodeShape } from './encode-shape.ts'
import { flattenShape } from './flatten-shape.ts'
import type { Geometry, ShapeReading } from './geometry.ts'
import { isRightOrientation } from './orientation.ts'
import { parseShape } from './parse-shape.ts'

/** Any of these makes a field one of 6.5 and before, which index shapes as cells of a grid. */
export const GRID_PARAMETERS = ['tree', 'tree_levels', 'precision', 'strategy', 'distance_error_pct', 'points_only']

/** Share of a shape's size by which cells may differ from it, where nothing says how large they are. */
const DEFAULT_ERROR = 0.025

/** Shapes on the earth. */
export const GEO_SHAPE: FieldType = {
  name: 'geo_shape',
  family: 'geo_shape',
  parameters: [
    {
      name: 'orientation',
      fallback: 'RIGHT',
      read: (value) => (isRightOrientation(readText(value)) ? 'RIGHT' : 'LEFT'),
    },
    booleanParameter('coerce', false, { explicit: true }),
    booleanParameter('ignore_malformed', false, { explicit: true }),
    booleanParameter('ignore_z_value', true, { explicit: true }),
    booleanParameter('doc_values', true, { isOpenSearch: true, conflict: differentValues('doc_values') }),
    { name: 'tree', fallback: 'quadtree', read: readText },
    { name: 'tree_levels', fallback: 0, read: readInteger },
    {
      name: 'precision',
      fallback: undefined,
      read: (value) => `${javaDouble(distanceMeters(readText(value), 1))}m`,
    },
    {
      name: 'strategy',
      fallback: undefined,
      read: (value) => {
        const text = readText(value)
        if (text !== 'recursive' && text !== 'term') throw illegalArgument(`Unknown prefix tree strategy [${text}]`)
        return text
      },
    },
    { name: 'distance_error_pct', fallback: undefined, read: readDouble },
    booleanParameter('points_only', false),
    MULTI_FIELDS,
  ],
  check: (parameters) => {
    if (!GRID_PARAMETERS.some((name) => parameters.has(name))) return
    const tree = parameters.get('tree') ?? 'quadtree'
    if (tree !== 'quadtree' && tree !== 'legacyquadtree' && tree !== 'geohash')
      throw illegalArgument(`Unknown prefix tree type [${String(tree)}]`)
    const strategy = parameters.get('strategy') ?? 'recursive'
    parameters.set('strategy', strategy)
    if (strategy === 'term') {
      if (parameters.get('points_only') === false)
        throw new ServiceError('parse_exception', 'points_only cannot be set to false for term strategy')
      parameters.delete('points_only')
    }
    const isSized = parameters.has('precision') || parameters.has('tree_levels')
    if (parameters.get('distance_error_pct') === (isSized ? 0 : DEFAULT_ERROR)) parameters.delete('distance_error_pct')
  },
  build: (scope) => {
    const value = (name: string): unknown => parameterValue(GEO_SHAPE, scope.definition, name)
    const setting = (name: string): boolean =>
      (scope.definition.parameters.get(name) as boolean | undefined) ??
      scope.settings[`index.mapping.${name}`] === 'true'
    const isVersion6 = scope.engineVersion === 'Elasticsearch_6.8'
    const strategy = value('strategy') as GeoShapeField['strategy']
    const ignoreMalformed = setting('ignore_malformed')
    const isRight = value('orientation') === 'RIGHT'
    const isPointsOnly = strategy === 'term' || (strategy !== undefined && value('points_only') === true)
    // From 7.x on the orientation of the mapping is only that of what is indexed: a shape that says one itself is turned.
    const reading: ShapeReading = {
      isVersion6,
      isRight: isVersion6 ? isRight : true,
      coerce: setting('coerce'),
      ignoreZ: value('ignore_z_value') as boolean,
    }
    const docValues = !isVersion6 && strategy === undefined && value('doc_values') === true
    const field: GeoShapeField = {
      ...fieldBase(GEO_SHAPE, scope),
      kind: 'opaque',
      nullValue: undefined,
      type: 'geo_shape',
      docValues,
      strategy,
      isSingle: docValues,
    }
    const parse = (json: unknown): Uint8Array | undefined => {
      const geometry = parseShape(json, reading)
      if (geometry === undefined) return undefined
      if (isPointsOnly) checkPoint(geometry, scope.path)
      const shape = strategy === undefined ? geometry : withoutCircles(geometry)
      const flat = flattenShape(shape, { isVersion6, isRight, isQuery: false })
      if (flat.length === 0 && field.isSingle) {
        // What later versions stumble over: a column of no triangles.
        throw new ServiceError('null_pointer_exception', 'Cannot assign field "minY" because "root" is null')
      }
      return encodeShape(flat, isVersion6)
    }
    const parseAll = (json: unknown, onMalformed: () => void): Uint8Array[] => {
      const values = Array.isArray(json) ? json.flat(Number.POSITIVE_INFINITY) : [json]
      return values.flatMap((one) => {
        try {
          const bytes = parse(one)
          return bytes === undefined ? [] : [bytes]
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error
          if (!ignoreMalformed) throw error
          onMalformed()
          return []
        }
      })
    }
    return { field, parse, parseAll, notesIgnored: ignoreMalformed }
  },
}

/** @throws {ServiceError} mapper_parsing_exception */
function checkPoint(geometry: Geometry, path: string): void {
  const what: Readonly<Record<Geometry['kind'], string | undefined>> = {
    point: undefined,
    multipoint: undefined,
    linestring: 'LineString',
    multilinestring: 'MultiLineString',
    polygon: 'Polygon',
    multipolygon: 'class org.elasticsearch.common.geo.XShapeCollection',
    geometrycollection: 'class org.elasticsearch.common.geo.XShapeCollection',
    envelope: 'class org.locationtech.spatial4j.shape.impl.RectangleImpl',
    circle: 'class org.locationtech.spatial4j.shape.impl.GeoCircle',
  }
  if (geometry.kind === 'geometrycollection' && geometry.shapes.every(({ kind }) => kind === 'point')) return
  const found = what[geometry.kind]
  if (found === undefined) return
  throw mapperParsing(`[{${path}}] is configured for points only but a ${found} was found`)
}

function withoutCircles(geometry: Geometry): Geometry {
  if (geometry.kind === 'circle') return circlePolygon(geometry.center, geometry.meters)
  if (geometry.kind !== 'geometrycollection') return geometry
  return { kind: 'geometrycollection', shapes: geometry.shapes.map(withoutCircles) }
}
