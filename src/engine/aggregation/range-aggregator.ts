import { ServiceError } from '../../errors.ts'
import { createDateFormat, DEFAULT_DATE_FORMAT } from '../mapping/create-date-format.ts'
import { javaDouble } from '../search/lucene/java-float.ts'
import type { AggregationContext, SegmentScope } from './aggregation-context.ts'
import type { BucketResult, BucketsResult } from './aggregation-result.ts'
import { BucketAggregator, type NamedAggregator } from './aggregator.ts'
import type { DocBatch } from './doc-batch.ts'
import { NumericInput } from './numeric-input.ts'
import { followSortPath } from './sort-path.ts'
import { dateValueFormat, type ValueFormat } from './value-format.ts'
import type { ValuesSourceConfig } from './values-source.ts'

/** A range as requested: `from` belongs to it, `to` does not. */
export interface RequestedRange {
  readonly key: string | undefined
  /** A number, or a text in the field's format. */
  readonly from: number | string | undefined
  readonly to: number | string | undefined
}

/** `range` and `date_range`. */
export interface RangeDefinition {
  readonly kind: 'range' | 'date_range'
  readonly source: ValuesSourceConfig
  readonly ranges: readonly RequestedRange[]
  readonly keyed: boolean
}

interface Range {
  readonly key: string | undefined
  readonly from: number
  readonly to: number
}

/** Puts numbers into ranges; ranges may overlap. */
export class RangeAggregator extends BucketAggregator {
  readonly #definition: RangeDefinition
  readonly #context: AggregationContext
  readonly #input: NumericInput
  readonly #format: ValueFormat
  /** By `from`, then `to`. */
  readonly #ranges: readonly Range[]

  constructor(definition: RangeDefinition, context: AggregationContext, children: readonly NamedAggregator[]) {
    super(children)
    this.#definition = definition
    this.#context = context
    this.#input = new NumericInput(context, definition.source, definition.kind === 'date_range' ? 'date' : undefined)
    const isDate = definition.kind === 'date_range'
    this.#format =
      isDate && !this.#input.isDate
        ? dateValueFormat(
            createDateFormat(definition.source.format ?? DEFAULT_DATE_FORMAT, context.engineVersion),
            definition.source.timeZone,
          )
        : this.#input.format
    const read = (bound: number | string | undefined, open: number): number => {
      if (bound === undefined) return open
      if (typeof bound === 'number' && !isDate) return bound
      // A number, too, is read in the dates' format: it may count seconds, or be a year.
      const text = typeof bound === 'number' ? BigInt(Math.trunc(bound)).toString() : bound
      return this.#format.parse(text, false, context.now)
    }
    this.#ranges = definition.ranges
      .map(({ key, from, to }) => ({ key, from: read(from, -Infinity), to: read(to, Infinity) }))
      .sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : a.to < b.to ? -1 : a.to > b.to ? 1 : 0))
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    this.#input.openSegment(segment)
  }

  collect(batch: DocBatch): void {
    const { docs, buckets, scores, values, count } = this.#input.values(batch)
    const ranges = this.#ranges
    const size = ranges.length
    const out = this.begin()
    for (let from = 0; from < count; ) {
      // Values of one document and bucket: a range counts the document once.
      let to = from + 1
      while (to < count && docs[to] === docs[from] && buckets[to] === buckets[from]) to++
      const parent = buckets[from] as number
      for (let r = 0; r < size; r++) {
        const range = ranges[r] as Range
        for (let i = from; i < to; i++) {
          const value = values[i] as number
          if (value < range.from || value >= range.to) continue
          out.push(docs[from] as number, parent * size + r, scores === undefined ? 0 : (scores[from] as number))
          break
        }
      }
      from = to
    }
    this.flush(batch.bucketCount * size)
  }

  build(parent: number): BucketsResult {
    const { kind, keyed } = this.#definition
    this.#context.budget.take(this.#ranges.length)
    const buckets = this.#ranges.map((range, r): BucketResult => {
      const bucket = parent < 0 ? -1 : parent * this.#ranges.length + r
      const name = range.key ?? this.#rangeKey(range)
      return {
        key: name,
        name,
        ...(Number.isFinite(range.from) ? { from: { value: range.from, text: this.#text(range.from) } } : {}),
        ...(Number.isFinite(range.to) ? { to: { value: range.to, text: this.#text(range.to) } } : {}),
        docCount: this.docCount(bucket),
        aggregations: this.buildChildren(bucket),
      }
    })
    return { kind: 'buckets', type: kind, keyed, buckets }
  }

  override sortValue(bucket: number, path: readonly string[]): number {
    return sortInRange(this.children, bucket, path)
  }

  #text(value: number): string | undefined {
    return this.#format.isRaw ? undefined : this.#format.format(value)
  }

  #rangeKey({ from, to }: Range): string {
    const format = this.#format
    const show = (value: number): string =>
      Number.isFinite(value) ? (format.isRaw ? javaDouble(value) : format.format(value)) : '*'
    return `${show(from)}-${show(to)}`
  }
}

function sortInRange(children: readonly NamedAggregator[], bucket: number, path: readonly string[]): number {
  if (path.length === 0) throw new ServiceError('aggregation_execution_exception', 'Invalid aggregation order path')
  return followSortPath(children, bucket, path)
}
