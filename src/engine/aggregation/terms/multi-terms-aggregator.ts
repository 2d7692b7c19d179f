import { countUp } from '../../algorithms/count-up.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { BucketResult, TermsResult } from '../aggregation-result.ts'
import { BucketAggregator, type NamedAggregator } from '../aggregator.ts'
import { bucketComparator } from '../bucket-order.ts'
import { CombinationKeys } from '../buckets/combination-keys.ts'
import type { CompositeKeys, CompositeSourceDefinition } from '../buckets/composite-source.ts'
import type { DocBatch, DocBatchBuffer } from '../doc-batch.ts'
import { checkSortPaths, followSortPath } from '../sort-path.ts'
import { resolveValuesSource, unsupportedField } from '../values/values-source.ts'
import type { TermsDefinition } from './terms-aggregator-definition.ts'
import { selectTerms } from './terms-selection.ts'

/** `multi_terms`: a bucket for each combination of values of several fields. */
export interface MultiTermsDefinition
  extends Pick<
    TermsDefinition,
    'size' | 'shardSize' | 'minDocCount' | 'shardMinDocCount' | 'order' | 'showsBucketErrors'
  > {
  readonly kind: 'multi_terms'
  readonly sources: readonly CompositeSourceDefinition[]
}

/** What stands before a combination's first key ({@link CombinationKeys}) is the bucket around. */
export class MultiTermsAggregator extends BucketAggregator {
  readonly #definition: MultiTermsDefinition
  readonly #context: AggregationContext
  readonly #keys: CombinationKeys
  #columns: readonly CompositeKeys[] = []
  /** Buckets by the one around; undefined until all documents have been seen. */
  #byParent: Map<number, number[]> | undefined

  /** @throws {ServiceError} illegal_argument_exception for fields without values that could be terms */
  constructor(definition: MultiTermsDefinition, context: AggregationContext, children: readonly NamedAggregator[]) {
    super(children)
    for (const { source } of definition.sources) checkTerms(source, context)
    checkSortPaths(definition.order, children, context.engineVersion)
    this.#definition = definition
    this.#context = context
    this.#keys = new CombinationKeys(definition.sources, context, false)
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    this.#keys.openSegment(segment)
  }

  collect(batch: DocBatch): void {
    this.#columns = this.#keys.read(batch)
    const out = this.begin()
    for (let i = 0; i < batch.count; i++) this.#visit(0, batch.buckets[i] as number, i, batch, out)
    this.flush(this.#keys.size)
  }

  /** Goes through the combinations of a document's keys from a level on. */
  #visit(level: number, parent: number, i: number, batch: DocBatch, out: DocBatchBuffer | undefined): void {
    const { starts, keys } = this.#columns[level] as CompositeKeys
    const from = starts[i] as number
    const end = starts[i + 1] as number
    const isLast = level === this.#columns.length - 1
    for (let at = from; at < end; at++) {
      // Equal values of one document are one term.
      if (at > from && keys[at] === keys[at - 1]) continue
      const bucket = this.#keys.add(level, parent, keys[at] as number)
      if (isLast)
        out?.push(batch.docs[i] as number, bucket, batch.scores === undefined ? 0 : (batch.scores[i] as number))
      else this.#visit(level + 1, bucket, i, batch, out)
    }
  }

  build(parent: number): TermsResult {
    const { order, showsBucketErrors } = this.#definition
    const { sources } = this.#keys
    if (this.#showsEmpty(parent)) this.#addEmpty(parent)
    const keysOf = this.#keys.rememberedKeys()
    const count = (bucket: number): number => this.docCount(bucket)
    const compare = bucketComparator(order, {
      count,
      compareKeys: (a, b) => this.#keys.compare(keysOf(a), keysOf(b)),
      value: (bucket, path) => followSortPath(this.children, bucket, path),
    })
    const candidates = Int32Array.from(this.#bucketsOf(parent))
    const { chosen, otherDocCount, docCountError } = selectTerms(this.#definition, candidates, count, compare)
    this.#context.budget.take(chosen.length)
    const buckets = chosen.map((bucket): BucketResult => {
      const keys = keysOf(bucket)
      const text = sources.map((source, i) => source.text(keys[i] as number)).join('|')
      return {
        key: text,
        name: text,
        keyAsString: text,
        compositeKey: sources.map((source, i) => ['', source.show(keys[i] as number), source.isFloating] as const),
        docCount: count(bucket),
        docCountError,
        aggregations: this.buildChildren(bucket),
      }
    })
    return { kind: 'terms', type: 'multi_terms', docCountError, showsBucketErrors, otherDocCount, buckets }
  }

  /** With a least count of 0 combinations without documents are shown, unless there are enough with the most. */
  #showsEmpty(parent: number): boolean {
    const { minDocCount, order, size } = this.#definition
    if (minDocCount > 0 || parent < 0) return false
    const [first] = order
    return first?.by !== 'count' || first.ascending || this.#bucketsOf(parent).length < size
  }

  /** Adds every combination that some document has, whatever matches. */
  #addEmpty(parent: number): void {
    const known = this.#bucketsOf(parent)
    const before = this.#keys.size
    this.#context.searchers.forEach((searcher, searcherOrdinal) => {
      searcher.segments.forEach((reader, segmentOrdinal) => {
        this.#keys.openSegment({ reader, searcher, searcherOrdinal, segmentOrdinal })
        const count = reader.maxDoc
        const docs = countUp(count)
        const buckets = new Int32Array(count).fill(parent)
        const batch = { docs, buckets, scores: undefined, count, bucketCount: parent + 1 }
        this.#columns = this.#keys.read(batch)
        for (let i = 0; i < count; i++) this.#visit(0, parent, i, batch, undefined)
      })
    })
    const added = Array.from({ length: this.#keys.size - before }, (_, i) => before + i)
    this.#byParent?.set(parent, [...known, ...added])
  }

  #bucketsOf(parent: number): readonly number[] {
    if (this.#byParent === undefined) {
      this.#byParent = new Map()
      for (let bucket = 0; bucket < this.#keys.size; bucket++) {
        const around = this.#keys.tupleOf(bucket).parent
        const list = this.#byParent.get(around)
        if (list === undefined) this.#byParent.set(around, [bucket])
        else list.push(bucket)
      }
    }
    return this.#byParent.get(parent) ?? []
  }
}

function checkTerms(source: CompositeSourceDefinition['source'], context: AggregationContext): void {
  const { engineVersion, now } = context
  for (const searcher of context.searchers) {
    const found = resolveValuesSource(searcher, source, { wanted: 'any', engineVersion, now })
    if (found.kind === 'geo' || found.kind === 'range') throw unsupportedField(source, searcher, found, 'multi_terms')
  }
}
