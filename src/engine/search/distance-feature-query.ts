import { ServiceError } from '../../errors.ts'
import type { DocValues } from '../index/segment-reader.ts'
import { javaDouble } from '../java-number-text.ts'
import { parseDateMath, parseDateMathNanos } from '../mapping/date-math.ts'
import type { DateField, GeoPointField } from '../mapping/field-mapping.ts'
import { type GeoPoint, parseGeoPoint } from '../mapping/geo-point-value.ts'
import { isBuiltInField } from '../mapping/metadata-fields.ts'
import { parseTimeMs } from '../metadata/time-value.ts'
import { arcMeters } from './earth-distance.ts'
import { geoPointValues } from './geo-point-values.ts'
import { DocScoreQuery } from './lucene/doc-score-query.ts'
import { bitsDocSet, type DocSet } from './lucene/doc-set.ts'
import type { LuceneQuery } from './lucene/lucene-query.ts'
import { MatchNoDocsQuery } from './lucene/match-no-docs-query.ts'
import type { DistanceFeatureQuery } from './query.ts'
import { creating, fieldOf, ofQueryPhase, type QueryContext, typeName } from './query-context.ts'

const MAX_LONG = 2n ** 63n - 1n

/** The DSL's `distance_feature`: boost · pivot / (pivot + distance), the distance that of the nearest value. */
export function distanceFeatureQuery(query: DistanceFeatureQuery, context: QueryContext): LuceneQuery {
  const field = fieldOf(query.field, context)
  const isBuiltIn = isBuiltInField(query.field, context.search.isLucene7)
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
  return illegal(
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
  if (pivot <= 0) throw illegal(`pivotDistance must be > 0, got ${pivot}`)
  const name = `DistanceFeatureQuery(field=${field.path},origin=${origin},pivotDistance=${pivot})`
  return new DocScoreQuery(name, ({ segment }) => {
    const reader = segment.field(field.path)
    const column = reader?.docValues
    if (column === undefined && reader?.points !== undefined) throw withoutColumn(field.path)
    if (column === undefined) return undefined
    const distance = typeof origin === 'bigint' ? nanosFrom(column, origin) : millisFrom(column, origin)
    return { docs: docsWith(column, segment.maxDoc), score: (doc, boost) => scoreAt(distance(doc), pivot, boost) }
  })
}

function withoutColumn(path: string): ServiceError {
  const reason = `unexpected docvalues type NONE for field '${path}' (expected one of [SORTED_NUMERIC, NUMERIC]). Re-index with correct docvalues type.`
  return ofQueryPhase(new ServiceError('illegal_state_exception', reason))
}

function fromPoint(field: GeoPointField, query: DistanceFeatureQuery): LuceneQuery {
  const origin: GeoPoint = parseGeoPoint(query.origin, true)
  const pivot = query.pivotMeters
  if (Number.isNaN(pivot)) {
    throw new ServiceError('number_format_exception', `For input string: "${query.pivot}"`)
  }
  if (!(Math.abs(origin.lat) <= 90))
    throw illegal(`invalid latitude ${javaDouble(origin.lat)}; must be between -90.0 and 90.0`)
  if (!(Math.abs(origin.lon) <= 180))
    throw illegal(`invalid longitude ${javaDouble(origin.lon)}; must be between -180.0 and 180.0`)
  if (pivot <= 0) throw illegal(`pivotDistance must be > 0, got ${javaDouble(pivot)}`)
  const name = `DistanceFeatureQuery(field=${field.path},originLat=${origin.lat},originLon=${origin.lon},pivotDistance=${pivot})`
  return new DocScoreQuery(name, ({ segment }) => {
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
    return { docs: docsWith(column, segment.maxDoc), score: (doc, boost) => scoreAt(distance(doc), pivot, boost) }
  })
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

function illegal(reason: string): ServiceError {
  return new ServiceError('illegal_argument_exception', reason)
}
