import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import type { DocValues } from '../../index/segment-reader.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import { parseDateMath, parseDateMathNanos } from '../../mapping/dates/date-math.ts'
import type { DateField, GeoPointField } from '../../mapping/field-mapping.ts'
import { type GeoPoint, parseGeoPoint } from '../../mapping/geo/geo-point-value.ts'
import { isBuiltInField } from '../../mapping/metadata-fields.ts'
import { parseTimeMs } from '../../metadata/time-value.ts'
import { arcMeters } from '../earth-distance.ts'
import { geoPointValues } from '../geo-point-values.ts'
import { DocScoreQuery } from '../lucene/doc-score-query.ts'
import { bitsDocSet, type DocSet, docSetHas } from '../lucene/doc-set.ts'
import { type Explanation, explainCount, explainDouble, explainMatch, explainNoMatch } from '../lucene/explanation.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { faultInQueryPhase } from '../query-phase.ts'
import type { DistanceFeatureQuery } from './query.ts'
import { creating, fieldOf, type QueryContext, typeName } from './query-context.ts'

const MAX_LONG = 2n ** 63n - 1n

/** The DSL's `distance_feature`: boost · pivot / (pivot + distance), the distance that of the nearest value. */
export function distanceFeatureQuery(query: DistanceFeatureQuery, context: QueryContext): LuceneQuery {
  const field = fieldOf(query.field, context)
  const isBuiltIn = isBuiltInField(query.field, context.search.mapping)
  if (field === undefined && !isBuiltIn)
    return new MatchNoDocsQuery("Can't run [distance_feature] query on unmapped fields!")
  return creating(context, () => {
    if (field?.kind === 'date' && !field.index) return new MatchNoDocsQuery('no points')
    if (field?.kind === 'date') return fromInstant(field, query, context)
    if (field?.kind === 'geo_point') return fromPoint(field, query)
    throw noDistance(field === undefined || isBuiltIn ? query.field : typeName(field))
  })
}

function noDistance(type: string): ServiceError {
  return illegalArgument(
    `Illegal data type of [${type}]![distance_feature] query can only be run on a date, date_nanos or geo_point field type!`,
  )
}

function fromInstant(field: DateField, query: DistanceFeatureQuery, context: QueryContext): LuceneQuery {
  const { now } = context.search
  const text = pointText(query.origin) ?? String(query.origin)
  const options = { now, timeZone: undefined, roundUp: true }
  const pivotMs = signedTimeMs(query.pivot)
  const pivot = field.inNanos ? pivotMs * 1e6 : pivotMs
  const origin = field.inNanos
    ? parseDateMathNanos(text, field.format, options)
    : parseDateMath(text, field.format, options)
  if (pivot <= 0) throw illegalArgument(`pivotDistance must be > 0, got ${pivot}`)
  // Lucene leaves out the name of the field that it is not asked about: none.
  const name = `LongDistanceFeatureQuery(field=,origin=${origin},pivotDistance=${pivot})`
  return new DocScoreQuery(
    name,
    ({ segment }) => {
      const own = segment.field(field.path)
      const column = own?.docValues
      if (column === undefined && own?.points !== undefined) throw withoutColumn(field.path)
      if (column === undefined) return undefined
      const distance = typeof origin === 'bigint' ? nanosFrom(column, origin) : millisFrom(column, origin)
      const docs = docsWith(column, segment.maxDoc)
      const score = (doc: number, boost: number): number => scoreAt(distance(doc), pivot, boost)
      const explain = (doc: number, boost: number): Explanation => {
        if (!docSetHas(docs, doc)) return withoutValue(doc, field.path)
        const nearest = instantsOf(column, doc).find((value) => apart(value, origin) === distance(doc))
        return explainMatch(score(doc, boost), `${DISTANCE_SCORE}(value - origin)) from:`, [
          explainMatch(boost, 'weight'),
          explainCount(pivot, 'pivotDistance'),
          explainCount(Number(origin), 'origin'),
          explainCount(Number(nearest), 'current value'),
        ])
      }
      return { docs, score, explain }
    },
    `${field.path}:${name}`,
  )
}

const DISTANCE_SCORE = 'Distance score, computed as weight * pivotDistance / (pivotDistance + abs'

function withoutValue(doc: number, path: string): Explanation {
  return explainNoMatch(`Document ${doc} doesn't have a value for field ${path}`)
}

function apart(value: number | bigint, origin: number | bigint): number {
  if (typeof origin === 'number') return Math.abs(Number(value) - origin)
  const difference = BigInt(value) - origin
  return Number(difference < 0n ? -difference : difference)
}

function instantsOf(column: DocValues, doc: number): (number | bigint)[] {
  if (column.kind !== 'numeric' && column.kind !== 'bigint') return []
  const { values, offsets } = column
  const from = offsets === undefined ? doc : (offsets[doc] as number)
  const to = offsets === undefined ? doc + 1 : (offsets[doc + 1] as number)
  return Array.from({ length: to - from }, (_, i) => values[from + i] as number | bigint)
}

function withoutColumn(path: string): ServiceError {
  const reason = `unexpected docvalues type NONE for field '${path}' (expected one of [SORTED_NUMERIC, NUMERIC]). Re-index with correct docvalues type.`
  return faultInQueryPhase('illegal_state_exception', reason)
}

function fromPoint(field: GeoPointField, query: DistanceFeatureQuery): LuceneQuery {
  const origin: GeoPoint = parseGeoPoint(query.origin, true)
  const pivot = query.pivotMeters
  if (Number.isNaN(pivot)) {
    throw new ServiceError('number_format_exception', `For input string: "${query.pivot}"`)
  }
  if (!(Math.abs(origin.lat) <= 90))
    throw illegalArgument(`invalid latitude ${javaDouble(origin.lat)}; must be between -90.0 and 90.0`)
  if (!(Math.abs(origin.lon) <= 180))
    throw illegalArgument(`invalid longitude ${javaDouble(origin.lon)}; must be between -180.0 and 180.0`)
  if (pivot <= 0) throw illegalArgument(`pivotDistance must be > 0, got ${javaDouble(pivot)}`)
  const [lat, lon, meters] = [origin.lat, origin.lon, pivot].map(javaDouble)
  const name = `LatLonPointDistanceFeatureQuery(field=,originLat=${lat},originLon=${lon},pivotDistance=${meters})`
  return new DocScoreQuery(
    name,
    ({ segment }) => {
      const column = segment.field(field.path)?.docValues
      const points = geoPointValues(segment, field.path)
      if (column === undefined || points === undefined) return undefined
      const distance = (doc: number): number => {
        let nearest = Number.POSITIVE_INFINITY
        points(doc, (lat, lon) => {
          nearest = Math.min(nearest, arcMeters(origin.lat, origin.lon, lat, lon))
          return false
        })
        return nearest
      }
      const docs = docsWith(column, segment.maxDoc)
      const score = (doc: number, boost: number): number => scoreAt(distance(doc), pivot, boost)
      const explain = (doc: number, boost: number): Explanation => {
        if (!docSetHas(docs, doc)) return withoutValue(doc, field.path)
        const nearest = distance(doc)
        const current = { lat: 0, lon: 0 }
        points(doc, (lat, lon) => {
          if (arcMeters(origin.lat, origin.lon, lat, lon) !== nearest) return false
          Object.assign(current, { lat, lon })
          return true
        })
        return explainMatch(score(doc, boost), `${DISTANCE_SCORE}(distance)) from:`, [
          explainMatch(boost, 'weight'),
          explainDouble(pivot, 'pivotDistance'),
          explainDouble(origin.lat, 'originLat'),
          explainDouble(origin.lon, 'originLon'),
          explainDouble(current.lat, 'current lat'),
          explainDouble(current.lon, 'current lon'),
          explainDouble(nearest, 'distance'),
        ])
      }
      return { docs, score, explain }
    },
    `${field.path}:${name}`,
  )
}

// (float) (boost * (pivot / (pivot + distance)))
function scoreAt(distance: number, pivot: number, boost: number): number {
  return Math.fround(boost * (pivot / (pivot + distance)))
}

function millisFrom(column: DocValues, origin: number): (doc: number) => number {
  if (column.kind !== 'numeric') return () => Number.POSITIVE_INFINITY
  const { values, offsets } = column
  return (doc) => {
    const from = offsets === undefined ? doc : (offsets[doc] as number)
    const to = offsets === undefined ? doc + 1 : (offsets[doc + 1] as number)
    let nearest = Number.POSITIVE_INFINITY
    for (let at = from; at < to; at++) nearest = Math.min(nearest, Math.abs((values[at] as number) - origin))
    return nearest
  }
}

function nanosFrom(column: DocValues, origin: bigint): (doc: number) => number {
  if (column.kind !== 'numeric' && column.kind !== 'bigint') return () => Number.POSITIVE_INFINITY
  const { values, offsets } = column
  return (doc) => {
    const from = offsets === undefined ? doc : (offsets[doc] as number)
    const to = offsets === undefined ? doc + 1 : (offsets[doc + 1] as number)
    let nearest = MAX_LONG
    for (let at = from; at < to; at++) {
      const apart = BigInt(values[at] as number | bigint) - origin
      const distance = apart < 0n ? -apart : apart
      if (distance < nearest) nearest = distance
    }
    return Number(nearest)
  }
}

function docsWith({ present }: DocValues, maxDoc: number): DocSet {
  return present === undefined ? { kind: 'all', count: maxDoc } : bitsDocSet(present)
}

/** A time, which may be below 0 here. */
function signedTimeMs(text: string): number {
  const name = 'distance_feature.pivot'
  return /^-\d+[a-z]/i.test(text) ? -parseTimeMs(text.slice(1), name) : parseTimeMs(text, name)
}

/** How a point that stands where an instant should is called. */
function pointText(origin: unknown): string | undefined {
  if (typeof origin !== 'object' || origin === null) return undefined
  const { lat, lon } = parseGeoPoint(origin, true)
  return `${javaDouble(lat)}, ${javaDouble(lon)}`
}
