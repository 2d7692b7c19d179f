import { timeZone } from '../../engine/mapping/dates/time-zone.ts'
import { faultOf, ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { JsonValue } from './parse-json.ts'

/**
 * Id of a zone that exists; a number counts hours.
 *
 * @throws {ServiceError} illegal_argument_exception of Joda's; date_time_exception, zone_rules_exception of java.time's
 */
export function readTimeZone(value: JsonValue, isJoda: boolean): string {
  const id = typeof value === 'number' ? hourOffset(value) : String(value)
  if (!isJoda) checkZoneId(id)
  else if (/^[+-](?:\d(?!\d)|2[4-9]|[3-9]\d)/.test(id)) {
    const reason = `Invalid format: "${id}" is malformed at "${id.slice(1)}"`
    throw illegalArgument(reason)
  }
  try {
    timeZone(id)
  } catch (error) {
    if (isJoda || !(error instanceof ServiceError)) throw error
    throw new ServiceError('zone_rules_exception', `Unknown time-zone ID: ${id}`)
  }
  return id
}

/** Classes of java.time's faults, which range queries name. */
const CLASSES: Readonly<Record<string, string>> = {
  date_time_exception: 'java.time.DateTimeException',
  zone_rules_exception: 'java.time.zone.ZoneRulesException',
}

/** @throws {ServiceError} illegal_argument_exception for a zone that a range query does not know */
export function checkRangeZone(id: string, isJoda: boolean): void {
  const fault = faultOf(() => readTimeZone(id, isJoda))
  if (fault === undefined) return
  const name = CLASSES[fault.type]
  if (name === undefined) throw fault
  throw illegalArgument(`${name}: ${fault.reason}`, fault)
}

/** @throws {ServiceError} date_time_exception for what java.time's `ZoneId.of` does not take */
function checkZoneId(id: string): void {
  const failed = (reason: string): ServiceError => new ServiceError('date_time_exception', reason)
  if (id === 'Z') return
  if (id.length > 1 && !/^[+-]/.test(id)) {
    if (/^[A-Za-z][\w~/.+-]+$/.test(id)) return
    throw failed(`Invalid ID for region-based ZoneId, invalid format: ${id}`)
  }
  if (![2, 3, 5, 6, 7, 9].includes(id.length)) throw failed(`Invalid ID for ZoneOffset, invalid format: ${id}`)
  const [, hours] = /^[+-](\d\d?)(?::?\d\d){0,2}$/.exec(id) ?? []
  if (hours === undefined || (hours.length === 1 && id.length > 2))
    throw failed(`Invalid ID for ZoneOffset, non numeric characters found: ${id}`)
  if (Number(hours) > 18) {
    const sign = id.startsWith('-') ? '-' : ''
    throw failed(`Zone offset hours not in valid range: value ${sign}${Number(hours)} is not in the range -18 to 18`)
  }
}

function hourOffset(hours: number): string {
  return `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`
}
