import type { NumericDocValues } from '../../index/segment-reader.ts'

/** The least and the greatest value of a column, infinite where it has none. */
export interface ColumnEnds {
  readonly min: number
  readonly max: number
}

const known = new WeakMap<NumericDocValues, ColumnEnds>()

/** Worked out when first asked for, kept as long as the segment; values of deleted documents are among them. */
export function columnEnds(column: NumericDocValues, maxDoc: number): ColumnEnds {
  let ends = known.get(column)
  if (ends === undefined) {
    ends = findEnds(column, maxDoc)
    known.set(column, ends)
  }
  return ends
}

function findEnds({ values, present, offsets }: NumericDocValues, maxDoc: number): ColumnEnds {
  const takes = offsets === undefined ? present : undefined
  const length = offsets === undefined ? maxDoc : values.length
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (let i = 0; i < length; i++) {
    if (takes !== undefined && ((takes[i >>> 5] as number) & (1 << (i & 31))) === 0) continue
    const value = values[i] as number
    if (value < min) min = value
    if (value > max) max = value
  }
  return { min, max }
}
