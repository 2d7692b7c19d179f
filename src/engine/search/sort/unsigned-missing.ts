import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import { inUnsignedRange } from '../../mapping/types/number-value.ts'

/** Digits that java.math.BigInteger reads at a time. */
const GROUP = 9

/**
 * What stands for missing values of an `unsigned_long`, as OpenSearch reads it when it sorts. (Of a text beyond 2^64 it keeps the
 * last 64 bits.)
 *
 * @throws {ServiceError} illegal_argument_exception, number_format_exception
 */
export function unsignedMissing(given: string | number | bigint): number | bigint {
  if (typeof given === 'bigint') return inUnsignedRange(given, String(given))
  if (typeof given === 'number') {
    if (Number.isInteger(given) && Math.abs(given) < 2 ** 63) return inUnsignedRange(BigInt(given), String(given))
    throw illegalArgument(`${javaDouble(given)} is not an integer value`)
  }
  const value = readBigInteger(String(given))
  return inUnsignedRange(value < 0n ? value : BigInt.asUintN(64, value), given)
}

/** @throws {ServiceError} number_format_exception with the group that is no number */
function readBigInteger(text: string): bigint {
  const digits = text.replace(/^[+-]/, '')
  if (digits === '') throw noInteger('Zero length BigInteger')
  if (/[+-]/.test(digits)) throw noInteger('Illegal embedded sign character')
  const counted = digits.replace(/^0+/, '')
  for (let end = counted.length % GROUP || GROUP, from = 0; from < counted.length; from = end, end += GROUP) {
    const group = counted.slice(from, end)
    if (!/^\d+$/.test(group)) throw noInteger(`For input string: "${group}"`)
  }
  return text.startsWith('-') ? -BigInt(digits) : BigInt(digits)
}

const noInteger = (reason: string): ServiceError => new ServiceError('number_format_exception', reason)
