import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { EngineVersion } from '../engine-version.ts'
import { parseJavaDouble, parseJavaInteger } from '../java/java-number.ts'

/** `b` is read by itself. */
const UNITS: readonly (readonly [suffix: string, bytes: number])[] = [
  ['k', 2 ** 10],
  ['kb', 2 ** 10],
  ['m', 2 ** 20],
  ['mb', 2 ** 20],
  ['g', 2 ** 30],
  ['gb', 2 ** 30],
  ['t', 2 ** 40],
  ['tb', 2 ** 40],
  ['p', 2 ** 50],
  ['pb', 2 ** 50],
]
const MOST = 2n ** 63n - 1n

/**
 * Reads a size as Elasticsearch's `ByteSizeValue.parseBytesSizeValue` does: `10mb`, `512b`, `-1`.
 *
 * @param name  the setting, for messages
 * @returns bytes, below 0 for «none»
 * @throws {ServiceError} parse_exception, number_format_exception, illegal_argument_exception
 */
export function parseByteSize(text: string, name: string, version: EngineVersion): number {
  const lower = text.toLowerCase().trim()
  const told = `failed to parse setting [${name}] with value [${text}] as a size in bytes`
  const unit = UNITS.find(([suffix]) => lower.endsWith(suffix))
  if (unit === undefined) {
    if (lower.endsWith('b')) return readBytes(lower.slice(0, -1).trim(), version)
    if (lower === '-1' || lower === '0') return Number(lower)
    throw new ServiceError('parse_exception', `${told}: unit is missing or unrecognized`)
  }
  const [suffix, bytes] = unit
  const digits = lower.slice(0, -suffix.length).trim()
  const count = parseJavaInteger(digits, 64)
  if (count === undefined) return readFraction(text, name, digits, bytes, version)
  const shown = `${count}${suffix.slice(0, 1)}b`
  if (count > MOST / BigInt(bytes))
    throw new ServiceError('parse_exception', told, {
      cause: illegalArgument(`Values greater than ${MOST} bytes are not supported: ${shown}`),
    })
  if (count < 0n && version !== 'Elasticsearch_6.8')
    throw new ServiceError('parse_exception', told, { cause: belowMinusOne(shown) })
  return Number(count) * bytes
}

function readBytes(digits: string, version: EngineVersion): number {
  const count = parseJavaInteger(digits, 64)
  if (count === undefined) throw notANumber(digits)
  if (count < -1n && version !== 'Elasticsearch_6.8') throw belowMinusOne(`${count}b`)
  return Number(count)
}

function readFraction(text: string, name: string, digits: string, bytes: number, version: EngineVersion): number {
  const number = parseJavaDouble(digits)
  if (number === undefined)
    throw new ServiceError('parse_exception', `failed to parse [${text}]`, { cause: notANumber(digits) })
  if (version !== 'OpenSearch_2.19') return Math.trunc(number * bytes)
  throw new ServiceError(
    'parse_exception',
    `Failed to parse bytes value [${text}]. Fractional bytes values have been deprecated since Legacy 6.2. Use non-fractional bytes values instead: found for setting [${name}]`,
    { cause: notANumber(digits) },
  )
}

function belowMinusOne(shown: string): ServiceError {
  return illegalArgument(`Values less than -1 bytes are not supported: ${shown}`)
}

function notANumber(digits: string): ServiceError {
  return new ServiceError('number_format_exception', `For input string: "${digits}"`)
}
