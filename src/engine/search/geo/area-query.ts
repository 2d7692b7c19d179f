import type { Geometry } from '../../mapping/geo-shape/geometry.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { geoAreaQuery } from '../queries/geo-area-query.ts'
import type { GeoArea, GeoAreaQuery } from '../queries/query.ts'
import { fieldOf, type QueryContext, shardError } from '../queries/query-context.ts'
import { geoShapeQuery } from './geo-shape-query.ts'

/**
 * Documents with a point in an area, or with a shape that has something in common with it: OpenSearch 2 asks shapes that too,
 * but for polygons.
 */
export function areaQuery(query: GeoAreaQuery, context: QueryContext): LuceneQuery {
  const { area, fault, ignoreUnmapped } = query
  const field = fieldOf(query.field, context)
  const isShape = field?.kind === 'opaque' && field.type === 'geo_shape'
  if (!isShape || context.search.isLucene7 || area.shape === 'polygon') return geoAreaQuery(query, context)
  if (fault !== undefined) throw shardError(context, fault.reason, fault.detail.cause)
  const shape = shapeOf(area)
  return geoShapeQuery(
    { kind: 'geo_shape', field: query.field, shape, relation: 'intersects', ignoreUnmapped },
    context,
  )
}

function shapeOf(area: Exclude<GeoArea, { readonly shape: 'polygon' }>): Geometry {
  if (area.shape === 'circle')
    return { kind: 'circle', center: { x: area.lon, y: area.lat, z: Number.NaN }, meters: area.meters }
  return { kind: 'envelope', left: area.left, right: area.right, top: area.top, bottom: area.bottom }
}
