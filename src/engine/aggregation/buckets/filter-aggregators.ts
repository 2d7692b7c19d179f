import type { AskedMatches } from '../../search/lucene/asked-matches.ts'
import type { BitSet } from '../../search/lucene/bit-set.ts'
import { countBits, emptyBits, hasBit, setBit } from '../../search/lucene/bit-set.ts'
import type { Query } from '../../search/queries/query.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { BucketResult, BucketsResult, SingleBucketResult } from '../aggregation-result.ts'
import { BucketAggregator, type NamedAggregator } from '../aggregator.ts'
import type { DocBatch } from '../doc-batch.ts'
import { SingleBucketAggregator } from './single-bucket-aggregator.ts'

/** `filter`: those of the documents that match a query. */
export interface FilterDefinition {
  readonly kind: 'filter'
  readonly query: Query
}

/** `filters`: a bucket for each of several queries, and perhaps one for what matches none. */
export interface FiltersDefinition {
  readonly kind: 'filters'
  readonly filters: readonly { readonly key: string; readonly query: Query }[]
  readonly keyed: boolean
  readonly otherKey: string | undefined
}

/** `adjacency_matrix`: a bucket for each query and each two of them together. */
export interface AdjacencyMatrixDefinition {
  readonly kind: 'adjacency_matrix'
  /** In the order of their keys. */
  readonly filters: readonly { readonly key: string; readonly query: Query }[]
  readonly separator: string
  /** Whether what matches one query alone gets no bucket. */
  readonly showsOnlyIntersecting: boolean
}

/** Documents of a segment that match a filter; where that runs a script, those of the documents collected so far. */
class FilteredDocs {
  readonly bits: BitSet
  readonly #ask: () => AskedMatches | undefined
  #asked: AskedMatches | undefined
  #last = -1

  constructor(query: Query, context: AggregationContext, segment: SegmentScope) {
    this.#ask = () => context.asked(query, segment)
    this.#asked = this.#ask()
    this.bits = this.isWhole ? context.matches(query, segment) : emptyBits(segment.reader.maxDoc)
  }

  /** Whether all documents of the segment are known. */
  get isWhole(): boolean {
    return this.#asked === undefined
  }

  /** Makes known which documents of a batch match. */
  look({ docs, count }: DocBatch): void {
    if (this.#asked === undefined) return
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      // What is collected later by another aggregation comes once more from the beginning.
      if (doc < this.#last) this.#asked = this.#ask() as AskedMatches
      this.#last = doc
      if (this.#asked.has(doc)) setBit(this.bits, doc)
    }
  }
}

/** Documents of a batch that are in a set. */
function countIn(bits: BitSet, { docs, count }: DocBatch): number {
  let found = 0
  for (let i = 0; i < count; i++) {
    const doc = docs[i] as number
    found += ((bits[doc >>> 5] as number) >>> (doc & 31)) & 1
  }
  return found
}

/** The sets of filters, with all that they have of a batch. */
function looked(filtered: readonly FilteredDocs[], batch: DocBatch): BitSet[] {
  return filtered.map((one) => {
    one.look(batch)
    return one.bits
  })
}

/** One bucket: the documents of a query. */
export class FilterAggregator extends SingleBucketAggregator {
  protected readonly type: SingleBucketResult['type'] = 'filter'
  readonly #query: Query
  readonly #context: AggregationContext
  #filtered: FilteredDocs | undefined

  constructor(definition: FilterDefinition, context: AggregationContext, children: readonly NamedAggregator[]) {
    super(children)
    this.#query = definition.query
    this.#context = context
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    this.#filtered = new FilteredDocs(this.#query, this.#context, segment)
  }

  override collectWholeSegment(): boolean {
    const { isWhole, bits } = this.#filtered as FilteredDocs
    if (this.children.length > 0 || !isWhole) return false
    this.counts.ensure(1)[0]! += countBits(bits)
    return true
  }

  collect(batch: DocBatch): void {
    const filtered = this.#filtered as FilteredDocs
    filtered.look(batch)
    const { bits } = filtered
    if (this.children.length === 0 && batch.bucketCount === 1 && !this.#context.plain) {
      this.counts.ensure(1)[0]! += countIn(bits, batch)
      return
    }
    const out = this.begin()
    const { docs, buckets, scores, count } = batch
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      if (hasBit(bits, doc)) out.push(doc, buckets[i] as number, scores === undefined ? 0 : (scores[i] as number))
    }
    this.flush(batch.bucketCount)
  }
}

/** A bucket a query, and one for documents of none of them (`other_bucket`). */
export class FiltersAggregator extends BucketAggregator {
  readonly #definition: FiltersDefinition
  readonly #context: AggregationContext
  #filtered: readonly FilteredDocs[] = []

  constructor(definition: FiltersDefinition, context: AggregationContext, children: readonly NamedAggregator[]) {
    super(children)
    this.#definition = definition
    this.#context = context
  }

  get #width(): number {
    return this.#definition.filters.length + (this.#definition.otherKey === undefined ? 0 : 1)
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    this.#filtered = this.#definition.filters.map(({ query }) => new FilteredDocs(query, this.#context, segment))
  }

  override collectWholeSegment(): boolean {
    if (this.children.length > 0 || this.#definition.otherKey !== undefined) return false
    if (this.#filtered.some(({ isWhole }) => !isWhole)) return false
    const counts = this.counts.ensure(this.#width)
    for (const [f, { bits }] of this.#filtered.entries()) counts[f]! += countBits(bits)
    return true
  }

  collect(batch: DocBatch): void {
    const { filters, otherKey } = this.#definition
    const width = this.#width
    const sets = looked(this.#filtered, batch)
    const isCounted = this.children.length === 0 && otherKey === undefined && !this.#context.plain
    if (isCounted && batch.bucketCount === 1) {
      const counts = this.counts.ensure(width)
      for (let f = 0; f < width; f++) counts[f]! += countIn(sets[f] as BitSet, batch)
      return
    }
    const out = this.begin()
    const { docs, buckets, scores, count } = batch
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      const base = (buckets[i] as number) * width
      const score = scores === undefined ? 0 : (scores[i] as number)
      let matched = false
      for (let f = 0; f < filters.length; f++) {
        if (!hasBit(sets[f] as BitSet, doc)) continue
        matched = true
        out.push(doc, base + f, score)
      }
      if (!matched && otherKey !== undefined) out.push(doc, base + filters.length, score)
    }
    this.flush(batch.bucketCount * width)
  }

  build(parent: number): BucketsResult {
    const { filters, otherKey, keyed } = this.#definition
    const keys = filters.map(({ key }) => key)
    if (otherKey !== undefined) keys.push(otherKey)
    this.#context.budget.take(keys.length)
    const buckets = keys.map((key, index): BucketResult => {
      const bucket = parent < 0 ? parent : parent * this.#width + index
      return { key, name: key, docCount: this.docCount(bucket), aggregations: this.buildChildren(bucket) }
    })
    return { kind: 'buckets', type: 'filters', keyed, buckets }
  }
}

/** A bucket a query and a bucket each pair of queries. */
export class AdjacencyMatrixAggregator extends BucketAggregator {
  readonly #definition: AdjacencyMatrixDefinition
  readonly #context: AggregationContext
  readonly #keys: readonly string[]
  #filtered: readonly FilteredDocs[] = []

  constructor(
    definition: AdjacencyMatrixDefinition,
    context: AggregationContext,
    children: readonly NamedAggregator[],
  ) {
    super(children)
    this.#definition = definition
    this.#context = context
    const { filters, separator } = definition
    const pairs = filters.flatMap((a, i) => filters.slice(i + 1).map((b) => a.key + separator + b.key))
    this.#keys = [...filters.map(({ key }) => key), ...pairs]
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    this.#filtered = this.#definition.filters.map(({ query }) => new FilteredDocs(query, this.#context, segment))
  }

  collect(batch: DocBatch): void {
    const bits = looked(this.#filtered, batch)
    const width = this.#keys.length
    const out = this.begin()
    const { docs, buckets, scores, count } = batch
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      const base = (buckets[i] as number) * width
      const score = scores === undefined ? 0 : (scores[i] as number)
      const matching = bits.map((set) => hasBit(set, doc))
      for (let f = 0; f < bits.length; f++) if (matching[f]) out.push(doc, base + f, score)
      let pair = bits.length
      for (let a = 0; a < bits.length; a++) {
        for (let b = a + 1; b < bits.length; b++, pair++)
          if (matching[a] && matching[b]) out.push(doc, base + pair, score)
      }
    }
    this.flush(batch.bucketCount * width)
  }

  build(parent: number): BucketsResult {
    const { filters, showsOnlyIntersecting } = this.#definition
    const firstShown = showsOnlyIntersecting ? filters.length : 0
    const buckets = this.#keys
      .map((key, index): BucketResult => {
        const bucket = parent < 0 ? parent : parent * this.#keys.length + index
        return { key, name: key, docCount: this.docCount(bucket), aggregations: this.buildChildren(bucket) }
      })
      .filter(({ docCount }, index) => docCount > 0 && index >= firstShown)
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    this.#context.budget.take(buckets.length)
    return { kind: 'buckets', type: 'adjacency_matrix', keyed: false, buckets }
  }
}
