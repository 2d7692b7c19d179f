import { parseAddress } from '../mapping/ip-address.ts'
import { hasBit } from '../search/lucene/bit-set.ts'
import type { AggregationContext, BucketBudget, SegmentScope } from './aggregation-context.ts'
import type { BucketResult, TermsResult } from './aggregation-result.ts'
import { BucketAggregator, type NamedAggregator } from './aggregator.ts'
import { BucketHash } from './bucket-hash.ts'
import { bucketComparator } from './bucket-order.ts'
import type { DocBatch } from './doc-batch.ts'
import { acceptedOrdinals } from './include-exclude.ts'
import { followSortPath } from './sort-path.ts'
import { StringInput, type StringLeaf } from './string-input.ts'
import type { TermsDefinition } from './terms-aggregator-definition.ts'
import { selectTerms } from './terms-selection.ts'
import type { ValuesSource } from './values-source.ts'

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
  readonly #dense: Float64Array | undefined
  readonly #hash = new BucketHash()
  #leaf: StringLeaf | undefined

  constructor(
    definition: TermsDefinition,
    context: AggregationContext,
    children: readonly NamedAggregator[],
    options: { readonly name: string; readonly sources: readonly ValuesSource[]; readonly isTopLevel: boolean },
  ) {
    super(children)
    this.#definition = definition
    this.#budget = context.budget
    this.#input = new StringInput(context, options.sources)
    const { filter } = definition
    const parse = this.#input.isIp ? parseAddress : (text: string) => Buffer.from(text)
    this.#accepted = filter === undefined ? undefined : acceptedOrdinals(filter, this.#input, parse, options.name)
    this.#dense = options.isTopLevel && children.length === 0 ? new Float64Array(this.#input.size) : undefined
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    this.#leaf = this.#input.leaf(segment)
  }

  collect(batch: DocBatch): void {
    const leaf = this.#leaf as StringLeaf
    if (this.#dense !== undefined) countOrdinals(batch, leaf, this.#dense)
    else this.#collectBuckets(batch, leaf)
  }

  /** Counts a whole segment without deletions by its terms' document frequencies; false where that cannot be. */
  collectWholeSegment(segment: SegmentScope): boolean {
    const { column, map, missing } = this.#input.leaf(segment)
    const dense = this.#dense
    if (dense === undefined || missing >= 0) return false
    if (column === undefined) return true
    const { dictionary } = column
    if (dictionary === undefined) return false
    for (let ordinal = 0; ordinal < dictionary.size; ordinal++) {
      dense[map === undefined ? ordinal : (map[ordinal] as number)]! += dictionary.docFreq(ordinal)
    }
    return true
  }

  #collectBuckets(batch: DocBatch, { column, map, missing }: StringLeaf): void {
    const out = this.begin()
    const hash = this.#hash
    const accepted = this.#accepted
    const { docs, buckets, scores, count } = batch
    const add = (doc: number, parent: number, ordinal: number, score: number): void => {
      if (accepted === undefined || accepted[ordinal] === 1) out.push(doc, hash.add(parent, ordinal), score)
    }
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      const parent = buckets[i] as number
      const score = scores === undefined ? 0 : (scores[i] as number)
      const from = column === undefined ? 0 : column.offsets === undefined ? doc : (column.offsets[doc] as number)
      const to =
        column === undefined
          ? 0
          : column.offsets !== undefined
            ? (column.offsets[doc + 1] as number)
            : column.present === undefined || hasBit(column.present, doc)
              ? doc + 1
              : from
      if (from >= to) {
        if (missing >= 0) add(doc, parent, missing, score)
        continue
      }
      for (let at = from; at < to; at++) {
        const ordinal = column!.values[at] as number
        add(doc, parent, map === undefined ? ordinal : (map[ordinal] as number), score)
      }
    }
    this.flush(hash.size)
  }

  build(parent: number): TermsResult {
    const { minDocCount, order, showsBucketErrors } = this.#definition
    const candidates = this.#candidates(parent, minDocCount)
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
    const { chosen, otherDocCount, docCountError } = selectTerms(this.#definition, candidates, count, compare)
    this.#budget.take(chosen.length)
    const buckets = chosen.map((candidate): BucketResult => {
      const key = this.#input.text(ordinalOf(candidate))
      return {
        key,
        name: key,
        docCount: count(candidate),
        docCountError: 0,
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

  #candidates(parent: number, minDocCount: number): Int32Array {
    const dense = this.#dense
    const accepted = this.#accepted
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

/** The loop that counts: nothing but array reads. */
function countOrdinals(batch: DocBatch, { column, map, missing }: StringLeaf, counts: Float64Array): void {
  const { docs, count } = batch
  if (column === undefined) {
    if (missing >= 0) counts[missing]! += count
    return
  }
  const { values, present, offsets } = column
  if (offsets !== undefined) {
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      const to = offsets[doc + 1] as number
      let at = offsets[doc] as number
      if (at === to && missing >= 0) counts[missing]!++
      for (; at < to; at++) {
        const ordinal = values[at] as number
        counts[map === undefined ? ordinal : (map[ordinal] as number)]!++
      }
    }
    return
  }
  for (let i = 0; i < count; i++) {
    const doc = docs[i] as number
    if (present !== undefined && !hasBit(present, doc)) {
      if (missing >= 0) counts[missing]!++
      continue
    }
    const ordinal = values[doc] as number
    counts[map === undefined ? ordinal : (map[ordinal] as number)]!++
  }
}
