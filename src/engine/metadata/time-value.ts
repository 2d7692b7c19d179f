import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { parseJavaDouble, parseJavaInteger } from '../java/java-number.ts'

const UNITS: readonly (readonly [suffix: string, ms: number])[] = [
  ['nanos', 1e-6],
  ['micros', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]

/**
 * Reads a time as Elasticsearch's `TimeValue.parseTimeValue` does: `500ms`, `1s`, `2h`, `-1`.
 *
 * @param name  the setting, for messages
 * @returns whole milliseconds, below 0 for «never»
 * @throws {ServiceError} illegal_argument_exception
 */
export function parseTimeMs(text: string, name: string): number {
  const lower = text.toLowerCase().trim()
  // `M` would be months.
  const unit = UNITS.find(([suffix]) => (suffix === 'm' ? text : lower).endsWith(suffix))
  const told = `failed to parse setting [${name}] with value [${text}] as a time value`
  if (unit === undefined) {
    if (/^-0*1$/.test(lower)) return -1
    if (/^0+$/.test(lower)) return 0
    throw illegalArgument(`${told}: unit is missing or unrecognized`)
  }
  const digits = lower.slice(0, -unit[0].length).trim()
  const count = parseJavaInteger(digits, 64)
  if (count === undefined) {
    const isFraction = parseJavaDouble(digits) !== undefined
    throw illegalArgument(
      `failed to parse [${text}]${isFraction ? ', fractional time values are not supported' : ''}`,
      new ServiceError('number_format_exception', `For input string: "${digits}"`),
    )
  }
  if (count < -1n) throw illegalArgument(`${told}: negative durations are not supported`)
  return Math.trunc(Number(count) * unit[1])
}
