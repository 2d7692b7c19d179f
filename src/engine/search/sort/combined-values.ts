import type { FieldMapping } from '../../mapping/field-mapping.ts'

/** How several values become the one a document is sorted by. */
export type CombiningMode = 'sum' | 'avg' | 'median'

/** What a combined value of a field's type is rounded to: whole numbers half up, floats to 32 bits. */
export function roundingOf(field: FieldMapping): (value: number) => number {
  if (field.kind !== 'number') return (value) => Math.floor(value + 0.5)
  switch (field.type) {
    case 'double':
    case 'scaled_float':
      return (value) => value
    case 'float':
    case 'half_float':
      return Math.fround
    default:
      return (value) => Math.floor(value + 0.5)
  }
}

/** Sum, average or median of ascending numbers; undefined when there are none. */
export function combineNumbers(
  values: readonly number[],
  mode: CombiningMode,
  round: (value: number) => number = (value) => value,
): number | undefined {
  if (values.length === 0) return undefined
  if (mode === 'median') {
    const middle = values.length >>> 1
    const high = values[middle] as number
    return values.length % 2 === 1 ? high : round(((values[middle - 1] as number) + high) / 2)
  }
  let sum = 0
  for (const value of values) sum += value
  return round(mode === 'sum' ? sum : sum / values.length)
}

/** The same of longs, whose sum wraps around as Java's does. */
export function combineWhole(values: readonly bigint[], mode: CombiningMode): bigint | undefined {
  if (values.length === 0) return undefined
  const rounded = (value: number): bigint => clamped(BigInt(Math.floor(value + 0.5)))
  if (mode === 'median') {
    const middle = values.length >>> 1
    const high = values[middle] as bigint
    return values.length % 2 === 1 ? high : rounded(Number((values[middle - 1] as bigint) + high) / 2)
  }
  const sum = BigInt.asIntN(64, sumOf(values))
  return mode === 'sum' ? sum : rounded(Number(sum) / values.length)
}

const LARGEST = 2n ** 63n - 1n

/** A double's whole number as Java makes a long of it: the nearest there is. */
function clamped(value: bigint): bigint {
  return value > LARGEST ? LARGEST : value < -LARGEST ? -LARGEST - 1n : value
}

/** The same of unsigned longs in any order: whole numbers all the way, whose sums wrap around, halves rounded up. */
export function combineUnsigned(values: readonly bigint[], mode: CombiningMode): bigint | undefined {
  if (values.length === 0) return undefined
  const divided = (sum: bigint, by: bigint): bigint => (2n * sum + by) / (2n * by)
  if (mode === 'median') {
    const sorted = BigUint64Array.from(values).sort()
    const middle = sorted.length >>> 1
    const high = sorted[middle] as bigint
    return sorted.length % 2 === 1 ? high : divided(BigInt.asUintN(64, (sorted[middle - 1] as bigint) + high), 2n)
  }
  const sum = BigInt.asUintN(64, sumOf(values))
  return mode === 'sum' ? sum : divided(sum, BigInt(values.length))
}

const sumOf = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)
