import { illegalArgument } from '../../../illegal-argument.ts'
import { createDateFormat, DEFAULT_DATE_FORMAT } from '../../mapping/dates/create-date-format.ts'
import { type TimeZone, timeZone, UTC } from '../../mapping/dates/time-zone.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { BucketResult, BucketsResult } from '../aggregation-result.ts'
import { BucketAggregator, type NamedAggregator } from '../aggregator.ts'
import { BucketHash } from '../bucket-hash.ts'
import { BucketDoubles } from '../bucket-numbers.ts'
import { DeferredDocs } from '../deferred-docs.ts'
import type { DocBatch } from '../doc-batch.ts'
import { columnEnds } from '../values/column-ends.ts'
import { NumericInput } from '../values/numeric-input.ts'
import { dateValueFormat, type ValueFormat } from '../values/value-format.ts'
import type { ValuesSourceConfig } from '../values/values-source.ts'
import { type CalendarUnit, type DateRounding, dateRounding, wholeMillis } from './date-rounding.ts'

/** `auto_date_histogram`: times in about so many buckets, of a width to suit. */
export interface AutoDateHistogramDefinition {
  readonly kind: 'auto_date_histogram'
  readonly source: ValuesSourceConfig
  /** Buckets at most. */
  readonly buckets: number
  /** No finer than this (7.x). */
  readonly minimumUnit: CalendarUnit | undefined
}

/** A unit and how many of it may make a bucket. */
interface Step {
  readonly unit: CalendarUnit
  readonly letter: string
  readonly millis: number
  readonly multiples: readonly number[]
}

const STEPS: readonly Step[] = [
  { unit: 'second', letter: 's', millis: 1000, multiples: [1, 5, 10, 30] },
  { unit: 'minute', letter: 'm', millis: 60_000, multiples: [1, 5, 10, 30] },
  { unit: 'hour', letter: 'h', millis: 3_600_000, multiples: [1, 3, 12] },
  { unit: 'day', letter: 'd', millis: 86_400_000, multiples: [1, 7] },
  { unit: 'month', letter: 'M', millis: 30 * 86_400_000, multiples: [1, 3] },
  { unit: 'year', letter: 'y', millis: 365 * 86_400_000, multiples: [1, 5, 10, 20, 50, 100] },
]

/** The unit of a width such as `7d`. */
export function unitOfWidth(interval: string): CalendarUnit | undefined {
  return STEPS.find(({ letter }) => interval.endsWith(letter))?.unit
}

interface Group {
  readonly key: number
  /** Fine buckets in it. */
  readonly fine: readonly number[]
}

type Resolved = Map<number, { readonly groups: readonly Group[]; readonly interval: string }>

/** Fine buckets that may be before any are made coarser. */
const MANY_FINE = 256

/**
 * Collects by the finest unit, and chooses the width when all has been seen. Documents wait for the aggregations inside
 * until then.
 */
export class AutoDateHistogramAggregator extends BucketAggregator {
  readonly #definition: AutoDateHistogramDefinition
  readonly #context: AggregationContext
  readonly #input: NumericInput
  readonly #format: ValueFormat
  readonly #zone: TimeZone
  readonly #steps: readonly Step[]
  readonly #roundings: readonly DateRounding[]
  /** Fine buckets: (bucket around, start of the finest unit that is still possible there). */
  #hash = new BucketHash()
  /** By bucket around: the step whose unit its fine buckets have. */
  readonly #finest = new BucketDoubles()
  /** So many fine buckets are too many. */
  #most: number
  #collected = 0
  /** By bucket around: how many fine buckets there are, and the first and last of them. */
  readonly #sizes = new BucketDoubles()
  readonly #firsts = new BucketDoubles(Number.POSITIVE_INFINITY)
  readonly #lasts = new BucketDoubles(Number.NEGATIVE_INFINITY)
  /** The keys of fine buckets, those that were finer in the unit of now, by bucket around. */
  readonly #live = new Map<number, Set<number>>()
  /** Whether there are several buckets around. */
  #areParents = false
  readonly #isLegacy: boolean
  readonly #deferred: DeferredDocs | undefined
  #resolved: Resolved | undefined
  /** 6.x forgets how many units a bucket has when a pipeline changes the buckets. */
  readonly #forgetsWidth: boolean
  /** 6.x overlooks the last bucket of fewer units than the others. */
  readonly #rounded: (count: number) => number
  /** Bucket by fine bucket. */
  #bucketOf = new Int32Array(0)

  constructor(
    definition: AutoDateHistogramDefinition,
    context: AggregationContext,
    children: readonly NamedAggregator[],
    { hasPipelines, isTopLevel }: { readonly hasPipelines: boolean; readonly isTopLevel: boolean },
  ) {
    super(children)
    this.#isLegacy = context.engineVersion === 'Elasticsearch_6.8'
    this.#forgetsWidth = hasPipelines && this.#isLegacy
    this.#rounded = this.#isLegacy ? Math.floor : Math.ceil
    this.#definition = definition
    this.#context = context
    this.#input = new NumericInput(context, definition.source, definition.kind, { hint: 'date' })
    const { source, minimumUnit } = definition
    this.#zone = source.timeZone === undefined ? UTC : timeZone(source.timeZone)
    this.#format = this.#input.isUnmapped
      ? dateValueFormat(createDateFormat(source.format ?? DEFAULT_DATE_FORMAT, context.engineVersion), source.timeZone)
      : this.#input.format
    this.#steps = STEPS.slice(minimumUnit === undefined ? 0 : STEPS.findIndex(({ unit }) => unit === minimumUnit))
    this.#roundings = this.#steps.map(({ unit }) =>
      dateRounding({ kind: 'calendar', unit }, this.#zone, context.engineVersion),
    )
    if (context.engineVersion !== 'Elasticsearch_6.8') checkTarget(definition.buckets, this.#steps)
    this.#deferred = children.length === 0 ? undefined : new DeferredDocs(this.needsScores)
    // Units lie within one another where clocks never change.
    const mayCoarsen = !context.plain && this.#zone.fixedOffset !== undefined
    this.#most = mayCoarsen ? MANY_FINE : Number.POSITIVE_INFINITY
    const startsKnown = context.engineVersion === 'OpenSearch_2.19' && isTopLevel && children.length === 0
    if (startsKnown) this.#finest.ensure(1)[0] = this.#firstStep()
  }

  /** OpenSearch begins with the unit that suits all times of an index, where it looks at nothing but those. */
  #firstStep(): number {
    const { searchers, query } = this.#context
    const { source, buckets } = this.#definition
    const isPlain = source.missing === undefined && source.script === undefined
    if (!isPlain || (query !== undefined && query.kind !== 'match_all')) return 0
    let low = Number.POSITIVE_INFINITY
    let high = Number.NEGATIVE_INFINITY
    for (const [i, { segments }] of searchers.entries()) {
      const found = this.#input.sources[i]
      if (found?.kind !== 'numeric') continue
      for (const reader of segments) {
        const column = reader.field(found.path)?.docValues
        if (reader.rootDocs !== undefined) return 0
        if (column?.kind !== 'numeric') continue
        const { min, max } = columnEnds(column, reader.maxDoc)
        low = Math.min(low, min)
        high = Math.max(high, max)
      }
    }
    const width = Math.trunc((high - low) / buckets)
    const last = this.#steps.length - 1
    const step = this.#steps.findIndex(({ millis, multiples }) => width <= (multiples.at(-1) as number) * millis)
    return low > high ? 0 : step < 0 ? last : step
  }

  override openSegment(segment: SegmentScope): void {
    this.#input.openSegment(segment)
    this.#deferred?.openSegment(segment)
  }

  override finishIndex(): void {}

  collect(batch: DocBatch): void {
    const { docs, buckets, scores, values, count } = this.#input.values(batch)
    const finest = this.#finest.ensure(batch.bucketCount)
    const { isFloating } = this.#input
    this.#collected += count
    this.#areParents ||= batch.bucketCount > 1
    let before = Number.NaN
    for (let i = 0; i < count; i++) {
      const value = values[i] as number
      const parent = buckets[i] as number
      const rounding = this.#roundings[finest[parent] as number] as DateRounding
      const key = rounding.round(isFloating ? wholeMillis(value) : value)
      // A document counts once for times that are one as its bucket is then, but for each of those that become one later.
      const isNext = i > 0 && docs[i] === docs[i - 1] && parent === buckets[i - 1]
      if (isNext && key === before) continue
      before = key
      const { size } = this.#hash
      const bucket = this.#hash.add(parent, key)
      const counts = this.counts.ensure(this.#hash.size)
      counts[bucket]!++
      this.#deferred?.add(docs[i] as number, bucket, scores === undefined ? 0 : (scores[i] as number))
      if (this.#hash.size > size) this.#widen(parent, key, batch.bucketCount)
      if (this.#hash.size > this.#most) this.#coarsen(finest)
    }
  }

  /** Goes on with the next unit behind a new bucket where there are too many of them, or (7.x) they lie too far apart. */
  #widen(parent: number, key: number, parentCount: number): void {
    const finest = this.#finest.ensure(parentCount)
    const sizes = this.#sizes.ensure(parentCount)
    const firsts = this.#firsts.ensure(parentCount)
    const lasts = this.#lasts.ensure(parentCount)
    // Of many buckets around 7.x estimates how many there are left of those that were finer.
    let live = this.#areParents && !this.#isLegacy ? undefined : (this.#live.get(parent) ?? new Set<number>())
    sizes[parent] = live?.add(key).size ?? (sizes[parent] as number) + 1
    firsts[parent] = Math.min(firsts[parent] as number, key)
    lasts[parent] = Math.max(lasts[parent] as number, key)
    const span = this.#isLegacy ? 0 : (lasts[parent] as number) - (firsts[parent] as number)
    const isTooFine = (step: number): boolean => {
      const { millis } = this.#steps[step] as Step
      return (sizes[parent] as number) > this.#mostOf(step) || span > this.#mostOf(step) * millis
    }
    let step = finest[parent] as number
    const from = step
    while (isTooFine(step)) {
      const rounding = this.#roundings[++step] as DateRounding
      if (live !== undefined) live = new Set(Array.from(live, (one) => rounding.round(one)))
      const share = (this.#steps[from] as Step).millis / (this.#steps[step] as Step).millis
      sizes[parent] = live?.size ?? Math.ceil((sizes[parent] as number) * share)
    }
    if (live !== undefined) this.#live.set(parent, live)
    finest[parent] = step
  }

  /** Buckets of a step's unit that may be at the end: with more, {@link #choose} takes the next. */
  #mostOf(step: number): number {
    const multiples = step < this.#steps.length - 1 ? this.#steps[step]?.multiples : undefined
    return multiples === undefined ? Number.POSITIVE_INFINITY : this.#definition.buckets * (multiples.at(-1) as number)
  }

  /** Joins what is one bucket in the units of now, and goes on with the next unit where there are still too many. */
  #coarsen(finest: Float64Array): void {
    let isTooFine = true
    while (isTooFine) {
      this.#regroup(finest)
      const { parents, size } = this.#hash
      const sizes = new Int32Array(finest.length)
      for (let i = 0; i < size; i++) sizes[parents[i] as number]!++
      isTooFine = false
      for (let parent = 0; parent < sizes.length; parent++) {
        if ((sizes[parent] as number) <= this.#mostOf(finest[parent] as number)) continue
        finest[parent]!++
        isTooFine = true
      }
    }
    // Next when there are as many again, and not so often that documents are renumbered all the time.
    this.#most = Math.max(MANY_FINE, this.#hash.size * 2, this.#collected >>> 3)
  }

  /** Fine buckets by the units of now. */
  #regroup(finest: Float64Array): void {
    const fine = this.#hash
    const hash = new BucketHash()
    const numbers = new Int32Array(fine.size)
    const counts = this.counts.ensure(fine.size)
    for (let i = 0; i < fine.size; i++) {
      const count = counts[i] as number
      const parent = fine.parents[i] as number
      const rounding = this.#roundings[finest[parent] as number] as DateRounding
      // No later than the fine one, whose count is read.
      const bucket = hash.add(parent, rounding.round(fine.keys[i] as number))
      numbers[i] = bucket
      counts[i] = 0
      counts[bucket] = (counts[bucket] as number) + count
    }
    this.#hash = hash
    this.#deferred?.renumber(numbers)
  }

  build(parent: number): BucketsResult {
    const { groups, interval } = this.#resolve().get(parent) ?? { groups: [], interval: `1${this.#steps[0]?.letter}` }
    this.#context.budget.take(groups.length)
    const buckets = groups.map(({ key, fine }, i): BucketResult => {
      this.#giveWay(i)
      const text = this.#format.format(key)
      const [first] = fine
      const bucket = first === undefined ? -1 : (this.#bucketOf[first] ?? -1)
      return {
        key,
        ...(this.#format.isRaw ? {} : { keyAsString: text }),
        name: text,
        docCount: fine.reduce((sum, one) => sum + this.docCount(one), 0),
        aggregations: this.buildChildren(bucket),
      }
    })
    return { kind: 'buckets', type: 'auto_date_histogram', keyed: false, buckets, interval, keyFormat: this.#format }
  }

  #resolve(): Resolved {
    if (this.#resolved !== undefined) return this.#resolved
    const hash = this.#hash
    const resolved: Resolved = new Map()
    this.#resolved = resolved
    this.#bucketOf = new Int32Array(hash.size)
    let bucketCount = 0
    const parents = new Set(hash.parents.subarray(0, hash.size))
    for (const parent of parents) {
      const fine = [...hash.ofParent(parent)].sort((a, b) => (hash.keys[a] as number) - (hash.keys[b] as number))
      const chosen = this.#choose(fine, this.#finest.get(parent))
      resolved.set(parent, chosen)
      for (const group of chosen.groups) {
        if (group.fine.length === 0) continue
        for (const one of group.fine) this.#bucketOf[one] = bucketCount
        bucketCount++
      }
    }
    this.#deferred?.replay(this.children, (fine) => this.#bucketOf[fine] as number, { bucketCount, count: () => {} })
    return resolved
  }

  /** The real server's way: coarser units until few enough, gaps filled, then several units a bucket. */
  #choose(fine: readonly number[], finest: number): { readonly groups: readonly Group[]; readonly interval: string } {
    const keys = this.#hash.keys
    const target = this.#definition.buckets
    const last = this.#steps.length - 1
    const isTooMany = (count: number, step: number): boolean =>
      count > target * (this.#steps[step]?.multiples.at(-1) ?? 1)
    const group = (step: number): Group[] => {
      const rounding = this.#roundings[step] as DateRounding
      const groups: { key: number; fine: number[] }[] = []
      for (const one of fine) {
        const key = rounding.round(keys[one] as number)
        const open = groups.at(-1)
        if (open !== undefined && open.key === key) open.fine.push(one)
        else groups.push({ key, fine: [one] })
      }
      return groups
    }
    let step = finest
    let groups = group(step)
    while (step < last && isTooMany(groups.length, step)) groups = group(++step)
    step = this.#appropriate(groups[0]?.key ?? 0, groups.at(-1)?.key ?? 0, step)
    groups = group(step)
    while (step < last && isTooMany(groups.length, step)) groups = group(++step)
    groups = this.#fillGaps(groups, step)
    while (step < last && isTooMany(groups.length, step)) {
      step++
      groups = this.#fillGaps(group(step), step)
    }
    const { multiples, letter } = this.#steps[step] as Step
    let width = 1
    if (groups.length > target) {
      width = multiples.find((multiple) => this.#rounded(groups.length / multiple) <= target) ?? 1
      groups = joined(groups, width)
    }
    return { groups, interval: `${this.#forgetsWidth ? 1 : width}${letter}` }
  }

  /** The step at which the span from the first to the last bucket is filled by few enough. */
  #appropriate(first: number, last: number, from: number): number {
    const steps = this.#steps
    const target = this.#definition.buckets
    if (from === steps.length - 1) return from
    let step = from
    for (let i = from + 1; i < steps.length; i++) {
      const { millis, multiples } = steps[i] as Step
      step = i - 1
      if (Math.floor((last - first) / millis) < target * (multiples.at(-1) as number)) break
    }
    for (; step < steps.length - 1; step++) {
      const rounding = this.#roundings[step] as DateRounding
      const { millis, multiples } = steps[step] as Step
      // More than any answer may have is too many, even where 6.x is asked for a thousand million.
      if ((last - first) / millis > MOST_COUNTED) continue
      const most = target * (multiples.at(-1) as number)
      let needed = 0
      for (let key = first; key < last && needed <= most; key = rounding.next(key)) this.#giveWay(needed++)
      if (needed <= most) break
    }
    return step
  }

  /** Asked for each of the buckets that one far time makes many. @throws {OverrunError} */
  #giveWay(place: number): void {
    if (place % 1024 === 1023) this.#context.watch?.requireClient()
  }

  #fillGaps(groups: readonly Group[], step: number): Group[] {
    const rounding = this.#roundings[step] as DateRounding
    const filled: Group[] = []
    for (const group of groups) {
      const before = filled.at(-1)
      if (before !== undefined) {
        for (let key = rounding.next(before.key); key < group.key; key = rounding.next(key)) {
          this.#giveWay(filled.length)
          this.#context.budget.check(filled.length)
          filled.push({ key, fine: [] })
        }
      }
      filled.push(group)
    }
    return filled
  }
}

/** Buckets that are counted one by one to see whether they fit. */
const MOST_COUNTED = 1_000_000

/** The buckets of an answer that 7.x and OpenSearch multiply by, whatever `search.max_buckets` says. */
const MOST_BUCKETS = 65_535

/** Refuses more buckets than all could become before several are made one. @throws {ServiceError} illegal_argument_exception */
function checkTarget(buckets: number, steps: readonly Step[]): void {
  const most = Math.trunc(MOST_BUCKETS / Math.max(...steps.slice(0, -1).flatMap(({ multiples }) => multiples)))
  if (steps.length > 1 && buckets > most) throw illegalArgument(`buckets must be less than ${most}`)
}

function joined(groups: readonly Group[], width: number): Group[] {
  const out: Group[] = []
  for (let i = 0; i < groups.length; i += width) {
    const part = groups.slice(i, i + width)
    out.push({ key: (part[0] as Group).key, fine: part.flatMap(({ fine }) => fine) })
  }
  return out
}
