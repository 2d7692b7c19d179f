import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { BucketResult, BucketsResult } from '../aggregation-result.ts'
import { BucketAggregator, type NamedAggregator } from '../aggregator.ts'
import { DeferredDocs } from '../deferred-docs.ts'
import type { DocBatch } from '../doc-batch.ts'
import { type NumericLeaf, numericLeaf, ValueBatch } from '../values/value-batch.ts'
import { formatted, RAW_FORMAT, type ValueFormat } from '../values/value-format.ts'
import {
  resolveValuesSource,
  unsupportedField,
  type ValuesSource,
  type ValuesSourceConfig,
} from '../values/values-source.ts'
import { type Cluster, clusterValues, mergeClusters } from './variable-width-clusters.ts'

/** `variable_width_histogram`: values in groups of neighbours. */
export interface VariableWidthHistogramDefinition {
  readonly kind: 'variable_width_histogram'
  readonly source: ValuesSourceConfig
  /** Groups at most. */
  readonly buckets: number
  /** Groups that a shard makes at most. */
  readonly shardSize: number
  /** Values that are looked at before there are groups. */
  readonly initialBuffer: number
}

/**
 * Keeps all values with their documents; which group each is in is known at the end. Equal values of a document count each, as
 * on the real server; aggregations inside a group see the documents whose values are in it, while the real server hands them
 * others where values do not come in ascending order.
 */
export class VariableWidthHistogramAggregator extends BucketAggregator {
  readonly #definition: VariableWidthHistogramDefinition
  readonly #context: AggregationContext
  readonly #sources: readonly ValuesSource[]
  readonly #format: ValueFormat
  readonly #deferred: DeferredDocs
  readonly #batch = new ValueBatch()
  #leaf: NumericLeaf | undefined
  #values = new Float64Array(1024)
  #count = 0
  /** How many values there were when each index had been seen: each groups its own. */
  readonly #ends: number[] = []

  /** @throws {ServiceError} illegal_argument_exception for fields that are no numbers */
  constructor(
    definition: VariableWidthHistogramDefinition,
    context: AggregationContext,
    children: readonly NamedAggregator[],
  ) {
    super(children)
    this.#definition = definition
    this.#context = context
    const { engineVersion, now } = context
    this.#sources = context.searchers.map((searcher) => {
      const { source } = definition
      const found = resolveValuesSource(searcher, source, { wanted: 'any', hint: 'numeric', engineVersion, now })
      const field = searcher.mapping.field(source.field ?? '')
      const isNumber = found.kind === 'unmapped' || (found.kind === 'numeric' && (field?.kind ?? 'number') === 'number')
      if (isNumber) return found
      throw unsupportedField(source, searcher, found, 'variable_width_histogram')
    })
    const numeric = this.#sources.find((source) => source.kind === 'numeric')
    this.#format = numeric?.format ?? RAW_FORMAT
    this.#deferred = new DeferredDocs(this.needsScores)
  }

  override openSegment(segment: SegmentScope): void {
    this.#deferred.openSegment(segment)
    const source = this.#sources[segment.searcherOrdinal]
    this.#leaf = source?.kind === 'numeric' ? numericLeaf(segment.reader, source.path, source.missing) : undefined
  }

  override finishIndex(): void {
    this.#ends.push(this.#count)
  }

  collect(batch: DocBatch): void {
    if (this.#leaf === undefined) return
    this.#leaf.gather(batch, this.#batch)
    const { docs, scores, values, count } = this.#batch
    for (let i = 0; i < count; i++) {
      const value = values[i] as number
      if (this.#count === this.#values.length) {
        const values = new Float64Array(this.#count * 2)
        values.set(this.#values)
        this.#values = values
      }
      if (this.children.length > 0)
        this.#deferred.add(docs[i] as number, this.#count, scores === undefined ? 0 : (scores[i] as number))
      this.#values[this.#count++] = value
    }
  }

  build(bucket: number): BucketsResult {
    const clusters = bucket < 0 ? [] : mergeClusters(this.#clusters(), this.#definition.buckets)
    this.#context.budget.take(clusters.length)
    if (this.children.length > 0) this.#replay(clusters)
    const format = this.#format
    const shown = (value: number) => ({ value, text: format.isRaw ? undefined : formatted(format, value) })
    const buckets = clusters.map(({ min, max, centroid, count }, i): BucketResult => {
      const name = format.format(centroid)
      return {
        key: centroid,
        isFloatingKey: true,
        name,
        ...(format.isRaw ? {} : { keyAsString: name }),
        from: shown(min),
        to: shown(max),
        docCount: count,
        aggregations: this.buildChildren(i),
      }
    })
    return { kind: 'buckets', type: 'variable_width_histogram', keyed: false, buckets }
  }

  #clusters(): Cluster[] {
    let from = 0
    return this.#ends.flatMap((end) => {
      const first = from
      from = end
      const own = clusterValues(this.#values.subarray(first, end), this.#definition)
      if (first === 0) return own
      return own.map((cluster) => ({ ...cluster, members: cluster.members.map((member) => member + first) }))
    })
  }

  #replay(clusters: readonly Cluster[]): void {
    const clusterOf = new Int32Array(this.#count)
    clusters.forEach(({ members }, i) => {
      for (const member of members) clusterOf[member] = i
    })
    const options = { bucketCount: clusters.length, count: () => {} }
    this.#deferred.replay(this.children, (value) => clusterOf[value] as number, options)
  }
}
