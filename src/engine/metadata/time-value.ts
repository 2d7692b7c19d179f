import { ServiceError } from '../../errors.ts'

const TIME_UNITS: readonly (readonly [suffix: string, ms: number])[] = [
  ['nanos', 1e-6],
  ['micros', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]

/**
 * Reads a time: `500ms`, `1s`, `2h`, `-1`.
 *
 * @param name  the setting, for messages
 * @returns milliseconds; -1 for «never»
 * @throws {ServiceError} illegal_argument_exception
 */
export function parseTimeMs(text: string, name: string): number {
  const trimmed = text.trim().toLowerCase()
  if (trimmed === '-1') return -1
  if (/^0+$/.test(trimmed)) return 0
  const unit = longestUnit(trimmed)
  const prefix = `failed to parse setting [${name}] with value [${text}] as a time value`
  if (unit === undefined) throw illegal(`${prefix}: unit is missing or unrecognized`)
  const digits = trimmed.slice(0, trimmed.length - unit[0].length).trim()
  if (/^-\d+$/.test(digits)) throw illegal(`${prefix}: negative durations are not supported`)
  if (!/^\d+$/.test(digits)) {
    const why = /^\d+\.\d+$/.test(digits) ? ', fractional time values are not supported' : ''
    throw illegal(
      `failed to parse [${text}]${why}`,
      new ServiceError('number_format_exception', `For input string: "${digits}"`),
    )
  }
  return Number(digits) * unit[1]
}

function longestUnit(text: string): readonly [suffix: string, ms: number] | undefined {
  let found: readonly [suffix: string, ms: number] | undefined
  for (const unit of TIME_UNITS) {
    if (text.endsWith(unit[0]) && (found === undefined || unit[0].length > found[0].length)) found = unit
  }
  return found
}

function illegal(reason: string, cause?: ServiceError): ServiceError {
  return new ServiceError('illegal_argument_exception', reason, { cause })
}
