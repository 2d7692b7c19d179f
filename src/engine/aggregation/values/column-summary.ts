import type { NumericDocValues } from '../../index/segment-reader.ts'

/** What all values of a column amount to: of whole numbers whose sums are exact in a double whatever the order. */
export interface ColumnSummary {
  readonly count: number
  readonly min: number
  readonly max: number
  readonly sum: number
  /** Sum of absolute values. */
  readonly size: number
  /** Sum of squares; Infinity where that is not exact. */
  readonly squares: number
}

const summaries = new WeakMap<NumericDocValues, ColumnSummary | undefined>()

/** Worked out when first asked for, kept as long as the segment; undefined: values are not whole, or too large. */
export function columnSummary(column: NumericDocValues, maxDoc: number): ColumnSummary | undefined {
  if (summaries.has(column)) return summaries.get(column)
  const summary = summarize(column, maxDoc)
  summaries.set(column, summary)
  return summary
}

function summarize({ values, present, offsets }: NumericDocValues, maxDoc: number): ColumnSummary | undefined {
  if (values instanceof Float64Array || values instanceof Float32Array) return undefined
  const takes = offsets === undefined ? present : undefined
  const length = offsets === undefined ? maxDoc : values.length
  let count = 0
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  let sum = 0
  let size = 0
  let squares = 0
  for (let i = 0; i < length; i++) {
    if (takes !== undefined && ((takes[i >>> 5] as number) & (1 << (i & 31))) === 0) continue
    const value = values[i] as number
    count++
    if (value < min) min = value
    if (value > max) max = value
    sum += value
    size += Math.abs(value)
    squares += value * value
  }
  if (size > 2 ** 53) return undefined
  return { count, min, max, sum, size, squares: squares <= 2 ** 53 ? squares : Number.POSITIVE_INFINITY }
}
