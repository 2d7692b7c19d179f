import { ServiceError } from '../../errors.ts'
import type { NumberField } from '../mapping/field-mapping.ts'

/** A closed range of a numeric field's values. */
export interface NumberRange {
  readonly from: number | bigint
  readonly to: number | bigint
}

const INTEGER_LIMITS: Readonly<Record<string, readonly [bigint, bigint]>> = {
  long: [-(2n ** 63n), 2n ** 63n - 1n],
  integer: [-(2n ** 31n), 2n ** 31n - 1n],
  short: [-32_768n, 32_767n],
  byte: [-128n, 127n],
}

/**
 * The value a query names for a numeric field.
 *
 * @throws {ServiceError} number_format_exception (inside query_shard_exception's reason) when it is no number
 */
export function queryNumber(field: NumberField, value: string | number | bigint | boolean): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  if (typeof value === 'boolean') throw new ServiceError('number_format_exception', `For input string: "${value}"`)
  const text = value.trim()
  if (text === '' || Number.isNaN(Number(text)) || !/^[-+]?(\d|\.\d)/.test(text))
    throw new ServiceError('number_format_exception', value === '' ? 'empty String' : `For input string: "${value}"`)
  if (/^[-+]?\d+$/.test(text) && !Number.isSafeInteger(Number(text)) && field.type === 'long') return BigInt(text)
  return Number(text)
}

/** A query's bounds as a closed range of the field's own values: integers rounded inward, floats to the next one. */
export function closedRange(
  field: NumberField,
  bounds: {
    readonly gt?: number | bigint
    readonly gte?: number | bigint
    readonly lt?: number | bigint
    readonly lte?: number | bigint
  },
): NumberRange {
  const limits = INTEGER_LIMITS[field.type]
  if (limits === undefined) {
    const scale = field.type === 'scaled_float' ? (field.scalingFactor ?? 1) : 1
    const scaled = (v: number | bigint) =>
      scale === 1 ? round(field, Number(v)) : Math.round(Number(v) * scale) / scale
    const from =
      bounds.gt !== undefined
        ? nextUp(field, scaled(bounds.gt), scale)
        : bounds.gte !== undefined
          ? scaled(bounds.gte)
          : Number.NEGATIVE_INFINITY
    const to =
      bounds.lt !== undefined
        ? -nextUp(field, -scaled(bounds.lt), scale)
        : bounds.lte !== undefined
          ? scaled(bounds.lte)
          : Number.POSITIVE_INFINITY
    return { from, to }
  }
  const up = (v: number | bigint): bigint => (typeof v === 'bigint' ? v : clamp(Math.ceil(v), limits))
  const down = (v: number | bigint): bigint => (typeof v === 'bigint' ? v : clamp(Math.floor(v), limits))
  let from = limits[0]
  let to = limits[1]
  if (bounds.gte !== undefined) from = up(bounds.gte)
  if (bounds.gt !== undefined) from = down(bounds.gt) + 1n
  if (bounds.lte !== undefined) to = down(bounds.lte)
  if (bounds.lt !== undefined) to = up(bounds.lt) - 1n
  return { from: plain(from), to: plain(to) }
}

const plain = (v: bigint): number | bigint =>
  v >= BigInt(Number.MIN_SAFE_INTEGER) && v <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(v) : v

function clamp(value: number, [low, high]: readonly [bigint, bigint]): bigint {
  if (value === Number.NEGATIVE_INFINITY || value < Number(low)) return low - 1n
  if (value === Number.POSITIVE_INFINITY || value > Number(high)) return high + 1n
  return BigInt(value)
}

function round(field: NumberField, value: number): number {
  return field.type === 'float' ? Math.fround(value) : value
}

const bits = new DataView(new ArrayBuffer(8))

/** The next larger value of the field's type. */
function nextUp(field: NumberField, value: number, scale: number): number {
  if (!Number.isFinite(value)) return value === Number.NEGATIVE_INFINITY ? -Number.MAX_VALUE : value
  if (scale !== 1) return (Math.round(value * scale) + 1) / scale
  if (field.type === 'float') {
    if (value === 0) return 1.401298464324817e-45
    bits.setFloat32(0, value)
    bits.setInt32(0, bits.getInt32(0) + (value > 0 ? 1 : -1))
    return bits.getFloat32(0)
  }
  if (value === 0) return Number.MIN_VALUE
  bits.setFloat64(0, value)
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? 1n : -1n))
  return bits.getFloat64(0)
}
