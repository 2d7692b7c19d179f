import { javaDouble, javaFloat } from '../../java/java-number-text.ts'
import type { NumberField } from '../../mapping/field-mapping.ts'
import { halfFloat } from '../../mapping/types/number-value.ts'
import type { TwoWays } from './two-ways.ts'

const MIN_LONG = -(2n ** 63n)
const MAX_LONG = 2n ** 63n - 1n

/** A range of a field's numbers, both ends included. */
interface Ends {
  readonly from: number | bigint
  readonly to: number | bigint
}

/** What a range of numbers is called: as Lucene's points have them, and as its columns do, where all are whole numbers. */
export function numberRangeText(field: NumberField, { from, to }: Ends): TwoWays {
  // Half floats have fewer values than the floats that a query is read as.
  const [first, last] = field.type === 'half_float' ? [halfUp(Number(from)), -halfUp(-Number(to))] : [from, to]
  return {
    byIndex: `${field.path}:[${pointText(field, first)} TO ${pointText(field, last)}]`,
    byColumn: `${field.path}:[${columnText(field, first)} TO ${columnText(field, last)}]`,
  }
}

/** The same of some numbers. */
export function numbersText(field: NumberField, numbers: readonly (number | bigint)[]): TwoWays {
  const sorted = [...numbers].sort((a, b) => (a < b || (a === b && Object.is(a, -0)) ? -1 : 1))
  const different = sorted.filter((number, i) => i === 0 || !Object.is(number, sorted[i - 1]))
  // Its own query for unsigned numbers names the field that it is not asked about: none.
  const name = field.type === 'unsigned_long' ? '' : field.path
  return {
    byIndex: `${field.path}:{${different.map((number) => pointText(field, number)).join(' ')}}`,
    byColumn: `${name}: [${different.map((number) => columnText(field, number)).join(', ')}]`,
  }
}

/** What a range of instants is called, open ends being the first and the last of all. */
export function instantRangeText(path: string, { from, to }: Ends): TwoWays {
  const text = `${path}:[${longText(from)} TO ${longText(to)}]`
  return { byIndex: text, byColumn: text }
}

/** A whole number, where what is beyond all others is the last one. */
export function longText(value: number | bigint): string {
  if (typeof value === 'bigint') return String(value)
  if (value >= 2 ** 63) return String(MAX_LONG)
  return value <= -(2 ** 63) ? String(MIN_LONG) : String(BigInt(value))
}

function pointText({ type, scalingFactor }: NumberField, value: number | bigint): string {
  switch (type) {
    case 'float':
    case 'half_float':
      return javaFloat(Number(value))
    case 'double':
      return javaDouble(Number(value))
    case 'scaled_float':
      return stepsText(Number(value), scalingFactor)
    default:
      return String(value)
  }
}

function columnText({ type, scalingFactor }: NumberField, value: number | bigint): string {
  switch (type) {
    case 'float':
      return String(sortableFloat(Number(value)))
    case 'half_float':
      return String(sortableHalf(Number(value)))
    case 'double':
      return String(sortableDouble(Number(value)))
    case 'scaled_float':
      return stepsText(Number(value), scalingFactor)
    default:
      return String(value)
  }
}

const stepsText = (value: number, factor = 1): string =>
  longText(Number.isFinite(value) ? Math.round(value * factor) : value)

const bits = new DataView(new ArrayBuffer(8))

/** A double's bits in the order of its values (NumericUtils.doubleToSortableLong). */
function sortableDouble(value: number): bigint {
  bits.setFloat64(0, value)
  const raw = bits.getBigInt64(0)
  return raw ^ ((raw >> 63n) & MAX_LONG)
}

function sortableFloat(value: number): number {
  bits.setFloat32(0, value)
  const raw = bits.getInt32(0)
  return raw ^ ((raw >> 31) & 0x7fffffff)
}

/** The same of a half float, whose value it is already. */
function sortableHalf(value: number): number {
  const size = Math.abs(value)
  const exponent = Math.max(-14, Math.floor(Math.log2(size)))
  const isSmall = size < 2 ** -14
  const raw =
    size === 0
      ? 0
      : size === Number.POSITIVE_INFINITY
        ? 0x7c00
        : isSmall
          ? size / 2 ** -24
          : ((exponent + 15) << 10) + (size / 2 ** exponent - 1) * 1024
  const isNegative = value < 0 || Object.is(value, -0)
  return isNegative ? ~raw : raw
}

/** The first half float that is no less. */
function halfUp(value: number): number {
  const near = halfFloat(value)
  if (near >= value || !Number.isFinite(value)) return near
  if (near === Number.NEGATIVE_INFINITY) return -65_504
  const step = 2 ** (Math.max(-14, Math.floor(Math.log2(Math.abs(value)))) - 10)
  return halfFloat(near + step)
}
