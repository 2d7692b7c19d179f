import type { ServiceError } from '../../../errors.ts'
import { packageOf } from '../../engine-version.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import { type JoinParent, joinParentOf } from '../../mapping/types/join-field.ts'
import { liveDocuments } from '../../search/live-documents.ts'
import { type BitSet, hasBit, intersection, nextBit } from '../../search/lucene/bit-set.ts'
import { type JoinColumn, type JoinOrdinals, joinOrdinals, namedDocuments } from '../../search/lucene/join-ordinals.ts'
import { faultInQueryPhase } from '../../search/query-phase.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { SingleBucketResult } from '../aggregation-result.ts'
import type { NamedAggregator, SortedAs } from '../aggregator.ts'
import { BATCH_SIZE, type DocBatch } from '../doc-batch.ts'
import { JoinBuckets } from './join-buckets.ts'
import { SingleBucketAggregator } from './single-bucket-aggregator.ts'

/** `children`: the children of the documents. */
export interface ChildrenDefinition {
  readonly kind: 'children'
  /** Name of the children in the join field. */
  readonly childType: string
}

/** `parent`: the parents of the documents. */
export interface ParentDefinition {
  readonly kind: 'parent'
  /** Name of the documents, which are children. */
  readonly childType: string
}

/** What a join is in one index. */
interface IndexJoin {
  readonly searcher: IndexSearcher
  readonly ordinals: JoinOrdinals
  readonly namePath: string
  /** Names of the documents that come in, and of those that go out. */
  readonly from: string
  readonly to: string
  readonly buckets: JoinBuckets
}

/**
 * Steps from documents to those that have a parent's id in common with them: which ids those are is known once all
 * segments of an index have been seen.
 */
export class JoinAggregator extends SingleBucketAggregator {
  protected readonly type: SingleBucketResult['type']
  readonly #definition: ChildrenDefinition | ParentDefinition
  readonly #context: AggregationContext
  #join: IndexJoin | undefined
  #from: BitSet | undefined
  #column: JoinColumn | undefined
  #bucketCount = 0

  constructor(
    definition: ChildrenDefinition | ParentDefinition,
    context: AggregationContext,
    children: readonly NamedAggregator[],
  ) {
    super(children)
    this.type = definition.kind
    this.#definition = definition
    this.#context = context
    // Children have been none there since 7.x.
    const minds = definition.kind === 'parent' || context.engineVersion === 'Elasticsearch_6.8'
    if (minds && context.searchers.some(({ mapping }) => mapping.join === undefined)) throw noJoin(context)
  }

  // Those inside see segments only when all have been gone through.
  override openSegment({ reader, searcher, segmentOrdinal }: SegmentScope): void {
    if (this.#join?.searcher !== searcher) this.#join = this.#open(searcher)
    this.#column = this.#join?.ordinals.columns[segmentOrdinal]
    this.#from = this.#join === undefined ? undefined : namedDocuments(reader, this.#join.namePath, [this.#join.from])
  }

  collect({ docs, buckets, count, bucketCount }: DocBatch): void {
    this.#bucketCount = Math.max(this.#bucketCount, bucketCount)
    const from = this.#from
    const column = this.#column
    if (this.#join === undefined || from === undefined || column === undefined) return
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      if (!hasBit(from, doc)) continue
      const ordinal = column.ordinal(doc)
      if (ordinal >= 0) this.#join.buckets.add(ordinal, buckets[i] as number)
    }
  }

  override finishIndex(): void {
    const join = this.#join
    this.#join = undefined
    if (join !== undefined && !join.buckets.isEmpty) this.#handOver(join)
    super.finishIndex()
  }

  override build(bucket: number): SingleBucketResult {
    const result = super.build(bucket)
    // 6.x shows nothing inside where no index has such children.
    const isBare = this.#context.engineVersion === 'Elasticsearch_6.8' && !this.#context.searchers.some(this.#isMapped)
    return isBare ? { ...result, aggregations: [] } : result
  }

  /** 6.x takes it for an aggregation of several buckets, by which nothing is sorted. */
  override get sortedAs(): SortedAs | undefined {
    return this.#context.engineVersion === 'Elasticsearch_6.8' ? undefined : super.sortedAs
  }

  /** Goes through the documents that the ids lead to. */
  #handOver({ searcher, ordinals, namePath, to, buckets }: IndexJoin): void {
    const searcherOrdinal = this.#context.searchers.indexOf(searcher)
    for (const [segmentOrdinal, reader] of searcher.segments.entries()) {
      const column = ordinals.columns[segmentOrdinal]
      const named = column === undefined ? undefined : namedDocuments(reader, namePath, [to])
      if (column === undefined || named === undefined) continue
      for (const { aggregator } of this.children) {
        aggregator.openSegment({ reader, searcher, searcherOrdinal, segmentOrdinal })
      }
      const docs = intersection(named, liveDocuments(reader)) as BitSet
      let out = this.begin()
      for (let doc = nextBit(docs, 0); doc >= 0; doc = nextBit(docs, doc + 1)) {
        const ordinal = column.ordinal(doc)
        if (ordinal < 0) continue
        buckets.push(ordinal, doc, out)
        if (out.count < BATCH_SIZE) continue
        this.flush(this.#bucketCount)
        this.#context.watch?.requireClient()
        out = this.begin()
      }
      this.flush(this.#bucketCount)
    }
  }

  #open(searcher: IndexSearcher): IndexJoin | undefined {
    const { join } = searcher.mapping
    const parent = this.#parentIn(searcher)
    if (join === undefined || parent === undefined) return undefined
    const ordinals = joinOrdinals(searcher.segments, parent.idField.path)
    const { kind, childType } = this.#definition
    const [from, to] = kind === 'children' ? [parent.name, childType] : [childType, parent.name]
    return { searcher, ordinals, namePath: join.field.path, from, to, buckets: new JoinBuckets(ordinals.size) }
  }

  #parentIn({ mapping }: IndexSearcher): JoinParent | undefined {
    return mapping.join === undefined ? undefined : joinParentOf(mapping.join, this.#definition.childType)
  }

  readonly #isMapped = (searcher: IndexSearcher): boolean => this.#parentIn(searcher) !== undefined
}

/** What the real servers say of an index without a join field: its shards fail over it. */
function noJoin({ engineVersion }: AggregationContext): ServiceError {
  const called = `${packageOf(engineVersion)}.join.mapper.ParentJoinFieldMapper.getParentIdFieldMapper(String, boolean)`
  const reason = `Cannot invoke "${called}" because "parentJoinFieldMapper" is null`
  return faultInQueryPhase('null_pointer_exception', reason)
}
