import { ServiceError } from '../../errors.ts'
import type { AggregationContext, SegmentScope } from './aggregation-context.ts'
import type { BucketResult, TermsResult } from './aggregation-result.ts'
import { BucketAggregator, type NamedAggregator } from './aggregator.ts'
import { BucketHash } from './bucket-hash.ts'
import { bucketComparator } from './bucket-order.ts'
import { type CompositeKeys, CompositeSource, type CompositeSourceDefinition } from './composite-source.ts'
import type { DocBatch, DocBatchBuffer } from './doc-batch.ts'
import { followSortPath } from './sort-path.ts'
import type { TermsDefinition } from './terms-aggregator-definition.ts'
import { selectTerms } from './terms-selection.ts'
import { mappingType, resolveValuesSource } from './values-source.ts'

/** `multi_terms`: a bucket for each combination of values of several fields. */
export interface MultiTermsDefinition
  extends Pick<TermsDefinition, 'size' | 'shardSize' | 'minDocCount' | 'order' | 'showsBucketErrors'> {
  readonly kind: 'multi_terms'
  readonly sources: readonly CompositeSourceDefinition[]
}

/**
 * Numbers the combinations met: each source has a hash of pairs of what stands before it (at first the bucket around) and its
 * own key, so the last one's ordinals are the buckets.
 */
export class MultiTermsAggregator extends BucketAggregator {
  readonly #definition: MultiTermsDefinition
  readonly #context: AggregationContext
  readonly #sources: readonly CompositeSource[]
  readonly #hashes: readonly BucketHash[]
  #columns: readonly CompositeKeys[] = []
  /** Buckets by the one around; undefined until all documents have been seen. */
  #byParent: Map<number, number[]> | undefined

  /** @throws {ServiceError} illegal_argument_exception for fields without values that could be terms */
  constructor(definition: MultiTermsDefinition, context: AggregationContext, children: readonly NamedAggregator[]) {
    super(children)
    for (const { source } of definition.sources) checkTerms(source, context)
    checkOrder(definition, children)
    this.#definition = definition
    this.#context = context
    this.#sources = definition.sources.map((source) => new CompositeSource(source, context))
    this.#hashes = this.#sources.map(() => new BucketHash())
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    for (const source of this.#sources) source.openSegment(segment)
  }

  collect(batch: DocBatch): void {
    this.#columns = this.#sources.map((source) => source.read(batch))
    const out = this.begin()
    for (let i = 0; i < batch.count; i++) this.#visit(0, batch.buckets[i] as number, i, batch, out)
    this.flush((this.#hashes.at(-1) as BucketHash).size)
  }

  /** Goes through the combinations of a document's keys from a level on. */
  #visit(level: number, parent: number, i: number, batch: DocBatch, out: DocBatchBuffer): void {
    const { starts, keys } = this.#columns[level] as CompositeKeys
    const from = starts[i] as number
    const end = starts[i + 1] as number
    const hash = this.#hashes[level] as BucketHash
    const isLast = level === this.#columns.length - 1
    for (let at = from; at < end; at++) {
      // Equal values of one document are one term.
      if (at > from && keys[at] === keys[at - 1]) continue
      const bucket = hash.add(parent, keys[at] as number)
      if (isLast)
        out.push(batch.docs[i] as number, bucket, batch.scores === undefined ? 0 : (batch.scores[i] as number))
      else this.#visit(level + 1, bucket, i, batch, out)
    }
  }

  build(parent: number): TermsResult {
    const { order, showsBucketErrors } = this.#definition
    const tuples = new Map<number, Float64Array>()
    const tupleOf = (bucket: number): Float64Array => {
      const known = tuples.get(bucket) ?? this.#tupleOf(bucket).keys
      tuples.set(bucket, known)
      return known
    }
    const count = (bucket: number): number => this.docCount(bucket)
    const compare = bucketComparator(order, {
      count,
      compareKeys: (a, b) => this.#compare(tupleOf(a), tupleOf(b)),
      value: (bucket, path) => followSortPath(this.children, bucket, path),
    })
    const candidates = Int32Array.from(this.#bucketsOf(parent))
    const { chosen, otherDocCount, docCountError } = selectTerms(this.#definition, candidates, count, compare)
    this.#context.budget.take(chosen.length)
    const buckets = chosen.map((bucket): BucketResult => {
      const tuple = tupleOf(bucket)
      const text = this.#sources.map((source, i) => source.text(tuple[i] as number)).join('|')
      return {
        key: text,
        name: text,
        keyAsString: text,
        compositeKey: this.#sources.map(
          (source, i) => ['', source.show(tuple[i] as number), source.isFloating] as const,
        ),
        docCount: count(bucket),
        docCountError: 0,
        aggregations: this.buildChildren(bucket),
      }
    })
    return { kind: 'terms', type: 'multi_terms', docCountError, showsBucketErrors, otherDocCount, buckets }
  }

  #bucketsOf(parent: number): readonly number[] {
    if (this.#byParent === undefined) {
      this.#byParent = new Map()
      const { size } = this.#hashes.at(-1) as BucketHash
      for (let bucket = 0; bucket < size; bucket++) {
        const around = this.#tupleOf(bucket).parent
        const list = this.#byParent.get(around)
        if (list === undefined) this.#byParent.set(around, [bucket])
        else list.push(bucket)
      }
    }
    return this.#byParent.get(parent) ?? []
  }

  #tupleOf(bucket: number): { readonly keys: Float64Array; readonly parent: number } {
    const keys = new Float64Array(this.#sources.length)
    let at = bucket
    for (let level = this.#hashes.length - 1; level >= 0; level--) {
      const hash = this.#hashes[level] as BucketHash
      keys[level] = hash.keys[at] as number
      at = hash.parents[at] as number
    }
    return { keys, parent: at }
  }

  #compare(a: Float64Array, b: Float64Array): number {
    for (let level = 0; level < a.length; level++) {
      const order = (this.#sources[level] as CompositeSource).compare(a[level] as number, b[level] as number)
      if (order !== 0) return order
    }
    return 0
  }
}

function checkOrder({ order }: MultiTermsDefinition, children: readonly NamedAggregator[]): void {
  for (const one of order) {
    if (one.by !== 'path' || children.some(({ name }) => name === one.path[0])) continue
    const reason = `Invalid aggregation order path [${one.text}]. The provided aggregation [${one.path[0]}] either does not exist, or is a pipeline aggregation and cannot be used to sort the buckets.`
    throw new ServiceError('aggregation_execution_exception', reason, { inQueryPhase: true })
  }
}

function checkTerms(source: CompositeSourceDefinition['source'], context: AggregationContext): void {
  const { engineVersion, now } = context
  for (const searcher of context.searchers) {
    const { kind } = resolveValuesSource(searcher, source, { wanted: 'any', engineVersion, now })
    if (kind !== 'geo' && kind !== 'range') continue
    const field = searcher.mapping.field(source.field ?? '')
    const reason = `Field [${source.field}] of type [${field === undefined ? kind : mappingType(field)}] is not supported for aggregation [multi_terms]`
    throw new ServiceError('illegal_argument_exception', reason, { inQueryPhase: true })
  }
}
