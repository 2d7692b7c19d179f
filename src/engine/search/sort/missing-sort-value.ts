import { ServiceError } from '../../../errors.ts'
import type { EngineVersion } from '../../engine-version.ts'
import { doubleOfText, narrow, UNSIGNED_MAX } from '../../mapping/types/number-value.ts'
import type { SortKey } from '../search-request.ts'

const LONG = [-(2n ** 63n), 2n ** 63n - 1n] as const
const UNSIGNED = [0, UNSIGNED_MAX] as const
const INTEGER = [-(2 ** 31), 2 ** 31 - 1] as const

/**
 * What a document without a value is sorted by and shown with, as the real servers answer: what the key gives, as Java reads it
 * for the type; else the type's last value in the direction it goes to, null for words.
 *
 * @throws {ServiceError} number_format_exception
 */
export function missingSortValue(
  { order, missing }: SortKey & { kind: 'field' },
  type: string,
  engineVersion: EngineVersion,
): string | number | bigint | null {
  // Elasticsearch sorts by all whole numbers as longs.
  const isNarrow = engineVersion === 'OpenSearch_2.19'
  if (missing !== '_first' && missing !== '_last') return givenValue(missing, type, isNarrow)
  const largest = (order === 'asc') === (missing === '_last') ? 1 : 0
  switch (type) {
    case 'long':
    case 'date':
    case 'date_nanos':
      return LONG[largest]
    case 'unsigned_long':
      return UNSIGNED[largest]
    case 'integer':
    case 'short':
    case 'byte':
    case 'boolean':
      return isNarrow ? INTEGER[largest] : LONG[largest]
    case 'float':
    case 'double':
    case 'half_float':
    case 'scaled_float':
      return largest === 1 ? 'Infinity' : '-Infinity'
    default:
      return null
  }
}

function givenValue(missing: string | number | bigint, type: string, isNarrow: boolean): string | number | bigint {
  switch (type) {
    case 'long':
    case 'date':
    case 'date_nanos':
      return wholeOf(missing, 64)
    case 'integer':
    case 'short':
    case 'byte':
    case 'boolean':
      return wholeOf(missing, isNarrow ? 32 : 64)
    case 'float':
    case 'half_float':
      return named(Math.fround(doubleOf(missing)))
    case 'double':
    case 'scaled_float':
      return named(doubleOf(missing))
    default:
      return String(missing)
  }
}

/** Numbers are cut to so many bits, texts must fit. */
function wholeOf(missing: string | number | bigint, bits: 32 | 64): number | bigint {
  if (typeof missing === 'string') {
    const value = /^[+-]?\d+$/.test(missing) ? BigInt(missing.replace('+', '')) : undefined
    if (value === undefined || value !== BigInt.asIntN(bits, value))
      throw new ServiceError('number_format_exception', `For input string: "${missing}"`)
    return narrow(value)
  }
  if (typeof missing === 'number' && !Number.isFinite(missing)) {
    const beyond = 2n ** BigInt(bits - 1)
    return narrow(missing > 0 ? beyond - 1n : -beyond)
  }
  return narrow(BigInt.asIntN(bits, typeof missing === 'bigint' ? missing : BigInt(Math.trunc(missing))))
}

function doubleOf(missing: string | number | bigint): number {
  return typeof missing === 'string' ? doubleOfText(missing) : Number(missing)
}

/** What is no finite number is shown by its name. */
function named(value: number): string | number {
  return Number.isFinite(value) ? value : String(value)
}
