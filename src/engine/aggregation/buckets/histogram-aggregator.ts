import type { EngineVersion } from '../../engine-version.ts'
import { createDateFormat, DEFAULT_DATE_FORMAT } from '../../mapping/dates/create-date-format.ts'
import { timeZone, UTC } from '../../mapping/dates/time-zone.ts'
import { faultInQueryPhase, illegalInQueryPhase } from '../../search/query-phase.ts'
import type { AggregationContext, BucketBudget, SegmentScope } from '../aggregation-context.ts'
import type { BucketResult, BucketsResult } from '../aggregation-result.ts'
import { GAP, type NamedAggregator } from '../aggregator.ts'
import { BucketFormats } from '../bucket-formats.ts'
import { BucketHash } from '../bucket-hash.ts'
import { type BucketOrder, bucketComparator } from '../bucket-order.ts'
import type { DocBatch } from '../doc-batch.ts'
import { checkSortPaths, followSortPath } from '../sort-path.ts'
import { KeyInput, type KeyLeaf, ValuesSpent } from '../values/key-input.ts'
import { NumericInput } from '../values/numeric-input.ts'
import { spreadOrdinals } from '../values/ordinal-leaf.ts'
import { rangeKeys } from '../values/range-keys.ts'
import { dateValueFormat, type ValueFormat } from '../values/value-format.ts'
import type { Rounding } from '../values/value-ordinals.ts'
import type { ValuesSourceConfig } from '../values/values-source.ts'
import { type DateInterval, type DateRounding, dateRounding, dateRoundingName, wholeMillis } from './date-rounding.ts'
import { KeyedAggregator } from './keyed-aggregator.ts'

interface HistogramBase {
  readonly source: ValuesSourceConfig
  readonly offset: number
  readonly keyed: boolean
  readonly minDocCount: number
  readonly order: readonly BucketOrder[]
}

interface Entry {
  readonly key: number
  readonly ordinal: number
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
  /** Whose bounds do not fit, where they do not. */
  readonly name: string
  readonly interval: DateInterval
  readonly extendedBounds: GivenBounds | undefined
  readonly hardBounds?: GivenBounds | undefined
}

/** As given: numbers of ms or dates (math) in the field's format. */
interface GivenBounds {
  readonly min: number | string | undefined
  readonly max: number | string | undefined
}

interface HistogramRounding extends DateRounding, Rounding {
  /** The bucket of an extended bound. */
  bound(value: number): number
}

/**
 * Rounds values to buckets and fills the gaps between them. Where values are already known as ordinals of their keys
 * ({@link KeyInput}), documents are counted by those; else values are rounded one by one.
 */
export class HistogramAggregator extends KeyedAggregator {
  readonly #definition: HistogramDefinition | DateHistogramDefinition
  /** See {@link BucketsResult.emptyBucket}. */
  readonly #reducesEmpty: boolean
  readonly #budget: BucketBudget
  readonly #input: NumericInput
  readonly #format: ValueFormat
  /** What keys are shown in. */
  readonly #keyFormat: ValueFormat
  /** Of buckets with documents; undefined: all are shown in {@link #keyFormat}. */
  readonly #formats: BucketFormats | undefined
  readonly #rounding: HistogramRounding
  protected readonly keys: KeyInput | undefined
  /** 1 by ordinal of keys within the hard bounds; undefined: all are. */
  readonly #accepted: Uint8Array | undefined
  protected readonly dense: Int32Array | undefined
  /** Keys are ordinals where {@link keys} is there. */
  readonly #hash: BucketHash
  protected readonly spent: ValuesSpent
  readonly #bounds: { readonly min: number | undefined; readonly max: number | undefined } | undefined
  readonly #hardBounds: { readonly min: number | undefined; readonly max: number | undefined } | undefined

  constructor(
    definition: HistogramDefinition | DateHistogramDefinition,
    context: AggregationContext,
    children: readonly NamedAggregator[],
    isTopLevel: boolean,
  ) {
    super(children)
    this.#definition = definition
    this.#reducesEmpty = definition.minDocCount === 0 && context.engineVersion === 'Elasticsearch_6.8'
    this.#budget = context.budget
    const isDate = definition.kind === 'date_histogram'
    const rounding = roundingOf(definition, context.engineVersion)
    const takesRanges = context.engineVersion !== 'Elasticsearch_6.8'
    this.#input = new NumericInput(context, definition.source, definition.kind, {
      hint: isDate ? 'date' : undefined,
      rangeLeaf: takesRanges
        ? rangeKeys(definition.kind, rounding, () => this.#hardBounds ?? {}, context.budget)
        : undefined,
    })
    this.#format = isDate ? dateFormatOf(this.#input, definition.source, context.engineVersion) : this.#input.format
    // In 6.x each bucket knows its own.
    this.#keyFormat =
      isTopLevel && !isDate && context.engineVersion !== 'Elasticsearch_6.8' ? this.#input.formatOf(-1) : this.#format
    this.#rounding =
      isDate && this.#input.isFloating
        ? { ...rounding, round: (value) => rounding.round(wholeMillis(value)) }
        : rounding
    if (isDate && definition.extendedBounds !== undefined) {
      for (const format of this.#input.dateFormats(definition.source, context.engineVersion))
        resolveBounds(definition.extendedBounds, format, context.now)
    }
    this.#bounds = resolveBounds(definition.extendedBounds, this.#format, context.now)
    const hardBounds = resolveBounds(definition.hardBounds, this.#format, context.now)
    this.#hardBounds = isDate ? roundedBounds(hardBounds, rounding, definition.offset) : hardBounds
    checkSortPaths(definition.order, children, context.engineVersion)
    const { min, max } = this.#bounds ?? {}
    if (min !== undefined && max !== undefined && min > max) {
      if (isDate && takesRanges)
        throw illegalInQueryPhase(
          `[extended_bounds.min][${min}] cannot be greater than [extended_bounds.max][${max}] for histogram aggregation [${definition.name}]`,
        )
      const show = (value: number): string => (isDate ? this.#format.format(value) : String(value))
      throw faultInQueryPhase(
        'parsing_exception',
        `[extended_bounds.min][${show(min)}] cannot be greater than [extended_bounds.max][${show(max)}] for histogram aggregation`,
      )
    }
    if (isDate) checkInside(definition, roundedBounds(this.#bounds, rounding, definition.offset), this.#hardBounds)
    this.spent = new ValuesSpent(this.#input.sources, this.#rounding)
    const keys = KeyInput.open(context, this.#input.sources, this.#rounding)
    this.keys = keys
    this.#formats = BucketFormats.open(this.#input.sources, definition.source, context.engineVersion)
    const isDense = keys !== undefined && isTopLevel && children.length === 0 && this.#formats === undefined
    this.dense = isDense ? new Int32Array(keys.keys.length) : undefined
    this.#hash = new BucketHash(isDense ? 1 : keys?.keys.length)
    this.#accepted =
      this.#hardBounds === undefined || keys === undefined
        ? undefined
        : Uint8Array.from(keys.keys, (key) => Number(this.#isAccepted(key)))
  }

  override openSegment(segment: SegmentScope): void {
    this.#formats?.openSegment(segment, this.#hash.size)
    super.openSegment(segment)
  }

  protected override openValues(segment: SegmentScope): void {
    this.#input.openSegment(segment)
  }

  protected override collectKeys(batch: DocBatch, leaf: KeyLeaf): void {
    spreadOrdinals(batch, leaf, this.#hash, this.#accepted, this.begin())
    this.flush(this.#hash.size)
  }

  #isAccepted(key: number): boolean {
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = this.#hardBounds ?? {}
    const definition = this.#definition
    // Of dates the last bucket ends where the bounds do, of numbers the offset is none of theirs.
    if (definition.kind === 'date_histogram') return key >= min && key < max
    const { interval, offset } = definition
    const start = offset === 0 ? key : Math.round((key - offset) / interval) * interval
    return start >= min && start <= max
  }

  protected override collectValues(batch: DocBatch): void {
    this.spent.add(batch.count)
    const { docs, buckets, scores, values, count } = this.#input.values(batch)
    const hash = this.#hash
    const rounding = this.#rounding
    const hasKeys = this.#input.hasRanges
    const isBounded = this.#hardBounds !== undefined && !hasKeys
    const out = this.begin()
    let lastKey = Number.NaN
    let lastParent = -1
    let lastDoc = -1
    let bucket = -1
    for (let i = 0; i < count; i++) {
      const key = hasKeys ? (values[i] as number) : rounding.round(values[i] as number)
      const parent = buckets[i] as number
      const isSame = key === lastKey && parent === lastParent
      // Values of one document that share a bucket count once.
      if (isSame && docs[i] === lastDoc) continue
      if (isBounded && !this.#isAccepted(key)) continue
      if (!isSame) {
        bucket = hash.add(parent, key)
        lastKey = key
        lastParent = parent
      }
      lastDoc = docs[i] as number
      out.push(lastDoc, bucket, scores === undefined ? 0 : (scores[i] as number))
    }
    this.flush(hash.size)
  }

  build(parent: number): BucketsResult {
    const { kind, minDocCount, order, keyed } = this.#definition
    let entries = this.#entries(parent)
    if (minDocCount === 0) {
      entries = this.#fillGaps(entries)
      // The real servers work out what an empty bucket holds whether there is one or not; scripts can fail at that.
      if (this.hasScripts) this.buildChildren(GAP)
    } else entries = entries.filter(({ ordinal }) => this.docCount(ordinal) >= minDocCount)
    this.#budget.take(entries.length)
    const indices = entries.map((_, index) => index)
    const isKeyAscending = order.length === 1 && order[0]?.by === 'key' && order[0].ascending
    if (!isKeyAscending) {
      const ordinalOf = (index: number): number => (entries[index] as Entry).ordinal
      indices.sort(
        bucketComparator(order, {
          count: (index) => this.docCount(ordinalOf(index)),
          compareKeys: (a, b) => a - b,
          value: (index, path) => followSortPath(this.children, ordinalOf(index), path),
        }),
      )
    }
    const buckets = indices.map((index): BucketResult => {
      const { key, ordinal } = entries[index] as Entry
      const format = (ordinal === GAP ? undefined : this.#formats?.of(ordinal)) ?? this.#keyFormat
      const text = format.isRaw && kind === 'date_histogram' ? String(key) : format.format(key)
      return {
        key,
        isFloatingKey: kind === 'histogram',
        ...(format.isRaw ? {} : { keyAsString: text }),
        name: text,
        docCount: this.docCount(ordinal),
        aggregations: this.buildChildren(ordinal),
      }
    })
    const empty = this.#reducesEmpty ? { emptyBucket: () => this.buildChildren(GAP) } : {}
    const differing = this.#formats === undefined ? {} : { isShownOtherwise: true }
    return { kind: 'buckets', type: kind, keyed, buckets, keyFormat: this.#keyFormat, ...differing, ...empty }
  }

  protected override docCount(bucket: number): number {
    if (this.dense === undefined) return super.docCount(bucket)
    return bucket < 0 ? 0 : (this.dense[bucket] as number)
  }

  /** Buckets with documents by key: pairs of key and bucket ordinal; {@link GAP}: an empty bucket. */
  #entries(parent: number): Entry[] {
    // Less an endless offset all values are -Infinity, which is no bucket.
    if (this.#definition.offset === Number.POSITIVE_INFINITY) return []
    const hash = this.#hash
    const keys = this.keys?.keys
    const dense = this.dense
    if (dense === undefined || keys === undefined) {
      const found = hash.ofParent(parent).slice()
      found.sort((a, b) => (hash.keys[a] as number) - (hash.keys[b] as number))
      return Array.from(found, (ordinal) => {
        const key = hash.keys[ordinal] as number
        return { key: keys === undefined ? key : (keys[key] as number), ordinal }
      })
    }
    const entries: Entry[] = []
    for (let ordinal = 0; ordinal < dense.length; ordinal++) {
      if (dense[ordinal] === 0 || this.#accepted?.[ordinal] === 0) continue
      entries.push({ key: keys[ordinal] as number, ordinal })
    }
    return entries
  }

  /** Empty buckets from the least bound to the data, between data, and on to the greatest bound. */
  #fillGaps(entries: readonly Entry[]): Entry[] {
    const rounding = this.#rounding
    const { min, max } = this.#bounds ?? {}
    const least = min === undefined ? undefined : rounding.bound(min)
    const greatest = max === undefined ? undefined : rounding.bound(max)
    const filled: Entry[] = []
    const add = (key: number, ordinal: number): void => {
      filled.push({ key, ordinal })
      // Checked on the way: there may be more buckets than memory.
      if ((filled.length & 0xffff) === 0) this.#budget.check(filled.length)
    }
    const [first] = entries
    if (first === undefined) {
      if (least === undefined || greatest === undefined) return filled
      for (let key = least; key <= greatest; key = rounding.next(key)) add(key, GAP)
      return filled
    }
    if (least !== undefined) for (let key = least; key < first.key; key = rounding.next(key)) add(key, GAP)
    let next = first.key
    for (const entry of entries) {
      for (; next < entry.key; next = rounding.next(next)) add(next, GAP)
      add(entry.key, entry.ordinal)
      next = rounding.next(entry.key)
    }
    if (greatest !== undefined) for (; next <= greatest; next = rounding.next(next)) add(next, GAP)
    return filled
  }
}

/** A format for instants, whatever the field is. */
function dateFormatOf(input: NumericInput, source: ValuesSourceConfig, engineVersion: EngineVersion): ValueFormat {
  if (!input.isUnmapped) return input.format
  return dateValueFormat(createDateFormat(source.format ?? DEFAULT_DATE_FORMAT, engineVersion), source.timeZone)
}

function roundingOf(
  definition: HistogramDefinition | DateHistogramDefinition,
  engineVersion: EngineVersion,
): HistogramRounding {
  const { offset } = definition
  if (definition.kind === 'histogram') {
    const { interval } = definition
    const round = (value: number): number => Math.floor((value - offset) / interval) * interval + offset
    return {
      name: `number ${interval} ${offset}`,
      round,
      next: (start) => Math.floor((start + interval + interval / 2 - offset) / interval) * interval + offset,
      bound: round,
    }
  }
  const { interval, source } = definition
  const zone = source.timeZone === undefined ? UTC : timeZone(source.timeZone)
  const rounding = dateRounding(interval, zone, engineVersion)
  const name = dateRoundingName(interval, zone, offset)
  // Bounds are rounded as if there were no offset, and moved by it then.
  const bound = (value: number): number => rounding.round(value) + offset
  if (offset === 0) {
    return { name, round: (value) => rounding.round(value), next: (start) => rounding.next(start), bound }
  }
  return {
    name,
    round: (value) => rounding.round(value - offset) + offset,
    next: (start) => rounding.next(start - offset) + offset,
    bound,
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

/** Bounds of dates as keys of buckets, whatever these are moved by. */
function roundedBounds(
  bounds: ReturnType<typeof resolveBounds>,
  rounding: HistogramRounding,
  offset: number,
): ReturnType<typeof resolveBounds> {
  if (bounds === undefined) return undefined
  // 1970 begins on a Thursday: its first moment, 0, is rounded like any other.
  const round = (bound: number | undefined): number | undefined =>
    bound === undefined ? undefined : rounding.bound(bound) - offset
  return { min: round(bounds.min), max: round(bounds.max) }
}

/** @throws {ServiceError} illegal_argument_exception for buckets to be there that must not be */
function checkInside(
  { extendedBounds, hardBounds }: DateHistogramDefinition,
  extended: ReturnType<typeof resolveBounds>,
  hard: ReturnType<typeof resolveBounds>,
): void {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = hard ?? {}
  if ((extended?.min ?? max) >= min && (extended?.max ?? min) <= max) return
  const show = (bounds: GivenBounds | undefined): string => `[${bounds?.min ?? ''}--${bounds?.max ?? ''}]`
  throw illegalInQueryPhase(
    `Extended bounds have to be inside hard bounds, hard bounds: ${show(hardBounds)}, extended bounds: ${show(extendedBounds)}`,
  )
}
