import type { SegmentReader } from '../../index/segment-reader.ts'
import { hasBit } from '../../search/lucene/bit-set.ts'
import { pairColumn } from '../../search/queries/pair-column.ts'
import { illegalInQueryPhase } from '../../search/query-phase.ts'
import type { BucketBudget } from '../aggregation-context.ts'
import type { RangeLeaf } from './numeric-input.ts'
import type { NumericLeaf } from './value-batch.ts'
import type { Rounding } from './value-ordinals.ts'

interface Bounds {
  readonly min?: number | undefined
  readonly max?: number | undefined
}

/**
 * Reads ranges as the keys of the buckets they reach into, each key once a document.
 *
 * @param rounding    to the buckets' keys, and from one to the next
 * @param hardBounds  ranges are cut off there; asked when a segment is read
 * @param budget      told of keys on the way: one range may reach into any number of buckets
 * @throws {ServiceError} illegal_argument_exception for ranges of another kind
 * @source RangeHistogramAggregator, DateRangeHistogramAggregator
 */
export function rangeKeys(
  kind: 'histogram' | 'date_histogram',
  rounding: Rounding & { next(key: number): number },
  hardBounds: () => Bounds,
  budget: BucketBudget,
): RangeLeaf {
  return (reader, { path, type }) => {
    if (kind === 'date_histogram' && type !== 'date_range')
      throw illegalInQueryPhase(`Expected date range type but found range type [${type}]`)
    if (!type.endsWith('_range') || type === 'ip_range')
      throw illegalInQueryPhase(`Expected numeric range type but found non-numeric range [${type}]`)
    const rangesOf = rangeReader(reader, path)
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = hardBounds()
    const leaf: NumericLeaf = {
      limit: Number.POSITIVE_INFINITY,
      gather: (batch, out) => {
        out.reset(batch)
        for (let i = 0; i < batch.count; i++) {
          let last = Number.NEGATIVE_INFINITY
          for (const { from, to } of rangesOf(batch.docs[i] as number)) {
            const end = rounding.round(Math.min(to, max))
            for (let key = Math.max(rounding.round(Math.max(from, min)), last); key <= end; key = rounding.next(key)) {
              if (key === last) continue
              out.push(batch.docs[i] as number, batch.buckets[i] as number, batch.scores?.[i] ?? 0, key)
              if ((out.count & 0xffff) === 0) budget.check(out.count)
            }
            last = Math.max(last, end)
          }
        }
      },
    }
    return leaf
  }
}

/** The ranges of a document, by where they begin. */
function rangeReader(
  reader: SegmentReader,
  path: string,
): (doc: number) => readonly { readonly from: number; readonly to: number }[] {
  const column = reader.field(path)?.docValues
  if (column?.kind !== 'binary') return () => []
  const { present, offsets, doubles } = pairColumn(column, reader.maxDoc)
  return (doc) => {
    if (present !== undefined && !hasBit(present, doc)) return []
    const first = offsets === undefined ? doc : (offsets[doc] as number)
    const end = offsets === undefined ? doc + 1 : (offsets[doc + 1] as number)
    const ranges = Array.from({ length: end - first }, (_, i) => {
      const at = 2 * (first + i)
      return { from: doubles[at] as number, to: doubles[at + 1] as number }
    })
    return ranges.sort((a, b) => a.from - b.from || a.to - b.to)
  }
}
