import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import { parseAddress } from '../../mapping/types/ip-address.ts'
import { hasBit } from '../../search/lucene/bit-set.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { BucketResult, SignificantTermsResult } from '../aggregation-result.ts'
import { BucketAggregator, type NamedAggregator } from '../aggregator.ts'
import { BucketHash } from '../bucket-hash.ts'
import { BucketDoubles } from '../bucket-numbers.ts'
import { CountsByIndex } from '../counts-by-index.ts'
import type { DocBatch } from '../doc-batch.ts'
import { late, lately } from '../late-fault.ts'
import { ExactLongs } from '../values/exact-longs.ts'
import { StringInput, type StringLeaf } from '../values/string-input.ts'
import { type NumericLeaf, numericLeaf, ValueBatch } from '../values/value-batch.ts'
import { BOOLEAN_FORMAT, RAW_FORMAT, UNSIGNED_FORMAT, type ValueFormat } from '../values/value-format.ts'
import {
  noTerms,
  resolveValuesSource,
  unsupportedField,
  type ValuesSource,
  type ValuesSourceConfig,
} from '../values/values-source.ts'
import { acceptedOrdinals, hasExpressions, type IncludeExclude, numberTest } from './include-exclude.ts'
import { Background, chooseSignificant, type SignificantThresholds } from './significant-buckets.ts'

/** `significant_terms`: values that are more frequent in a set than elsewhere. */
export interface SignificantTermsDefinition extends SignificantThresholds {
  readonly kind: 'significant_terms'
  readonly source: ValuesSourceConfig
  readonly filter: IncludeExclude | undefined
  /** `map`: terms are gone through as they were met. */
  readonly executionHint: string | undefined
}

/** Terms more frequent in what a search finds than in the background, by the field's column. */
export class SignificantTermsAggregator extends BucketAggregator {
  readonly #definition: SignificantTermsDefinition
  readonly #context: AggregationContext
  readonly #path: string
  readonly #sources: readonly ValuesSource[]
  readonly #strings: StringInput | undefined
  readonly #accepted: Uint8Array | undefined
  readonly #test: ((value: number | bigint) => boolean) | undefined
  readonly #format: ValueFormat
  readonly #isUnsigned: boolean
  /** Numbers beyond 2^53, told apart; undefined: there are none. */
  readonly #longs: ExactLongs | undefined
  readonly #hash = new BucketHash()
  readonly #subsetSizes = new BucketDoubles()
  /** The same of each index, and of the terms; of one index they are the whole. */
  readonly #sizesByIndex = new CountsByIndex()
  readonly #countsByIndex = new CountsByIndex()
  readonly #isEverywhere: boolean
  #index = -1
  readonly #values = new ValueBatch()
  readonly #background: Background
  /** Terms are gone through in their order, not as they were met. */
  readonly #isByTerm: boolean
  #stringLeaf: StringLeaf | undefined
  #numericLeaf: NumericLeaf | undefined

  constructor(
    definition: SignificantTermsDefinition,
    context: AggregationContext,
    options: {
      readonly name: string
      readonly children: readonly NamedAggregator[]
      readonly isInOneBucket: boolean
      readonly isEverywhere: boolean
    },
  ) {
    super(options.children)
    this.#definition = definition
    this.#context = context
    this.#path = definition.source.field ?? ''
    const { filter } = definition
    this.#sources = context.searchers.map((searcher) =>
      resolveValuesSource(searcher, definition.source, {
        wanted: 'any',
        engineVersion: context.engineVersion,
        now: context.now,
      }),
    )
    const forCaller = context.engineVersion !== 'Elasticsearch_6.8'
    const test = (): ((value: number | bigint) => boolean) | undefined =>
      filter && lately(() => numberTest(filter, options.name, this.#format, false, context.now, forCaller))
    const isNumeric = this.#sources.some(({ kind }) => kind === 'numeric')
    // Expressions are refused before doubles are.
    if (isNumeric && hasExpressions(filter)) test()
    this.#checkKinds()
    const isString = this.#sources.some(({ kind }) => kind === 'string')
    this.#strings = isString ? new StringInput(context, this.#sources) : undefined
    const numeric = this.#sources.find((source) => source.kind === 'numeric')
    this.#format = numeric?.format ?? RAW_FORMAT
    this.#isUnsigned = this.#sources.some((source) => source.kind === 'numeric' && source.isUnsigned)
    this.#longs = ExactLongs.needed(context, this.#sources) ? new ExactLongs() : undefined
    this.#accepted =
      filter === undefined || this.#strings === undefined
        ? undefined
        : acceptedOrdinals(filter, this.#strings, this.#strings.isIp ? parseAddress : (text) => Buffer.from(text), {
            name: options.name,
            context,
            forCaller,
          })
    // Nobody looks for terms of a field that is not there.
    this.#test = isString || !isNumeric ? undefined : test()
    this.#isEverywhere = options.isEverywhere
    this.#background = new Background(context, definition.background)
    // Terms are numbered as they are met unless there is one bucket with all of them and nothing inside.
    const isPlain = options.isInOneBucket && options.children.length === 0 && filter === undefined
    this.#isByTerm = this.#strings !== undefined && definition.executionHint !== 'map' && isPlain
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    if (segment.searcherOrdinal !== this.#index) this.#endIndex()
    this.#index = segment.searcherOrdinal
    const source = this.#sources[segment.searcherOrdinal] as ValuesSource
    this.#stringLeaf = source.kind === 'string' ? this.#strings?.leaf(segment) : undefined
    this.#numericLeaf =
      source.kind !== 'numeric'
        ? undefined
        : (this.#longs?.leaf(segment.reader, source) ?? numericLeaf(segment.reader, source.path, source.missing))
  }

  override finishIndex(): void {
    super.finishIndex()
    this.#endIndex()
  }

  collect(batch: DocBatch): void {
    const sizes = this.#subsetSizes.ensure(batch.bucketCount)
    for (let i = 0; i < batch.count; i++) sizes[batch.buckets[i] as number]!++
    if (this.#stringLeaf !== undefined) this.#collectStrings(batch, this.#stringLeaf)
    else if (this.#numericLeaf !== undefined) this.#collectNumbers(batch, this.#numericLeaf)
  }

  build(parent: number): SignificantTermsResult {
    const hash = this.#hash
    const strings = this.#strings
    const mapped = this.#sources.flatMap(({ kind }, index) => (kind === 'unmapped' ? [] : [index]))
    if (mapped.length === 0) {
      return { kind: 'significant_terms', type: 'umsigterms', docCount: 0, bgCount: 0, buckets: [] }
    }
    const met = hash.ofParent(parent)
    const candidates = this.#isByTerm
      ? [...met].sort((a, b) => (hash.keys[a] as number) - (hash.keys[b] as number))
      : met
    const background = this.#background
    const isOnly = this.#sources.length === 1
    const sizeIn = (index: number): number =>
      isOnly ? this.#subsetSizes.get(parent) : this.#sizesByIndex.get(index, parent)
    const indices = mapped.filter((index) => isOnly || this.#isEverywhere || parent < 0 || sizeIn(index) > 0)
    const { chosen, subsetSize, supersetSize } = chooseSignificant(candidates, this.#definition, {
      indices,
      subsetSize: sizeIn,
      background,
      count: (index, bucket) => (isOnly ? this.docCount(bucket) : this.#countsByIndex.get(index, bucket)),
      keyText: (bucket) => this.#keyText(bucket),
      backgroundCount: (index, bucket) => {
        const key = hash.keys[bucket] as number
        if (strings !== undefined) return background.ofTerm(index, this.#path, strings.term(key))
        const number = this.#number(key)
        const value =
          this.#format === BOOLEAN_FORMAT ? number !== 0 : typeof number === 'bigint' ? String(number) : number
        return background.ofQuery(index, { kind: 'term', field: this.#path, value })
      },
    })
    this.#context.budget.take(chosen.length)
    const buckets = chosen.map(({ bucket, score, docCount, backgroundCount }): BucketResult => {
      const key = this.#number(hash.keys[bucket] as number)
      const text = this.#keyText(bucket)
      // Unsigned ones are kept as the longs that their bits are, and shown as a number beside.
      const isUnsigned = this.#format === UNSIGNED_FORMAT
      return {
        key: strings !== undefined ? text : isUnsigned ? BigInt.asIntN(64, BigInt(key)) : key,
        name: text,
        ...(strings !== undefined || this.#format.isRaw ? {} : { keyAsString: text }),
        ...(this.#format === BOOLEAN_FORMAT ? { keyIsBoolean: true } : {}),
        ...(isUnsigned ? { keyAsNumber: key } : {}),
        docCount,
        score,
        bgCount: backgroundCount,
        aggregations: this.buildChildren(bucket),
      }
    })
    const type = strings === undefined ? 'siglterms' : 'sigsterms'
    return {
      kind: 'significant_terms',
      type,
      docCount: subsetSize,
      bgCount: parent < 0 ? indices.reduce((sum, index) => sum + background.wholeSize(index), 0) : supersetSize,
      buckets,
    }
  }

  #endIndex(): void {
    if (this.#sources.length === 1 || this.#index < 0) return
    this.#sizesByIndex.end(this.#index, this.#subsetSizes)
    this.#countsByIndex.end(this.#index, this.counts)
  }

  #keyText(bucket: number): string {
    const key = this.#hash.keys[bucket] as number
    if (this.#strings !== undefined) return this.#strings.text(key)
    const number = this.#number(key)
    return this.#format.isRaw || this.#isUnsigned ? String(number) : this.#format.format(number)
  }

  /** The number that a key of a bucket is. */
  #number(key: number): number | bigint {
    return this.#longs === undefined ? key : this.#longs.value(key)
  }

  #collectStrings({ docs, buckets, scores, count }: DocBatch, { column, map, missing }: StringLeaf): void {
    const out = this.begin()
    const accepted = this.#accepted
    const add = (i: number, ordinal: number): void => {
      if (accepted !== undefined && accepted[ordinal] === 0) return
      out.push(
        docs[i] as number,
        this.#hash.add(buckets[i] as number, ordinal),
        scores === undefined ? 0 : (scores[i] as number),
      )
    }
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number
      const has = column !== undefined && (column.present === undefined || hasBit(column.present, doc))
      const from = !has ? 0 : column.offsets === undefined ? doc : (column.offsets[doc] as number)
      const to = !has ? 0 : column.offsets === undefined ? doc + 1 : (column.offsets[doc + 1] as number)
      if (from === to && missing >= 0) add(i, missing)
      for (let at = from; at < to; at++) {
        const ordinal = column!.values[at] as number
        add(i, map === undefined ? ordinal : (map[ordinal] as number))
      }
    }
    this.flush(this.#hash.size)
  }

  #collectNumbers(batch: DocBatch, leaf: NumericLeaf): void {
    leaf.gather(batch, this.#values)
    const { docs, buckets, scores, values, count } = this.#values
    const out = this.begin()
    for (let i = 0; i < count; i++) {
      const value = values[i] as number
      if (i > 0 && values[i - 1] === value && docs[i - 1] === docs[i] && buckets[i - 1] === buckets[i]) continue
      if (this.#test !== undefined && !this.#test(this.#number(value))) continue
      out.push(
        docs[i] as number,
        this.#hash.add(buckets[i] as number, value),
        scores === undefined ? 0 : (scores[i] as number),
      )
    }
    this.flush(this.#hash.size)
  }

  #checkKinds(): void {
    const { engineVersion, searchers } = this.#context
    this.#sources.forEach((source, i) => {
      const field = searchers[i]?.mapping.field(this.#path)
      if (engineVersion !== 'Elasticsearch_6.8' && field?.index === false)
        throw late(
          illegalArgument(`SignificantText aggregation requires fields to be searchable, but [${this.#path}] is not`),
        )
      if (source.kind === 'unmapped' || source.kind === 'string' || (source.kind === 'numeric' && !source.isFloating))
        return
      if (source.kind === 'numeric') {
        throw late(
          new ServiceError('unsupported_operation_exception', 'No support for examining floating point numerics'),
        )
      }
      throw engineVersion === 'Elasticsearch_6.8'
        ? noTerms('significant_terms', this.#path)
        : unsupportedField(this.#definition.source, searchers[i] as IndexSearcher, source, 'significant_terms')
    })
  }
}
