import type { ServiceError } from '../../../errors.ts'
import { hasBit } from '../../search/lucene/bit-set.ts'
import { faultInQueryPhase, illegalInQueryPhase } from '../../search/query-phase.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { SingleBucketResult } from '../aggregation-result.ts'
import type { NamedAggregator } from '../aggregator.ts'
import { BucketObjects } from '../bucket-numbers.ts'
import type { DocBatch } from '../doc-batch.ts'
import { DocBatchBuffer } from '../doc-batch.ts'
import { StringInput } from '../values/string-input.ts'
import { numericLeaf, ValueBatch } from '../values/value-batch.ts'
import { resolveValuesSource, type ValuesSource, type ValuesSourceConfig } from '../values/values-source.ts'
import { SingleBucketAggregator } from './single-bucket-aggregator.ts'

/** `sampler` and `diversified_sampler`: only the best documents of each index count. */
export interface SamplerDefinition {
  readonly kind: 'sampler'
  readonly shardSize: number
  /** Of documents with the same value of a field, so many. */
  readonly diversity: { readonly source: ValuesSourceConfig; readonly maxDocsPerValue: number } | undefined
}

interface Sampled {
  readonly scope: SegmentScope
  readonly doc: number
  readonly score: number
}

/** Keeps the best documents by bucket (and by value) and hands them on when their index is through. */
export class SamplerAggregator extends SingleBucketAggregator {
  protected readonly type: SingleBucketResult['type'] = 'sampler'
  readonly #definition: SamplerDefinition
  readonly #sources: readonly ValuesSource[] | undefined
  readonly #strings: StringInput | undefined
  #samples = new BucketObjects<Map<number, Sampled[]>>(() => new Map())
  #bucketCount = 0
  #scope: SegmentScope | undefined
  #keyOf: ((batch: DocBatch) => (index: number) => number) | undefined

  constructor(definition: SamplerDefinition, context: AggregationContext, children: readonly NamedAggregator[]) {
    super(children, true)
    this.#definition = definition
    const { diversity } = definition
    if (diversity === undefined) return
    const options = { wanted: 'any', engineVersion: context.engineVersion, now: context.now } as const
    const sources = context.searchers.map((searcher) => resolveValuesSource(searcher, diversity.source, options))
    this.#sources = sources
    if (sources.some(({ kind }) => kind === 'string')) this.#strings = new StringInput(context, sources)
  }

  /** Of a field that no index has there is nothing inside either. */
  get #isUnmapped(): boolean {
    return this.#sources?.every(({ kind }) => kind === 'unmapped') ?? false
  }

  override build(bucket: number): SingleBucketResult {
    const result = super.build(bucket)
    return this.#isUnmapped ? { ...result, aggregations: [] } : result
  }

  override openSegment(scope: SegmentScope): void {
    const source = this.#sources?.[scope.searcherOrdinal]
    if (this.children.length === 0 && source?.kind !== 'unmapped') {
      const reason = 'Sampler aggregation must be used with child aggregations.'
      throw faultInQueryPhase('aggregation_execution_exception', reason)
    }
    this.#scope = scope
    this.#keyOf = source === undefined ? undefined : this.#keys(source, scope)
  }

  collect(batch: DocBatch): void {
    const scope = this.#scope as SegmentScope
    if (this.#sources?.[scope.searcherOrdinal]?.kind === 'unmapped') return
    const key = this.#keyOf?.(batch)
    const { shardSize, diversity } = this.#definition
    const limit = diversity === undefined ? shardSize : Math.min(shardSize, diversity.maxDocsPerValue)
    this.#bucketCount = Math.max(this.#bucketCount, batch.bucketCount)
    for (let i = 0; i < batch.count; i++) {
      const groups = this.#samples.at(batch.buckets[i] as number)
      const group = key === undefined ? 0 : key(i)
      const best = groups.get(group)
      const score = batch.scores === undefined ? 0 : (batch.scores[i] as number)
      const sampled = { scope, doc: batch.docs[i] as number, score }
      if (best === undefined) groups.set(group, [sampled])
      else offer(best, sampled, limit)
    }
  }

  override finishIndex(): void {
    const chosen: { readonly sampled: Sampled; readonly bucket: number }[] = []
    for (let bucket = 0; bucket < this.#bucketCount; bucket++) {
      const groups = this.#samples.get(bucket)
      if (groups === undefined) continue
      const all = [...groups.values()].flat().sort(byScore)
      for (const sampled of all.slice(0, this.#definition.shardSize)) chosen.push({ sampled, bucket })
    }
    this.#samples = new BucketObjects(() => new Map())
    chosen.sort((a, b) => inOrder(a.sampled, b.sampled) || a.bucket - b.bucket)
    const counts = this.counts.ensure(this.#bucketCount)
    for (let from = 0; from < chosen.length; ) {
      const { scope } = chosen[from]!.sampled
      const out = new DocBatchBuffer(true)
      out.bucketCount = this.#bucketCount
      for (; from < chosen.length && chosen[from]!.sampled.scope === scope; from++) {
        const { sampled, bucket } = chosen[from]!
        out.push(sampled.doc, bucket, sampled.score)
        counts[bucket]!++
      }
      for (const { aggregator } of this.children) aggregator.openSegment(scope)
      this.hand(out)
    }
    super.finishIndex()
  }

  #keys(source: ValuesSource, scope: SegmentScope): (batch: DocBatch) => (index: number) => number {
    if (source.kind === 'string') {
      const { column, map, missing } = (this.#strings as StringInput).leaf(scope)
      return ({ docs }) =>
        (i) => {
          const doc = docs[i] as number
          const has = column !== undefined && (column.present === undefined || hasBit(column.present, doc))
          const from = !has ? 0 : column.offsets === undefined ? doc : (column.offsets[doc] as number)
          const to = !has ? 0 : column.offsets === undefined ? doc + 1 : (column.offsets[doc + 1] as number)
          if (to - from > 1) throw manyValues()
          // A document without a value shares the place of the first one.
          if (from === to) return Math.max(0, missing)
          const ordinal = column!.values[from] as number
          return map === undefined ? ordinal : (map[ordinal] as number)
        }
    }
    if (source.kind !== 'numeric') return () => () => 0
    const leaf = numericLeaf(scope.reader, source.path, source.missing)
    const values = new ValueBatch()
    return (batch) => {
      leaf.gather(batch, values)
      let at = 0
      return (i) => {
        const doc = batch.docs[i] as number
        const bucket = batch.buckets[i] as number
        if (at >= values.count || values.docs[at] !== doc || values.buckets[at] !== bucket) return 0
        const value = Math.trunc(values.values[at++] as number)
        if (at < values.count && values.docs[at] === doc && values.buckets[at] === bucket) throw manyValues()
        return value
      }
    }
  }
}

function manyValues(): ServiceError {
  return illegalInQueryPhase('Sample diversifying key must be a single valued-field')
}

function byScore(a: Sampled, b: Sampled): number {
  return b.score - a.score || inOrder(a, b)
}

function inOrder(a: Sampled, b: Sampled): number {
  return a.scope.segmentOrdinal - b.scope.segmentOrdinal || a.doc - b.doc
}

/** Keeps the best of a group in a heap, the worst on top. Documents come in order: a later one must score higher. */
function offer(heap: Sampled[], sampled: Sampled, size: number): void {
  if (heap.length < size) {
    let at = heap.push(sampled) - 1
    while (at > 0) {
      const up = (at - 1) >> 1
      if (byScore(heap[at]!, heap[up]!) <= 0) break
      ;[heap[at], heap[up]] = [heap[up]!, heap[at]!]
      at = up
    }
    return
  }
  if (sampled.score <= heap[0]!.score) return
  heap[0] = sampled
  for (let at = 0; ; ) {
    let child = at * 2 + 1
    if (child >= size) return
    if (child + 1 < size && byScore(heap[child + 1]!, heap[child]!) > 0) child++
    if (byScore(heap[child]!, heap[at]!) <= 0) return
    ;[heap[at], heap[child]] = [heap[child]!, heap[at]!]
    at = child
  }
}
