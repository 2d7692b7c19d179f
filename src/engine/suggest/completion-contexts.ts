import type { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { tokenName } from '../../token-name.ts'
import { parseGeoPoint } from '../mapping/geo/geo-point-value.ts'
import { encodeGeohash, geohashCell } from '../mapping/geo/geohash.ts'
import { geohashLettersFor } from '../mapping/geo/geohash-precision.ts'
import { faultInQueryPhase, illegalInQueryPhase, inQueryPhase } from '../search/query-phase.ts'
import type { CompletionEntry } from './completion-index.ts'
import type { CompletionContext, CompletionSettings } from './completion-settings.ts'

/** A context under which an entry is found. */
export interface ContextMatch {
  /** What its weight is multiplied with; 0: nothing. */
  readonly boost: number
  /** Undefined: the entry has none. */
  readonly context: { readonly name: string; readonly value: string } | undefined
}

interface ContextQuery {
  readonly name: string
  readonly value: string
  readonly isPrefix: boolean
  readonly boost: number
}

/** Under which contexts entries are found, by those asked for; nowhere: under none of these. */
export type ContextFilter = (entry: CompletionEntry) => readonly ContextMatch[]

const ANYWHERE: readonly ContextMatch[] = [{ boost: 0, context: undefined }]

/** Of fields without contexts. */
export const everywhere: ContextFilter = () => ANYWHERE

/**
 * @param hearNone  told where a field with contexts is asked without one
 * @throws {ServiceError} illegal_argument_exception, x_content_parse_exception and others for what is no context
 */
export function contextFilter(
  given: Readonly<Record<string, unknown>> | undefined,
  { contexts, path }: CompletionSettings,
  needsContexts: boolean,
  hearNone: (() => void) | undefined,
): ContextFilter {
  if (contexts.length === 0) {
    if (given !== undefined) throw illegalInQueryPhase(`suggester [${path}] doesn't expect any context`)
    return everywhere
  }
  for (const name of Object.keys(given ?? {})) {
    if (contexts.some((context) => context.name === name)) continue
    throw illegalInQueryPhase(
      `Unknown context name [${name}], must be one of [${contexts.map((c) => c.name).join(', ')}]`,
    )
  }
  const queries = contexts.flatMap((context) => readQueries(given?.[context.name], context))
  if (queries.length > 0) return (entry) => matchesOf(entry, queries)
  if (needsContexts) throw illegalInQueryPhase('Missing mandatory contexts in context query')
  hearNone?.()
  return (entry) => {
    const all = contextsOf(entry)
    return all.length === 0 ? ANYWHERE : all.map((context) => ({ boost: 0, context }))
  }
}

function contextsOf({ contexts }: CompletionEntry): { readonly name: string; readonly value: string }[] {
  return Object.entries(contexts).flatMap(([name, values]) => values.map((value) => ({ name, value })))
}

function matchesOf(entry: CompletionEntry, queries: readonly ContextQuery[]): ContextMatch[] {
  return contextsOf(entry).flatMap((context): ContextMatch[] => {
    const { name, value } = context
    const boosts = queries
      .filter(
        (query) => query.name === name && (query.isPrefix ? value.startsWith(query.value) : value === query.value),
      )
      .map(({ boost }) => boost)
    return boosts.length === 0 ? [] : [{ boost: Math.max(...boosts), context }]
  })
}

function readQueries(json: unknown, context: CompletionContext): ContextQuery[] {
  if (json === undefined) return []
  const read = context.type === 'category' ? readCategory : readPlace
  return (Array.isArray(json) ? json : [json]).flatMap((one: unknown) => read(one, context))
}

const isScalar = (value: unknown): boolean => value !== null && value !== undefined && typeof value !== 'object'

function readCategory(json: unknown, { name }: CompletionContext): ContextQuery[] {
  if (isScalar(json)) return [{ name, value: String(json), isPrefix: false, boost: 1 }]
  const fault = (what: string): ServiceError =>
    faultInQueryPhase('x_content_parse_exception', `category context must be ${what}`)
  if (!isObject(json)) throw fault('an object, string, number or boolean')
  const { context, boost = 1, prefix = false, ...others } = json
  const isRead =
    Object.keys(others).length === 0 &&
    (context === undefined || isScalar(context)) &&
    wholeBoost(boost) > 0 &&
    (prefix === '' || prefix === 'true' || prefix === 'false' || typeof prefix === 'boolean')
  if (!isRead) throw fault('a string, number or boolean')
  if (context === undefined) throw absent('category must not be null')
  return [{ name, value: String(context), isPrefix: prefix === true || prefix === 'true', boost: wholeBoost(boost) }]
}

/** NaN: it is none. */
function wholeBoost(boost: unknown): number {
  if (boost === '' || (typeof boost !== 'number' && typeof boost !== 'string')) return Number.NaN
  const whole = Math.trunc(Number(boost))
  return whole <= 0x7fffffff ? whole : Number.NaN
}

/** The finest cells that a query asks for unless it says so. */
const FINEST = 6

function readPlace(json: unknown, { name, precision }: CompletionContext): ContextQuery[] {
  if (typeof json !== 'string' && !isObject(json))
    throw faultInQueryPhase('parse_exception', 'geo context must be an object or string')
  if (isObject(json) && json['context'] !== undefined && !isObject(json['context'])) {
    const reason = `[geo] context doesn't support values of type: ${tokenName(json['context'])}`
    throw faultInQueryPhase('x_content_parse_exception', reason)
  }
  const object: Readonly<Record<string, unknown>> = isObject(json) ? json : { context: json }
  const boost = object['boost'] === undefined ? 1 : wholeBoost(object['boost'])
  if (!(boost > 0)) throw illegalInQueryPhase('boost must be greater than 0')
  const letters = Math.min(precision, object['precision'] === undefined ? FINEST : lettersOf(object['precision']))
  const { lat, lon } = pointOf(object)
  const center = encodeGeohash(lat, lon, letters)
  const near = object['neighbours']
  const rings = (near === undefined ? [] : Array.isArray(near) ? near : [near]).map(lettersOf)
  // Unasked, the cells around the finest one count too.
  const isFinest = rings.length === 0 && letters === precision
  const around = isFinest ? [letters] : rings.filter((ring) => ring < letters)
  const cells = [center, ...around.flatMap((ring) => [center.slice(0, ring), ...neighbours(center.slice(0, ring))])]
  return [...new Set(cells)].map((cell) => ({ name, value: cell, isPrefix: cell.length < precision, boost }))
}

function lettersOf(precision: unknown): number {
  return typeof precision === 'string' ? geohashLettersFor(precision) : Math.trunc(Number(precision))
}

function pointOf(object: Readonly<Record<string, unknown>>): { readonly lat: number; readonly lon: number } {
  const { context, lat, lon } = object
  if (context === undefined && (lat === undefined || lon === undefined)) throw absent('geoPoint must not be null')
  const point = context ?? { lat, lon }
  if (typeof point !== 'string' || point.includes(',')) return inQueryPhase(() => parseGeoPoint(point, true))
  // Of a geohash it is the corner.
  const { south, west } = inQueryPhase(() => geohashCell(point))
  return { lat: south, lon: west }
}

/** The eight cells around a geohash. */
function neighbours(cell: string): string[] {
  const { south, north, west, east } = geohashCell(cell)
  const height = north - south
  const width = east - west
  const found: string[] = []
  for (const dy of [-1, 0, 1]) {
    const lat = (south + north) / 2 + dy * height
    if (lat < -90 || lat > 90) continue
    for (const dx of [-1, 0, 1]) {
      if (dx === 0 && dy === 0) continue
      const lon = (west + east) / 2 + dx * width
      found.push(encodeGeohash(lat, lon < -180 ? lon + 360 : lon > 180 ? lon - 360 : lon, cell.length))
    }
  }
  return found
}

function absent(reason: string): ServiceError {
  return faultInQueryPhase('null_pointer_exception', reason)
}
