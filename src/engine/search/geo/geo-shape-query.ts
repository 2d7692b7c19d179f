import { illegalArgument } from '../../../illegal-argument.ts'
import { failedCast } from '../../java/java-class-text.ts'
import type { FieldMapping, GeoShapeField } from '../../mapping/field-mapping.ts'
import { decodeLat, decodeLon, encodeLat, encodeLon } from '../../mapping/geo-shape/encoded-degrees.ts'
import type { FlatPolygon, FlatShape, Ring } from '../../mapping/geo-shape/flat-shape.ts'
import { flattenShape } from '../../mapping/geo-shape/flatten-shape.ts'
import type { BitSet } from '../lucene/bit-set.ts'
import { ConstantScoreQuery } from '../lucene/constant-score-query.ts'
import { bitsDocSet } from '../lucene/doc-set.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MadeSetQuery } from '../lucene/made-set-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import type { GeoShapeQuery } from '../queries/query.ts'
import { creating, fieldOf, type QueryContext, shardError, typeName } from '../queries/query-context.ts'
import { BoxArea } from './box-area.ts'
import { CircleArea } from './circle-area.ts'
import { LineArea, PolygonArea } from './edges-area.ts'
import { geoPointsInShape } from './geo-points-in-shape.ts'
import { LuceneSevenArea } from './lucene-seven-area.ts'
import { manyAreas } from './many-areas.ts'
import { matchingShapes } from './matching-shapes.ts'
import { PointArea } from './point-area.ts'
import type { QueryArea } from './query-area.ts'
import { shapeColumn } from './shape-column.ts'

/** What is asked of a document's shapes: how they stand to areas, to each or to any of them. */
interface Asked {
  readonly areas: readonly QueryArea[]
  readonly ofEach: boolean
}

/**
 * Documents with a shape that stands to the asked one as `relation` says (`geo_shape`).
 *
 * @throws {ServiceError} query_shard_exception
 */
export function geoShapeQuery(query: GeoShapeQuery, context: QueryContext): LuceneQuery {
  const { isLucene7 } = context.search
  const field = fieldOf(query.field, context)
  if (field === undefined) {
    if (query.ignoreUnmapped) return new MatchNoDocsQuery('MatchNoDocsQuery')
    throw shardError(
      context,
      isLucene7 ? `failed to find geo_shape field [${query.field}]` : `failed to find type for field [${query.field}]`,
    )
  }
  if (!isLucene7 && field.kind === 'geo_point') return geoPointsInShape(field, query, context)
  if (!isShapeField(field)) {
    throw shardError(
      context,
      isLucene7
        ? `Field [${query.field}] is not of type [geo_shape] but of type [${typeName(field)}]`
        : `Field [${query.field}] is of unsupported type [${typeName(field)}] for [geo_shape] query`,
    )
  }
  const asked = creating(context, () => askedOf(query, field, context))
  if (asked.areas.length === 0) return new ConstantScoreQuery(new MatchNoDocsQuery('MatchNoDocsQuery'))
  const text = `GeoShapeQuery: field=${field.path}:${query.relation}:${JSON.stringify(query.shape)}`
  const isVersion6 = isLucene7
  const made = new MadeSetQuery(text, ({ segment }) => {
    const column = shapeColumn(segment, field.path, isVersion6)
    if (column === undefined) return undefined
    let bits: BitSet | undefined
    for (const area of asked.areas) {
      const found = matchingShapes(segment, column, area, query.relation)
      if (bits === undefined) bits = found
      else if (asked.ofEach) for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] as number) & (found[i] as number)
      else for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] as number) | (found[i] as number)
    }
    return bits === undefined ? undefined : bitsDocSet(bits)
  })
  return new ConstantScoreQuery(made)
}

const MAPPERS = 'org.elasticsearch.index.mapper.'
const FIELD_TYPE = 'FieldMapper$GeoShapeFieldType'

function isShapeField(field: FieldMapping): field is GeoShapeField {
  return field.kind === 'opaque' && 'isSingle' in field
}

function askedOf(query: GeoShapeQuery, field: GeoShapeField, context: QueryContext): Asked {
  const { shape, relation } = query
  const { isLucene7 } = context.search
  const isGrid = field.strategy !== undefined
  if (isLucene7 && !isGrid) {
    // How 6.x puts it that a field has no cells to ask.
    if (query.strategy !== undefined)
      throw failedCast(`${MAPPERS}GeoShape${FIELD_TYPE}`, `${MAPPERS}LegacyGeoShape${FIELD_TYPE}`)
    if (relation === 'contains')
      throw shardError(context, `CONTAINS query relation not supported for Field [${query.field}]`)
    return { areas: areasOfSeven(query, context), ofEach: false }
  }
  const shapes = flattenShape(shape, { isVersion6: isLucene7 && shape.kind !== 'circle', isRight: true, isQuery: true })
  if (!isGrid && relation === 'within' && shapes.some(({ kind }) => kind === 'line'))
    throw illegalArgument('LatLonShapeQuery does not support WITHIN queries with line geometries')
  if (relation === 'contains') return { areas: shapes.flatMap(splitBox).map(areaOf), ofEach: true }
  return { areas: shapes.length === 0 ? [] : [manyAreas(shapes.map(areaOf))], ofEach: false }
}

/** Lucene 7 asks about all lines or polygons of a shape at once, and about the members of a collection one by one. */
function areasOfSeven({ shape, field, relation }: GeoShapeQuery, context: QueryContext): QueryArea[] {
  if (shape.kind === 'multipoint') throw shardError(context, `Field [${field}] does not support multipoint queries`)
  const shapes = flattenShape(shape, { isVersion6: true, isRight: true, isQuery: true })
  if (relation === 'within' && shapes.some(({ kind }) => kind === 'line'))
    throw illegalArgument('LatLonShapeLineQuery does not support WITHIN queries')
  if (shape.kind === 'geometrycollection') return shapes.map((one) => areaOfSeven([one]))
  if (shapes.length === 0) throw illegalArgument('polygons must not be empty')
  return [areaOfSeven(shapes)]
}

function areaOfSeven(shapes: readonly FlatShape[]): QueryArea {
  const [first] = shapes
  if (first?.kind === 'point')
    return new BoxArea({ left: first.x, right: first.x, top: first.y, bottom: first.y }, true)
  if (first?.kind === 'box') return new BoxArea(first, true)
  return new LuceneSevenArea(shapes as readonly (Ring | FlatPolygon)[])
}

function areaOf(shape: FlatShape): QueryArea {
  switch (shape.kind) {
    case 'point':
      return new PointArea(decodeLon(encodeLon(shape.x)), decodeLat(encodeLat(shape.y)))
    case 'line':
      return new LineArea(shape)
    case 'polygon':
      return new PolygonArea(shape)
    case 'box':
      return new BoxArea(shape, false)
    case 'circle':
      return new CircleArea(shape.x, shape.y, shape.meters)
  }
}

function splitBox(shape: FlatShape): FlatShape[] {
  if (shape.kind !== 'box' || shape.left <= shape.right) return [shape]
  return [
    { ...shape, right: 180 },
    { ...shape, left: -180 },
  ]
}
