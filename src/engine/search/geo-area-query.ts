import { ServiceError } from '../../errors.ts'
import { isBuiltInField } from '../mapping/metadata-fields.ts'
import { arcMeters } from './earth-distance.ts'
import { fieldTypeClass } from './field-data-class.ts'
import { geoPointValues } from './geo-point-values.ts'
import { emptyBits, setBit } from './lucene/bit-set.ts'
import { bitsDocSet } from './lucene/doc-set.ts'
import type { LuceneQuery } from './lucene/lucene-query.ts'
import { MadeSetQuery } from './lucene/made-set-query.ts'
import { MatchNoDocsQuery } from './lucene/match-no-docs-query.ts'
import type { GeoArea, GeoAreaQuery } from './query.ts'
import { fieldOf, type QueryContext, shardError } from './query-context.ts'
import { areaText } from './query-texts/geo-text.ts'
import { type TwoWays, toldTwoWays } from './query-texts/two-ways.ts'

/**
 * Documents with a point in an area (`geo_distance`, `geo_bounding_box`, `geo_polygon`): every point of a segment is looked
 * at once, and the set is kept by the filter cache.
 */
export function geoAreaQuery(query: GeoAreaQuery, context: QueryContext): LuceneQuery {
  const { engineVersion, isLucene7, isLucene9 } = context.search
  const field = fieldOf(query.field, context)
  // Polygons know no other words than Elasticsearch's.
  const isLegacy = !isLucene9 || query.area.shape === 'polygon'
  if (field === undefined && !isBuiltInField(query.field, engineVersion)) {
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
  if (!field.docValues) {
    throw shardError(
      context,
      `points of [${query.field}] cannot be searched without [doc_values] on this domain`,
      new ServiceError('illegal_argument_exception', `[doc_values] of [${query.field}] is false`),
    )
  }
  const { path } = field
  const contains = areaTest(query.area, isLucene7)
  const made = new MadeSetQuery(`${path}:${JSON.stringify(query.area)}`, ({ segment }) => {
    const points = geoPointValues(segment, path)
    if (points === undefined) return undefined
    const bits = emptyBits(segment.maxDoc)
    for (let doc = 0; doc < segment.maxDoc; doc++) {
      points(doc, (lat, lon) => {
        if (!contains(lat, lon)) return false
        setBit(bits, doc)
        return true
      })
    }
    return bitsDocSet(bits)
  })
  const told = (): TwoWays => areaText(path, query.area, engineVersion)
  // Points are found by their index whatever the mapping says of it.
  return toldTwoWays(made, { ...field, index: true }, query.area.shape === 'box', told, context)
}

function asArea({ xs, ys }: { readonly xs: readonly number[]; readonly ys: readonly number[] }): GeoArea & {
  readonly shape: 'polygon'
} {
  return { shape: 'polygon', lats: ys, lons: xs }
}

function areaTest(area: GeoArea, isLucene7: boolean): (lat: number, lon: number) => boolean {
  switch (area.shape) {
    case 'circle':
      return circleTest(area)
    case 'box':
      return boxTest(area)
    case 'polygon':
      return holedTest(area, isLucene7)
  }
}

const METERS_A_DEGREE = 111_000

function circleTest({
  lat,
  lon,
  meters,
}: GeoArea & { readonly shape: 'circle' }): (lat: number, lon: number) => boolean {
  // Most points are too far to the north or south: no need to measure. A degree is more than 111 km.
  const reach = meters / METERS_A_DEGREE + 0.001
  return (pointLat, pointLon) => Math.abs(pointLat - lat) <= reach && arcMeters(lat, lon, pointLat, pointLon) <= meters
}

function boxTest({
  top,
  left,
  bottom,
  right,
}: GeoArea & { readonly shape: 'box' }): (lat: number, lon: number) => boolean {
  // No indexed latitude is 90 and no longitude 180: what begins there is empty.
  if (bottom === 90 || (left === 180 && right === 180)) return () => false
  const west = left === 180 && right < left ? -180 : left
  if (west > right) return (lat, lon) => lat >= bottom && lat <= top && (lon >= west || lon <= right)
  return (lat, lon) => lat >= bottom && lat <= top && lon >= west && lon <= right
}

function holedTest(
  area: GeoArea & { readonly shape: 'polygon' },
  isLucene7: boolean,
): (lat: number, lon: number) => boolean {
  const isInside = polygonTest(area, isLucene7)
  const holes = (area.holes ?? []).map((hole) => polygonTest(asArea(hole), isLucene7))
  if (holes.length === 0) return isInside
  return (lat, lon) => isInside(lat, lon) && !holes.some((isInHole) => isInHole(lat, lon))
}

/** Counts the edges east of a point: odd, it lies within. From Lucene 8 on a point on an edge does too. */
function polygonTest(
  { lats, lons }: GeoArea & { readonly shape: 'polygon' },
  isLucene7: boolean,
): (lat: number, lon: number) => boolean {
  return (lat, lon) => {
    let isInside = false
    for (let i = 0; i + 1 < lats.length; i++) {
      const [lat1, lon1, lat2, lon2] = [lats[i], lons[i], lats[i + 1], lons[i + 1]] as [number, number, number, number]
      if (!isLucene7 && isOnEdge(lat, lon, lat1, lon1, lat2, lon2)) return true
      if (lat1 > lat === lat2 > lat) continue
      if (lon < ((lon1 - lon2) * (lat - lat2)) / (lat1 - lat2) + lon2) isInside = !isInside
    }
    return isInside
  }
}

function isOnEdge(lat: number, lon: number, lat1: number, lon1: number, lat2: number, lon2: number): boolean {
  if (lat < Math.min(lat1, lat2) || lat > Math.max(lat1, lat2)) return false
  if (lon < Math.min(lon1, lon2) || lon > Math.max(lon1, lon2)) return false
  return (lon2 - lon1) * (lat - lat1) === (lon - lon1) * (lat2 - lat1)
}
