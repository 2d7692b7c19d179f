import { ServiceError } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'
import { createDateFormat, DEFAULT_DATE_FORMAT } from '../mapping/create-date-format.ts'
import { timeZone, UTC } from '../mapping/time-zone.ts'
import type { AggregationContext, BucketBudget, SegmentScope } from './aggregation-context.ts'
import type { BucketResult, BucketsResult } from './aggregation-result.ts'
import { BucketAggregator, type NamedAggregator } from './aggregator.ts'
import { BucketHash } from './bucket-hash.ts'
import { type BucketOrder, bucketComparator } from './bucket-order.ts'
import { type DateInterval, type DateRounding, dateRounding } from './date-rounding.ts'
import type { DocBatch } from './doc-batch.ts'
import { NumericInput } from './numeric-input.ts'
import { followSortPath } from './sort-path.ts'
import { dateValueFormat, type ValueFormat } from './value-format.ts'
import type { ValuesSourceConfig } from './values-source.ts'

interface HistogramBase {
  readonly source: ValuesSourceConfig
  readonly offset: number
  readonly keyed: boolean
  readonly minDocCount: number
  readonly order: readonly BucketOrder[]
}

/** `histogram`: numbers in buckets of equal width. */
export interface HistogramDefinition extends HistogramBase {
  readonly kind: 'histogram'
  readonly interval: number
  readonly extendedBounds: { readonly min: number | undefined; readonly max: number | undefined } | undefined
  readonly hardBounds?: { readonly min: number | undefined; readonly max: number | undefined } | undefined
}

/** `date_histogram`: times in buckets of the calendar or of equal length. */
export interface DateHistogramDefinition extends HistogramBase {
  readonly kind: 'date_histogram'
  readonly interval: DateInterval
  /** As given: a number of ms or a date (math) in the field's format. */
  readonly extendedBounds:
    | { readonly min: number | string | undefined; readonly max: number | string | undefined }
    | undefined
  readonly hardBounds?:
    | { readonly min: number | string | undefined; readonly max: number | string | undefined }
    | undefined
}

/** Rounds values to buckets and fills the gaps between them. */
export class HistogramAggregator extends BucketAggregator {
  readonly #definition: HistogramDefinition | DateHistogramDefinition
  readonly #budget: BucketBudget
  readonly #input: NumericInput
  readonly #format: ValueFormat
  readonly #rounding: DateRounding
  readonly #hash = new BucketHash()
  readonly #bounds: { readonly min: number | undefined; readonly max: number | undefined } | undefined
  readonly #hardBounds: { readonly min: number | undefined; readonly max: number | undefined } | undefined

  constructor(
    definition: HistogramDefinition | DateHistogramDefinition,
    context: AggregationContext,
    children: readonly NamedAggregator[],
  ) {
    super(children)
    this.#definition = definition
    this.#budget = context.budget
    const isDate = definition.kind === 'date_histogram'
    this.#input = new NumericInput(context, definition.source, isDate ? 'date' : undefined)
    this.#format = isDate ? dateFormatOf(this.#input, definition.source, context.engineVersion) : this.#input.format
    this.#rounding = roundingOf(definition)
    this.#bounds = resolveBounds(definition.extendedBounds, this.#format, context.now)
    this.#hardBounds = resolveBounds(definition.hardBounds, this.#format, context.now)
    const { min, max } = this.#bounds ?? {}
    if (min !== undefined && max !== undefined && min > max) {
      const show = (value: number): string => (isDate ? this.#format.format(value) : String(value))
      throw new ServiceError(
        'parsing_exception',
        `[extended_bounds.min][${show(min)}] cannot be greater than [extended_bounds.max][${show(max)}] for histogram aggregation`,
        { inQueryPhase: true },
      )
    }
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    this.#input.openSegment(segment)
  }

  collect(batch: DocBatch): void {
    const { docs, buckets, scores, values, count } = this.#input.values(batch)
    const hash = this.#hash
    const rounding = this.#rounding
    const hard = this.#hardBounds
    const out = this.begin()
    let lastKey = Number.NaN
    let lastParent = -1
    let bucket = -1
    for (let i = 0; i < count; i++) {
      const key = rounding.round(values[i] as number)
      const parent = buckets[i] as number
      const isSame = key === lastKey && parent === lastParent
      // Values of one document that share a bucket count once.
      if (isSame && docs[i] === docs[i - 1]) continue
      if (
        hard !== undefined &&
        ((hard.min !== undefined && key < hard.min) || (hard.max !== undefined && key > hard.max))
      )
        continue
      if (!isSame) {
        bucket = hash.add(parent, key)
        lastKey = key
        lastParent = parent
      }
      out.push(docs[i] as number, bucket, scores === undefined ? 0 : (scores[i] as number))
    }
    this.flush(hash.size)
  }

  build(parent: number): BucketsResult {
    const { kind, minDocCount, order, keyed } = this.#definition
    const hash = this.#hash
    const ordinals = [...hash.ofParent(parent)].sort((a, b) => (hash.keys[a] as number) - (hash.keys[b] as number))
    // Pairs of key and bucket ordinal; -1: an empty bucket.
    let entries = ordinals.map((ordinal) => ({ key: hash.keys[ordinal] as number, ordinal }))
    if (minDocCount === 0) entries = this.#fillGaps(entries)
    else entries = entries.filter(({ ordinal }) => this.docCount(ordinal) >= minDocCount)
    this.#budget.take(entries.length)
    const indices = entries.map((_, index) => index)
    const isKeyAscending = order.length === 1 && order[0]?.by === 'key' && order[0].ascending
    if (!isKeyAscending) {
      const ordinalOf = (index: number): number => (entries[index] as { ordinal: number }).ordinal
      indices.sort(
        bucketComparator(order, {
          count: (index) => this.docCount(ordinalOf(index)),
          compareKeys: (a, b) => a - b,
          value: (index, path) => followSortPath(this.children, ordinalOf(index), path),
        }),
      )
    }
    const isRaw = this.#format.isRaw
    const buckets = indices.map((index): BucketResult => {
      const { key, ordinal } = entries[index] as { key: number; ordinal: number }
      const text = this.#format.format(key)
      return {
        key,
        isFloatingKey: kind === 'histogram',
        ...(isRaw ? {} : { keyAsString: text }),
        name: text,
        docCount: this.docCount(ordinal),
        aggregations: this.buildChildren(ordinal),
      }
    })
    return { kind: 'buckets', type: kind, keyed, buckets, keyFormat: this.#format }
  }

  /** Empty buckets from the least bound to the data, between data, and on to the greatest bound. */
  #fillGaps(entries: readonly { key: number; ordinal: number }[]): { key: number; ordinal: number }[] {
    const rounding = this.#rounding
    const { min, max } = this.#bounds ?? {}
    const least = min === undefined ? undefined : rounding.round(min)
    const greatest = max === undefined ? undefined : rounding.round(max)
    const filled: { key: number; ordinal: number }[] = []
    const add = (key: number, ordinal: number): void => {
      filled.push({ key, ordinal })
      // Checked on the way: there may be more buckets than memory.
      if ((filled.length & 0xffff) === 0) this.#budget.check(filled.length)
    }
    const [first] = entries
    if (first === undefined) {
      if (least === undefined || greatest === undefined) return filled
      for (let key = least; key <= greatest; key = rounding.next(key)) add(key, -1)
      return filled
    }
    if (least !== undefined) for (let key = least; key < first.key; key = rounding.next(key)) add(key, -1)
    let next = first.key
    for (const entry of entries) {
      for (; next < entry.key; next = rounding.next(next)) add(next, -1)
      add(entry.key, entry.ordinal)
      next = rounding.next(entry.key)
    }
    if (greatest !== undefined) for (; next <= greatest; next = rounding.next(next)) add(next, -1)
    return filled
  }
}

/** A format for instants, whatever the field is. */
function dateFormatOf(input: NumericInput, source: ValuesSourceConfig, engineVersion: EngineVersion): ValueFormat {
  if (input.isDate) return input.format
  if (source.format === undefined && !input.isUnmapped) return input.format
  return dateValueFormat(createDateFormat(source.format ?? DEFAULT_DATE_FORMAT, engineVersion), source.timeZone)
}

function roundingOf(definition: HistogramDefinition | DateHistogramDefinition): DateRounding {
  const { offset } = definition
  if (definition.kind === 'histogram') {
    const { interval } = definition
    return {
      round: (value) => Math.floor((value - offset) / interval) * interval + offset,
      next: (start) => Math.floor((start + interval + interval / 2 - offset) / interval) * interval + offset,
    }
  }
  const { timeZone: zoneId } = definition.source
  const rounding = dateRounding(definition.interval, zoneId === undefined ? UTC : timeZone(zoneId))
  if (offset === 0) return rounding
  return {
    round: (value) => rounding.round(value - offset) + offset,
    next: (start) => rounding.next(start - offset) + offset,
  }
}

function resolveBounds(
  bounds: { readonly min: number | string | undefined; readonly max: number | string | undefined } | undefined,
  format: ValueFormat,
  now: number,
): { readonly min: number | undefined; readonly max: number | undefined } | undefined {
  if (bounds === undefined) return undefined
  const read = (bound: number | string | undefined): number | undefined =>
    typeof bound === 'string' ? format.parse(bound, false, now) : bound
  return { min: read(bounds.min), max: read(bounds.max) }
}
