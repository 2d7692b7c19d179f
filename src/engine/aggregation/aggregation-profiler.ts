import type { SegmentReader } from '../index/segment-reader.ts'
import { type MeasuredStep, measured, newStep } from '../search/profile/measured-step.ts'

/** What an aggregation spent its time with. */
export interface AggregationSteps {
  readonly initialize: MeasuredStep
  /** Opening segments. */
  readonly buildLeafCollector: MeasuredStep
  /** Counts documents. */
  readonly collect: MeasuredStep
  readonly postCollection: MeasuredStep
  readonly buildAggregation: MeasuredStep
}

/** In how many segments it was so. */
export interface SegmentCounts {
  /** Each document has at most one value of the field. */
  singleValued: number
  multiValued: number
  /** Its values are numbers. */
  ofNumbers: number
  /** There are none. */
  without: number
  /** There are so few different words that it is cheap to look for those that no document had yet. */
  ofFewWords: number
}

/** Different words up to which OpenSearch does so (`search.dynamic_pruning.cardinality_aggregation.max_allowed_cardinality`). */
const FEW_WORDS = 100

/** An aggregation with those inside it, in one index of a search. */
export interface AggregationProfile {
  readonly name: string
  readonly definition: { readonly kind: string }
  /** Name of the class that aggregates: what was chosen for the field. */
  readonly className: string
  readonly steps: AggregationSteps
  readonly segments: SegmentCounts
  /** Buckets made; undefined where not all of them were looked at. */
  buckets: number | undefined
  readonly children: AggregationProfile[]
}

interface Scope {
  readonly reader: SegmentReader
}

interface Measurable {
  openSegment(segment: Scope): void
  collect(batch: { readonly count: number }): void
  collectWholeSegment(segment: Scope): boolean
  finishIndex(): void
  build(bucket: number): object
}

/** Measures the aggregators of a search in place, so that they take every way they else would. */
export class AggregationProfiler {
  readonly roots: AggregationProfile[] = []
  readonly #around: AggregationProfile[] = []

  /** Has an aggregator made, and measures it and all it does. */
  create<A extends object>(
    node: { readonly name: string; readonly definition: { readonly kind: string } },
    make: () => A,
  ): A {
    const children: AggregationProfile[] = []
    const steps: AggregationSteps = {
      initialize: newStep(),
      buildLeafCollector: newStep(),
      collect: newStep(),
      postCollection: newStep(),
      buildAggregation: newStep(),
    }
    const draft = { ...node, className: '', steps, segments: noSegments(), buckets: 0, children }
    const siblings = this.#around.at(-1)?.children ?? this.roots
    const at = siblings.length
    this.#around.push(draft)
    let aggregator: A
    try {
      aggregator = measured(steps.initialize, make)
    } finally {
      this.#around.pop()
    }
    const profile: AggregationProfile = { ...draft, className: aggregator.constructor.name.replace(/^_|\d+$/g, '') }
    siblings.splice(at, 0, profile)
    measure(aggregator as A & Measurable, profile, fieldOf(node.definition))
    return aggregator
  }
}

const noSegments = (): SegmentCounts => ({ singleValued: 0, multiValued: 0, ofNumbers: 0, without: 0, ofFewWords: 0 })

function fieldOf(
  definition: { readonly source?: { readonly field?: string | undefined } } | object,
): string | undefined {
  return 'source' in definition ? definition.source?.field : undefined
}

function measure(aggregator: Measurable, profile: AggregationProfile, field: string | undefined): void {
  const { steps, segments } = profile
  const openSegment = aggregator.openSegment.bind(aggregator)
  const collect = aggregator.collect.bind(aggregator)
  const collectWholeSegment = aggregator.collectWholeSegment.bind(aggregator)
  const finishIndex = aggregator.finishIndex.bind(aggregator)
  const build = aggregator.build.bind(aggregator)
  let hasFewWords = false
  const noteWords = (): void => {
    if (hasFewWords) segments.ofFewWords++
    hasFewWords = false
  }
  aggregator.openSegment = (scope) => {
    const values = field === undefined ? undefined : scope.reader.field(field)
    const column = values?.docValues
    if (column === undefined) segments.without++
    else segments[column.offsets === undefined ? 'singleValued' : 'multiValued']++
    if (column?.kind === 'numeric' || column?.kind === 'bigint') segments.ofNumbers++
    hasFewWords = column !== undefined && values?.terms !== undefined && values.terms.size <= FEW_WORDS
    measured(steps.buildLeafCollector, () => openSegment(scope))
  }
  aggregator.collect = (batch) => {
    if (batch.count > 0) noteWords()
    measured(steps.collect, () => collect(batch), batch.count)
  }
  aggregator.collectWholeSegment = (scope) => {
    const { collect: step } = steps
    const taken = measured(step, () => collectWholeSegment(scope), 0)
    // All of its documents at once.
    if (taken) {
      step.count += scope.reader.numDocs
      noteWords()
    }
    return taken
  }
  aggregator.finishIndex = () => measured(steps.postCollection, finishIndex)
  aggregator.build = (bucket) => {
    const result = measured(steps.buildAggregation, () => build(bucket)) as {
      readonly buckets?: readonly { readonly docCount: number }[]
      readonly otherDocCount?: number
    }
    if (result.buckets === undefined || (result.otherDocCount ?? 0) > 0) profile.buckets = undefined
    else if (profile.buckets !== undefined) {
      profile.buckets += result.buckets.filter(({ docCount }) => docCount > 0).length
    }
    return result
  }
}
