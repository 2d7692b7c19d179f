import { partitionPoint } from '../../algorithms/partition-point.ts'
import type { DocValues, PointIndex } from '../../index/segment-reader.ts'
import { emptyBits, hasBit, setBit } from './bit-set.ts'
import { bitsDocSet, type DocSet, listDocSet } from './doc-set.ts'
import type { Leaf } from './leaf.ts'
import { SetQuery } from './set-query.ts'

/** Documents with a number in a closed range; all score alike. */
export class PointRangeQuery extends SetQuery {
  readonly field: string
  readonly from: number | bigint
  readonly to: number | bigint

  constructor(field: string, from: number | bigint, to: number | bigint) {
    super()
    this.field = field
    this.from = from
    this.to = to
  }

  toString(): string {
    const text = (end: number | bigint): string => (Object.is(end, -0) ? '-0.0' : String(end))
    return `${this.field}:[${text(this.from)} TO ${text(this.to)}]`
  }

  docSet({ segment }: Leaf): DocSet | undefined {
    const field = segment.field(this.field)
    if (field === undefined || this.from > this.to) return undefined
    const { points } = field
    if (points === undefined) return docsOfColumn(field.docValues, this.from, this.to, segment.maxDoc)
    const values: Values = points.values
    const from = partitionPoint(values.length, (i) => isBelow(values[i] as number | bigint, this.from))
    const to = partitionPoint(values.length, (i) => !isBelow(this.to, values[i] as number | bigint))
    return from < to ? docsOfPoints(points, from, to, segment.maxDoc) : undefined
  }
}

/** The same of a field that has no points but doc values: each document's values are looked at. */
function docsOfColumn(
  column: DocValues | undefined,
  low: number | bigint,
  high: number | bigint,
  maxDoc: number,
): DocSet | undefined {
  if (column?.kind !== 'numeric' && column?.kind !== 'bigint') return undefined
  const { values, offsets, present } = column
  // Between these ends and the other zero `<` sees no difference.
  const hasNoMinusZero = Object.is(low, 0)
  const hasNoZero = Object.is(high, -0)
  const bits = emptyBits(maxDoc)
  for (let doc = 0; doc < maxDoc; doc++) {
    if (present !== undefined && !hasBit(present, doc)) continue
    const from = offsets === undefined ? doc : (offsets[doc] as number)
    const to = offsets === undefined ? doc + 1 : (offsets[doc + 1] as number)
    for (let at = from; at < to; at++) {
      const value = values[at] as number | bigint
      if (value < low || value > high) continue
      if (value === 0 && (Object.is(value, 0) ? hasNoZero : hasNoMinusZero)) continue
      setBit(bits, doc)
      break
    }
  }
  return bitsDocSet(bits)
}

function docsOfPoints({ docs }: PointIndex, from: number, to: number, maxDoc: number): DocSet {
  if ((to - from) * 32 <= maxDoc) {
    const list = Int32Array.from(docs.subarray(from, to)).sort()
    let n = 0
    for (let i = 0; i < list.length; i++) if (i === 0 || list[i] !== list[i - 1]) list[n++] = list[i] as number
    return listDocSet(list.subarray(0, n))
  }
  const bits = emptyBits(maxDoc)
  for (let i = from; i < to; i++) setBit(bits, docs[i] as number)
  return bitsDocSet(bits)
}

type Values = { readonly length: number; readonly [i: number]: number | bigint }

/** Order of points: that of numbers, -0.0 before 0.0. */
function isBelow(a: number | bigint, b: number | bigint): boolean {
  return a < b || (a === 0 && b === 0 && Object.is(a, -0) && Object.is(b, 0))
}
