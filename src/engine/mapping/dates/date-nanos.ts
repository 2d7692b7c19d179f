import { illegalArgument } from '../../../illegal-argument.ts'
import { civilTime } from './civil-time.ts'

/** Nanoseconds of a millisecond. */
export const NANOS_PER_MILLI = 1_000_000n

const LATEST = 2n ** 63n - 1n

/** Milliseconds since 1970 that an instant in nanoseconds lies in. */
export function millisOfNanos(epochNanos: bigint): bigint {
  const millis = epochNanos / NANOS_PER_MILLI
  return epochNanos < 0n && millis * NANOS_PER_MILLI !== epochNanos ? millis - 1n : millis
}

/**
 * An instant that a `date_nanos` field can hold: from 1970 to 2262-04-11T23:47:16.854775807Z.
 *
 * @throws {ServiceError} illegal_argument_exception for any other
 */
export function storableNanos(epochNanos: bigint): bigint {
  if (epochNanos < 0n) {
    throw illegalArgument(
      `date[${instantText(epochNanos)}] is before the epoch in 1970 and cannot be stored in nanosecond resolution`,
    )
  }
  if (epochNanos > LATEST) {
    throw illegalArgument(
      `date[${instantText(epochNanos)}] is after 2262-04-11T23:47:16.854775807 and cannot be stored in nanosecond resolution`,
    )
  }
  return epochNanos
}

/** An instant as Java's `Instant` shows it: seconds always, a fraction of 3, 6 or 9 digits where there is one. */
function instantText(epochNanos: bigint): string {
  const millis = millisOfNanos(epochNanos)
  const { year, month, day, millisOfDay } = civilTime(Number(millis))
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  const sign = year < 0 ? '-' : year > 9999 ? '+' : ''
  const nanos = BigInt(millisOfDay % 1000) * NANOS_PER_MILLI + (epochNanos - millis * NANOS_PER_MILLI)
  const digits = String(nanos)
    .padStart(9, '0')
    .replace(/(000){1,3}$/, '')
  const date = `${sign}${String(Math.abs(year)).padStart(4, '0')}-${two(month)}-${two(day)}`
  const time = `${two(millisOfDay / 3_600_000)}:${two((millisOfDay / 60_000) % 60)}:${two((millisOfDay / 1000) % 60)}`
  return `${date}T${time}${digits === '' ? '' : `.${digits}`}Z`
}
