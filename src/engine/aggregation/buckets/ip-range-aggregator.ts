import { illegalArgument } from '../../../illegal-argument.ts'
import { partitionPoint } from '../../algorithms/partition-point.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import { formatAddress, neighbourAddress, parseAddress, parseNetwork } from '../../mapping/types/ip-address.ts'
import { hasBit } from '../../search/lucene/bit-set.ts'
import { typeName } from '../../search/queries/query-context.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { BucketResult, BucketsResult } from '../aggregation-result.ts'
import { BucketAggregator, type NamedAggregator } from '../aggregator.ts'
import type { DocBatch } from '../doc-batch.ts'
import { late } from '../late-fault.ts'
import { StringInput, type StringLeaf } from '../values/string-input.ts'
import { resolveValuesSource, unsupportedField, type ValuesSourceConfig } from '../values/values-source.ts'

/** `ip_range`: ranges of addresses, or networks. */
export interface IpRangeDefinition {
  readonly kind: 'ip_range'
  readonly source: ValuesSourceConfig
  readonly ranges: readonly {
    readonly key: string | undefined
    readonly from: string | undefined
    readonly to: string | undefined
    readonly mask: string | undefined
  }[]
  readonly keyed: boolean
}

interface AddressRange {
  readonly name: string
  readonly from: Uint8Array | undefined
  readonly to: Uint8Array | undefined
  /** Ordinals of the terms inside: first, and the one behind the last. */
  readonly first: number
  readonly end: number
}

/** Counts addresses by range: a range is a run of the field's ordinals. */
export class IpRangeAggregator extends BucketAggregator {
  readonly #definition: IpRangeDefinition
  readonly #context: AggregationContext
  readonly #input: StringInput
  readonly #ranges: readonly AddressRange[]
  #leaf: StringLeaf | undefined

  /** @throws {ServiceError} when the field holds no addresses, or a range is none */
  constructor(definition: IpRangeDefinition, context: AggregationContext, children: readonly NamedAggregator[]) {
    super(children)
    this.#definition = definition
    this.#context = context
    const options = { wanted: 'any', engineVersion: context.engineVersion, now: context.now, hint: 'ip' } as const
    const sources = context.searchers.map((searcher) => resolveValuesSource(searcher, definition.source, options))
    sources.forEach((source, i) => {
      // 6.8 compares any text with addresses.
      const isComparable = source.kind === 'string' && (source.isIp || context.engineVersion === 'Elasticsearch_6.8')
      if (source.kind === 'unmapped' || isComparable) return
      const searcher = context.searchers[i] as IndexSearcher
      if (context.engineVersion !== 'Elasticsearch_6.8') {
        throw unsupportedField(definition.source, searcher, source, definition.kind)
      }
      const field = searcher.mapping.field(definition.source.field ?? '')
      const found = field === undefined ? definition.source.field : typeName(field)
      const reason = `Expected ip type on field [${definition.source.field}], but got [${found}]`
      throw late(illegalArgument(reason))
    })
    this.#input = new StringInput(context, sources)
    this.#ranges = definition.ranges
      .map((range) => this.#resolve(range))
      .sort((a, b) => compareBounds(a.from, b.from, -1) || compareBounds(a.to, b.to, 1))
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    this.#leaf = this.#input.leaf(segment)
  }

  collect(batch: DocBatch): void {
    const { column, map, missing } = this.#leaf as StringLeaf
    const ranges = this.#ranges
    const size = ranges.length
    const { docs, buckets, scores, count } = batch
    const out = this.begin()
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      const has = column !== undefined && (column.present === undefined || hasBit(column.present, doc))
      const from = !has ? 0 : column.offsets === undefined ? doc : (column.offsets[doc] as number)
      const to = !has ? 0 : column.offsets === undefined ? doc + 1 : (column.offsets[doc + 1] as number)
      for (let r = 0; r < size; r++) {
        const { first, end } = ranges[r] as AddressRange
        let inside = from === to && missing >= first && missing < end
        for (let at = from; at < to && !inside; at++) {
          const own = column!.values[at] as number
          const ordinal = map === undefined ? own : (map[own] as number)
          inside = ordinal >= first && ordinal < end
        }
        if (inside) out.push(doc, (buckets[i] as number) * size + r, scores === undefined ? 0 : (scores[i] as number))
      }
    }
    this.flush(batch.bucketCount * size)
  }

  build(parent: number): BucketsResult {
    // Buckets of no documents have none of these, unlike those of other ranges.
    const ranges = parent < 0 ? [] : this.#ranges
    this.#context.budget.take(ranges.length)
    const buckets = ranges.map(({ name, from, to }, r): BucketResult => {
      const bucket = parent < 0 ? parent : parent * ranges.length + r
      return {
        key: name,
        name,
        ...(from === undefined ? {} : { from: { value: formatAddress(from), text: undefined } }),
        ...(to === undefined ? {} : { to: { value: formatAddress(to), text: undefined } }),
        docCount: this.docCount(bucket),
        aggregations: this.buildChildren(bucket),
      }
    })
    return { kind: 'buckets', type: 'ip_range', keyed: this.#definition.keyed, buckets }
  }

  #resolve({ key, from, to, mask }: IpRangeDefinition['ranges'][number]): AddressRange {
    let first = from === undefined ? undefined : parseAddress(from)
    let end = to === undefined ? undefined : parseAddress(to)
    let name = key
    if (mask !== undefined) {
      const network = parseNetwork(mask)
      first = network.first.every((byte) => byte === 0) ? undefined : network.first
      end = neighbourAddress(network.last, 1)
      name ??= mask
    }
    name ??= `${first === undefined ? '*' : formatAddress(first)}-${end === undefined ? '*' : formatAddress(end)}`
    return { name, from: first, to: end, first: this.#ceiling(first, 0), end: this.#ceiling(end, this.#input.size) }
  }

  /** First ordinal whose address is not below a bound. */
  #ceiling(bound: Uint8Array | undefined, open: number): number {
    if (bound === undefined) return open
    return partitionPoint(this.#input.size, (ordinal) => Buffer.compare(this.#input.term(ordinal), bound) < 0)
  }
}

/** Order of two bounds; an open one stands on its side (-1: before all). */
function compareBounds(a: Uint8Array | undefined, b: Uint8Array | undefined, open: -1 | 1): number {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? open : -open
  return Buffer.compare(a, b)
}
