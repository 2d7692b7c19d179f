import { parseAddress } from '../../mapping/types/ip-address.ts'
import type { AggregationContext, BucketBudget, SegmentScope } from '../aggregation-context.ts'
import type { BucketResult, TermsResult } from '../aggregation-result.ts'
import { BucketAggregator, type NamedAggregator } from '../aggregator.ts'
import { BucketHash } from '../bucket-hash.ts'
import { bucketComparator } from '../bucket-order.ts'
import type { DocBatch } from '../doc-batch.ts'
import { lately } from '../late-fault.ts'
import { MetBuckets } from '../met-buckets.ts'
import { followSortPath } from '../sort-path.ts'
import { countOrdinals, spreadOrdinals } from '../values/ordinal-leaf.ts'
import { StringInput, type StringLeaf } from '../values/string-input.ts'
import { type ValueSets, valueSets } from '../values/value-sets.ts'
import type { ValuesSource } from '../values/values-source.ts'
import { acceptedOrdinals } from './include-exclude.ts'
import type { TermsDefinition } from './terms-aggregator-definition.ts'
import { isByCount, type SelectedTerms, selectTerms } from './terms-selection.ts'
import { topByCount } from './top-by-count.ts'

const NO_CANDIDATES = new Int32Array(0)

/**
 * Terms of a string field by global ordinal. At the top without aggregations inside, an array of counts is all there
 * is; else pairs of outer bucket and ordinal are numbered as they come.
 */
export class StringTermsAggregator extends BucketAggregator {
  readonly #definition: TermsDefinition
  readonly #budget: BucketBudget
  readonly #input: StringInput
  readonly #accepted: Uint8Array | undefined
  /** Counts by ordinal; undefined: see {@link #hash}. */
  readonly #dense: Int32Array | undefined
  readonly #choosesByCount: boolean
  /** Keys are global ordinals. */
  readonly #hash: BucketHash
  readonly #met: MetBuckets
  #leaf: StringLeaf | undefined
  /** Of the open segment where documents have several terms, and how often each list of them was met. */
  #sets: ValueSets | undefined
  #setCounts = NO_CANDIDATES

  constructor(
    definition: TermsDefinition,
    context: AggregationContext,
    children: readonly NamedAggregator[],
    options: { readonly name: string; readonly sources: readonly ValuesSource[]; readonly isTopLevel: boolean },
  ) {
    super(children)
    this.#met = new MetBuckets(definition, context)
    this.#definition = definition
    this.#budget = context.budget
    const keepsOrdinals = definition.hints?.executionHint !== 'map'
    this.#input = new StringInput(context, options.sources, { keepsOrdinals, beside: 'together' })
    const { filter } = definition
    const isRare = definition.maxDocCount !== undefined
    const parse = this.#input.isIp ? parseAddress : (text: string) => Buffer.from(text)
    this.#accepted =
      filter === undefined
        ? undefined
        : lately(() => acceptedOrdinals(filter, this.#input, parse, { name: options.name, context, forCaller: isRare }))
    const { size } = this.#input
    const isDense = options.isTopLevel && children.length === 0 && !context.plain
    this.#hash = new BucketHash(isDense ? 1 : context.plain ? undefined : size)
    this.#choosesByCount = isByCount(definition) && !context.plain
    this.#dense = isDense ? context.scratch.counts(size) : undefined
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    this.#spreadSets()
    this.#leaf = this.#input.leaf(segment)
    const { column } = this.#leaf
    if (this.#dense === undefined || column === undefined) return
    this.#sets = valueSets(column)
    if (this.#sets !== undefined) this.#setCounts = new Int32Array(this.#sets.size)
  }

  collect(batch: DocBatch): void {
    this.#met.note(batch)
    const leaf = this.#leaf as StringLeaf
    if (this.#sets !== undefined) this.#sets.count(batch, this.#setCounts)
    else if (this.#dense !== undefined) countOrdinals(batch, leaf, this.#dense)
    else this.#collectBuckets(batch, leaf)
  }

  override collectWholeSegment(segment: SegmentScope): boolean {
    return this.#dense !== undefined && this.#input.countSegment(segment, this.#dense)
  }

  #collectBuckets(batch: DocBatch, leaf: StringLeaf): void {
    spreadOrdinals(batch, leaf, this.#hash, this.#accepted, this.begin())
    this.flush(this.#hash.size)
  }

  build(parent: number): TermsResult {
    this.#spreadSets()
    const { minDocCount, order, showsBucketErrors, size } = this.#definition
    const fast = this.#choosesByCount ? this.#select(parent, size) : undefined
    const candidates = fast === undefined ? this.#candidates(parent, minDocCount) : NO_CANDIDATES
    const dense = this.#dense
    const hash = this.#hash
    // A candidate is a term ordinal where counts are dense or empty terms are shown, else a bucket ordinal.
    const byOrdinal = dense !== undefined || minDocCount === 0
    const bucketOf = (candidate: number): number =>
      byOrdinal ? (dense === undefined ? hash.find(parent, candidate) : -1) : candidate
    const ordinalOf = (candidate: number): number => (byOrdinal ? candidate : (hash.keys[candidate] as number))
    const count = (candidate: number): number =>
      dense === undefined ? this.docCount(bucketOf(candidate)) : (dense[candidate] as number)
    const compare = bucketComparator(order, {
      count,
      compareKeys: (a, b) => ordinalOf(a) - ordinalOf(b),
      value: (candidate, path) => followSortPath(this.children, bucketOf(candidate), path),
    })
    const { chosen, otherDocCount, docCountError } = fast ?? selectTerms(this.#definition, candidates, count, compare)
    this.#budget.take(chosen.length)
    const buckets = chosen.map((candidate): BucketResult => {
      const key = this.#input.text(ordinalOf(candidate))
      return {
        key,
        name: key,
        docCount: count(candidate),
        docCountError,
        aggregations: this.buildChildren(bucketOf(candidate)),
      }
    })
    return {
      kind: 'terms',
      type: this.#definition.maxDocCount === undefined ? 'sterms' : 'srareterms',
      docCountError,
      showsBucketErrors,
      otherDocCount,
      buckets,
    }
  }

  /** Turns what the open segment has counted by lists of terms into counts of terms. */
  #spreadSets(): void {
    const { map, missing } = this.#leaf ?? {}
    this.#sets?.spread(this.#setCounts, map, missing ?? -1, this.#dense as Int32Array)
    this.#sets = undefined
  }

  /** The terms with the most documents. */
  #select(parent: number, size: number): SelectedTerms {
    const width = Math.max(1, this.#input.size)
    return this.#dense === undefined
      ? topByCount(this.#hash.ofParent(parent), this.counts.values, this.#hash.keys, width, size)
      : topByCount(undefined, this.#dense, undefined, width, size, this.#accepted)
  }

  #candidates(parent: number, minDocCount: number): Int32Array {
    if (parent < 0) return NO_CANDIDATES
    const dense = this.#dense
    const accepted = this.#accepted
    if (minDocCount === 0 && !this.#met.has(parent)) return NO_CANDIDATES
    if (dense !== undefined || minDocCount === 0) {
      const counts = dense
      const found = new Int32Array(this.#input.size)
      let size = 0
      for (let ordinal = 0; ordinal < found.length; ordinal++) {
        if (counts !== undefined && minDocCount > 0 && counts[ordinal] === 0) continue
        if (accepted !== undefined && accepted[ordinal] === 0) continue
        found[size++] = ordinal
      }
      return found.subarray(0, size)
    }
    return this.#hash.ofParent(parent)
  }
}
