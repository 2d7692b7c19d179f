import type { BucketOrder } from '../../engine/aggregation/bucket-order.ts'
import type { AutoDateHistogramDefinition } from '../../engine/aggregation/buckets/auto-date-histogram-aggregator.ts'
import type { CalendarUnit, DateInterval } from '../../engine/aggregation/buckets/date-rounding.ts'
import type {
  DateHistogramDefinition,
  HistogramDefinition,
} from '../../engine/aggregation/buckets/histogram-aggregator.ts'
import { javaDouble } from '../../engine/java/java-number-text.ts'
import { parseTimeMs } from '../../engine/metadata/time-value.ts'
import { illegalInQueryPhase } from '../../engine/search/query-phase.ts'
import { ServiceError, type ServiceErrorDetail } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { NUMBER } from '../body/member-tokens.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readLong } from '../body/read-long.ts'
import { type AggregationBody, readDouble } from './aggregation-body.ts'
import { readOrder } from './terms-aggregation.ts'
import { readValuesSource } from './values-source-fields.ts'

const BY_KEY: readonly BucketOrder[] = [{ by: 'key', ascending: true }]

/** `histogram`. */
export function parseHistogram(body: AggregationBody): HistogramDefinition {
  const source = readValuesSource(body)
  const interval = body.number('interval', (width) => {
    if (width <= 0) throw illegalArgument(`[interval] must be >0 for histogram aggregation [${body.name}]`)
    return width
  })
  if (interval === undefined) body.note('illegal_argument_exception', 'interval must be positive, got: 0.0', true)
  const extendedBounds = readDoubleBounds(body, 'extended_bounds')
  if (extendedBounds !== undefined && body.isLegacy) checkLegacyBounds(body, extendedBounds)
  return {
    kind: 'histogram',
    source,
    interval: interval ?? 1,
    offset: body.number('offset') ?? 0,
    keyed: body.boolean('keyed') ?? false,
    minDocCount: readMinDocCount(body),
    order: readOrder(body) ?? BY_KEY,
    extendedBounds,
    ...(body.isLegacy ? {} : { hardBounds: readHardBounds(body, extendedBounds) }),
  }
}

/** Bounds of doubles, in their order from 7 on. */
function readDoubleBounds(body: AggregationBody, field: string): Bounds<number> | undefined {
  if (body.isLegacy) return readBounds(body, field, field, NUMBER, readDouble)
  return readBounds(body, field, 'double_bounds', OR_NULL, readDouble, ({ min, max }) => {
    if (min === undefined || max === undefined || min <= max) return
    throw illegalArgument(`max bound [${javaDouble(max)}] must be greater than min bound [${javaDouble(min)}]`)
  })
}

const OR_NULL: readonly string[] = [...NUMBER, 'VALUE_NULL']

/** Bounds of dates, each a number of ms or a text. */
function readDateBounds(body: AggregationBody, field: string): Bounds<number | string> | undefined {
  return readBounds(body, field, body.isLegacy ? field : 'bounds', OR_NULL, (value) => {
    if (typeof value !== 'number') return String(value)
    if (Number.isInteger(value) || !Number.isFinite(value)) return value
    throw illegalArgument(`${javaDouble(value)} cannot be converted to Long without data loss`)
  })
}

/** @throws {ServiceError} x_content_parse_exception for bounds that are open or beyond each other */
function checkLegacyBounds(body: AggregationBody, { min, max }: Bounds<number>): void {
  // A bound that is left out lies where there can be none.
  const open = min === undefined ? 'minBound' : max === undefined ? 'maxBound' : undefined
  if (open !== undefined) {
    const end = open === 'minBound' ? 'Infinity' : '-Infinity'
    throw body.failed('extended_bounds', illegalArgument(`${open} must be finite, got: ${end}`))
  }
  if ((min as number) <= (max as number)) return
  const reason = `maxBound [${javaDouble(max as number)}] must be greater than minBound [${javaDouble(min as number)}]`
  throw body.failed('extended_bounds', illegalArgument(reason))
}

/** @throws {ServiceError} illegal_argument_exception for extended bounds outside of them */
function readHardBounds(
  body: AggregationBody,
  extended: HistogramDefinition['extendedBounds'],
): HistogramDefinition['hardBounds'] {
  const hard = readDoubleBounds(body, 'hard_bounds')
  if (hard === undefined) return undefined
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = hard
  if ((extended?.min ?? max) < min || (extended?.max ?? min) > max) {
    const show = (bounds: { readonly min: number | undefined; readonly max: number | undefined }): string =>
      `[${[bounds.min, bounds.max].map((bound) => (bound === undefined ? '' : javaDouble(bound))).join('--')}]`
    throw illegalInQueryPhase(
      `Extended bounds have to be inside hard bounds, hard bounds: ${show(hard)}, extended bounds: ${show(extended ?? hard)}`,
    )
  }
  return hard
}

/** `date_histogram`. */
export function parseDateHistogram(body: AggregationBody): DateHistogramDefinition {
  const source = readValuesSource(body, { formattable: true, timeZone: true })
  return {
    kind: 'date_histogram',
    name: body.name,
    source,
    interval: readDateInterval(body, `histogram aggregation [${body.name}]`),
    offset: readOffset(body),
    keyed: body.boolean('keyed') ?? false,
    minDocCount: readMinDocCount(body),
    order: readOrder(body) ?? BY_KEY,
    extendedBounds: readDateBounds(body, 'extended_bounds'),
    ...(body.isLegacy ? {} : { hardBounds: readDateBounds(body, 'hard_bounds') }),
  }
}

const AUTO_UNITS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const

/** `auto_date_histogram`. */
export function parseAutoDateHistogram(body: AggregationBody): AutoDateHistogramDefinition {
  const source = readValuesSource(body, { formattable: true, timeZone: true })
  const buckets = body.integer('buckets', (count) => {
    if (count <= 0) throw illegalArgument(`buckets must be greater than 0 for [${body.name}]`)
    return count
  })
  const minimumUnit =
    body.context.engineVersion === 'Elasticsearch_6.8'
      ? undefined
      : body.read('minimum_interval', (value) => {
          const unit = AUTO_UNITS.find((name) => name === value)
          if (unit !== undefined) return unit
          throw illegalArgument(`minimum_interval must be one of [${AUTO_UNITS.join(', ')}]`)
        })
  return { kind: 'auto_date_histogram', source, buckets: buckets ?? 10, minimumUnit }
}

function readMinDocCount(body: AggregationBody): number {
  const least = body.long('min_doc_count', (count) => {
    if (count < 0)
      throw illegalArgument(`[minDocCount] must be greater than or equal to 0. Found [${count}] in [${body.name}]`)
    return count
  })
  return least ?? 0
}

interface Bounds<T> {
  readonly min: T | undefined
  readonly max: T | undefined
}

/** @param type  what reads them, for messages */
function readBounds<T>(
  body: AggregationBody,
  field: string,
  type: string,
  tokens: readonly string[],
  read: (value: JsonValue) => T,
  check: (bounds: Bounds<T>) => void = () => {},
): Bounds<T> | undefined {
  return body.members(field, type, (inside) => {
    const one = (name: string): T | undefined =>
      inside.ofTokens(name, tokens, (value) => (value === null ? undefined : read(value)))
    const bounds = { min: one('min'), max: one('max') }
    inside.build(['min', 'max'], () => check(bounds))
    return bounds
  })
}
const CALENDAR: Readonly<Record<string, CalendarUnit>> = {
  year: 'year',
  '1y': 'year',
  quarter: 'quarter',
  '1q': 'quarter',
  month: 'month',
  '1M': 'month',
  week: 'week',
  '1w': 'week',
  day: 'day',
  '1d': 'day',
  hour: 'hour',
  '1h': 'hour',
  minute: 'minute',
  '1m': 'minute',
  second: 'second',
  '1s': 'second',
}

/** A calendar unit by its names, or undefined. */
export function calendarUnit(text: string): CalendarUnit | undefined {
  return Object.hasOwn(CALENDAR, text) ? CALENDAR[text] : undefined
}

/**
 * `interval`, or from 7 on `calendar_interval` and `fixed_interval`.
 *
 * @param owner  who 6.x says that a number of ms is too small for
 */
export function readDateInterval(body: AggregationBody, owner: string): DateInterval {
  const is6 = body.context.engineVersion === 'Elasticsearch_6.8'
  const noInterval = (reason: string, detail?: ServiceErrorDetail): DateInterval => {
    body.note('illegal_argument_exception', reason, false, detail)
    return { kind: 'fixed', millis: 1 }
  }
  const positive = (millis: number): DateInterval =>
    millis > 0 ? { kind: 'fixed', millis } : noInterval('Zero or negative time interval not supported')
  if (!is6) {
    for (const name of ['calendar_interval', 'fixed_interval']) {
      const given = body.raw(name)
      if (given !== undefined && typeof given !== 'string') throw body.wrongToken(name, given)
    }
    const calendar = body.read('calendar_interval', (value): DateInterval => {
      if (value === '') throw illegalArgument('[interval] must not be null: [date_histogram]')
      const unit = calendarUnit(String(value))
      if (unit === undefined)
        throw illegalArgument(`The supplied interval [${String(value)}] could not be parsed as a calendar interval.`)
      return { kind: 'calendar', unit }
    })
    const fixed = body.read('fixed_interval', (value): DateInterval => {
      if (value === '') throw illegalArgument('[interval] must not be null: [date_histogram]')
      return positive(parseTimeMs(String(value), 'date_histogram.fixedInterval'))
    })
    if (calendar !== undefined && fixed !== undefined) {
      throw body.failed(
        'fixed_interval',
        illegalArgument('Cannot use [fixed_interval] with [calendar_interval] configuration option.'),
      )
    }
    if (calendar !== undefined || fixed !== undefined) return (calendar ?? fixed) as DateInterval
  }
  const interval = body.scalar('interval', (value) => {
    if (value === '' && !is6) throw illegalArgument('[dateHistogramInterval] must not be null: [date_histogram]')
    if (typeof value === 'string') return value
    const millis = Number(readLong(value, is6))
    if (millis > 0) return millis
    throw illegalArgument(`[interval] must be 1 or greater for ${is6 ? owner : 'aggregation [date_histogram]'}`)
  })
  if (interval === undefined) {
    return noInterval(
      is6
        ? 'Zero or negative time interval not supported'
        : 'Invalid interval specified, must be non-null and non-empty',
    )
  }
  if (typeof interval === 'number') return { kind: 'fixed', millis: interval }
  const unit = calendarUnit(interval)
  if (unit !== undefined) return { kind: 'calendar', unit }
  try {
    return positive(parseTimeMs(interval, 'DateHistogramAggregationBuilder.interval'))
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return is6 ? noInterval(error.reason, error.detail) : noInterval(`Unable to parse interval [${interval}]`)
  }
}

/** `offset`: `+6h`, `-1d`, or a number of ms. */
export function readOffset(body: AggregationBody): number {
  const setting = 'DateHistogramAggregationBuilder.parseOffset'
  const offset = body.scalar('offset', (value) => {
    if (typeof value !== 'string') return Number(readLong(value, body.isLegacy))
    if (value.startsWith('-')) return -parseTimeMs(value.slice(1), setting)
    return parseTimeMs(value.startsWith('+') ? value.slice(1) : value, setting)
  })
  return offset ?? 0
}
