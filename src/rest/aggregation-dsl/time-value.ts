import { ServiceError } from '../../errors.ts'

const UNITS: readonly (readonly [suffix: string, millis: number])[] = [
  ['nanos', 1e-6],
  ['micros', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]

/**
 * Milliseconds of a time value (`1d`, `90m`, `500ms`, `1.5h`).
 *
 * @param setting  named by the message
 * @throws {ServiceError} illegal_argument_exception
 */
export function timeValueMillis(text: string, setting: string, shown = text): number {
  const trimmed = text.trim()
  const lower = /[A-Z]$/.test(trimmed) && trimmed.endsWith('M') ? trimmed : trimmed.toLowerCase()
  if (lower === '0' || lower === '-1') return Number(lower)
  for (const [suffix, millis] of UNITS) {
    if (!lower.endsWith(suffix)) continue
    const digits = lower.slice(0, -suffix.length).trim()
    // «ms» ends in «s» too: the longer suffix comes first in the list.
    if (/^-?\d+$/.test(digits)) return Math.trunc(Number(digits) * millis)
    if (/^-?\d*\.\d+$/.test(digits)) {
      throw new ServiceError(
        'illegal_argument_exception',
        `failed to parse [${shown}], fractional time values are not supported`,
        noNumber(digits),
      )
    }
    throw new ServiceError('illegal_argument_exception', `failed to parse [${shown}]`, noNumber(digits))
  }
  throw new ServiceError(
    'illegal_argument_exception',
    `failed to parse setting [${setting}] with value [${shown}] as a time value: unit is missing or unrecognized`,
  )
}

function noNumber(digits: string): { cause: ServiceError } {
  return { cause: new ServiceError('number_format_exception', `For input string: "${digits}"`) }
}
