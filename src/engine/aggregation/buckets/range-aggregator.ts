import { NO_REASON } from '../../../errors.ts'
import { compareDoubles } from '../../algorithms/double-order.ts'
import { partitionPoint } from '../../algorithms/partition-point.ts'
import { javaDouble } from '../../java/java-number-text.ts'
import { createDateFormat, DEFAULT_DATE_FORMAT } from '../../mapping/dates/create-date-format.ts'
import { hasBit } from '../../search/lucene/bit-set.ts'
import { faultInQueryPhase } from '../../search/query-phase.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { BucketResult, BucketsResult } from '../aggregation-result.ts'
import type { NamedAggregator } from '../aggregator.ts'
import type { DocBatch } from '../doc-batch.ts'
import { KeyInput, type KeyLeaf, ValuesSpent } from '../values/key-input.ts'
import { NumericInput } from '../values/numeric-input.ts'
import { dateValueFormat, formatted, RAW_FORMAT, type ValueFormat } from '../values/value-format.ts'
import { NO_ROUNDING } from '../values/value-ordinals.ts'
import type { ValuesSourceConfig } from '../values/values-source.ts'
import { KeyedAggregator } from './keyed-aggregator.ts'

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

/** Keys whose ranges are worked out for a search at most, where there are aggregations inside. */
const MAX_KEYS = 4_096

interface Range {
  readonly key: string | undefined
  readonly from: number
  readonly to: number
}

/** Puts numbers into ranges; ranges may overlap. */
export class RangeAggregator extends KeyedAggregator {
  readonly #definition: RangeDefinition
  readonly #context: AggregationContext
  readonly #input: NumericInput
  readonly #format: ValueFormat
  /** What bounds are shown in. */
  readonly #shownFormat: ValueFormat
  /** By `from`, then `to`. */
  readonly #ranges: readonly Range[]
  readonly #froms: Float64Array
  /** The greatest `to` of each range and those before it. */
  readonly #lastEnds: Float64Array
  /** Values by ordinal, where each document has one at most. */
  protected readonly keys: KeyInput | undefined
  readonly #rangesOfKeys: RangesOfKeys | undefined
  protected readonly dense: Int32Array | undefined
  protected readonly spent: ValuesSpent

  constructor(
    definition: RangeDefinition,
    context: AggregationContext,
    children: readonly NamedAggregator[],
    isTopLevel: boolean,
  ) {
    super(children)
    this.#definition = definition
    this.#context = context
    if (context.engineVersion === 'Elasticsearch_6.8') readUnsuited(definition, context)
    this.#input = new NumericInput(context, definition.source, definition.kind, {
      hint: definition.kind === 'date_range' ? 'date' : undefined,
    })
    const isDate = definition.kind === 'date_range'
    this.#format =
      isDate && this.#input.isUnmapped
        ? dateValueFormat(
            createDateFormat(definition.source.format ?? DEFAULT_DATE_FORMAT, context.engineVersion),
            definition.source.timeZone,
          )
        : this.#input.format
    this.#shownFormat = isTopLevel && !isDate ? this.#input.formatOf(-1) : this.#format
    const read = (bound: number | string | undefined, open: number, format = this.#format): number => {
      if (bound === undefined) return open
      if (typeof bound === 'number' && !(isDate && Number.isFinite(bound))) return bound
      // A number, too, is read in the dates' format: it may count seconds, or be a year.
      const text = typeof bound === 'number' ? BigInt(Math.trunc(bound)).toString() : bound
      return format.parse(text, false, context.now)
    }
    if (isDate) {
      for (const format of this.#input.dateFormats(definition.source, context.engineVersion))
        for (const { from, to } of definition.ranges) [from, to].map((bound) => read(bound, 0, format))
    }
    this.#ranges = definition.ranges
      .map(({ key, from, to }) => ({ key, from: read(from, -Infinity), to: read(to, Infinity) }))
      .sort((a, b) => compareDoubles(a.from, b.from) || compareDoubles(a.to, b.to))
    let last = Number.NEGATIVE_INFINITY
    this.#froms = Float64Array.from(this.#ranges, ({ from }) => from)
    this.#lastEnds = Float64Array.from(this.#ranges, ({ to }) => {
      last = Math.max(last, to)
      return last
    })
    this.spent = new ValuesSpent(this.#input.sources, NO_ROUNDING)
    const keys = KeyInput.open(context, this.#input.sources, NO_ROUNDING)
    // A document counts once in a range, however many values it has there.
    const isDense = isTopLevel && children.length === 0
    if (keys?.isSingle !== true || (!isDense && keys.keys.length > MAX_KEYS)) return
    this.keys = keys
    if (isDense) this.dense = new Int32Array(this.keys.keys.length)
    else this.#rangesOfKeys = rangesOfKeys(this.keys.keys, this.#ranges)
  }

  protected override openValues(segment: SegmentScope): void {
    this.#input.openSegment(segment)
  }

  /** Ranges are looked up by ordinal: documents have one value each. */
  protected override collectKeys(
    { docs, buckets, scores, count, bucketCount }: DocBatch,
    { column, map, missing }: KeyLeaf,
  ): void {
    const size = this.#ranges.length
    const { starts, ranges } = this.#rangesOfKeys as RangesOfKeys
    const out = this.begin()
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      let ordinal = missing
      if (column !== undefined && (column.present === undefined || hasBit(column.present, doc))) {
        const own = column.values[doc] as number
        ordinal = map === undefined ? own : (map[own] as number)
      }
      if (ordinal < 0) continue
      const to = starts[ordinal + 1] as number
      for (let at = starts[ordinal] as number; at < to; at++)
        out.push(
          doc,
          (buckets[i] as number) * size + (ranges[at] as number),
          scores === undefined ? 0 : (scores[i] as number),
        )
    }
    this.flush(bucketCount * size)
  }

  protected override docCount(bucket: number): number {
    const counts = this.dense
    if (counts === undefined || bucket < 0) return super.docCount(bucket)
    const { from, to } = this.#ranges[bucket] as Range
    const keys = (this.keys as KeyInput).keys
    let documents = 0
    const first = partitionPoint(keys.length, (i) => (keys[i] as number) < from)
    for (let ordinal = first; ordinal < keys.length && (keys[ordinal] as number) < to; ordinal++)
      documents += counts[ordinal] as number
    return documents
  }

  protected override collectValues(batch: DocBatch): void {
    this.spent.add(batch.count)
    const { docs, buckets, scores, values, count } = this.#input.values(batch)
    const size = this.#ranges.length
    const out = this.begin()
    for (let from = 0; from < count; ) {
      // Values of one document and bucket: a range counts the document once.
      let to = from + 1
      while (to < count && docs[to] === docs[from] && buckets[to] === buckets[from]) to++
      const parent = (buckets[from] as number) * size
      const score = scores === undefined ? 0 : (scores[from] as number)
      sortUnordered(values, from, to)
      let next = 0
      for (let i = from; i < to; i++) {
        const value = values[i] as number
        const end = firstAbove(this.#froms, value, next, size)
        for (let r = firstAbove(this.#lastEnds, value, next, end); r < end; r++)
          if (value < (this.#ranges[r] as Range).to) out.push(docs[from] as number, parent + r, score)
        // What has begun by now has counted the document, or ended before.
        next = end
      }
      from = to
    }
    this.flush(batch.bucketCount * size)
  }

  build(parent: number): BucketsResult {
    const { kind, keyed } = this.#definition
    this.#context.budget.take(this.#ranges.length)
    const buckets = this.#ranges.map((range, r): BucketResult => {
      const bucket = parent < 0 ? parent : parent * this.#ranges.length + r
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

  #text(value: number): string | boolean | number | undefined {
    return this.#shownFormat.isRaw ? undefined : formatted(this.#shownFormat, value)
  }

  #rangeKey({ from, to }: Range): string {
    const format = this.#shownFormat
    const show = (value: number): string =>
      Number.isFinite(value) ? (format.isRaw ? javaDouble(value) : format.format(value)) : '*'
    return `${show(from)}-${show(to)}`
  }
}

/** The first place from `from` on whose number is above a value; `to`: none. @param numbers  ascending */
function firstAbove(numbers: Float64Array, value: number, from: number, to: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] as number) > value) high = middle
    else low = middle + 1
  }
  return low
}

/** Brings values of a document into their order, in which they come but from scripts. */
function sortUnordered(values: Float64Array, from: number, to: number): void {
  let i = from + 1
  while (i < to && (values[i] as number) >= (values[i - 1] as number)) i++
  if (i < to) values.subarray(from, to).sort()
}

/** Ranges by ordinal of a key: those of `o` stand at starts[o]…starts[o + 1]-1. */
interface RangesOfKeys {
  readonly starts: Int32Array
  readonly ranges: Int32Array
}

function rangesOfKeys(keys: Float64Array, ranges: readonly Range[]): RangesOfKeys {
  const starts = new Int32Array(keys.length + 1)
  const found: number[] = []
  for (let ordinal = 0; ordinal < keys.length; ordinal++) {
    const key = keys[ordinal] as number
    for (const [r, { from, to }] of ranges.entries()) if (key >= from && key < to) found.push(r)
    starts[ordinal + 1] = found.length
  }
  return { starts, ranges: Int32Array.from(found) }
}

/**
 * Reads bounds that stand as text, as 6.x does before it looks whether a field is one of numbers.
 *
 * @throws {ServiceError} number_format_exception, unsupported_operation_exception
 */
function readUnsuited({ source, ranges }: RangeDefinition, { searchers, now }: AggregationContext): void {
  for (const { mapping } of searchers) {
    const kind = mapping.field(source.field ?? '')?.kind
    if (kind === undefined || ['number', 'date', 'boolean'].includes(kind)) continue
    for (const bound of ranges.flatMap(({ from, to }) => [from, to])) {
      if (typeof bound !== 'string') continue
      if (kind === 'ip') throw faultInQueryPhase('unsupported_operation_exception', NO_REASON)
      RAW_FORMAT.parse(bound, false, now)
    }
  }
}
