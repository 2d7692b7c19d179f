import { ServiceError } from '../../../errors.ts'

/** A time zone: how far local clocks are ahead of UTC, by instant. */
export interface TimeZone {
  readonly id: string
  /** Fixed offset in ms, or undefined where it changes. */
  readonly fixedOffset: number | undefined
  /** Local time minus UTC, in ms, at an instant. */
  offsetAt(epochMillis: number): number
}

/** UTC. */
export const UTC: TimeZone = fixedZone('UTC', 0)

/** Instants from which on, either way, some local time is beyond what a Date can be. */
const FAR_MS = 8.6e15
/** After 400 years dates and days of the week are the same again, and with them when clocks change. */
const CYCLE_MS = 146_097 * 86_400_000

const OFFSET = /^([+-])(\d{1,2})(?::?(\d{2})(?::?(\d{2}))?)?$/
const zones = new Map<string, TimeZone>([
  ['UTC', UTC],
  ['Z', UTC],
  ['GMT', UTC],
])

/**
 * Zone by id: `Z`, `UTC`, `+09:00`, `-0330`, or a name of the tz database (`Asia/Seoul`).
 *
 * @throws {ServiceError} illegal_argument_exception when there is none
 */
export function timeZone(id: string): TimeZone {
  let zone = zones.get(id)
  if (zone === undefined) {
    const match = OFFSET.exec(id)
    zone = match === null ? namedZone(id) : offsetZone(id, match)
    // Ids come from requests: keep the cache from growing without bound.
    if (zones.size > 1000) zones.clear()
    zones.set(id, zone)
  }
  return zone
}

/** Instant at which local clocks of a zone show the given local time (ms, as if UTC); gaps are skipped forward. */
export function localToEpoch(localMillis: number, zone: TimeZone): number {
  if (zone.fixedOffset !== undefined) return localMillis - zone.fixedOffset
  const early = zone.offsetAt(localMillis - zone.offsetAt(localMillis))
  const candidate = localMillis - early
  const actual = zone.offsetAt(candidate)
  // A local time that clocks skip: counted on with the offset in force before they jump.
  if (actual !== early) return localMillis - Math.min(actual, early)
  // Where clocks are set back a local time comes twice: the first is meant.
  const before = zone.offsetAt(candidate - 3_600_000 * 3)
  if (before !== early && zone.offsetAt(localMillis - before) === before) return localMillis - before
  return candidate
}

function fixedZone(id: string, offset: number): TimeZone {
  return { id, fixedOffset: offset, offsetAt: () => offset }
}

function offsetZone(id: string, match: RegExpExecArray): TimeZone {
  const hours = Number(match[2])
  const minutes = Number(match[3] ?? 0)
  const seconds = Number(match[4] ?? 0)
  if (hours > 23 || minutes > 59 || seconds > 59) throw unknownZone(id)
  const offset = ((hours * 60 + minutes) * 60 + seconds) * 1000
  return fixedZone(id, match[1] === '-' ? -offset : offset)
}

function unknownZone(id: string): ServiceError {
  return new ServiceError('illegal_argument_exception', `The datetime zone id '${id}' is not recognised`)
}

function namedZone(id: string): TimeZone {
  let formatter: Intl.DateTimeFormat
  try {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: id,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    throw unknownZone(id)
  }
  // Offsets change at whole quarters of an hour: one look-up each is enough.
  const QUARTER = 900_000
  const offsets = new Map<number, number>()
  const compute = (epochMillis: number): number => {
    const part: Record<string, string> = {}
    for (const { type, value } of formatter.formatToParts(epochMillis)) part[type] = value
    const year = part['era'] === 'BC' ? 1 - Number(part['year']) : Number(part['year'])
    const date = new Date(0)
    date.setUTCFullYear(year, Number(part['month']) - 1, Number(part['day']))
    date.setUTCHours(Number(part['hour']), Number(part['minute']), Number(part['second']))
    return date.getTime() - Math.floor(epochMillis / 1000) * 1000
  }
  return {
    id,
    fixedOffset: undefined,
    offsetAt: (epochMillis) => {
      const limited =
        epochMillis > FAR_MS
          ? epochMillis - Math.ceil((epochMillis - FAR_MS) / CYCLE_MS) * CYCLE_MS
          : Math.max(-FAR_MS, epochMillis)
      const quarter = Math.floor(limited / QUARTER)
      let offset = offsets.get(quarter)
      if (offset === undefined) {
        offset = compute(quarter * QUARTER)
        if (offsets.size > 50_000) offsets.clear()
        offsets.set(quarter, offset)
      }
      return offset
    },
  }
}
