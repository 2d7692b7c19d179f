import type { GeoPointField } from '../../mapping/field-mapping.ts'
import { flattenShape } from '../../mapping/geo-shape/flatten-shape.ts'
import type { Geometry } from '../../mapping/geo-shape/geometry.ts'
import { BooleanQuery } from '../lucene/boolean-query.ts'
import { ConstantScoreQuery } from '../lucene/constant-score-query.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { geoAreaQuery } from '../queries/geo-area-query.ts'
import type { GeoArea, GeoShapeQuery } from '../queries/query.ts'
import { creating, type QueryContext, shardError } from '../queries/query-context.ts'

/** Documents with a point in a shape: `geo_shape` on a `geo_point`, which from 7.x on is asked too. */
export function geoPointsInShape(field: GeoPointField, query: GeoShapeQuery, context: QueryContext): LuceneQuery {
  if (query.relation !== 'intersects') {
    const relation = query.relation.toUpperCase()
    throw shardError(context, `${relation} query relation not supported for Field [${query.field}].`)
  }
  return new ConstantScoreQuery(pointsIn(query.shape, field, query, context))
}

function pointsIn(shape: Geometry, field: GeoPointField, query: GeoShapeQuery, context: QueryContext): LuceneQuery {
  const inArea = (area: GeoArea): LuceneQuery =>
    geoAreaQuery({ kind: 'geo_area', field: field.path, area, ignoreUnmapped: false }, context)
  switch (shape.kind) {
    case 'circle':
      return inArea({ shape: 'circle', lat: shape.center.y, lon: shape.center.x, meters: shape.meters })
    case 'envelope': {
      const { top, left, bottom, right } = shape
      return inArea({ shape: 'box', top, left, bottom, right })
    }
    case 'polygon':
    case 'multipolygon': {
      const pieces = creating(context, () => flattenShape(shape, { isVersion6: false, isRight: true, isQuery: true }))
      const areas = pieces.flatMap((piece): GeoArea[] =>
        piece.kind === 'polygon' ? [{ shape: 'polygon', lats: piece.ys, lons: piece.xs, holes: piece.holes }] : [],
      )
      const [first] = areas
      if (first !== undefined && areas.length === 1) return inArea(first)
      return new BooleanQuery(areas.map((area) => ({ occur: 'should', query: inArea(area) })))
    }
    case 'geometrycollection':
      return new BooleanQuery(
        shape.shapes.map((one) => ({ occur: 'filter', query: pointsIn(one, field, query, context) })),
      )
    case 'point':
    case 'multipoint':
    case 'linestring':
    case 'multilinestring':
      throw shardError(context, `Field [${query.field}] does not support ${shape.kind} queries`)
  }
}
