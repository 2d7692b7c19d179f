import type { EngineVersion } from '../../engine-version.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import type { GeoArea } from '../queries/query.ts'
import type { TwoWays } from './two-ways.ts'

/** What an area is called that points are looked for in. */
export function areaText(path: string, area: GeoArea, engineVersion: EngineVersion): TwoWays {
  switch (area.shape) {
    case 'circle':
      return circleText(path, area, engineVersion === 'OpenSearch_2.19')
    case 'box':
      return boxText(path, area)
    case 'polygon':
      return polygonText(path, area, engineVersion)
  }
}

type Shaped<Shape extends GeoArea['shape']> = GeoArea & { readonly shape: Shape }

function circleText(path: string, { lat, lon, meters }: Shaped<'circle'>, isLucene9: boolean): TwoWays {
  const [y, x, reach] = [lat, lon, meters].map(javaDouble)
  const byIndex = `${path}:${y},${x} +/- ${reach} meters`
  const byColumn = `${path}:INTERSECTS:geometries([CIRCLE([${y},${x}] radius = ${reach} meters)])`
  return { byIndex, byColumn: isLucene9 ? byColumn : byIndex }
}

/** Sides as Lucene indexes them; a box over the 180th meridian is two for the index. */
function boxText(path: string, { top, left, bottom, right }: Shaped<'box'>): TwoWays {
  const [minLat, maxLat] = [latitude(bottom, Math.ceil), latitude(top, Math.floor)]
  // What begins at the meridian begins on its other side.
  const west = left === 180 && right < left ? -180 : left
  const [minLon, maxLon] = [longitude(west, Math.ceil), longitude(right, Math.floor)]
  const box = (from: string, to: string): string => `${path}:[${minLat} TO ${maxLat}],[${from} TO ${to}]`
  return {
    byIndex:
      west > right
        ? `ConstantScore(${box(longitude(-180, Math.floor), maxLon)} ${box(minLon, longitude(180, Math.floor))})`
        : box(minLon, maxLon),
    byColumn: `${path}:box(minLat=${minLat}, maxLat=${maxLat}, minLon=${minLon}, maxLon=${maxLon})`,
  }
}

function polygonText(path: string, { lats, lons, holes }: Shaped<'polygon'>, engineVersion: EngineVersion): TwoWays {
  const ring = (ys: readonly number[], xs: readonly number[]): string =>
    ys.map((y, i) => `[${javaDouble(y)}, ${javaDouble(xs[i] as number)}] `).join('')
  const holed = (holes ?? []).map(({ xs, ys }) => ring(ys, xs))
  const polygon = `${ring(lats, lons)}${holed.length === 0 ? '' : `, holes=[${holed.join(', ')}]`}`
  if (engineVersion !== 'OpenSearch_2.19') {
    const byIndex = `LatLonPointInPolygonQuery: field=${path}:[${polygon}]`
    return { byIndex, byColumn: engineVersion === 'Elasticsearch_7.10' ? `${path}:polygons([${polygon}])` : byIndex }
  }
  return {
    byIndex: `LatLonPointQuery: field=${path}:[${polygon},]`,
    byColumn: `${path}:INTERSECTS:geometries([${polygon}])`,
  }
}

/** Degrees as points have them: whole steps of 2^-32 of the circle, or of half of it. */
const degreesText =
  (span: number) =>
  (degrees: number, round: (steps: number) => number): string => {
    const step = span / 2 ** 32
    const steps = round(degrees / step)
    return javaDouble(Math.min(2 ** 31 - 1, Math.max(-(2 ** 31), steps)) * step)
  }

const latitude = degreesText(180)
const longitude = degreesText(360)
