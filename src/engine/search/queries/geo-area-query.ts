import { isBuiltInField } from '../../mapping/metadata-fields.ts'
import { areaBounds } from '../geo/area-bounds.ts'
import { areaTest } from '../geo/area-test.ts'
import { pointGrid } from '../geo/point-grid.ts'
import { geoPoints } from '../geo-point-values.ts'
import { emptyBits, setBit } from '../lucene/bit-set.ts'
import { bitsDocSet } from '../lucene/doc-set.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MadeSetQuery } from '../lucene/made-set-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { areaText } from '../query-texts/geo-text.ts'
import { type TwoWays, toldTwoWays } from '../query-texts/two-ways.ts'
import { fieldTypeClass } from '../sort/field-data-class.ts'
import { forEachValue } from './pair-column.ts'
import type { GeoAreaQuery } from './query.ts'
import { fieldOf, type QueryContext, shardError } from './query-context.ts'

/**
 * Documents with a point in an area (`geo_distance`, `geo_bounding_box`, `geo_polygon`): the points of a segment near it are looked
 * at once, and the set is kept by the filter cache.
 */
export function geoAreaQuery(query: GeoAreaQuery, context: QueryContext): LuceneQuery {
  const { engineVersion, isLucene7, isLucene9 } = context.search
  const field = fieldOf(query.field, context)
  // Polygons know no other words than Elasticsearch's.
  const isLegacy = !isLucene9 || query.area.shape === 'polygon'
  if (field === undefined && !isBuiltInField(query.field, context.search.mapping)) {
    if (query.ignoreUnmapped) return new MatchNoDocsQuery('')
    throw shardError(context, `failed to find ${isLegacy ? 'geo_point' : 'geo'} field [${query.field}]`)
  }
  if (field?.kind !== 'geo_point') {
    throw shardError(
      context,
      isLegacy
        ? `field [${query.field}] is not a geo_point field`
        : `type [${fieldTypeClass(query.field, field, engineVersion)}] for field [${query.field}] is not supported for [geo_${query.area.shape === 'box' ? 'bounding_box' : 'distance'}] queries. Must be one of [geo_point] or [geo_shape]`,
    )
  }
  if (query.fault !== undefined) throw shardError(context, query.fault.reason, query.fault.detail.cause)
  const { path } = field
  const contains = areaTest(query.area, isLucene7)
  const bounds = areaBounds(query.area)
  const made = new MadeSetQuery(`${path}:${JSON.stringify(query.area)}`, ({ segment: { maxDoc }, segment }) => {
    const points = geoPoints(segment, path)
    // Later versions look through the values by document where there is no index.
    if (points === undefined || (!field.index && isLucene7)) return undefined
    const { doubles } = points
    const bits = emptyBits(maxDoc)
    const take = (doc: number, at: number): void => {
      if (contains(doubles[2 * at] as number, doubles[2 * at + 1] as number)) setBit(bits, doc)
    }
    const grid = pointGrid(points, maxDoc)
    if (grid === undefined) forEachValue(points, maxDoc, take)
    else grid.visit(bounds, take)
    return bitsDocSet(bits)
  })
  const told = (): TwoWays => areaText(path, query.area, engineVersion)
  // Points are found by their index whatever the mapping says of it.
  return toldTwoWays(made, { ...field, index: true }, query.area.shape === 'box', told, context)
}
