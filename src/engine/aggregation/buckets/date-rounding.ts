import type { EngineVersion } from '../../engine-version.ts'
import { civilTime, DAY_MS, dayOfWeek, daysInMonth, daysOfDate } from '../../mapping/dates/civil-time.ts'
import { localToEpoch, type TimeZone } from '../../mapping/dates/time-zone.ts'

/** A unit of the calendar. */
export type CalendarUnit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year'

/** How long the buckets of a date histogram are. */
export type DateInterval =
  | { readonly kind: 'calendar'; readonly unit: CalendarUnit }
  | { readonly kind: 'fixed'; readonly millis: number }

/** Cuts time into buckets: start of the bucket of an instant, and start of the next. */
export interface DateRounding {
  round(epochMillis: number): number
  /** @param start  what {@link round} answered */
  next(start: number): number
}

const TIME_UNITS: Readonly<Partial<Record<CalendarUnit, number>>> = { second: 1000, minute: 60_000, hour: 3_600_000 }

/** Boundaries kept in a table at most; beyond it every value is computed. */
const MAX_TABLE = 20_000

/** Tables kept from search to search at most. */
const MAX_ROUNDINGS = 64

const roundings = new Map<string, DateRounding>()

/** Rounding by an interval in a zone; boundaries are computed once and then looked up, by later searches too. */
export function dateRounding(interval: DateInterval, zone: TimeZone, engineVersion: EngineVersion): DateRounding {
  const is6 = engineVersion === 'Elasticsearch_6.8'
  const name = `${interval.kind === 'fixed' ? interval.millis : interval.unit} ${zone.id} ${is6}`
  const known = roundings.get(name)
  if (known !== undefined) return known
  const plain = plainRounding(interval, zone, engineVersion)
  // Lengths of time do not follow one another without gaps and overlaps where clocks change: no table can tell.
  const rounding = plain.isArithmetic || interval.kind === 'fixed' ? plain : new TabledRounding(plain)
  // Intervals and zones come from requests: keep the cache from growing without bound.
  if (roundings.size >= MAX_ROUNDINGS) roundings.delete(roundings.keys().next().value as string)
  roundings.set(name, rounding)
  return rounding
}

/** A name for rounding that way, with an offset: the same for the same function. */
export function dateRoundingName(interval: DateInterval, zone: TimeZone, offset: number): string {
  return `date ${interval.kind === 'fixed' ? interval.millis : interval.unit} ${zone.id} ${offset}`
}

/** What rounding takes of a number that need not be whole: a fraction of a millisecond is cut off, and -0 is 0. */
export function wholeMillis(value: number): number {
  return Math.trunc(value) + 0
}

/** The rule itself, without a table. */
export function plainRounding(
  interval: DateInterval,
  zone: TimeZone,
  engineVersion: EngineVersion,
): DateRounding & { readonly isArithmetic: boolean } {
  const is6 = engineVersion === 'Elasticsearch_6.8'
  if (interval.kind === 'fixed') return fixedRounding(interval.millis, zone, is6)
  const { unit } = interval
  const timeUnit = TIME_UNITS[unit]
  if (timeUnit !== undefined) return timeRounding(timeUnit, zone)
  if (unit === 'day' && zone.fixedOffset !== undefined) return fixedRounding(DAY_MS, zone, is6)
  const round = (epochMillis: number): number => {
    const floor = floorUnit(epochMillis, unit, zone)
    // Across a change of the clocks a floor need not be one itself.
    return zone.offsetAt(floor) === zone.offsetAt(epochMillis) ? floor : floorUnit(floor, unit, zone)
  }
  return {
    isArithmetic: false,
    round,
    next: (start) => localToEpoch(addUnit(start + zone.offsetAt(start), unit), zone),
  }
}

/** @param is6  after a change of the clocks 6.x goes on in steps from there, and not where values are rounded to */
function fixedRounding(
  millis: number,
  zone: TimeZone,
  is6: boolean,
): DateRounding & { readonly isArithmetic: boolean } {
  const { fixedOffset } = zone
  if (fixedOffset !== undefined) {
    return {
      isArithmetic: true,
      round: (epochMillis) => Math.floor((epochMillis + fixedOffset) / millis) * millis - fixedOffset,
      next: (start) => start + millis,
    }
  }
  const round = (epochMillis: number): number => {
    const local = Math.floor((epochMillis + zone.offsetAt(epochMillis)) / millis) * millis
    const rounded = localToEpoch(local, zone)
    const offset = zone.offsetAt(rounded)
    // A local time that clocks skip: the bucket begins where they jump.
    if (rounded + offset !== local) return transitionBefore(zone, epochMillis)
    if (offset === zone.offsetAt(epochMillis)) return rounded
    const transition = transitionBefore(zone, epochMillis)
    if (transition <= rounded) return rounded
    // The second of two equal local times belongs to this side of the change.
    const later = local - zone.offsetAt(epochMillis)
    return later >= transition && later <= epochMillis ? later : round(transition - 1)
  }
  return {
    isArithmetic: false,
    round,
    next: (start) => {
      if (is6) {
        const next = localToEpoch(start + zone.offsetAt(start) + millis, zone)
        return next > start ? next : start + millis
      }
      let next = start
      for (let steps = 1; next <= start; steps++) next = round(start + steps * millis)
      for (let before = round(next - 1); before > start; before = round(next - 1)) next = before
      return next
    },
  }
}

function timeRounding(unitMillis: number, zone: TimeZone): DateRounding & { readonly isArithmetic: boolean } {
  const round = (epochMillis: number): number => {
    const offset = zone.offsetAt(epochMillis)
    return Math.floor((epochMillis + offset) / unitMillis) * unitMillis - offset
  }
  return { isArithmetic: zone.fixedOffset !== undefined, round, next: (start) => round(start + unitMillis) }
}

function floorUnit(epochMillis: number, unit: CalendarUnit, zone: TimeZone): number {
  const local = epochMillis + zone.offsetAt(epochMillis)
  const { year, month } = civilTime(local)
  let days = Math.floor(local / DAY_MS)
  if (unit === 'week') days -= dayOfWeek(days) - 1
  else if (unit === 'month') days = daysOfDate(year, month, 1)
  else if (unit === 'quarter') days = daysOfDate(year, month - ((month - 1) % 3), 1)
  else if (unit === 'year') days = daysOfDate(year, 1, 1)
  return localToEpoch(days * DAY_MS, zone)
}

/** Local midnight one unit later; the day may begin later than at midnight, where clocks skip that. */
function addUnit(local: number, unit: CalendarUnit): number {
  const days = Math.floor(local / DAY_MS)
  if (unit === 'day') return (days + 1) * DAY_MS
  if (unit === 'week') return (days + 7) * DAY_MS
  const { year, month, day } = civilTime(local)
  const months = year * 12 + month - 1 + (unit === 'year' ? 12 : unit === 'quarter' ? 3 : 1)
  const newYear = Math.floor(months / 12)
  const newMonth = (months % 12) + 1
  return daysOfDate(newYear, newMonth, Math.min(day, daysInMonth(newYear, newMonth))) * DAY_MS
}

/** The last instant at or before which clocks were changed, where they were within a year. */
function transitionBefore(zone: TimeZone, epochMillis: number): number {
  const offset = zone.offsetAt(epochMillis)
  let high = epochMillis
  let low = epochMillis
  for (let week = 0; week < 60 && zone.offsetAt(low) === offset; week++) {
    high = low
    low -= 7 * DAY_MS
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (zone.offsetAt(middle) === offset) high = middle
    else low = middle
  }
  return high
}

/** Looks boundaries up in a growing table: buckets are nearly equal, so a guess is right or next to right. */
class TabledRounding implements DateRounding {
  readonly #plain: DateRounding
  #starts: number[] = []

  constructor(plain: DateRounding) {
    this.#plain = plain
  }

  round(epochMillis: number): number {
    const at = this.#place(epochMillis)
    if (at >= 0) return this.#starts[at] as number
    return this.#cover(epochMillis) ? this.round(epochMillis) : this.#plain.round(epochMillis)
  }

  next(start: number): number {
    const at = this.#place(start)
    return at >= 0 && this.#starts[at] === start ? (this.#starts[at + 1] as number) : this.#plain.next(start)
  }

  /** Place of the last boundary at or before an instant; -1: the table does not reach there. */
  #place(epochMillis: number): number {
    const starts = this.#starts
    const last = starts.length - 1
    if (last < 1 || !(epochMillis >= starts[0]! && epochMillis < starts[last]!)) return -1
    const first = starts[0] as number
    let at = Math.floor(((epochMillis - first) / ((starts[last] as number) - first)) * last)
    while (epochMillis < (starts[at] as number)) at--
    while (epochMillis >= (starts[at + 1] as number)) at++
    return at
  }

  /** Extends the table to an instant; false where that would take too many boundaries. */
  #cover(epochMillis: number): boolean {
    if (!Number.isFinite(epochMillis)) return false
    const start = this.#plain.round(epochMillis)
    const { length } = this.#starts
    if (length === 0) {
      this.#starts = [start, this.#plain.next(start)]
      return (this.#starts[1] as number) > epochMillis
    }
    const step = Math.max(1, (this.#starts[1] as number) - (this.#starts[0] as number))
    const first = this.#starts[0] as number
    const last = this.#starts[length - 1] as number
    const missing = (epochMillis < first ? first - epochMillis : epochMillis - last) / step
    if (length + missing > MAX_TABLE) return false
    if (epochMillis >= last) {
      for (let at = last; at <= epochMillis; ) {
        at = this.#plain.next(at)
        this.#starts.push(at)
      }
      return true
    }
    const before: number[] = []
    for (let at = start; at < first; at = this.#plain.next(at)) before.push(at)
    this.#starts = [...before, ...this.#starts]
    return true
  }
}
