import type { AggregationContext, BucketBudget, SegmentScope } from './aggregation-context.ts'
import type { BucketResult, TermsResult } from './aggregation-result.ts'
import { BucketAggregator, type NamedAggregator } from './aggregator.ts'
import { BucketHash } from './bucket-hash.ts'
import { bucketComparator } from './bucket-order.ts'
import type { DocBatch } from './doc-batch.ts'
import { ExactLongs } from './exact-longs.ts'
import { numberTest } from './include-exclude.ts'
import { followSortPath } from './sort-path.ts'
import type { TermsDefinition } from './terms-aggregator-definition.ts'
import { selectTerms } from './terms-selection.ts'
import { type NumericLeaf, numericLeaf, ValueBatch } from './value-batch.ts'
import { RAW_FORMAT, type ValueFormat } from './value-format.ts'
import type { NumericSource, ValuesSource } from './values-source.ts'

/** Terms of a numeric, date or boolean field, by value. */
export class NumericTermsAggregator extends BucketAggregator {
  readonly #definition: TermsDefinition
  readonly #context: AggregationContext
  readonly #budget: BucketBudget
  readonly #sources: readonly ValuesSource[]
  readonly #format: ValueFormat
  readonly #isFloating: boolean
  readonly #test: ((value: number) => boolean) | undefined
  readonly #longs: ExactLongs | undefined
  readonly #hash = new BucketHash()
  readonly #values = new ValueBatch()
  #leaf: NumericLeaf | undefined

  constructor(
    definition: TermsDefinition,
    context: AggregationContext,
    children: readonly NamedAggregator[],
    options: { readonly name: string; readonly sources: readonly ValuesSource[] },
  ) {
    super(children)
    this.#definition = definition
    this.#context = context
    this.#budget = context.budget
    this.#sources = options.sources
    const numeric = options.sources.filter((source): source is NumericSource => source.kind === 'numeric')
    this.#format = numeric[0]?.format ?? RAW_FORMAT
    this.#isFloating = numeric.some((source) => source.isFloating)
    const { filter } = definition
    this.#test =
      filter === undefined ? undefined : numberTest(filter, options.name, this.#format, this.#isFloating, context.now)
    this.#longs = ExactLongs.needed(context, options.sources) ? new ExactLongs() : undefined
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    const source = this.#sources[segment.searcherOrdinal]
    if (source?.kind !== 'numeric') this.#leaf = undefined
    else if (this.#longs !== undefined) this.#leaf = this.#longs.leaf(segment.reader, source.path, source.missing)
    else this.#leaf = numericLeaf(segment.reader, source.path, source.missing)
  }

  collect(batch: DocBatch): void {
    if (this.#leaf === undefined) return
    this.#leaf.gather(batch, this.#values)
    const { docs, buckets, scores, values, count } = this.#values
    const hash = this.#hash
    const test = this.#test
    const out = this.begin()
    for (let i = 0; i < count; i++) {
      const value = values[i] as number
      // Equal values of one document are one term.
      if (i > 0 && values[i - 1] === value && docs[i - 1] === docs[i] && buckets[i - 1] === buckets[i]) continue
      if (test !== undefined && !test(Number(this.#key(value)))) continue
      out.push(
        docs[i] as number,
        hash.add(buckets[i] as number, value),
        scores === undefined ? 0 : (scores[i] as number),
      )
    }
    this.flush(hash.size)
  }

  build(parent: number): TermsResult {
    const { minDocCount, order, showsBucketErrors } = this.#definition
    if (minDocCount === 0 && parent >= 0) this.#addEmpty(parent)
    const hash = this.#hash
    const count = (bucket: number): number => this.docCount(bucket)
    const candidates = hash.ofParent(parent)
    const compare = bucketComparator(order, {
      count,
      compareKeys: (a, b) => {
        const left = this.#key(hash.keys[a] as number)
        const right = this.#key(hash.keys[b] as number)
        return left < right ? -1 : left > right ? 1 : 0
      },
      value: (bucket, path) => followSortPath(this.children, bucket, path),
    })
    const { chosen, otherDocCount, docCountError } = selectTerms(this.#definition, candidates, count, compare)
    this.#budget.take(chosen.length)
    const buckets = chosen.map((bucket): BucketResult => {
      const key = this.#key(hash.keys[bucket] as number)
      const text = this.#format.format(key)
      return {
        key,
        isFloatingKey: this.#isFloating,
        name: text,
        ...(this.#format.isRaw ? {} : { keyAsString: text }),
        docCount: count(bucket),
        docCountError: 0,
        aggregations: this.buildChildren(bucket),
      }
    })
    return {
      kind: 'terms',
      type: this.#definition.maxDocCount !== undefined ? 'lrareterms' : this.#isFloating ? 'dterms' : 'lterms',
      docCountError,
      showsBucketErrors,
      otherDocCount,
      buckets,
    }
  }

  #key(value: number): number | bigint {
    return this.#longs === undefined ? value : this.#longs.value(value)
  }

  /** With a least count of 0 every value of the field is a term, whatever matches. */
  #addEmpty(parent: number): void {
    const values = new Set<number>()
    this.#context.searchers.forEach((searcher, searcherOrdinal) => {
      const source = this.#sources[searcherOrdinal]
      if (source?.kind !== 'numeric') return
      for (const reader of searcher.segments) {
        const docs = Int32Array.from({ length: reader.maxDoc }, (_, doc) => doc)
        const leaf =
          this.#longs?.leaf(reader, source.path, source.missing) ?? numericLeaf(reader, source.path, source.missing)
        leaf.gather(
          { docs, buckets: new Int32Array(docs.length), scores: undefined, count: docs.length, bucketCount: 1 },
          this.#values,
        )
        for (let i = 0; i < this.#values.count; i++) values.add(this.#values.values[i] as number)
      }
    })
    for (const value of values) {
      if (this.#test === undefined || this.#test(Number(this.#key(value)))) this.#hash.add(parent, value)
    }
  }
}
