import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { countUp } from '../../algorithms/count-up.ts'
import { compareDoubles } from '../../algorithms/double-order.ts'
import { doubleOfText } from '../../mapping/types/number-value.ts'
import type { AggregationContext, BucketBudget, SegmentScope } from '../aggregation-context.ts'
import type { BucketResult, TermsResult } from '../aggregation-result.ts'
import type { NamedAggregator } from '../aggregator.ts'
import { BucketFormats } from '../bucket-formats.ts'
import { BucketHash } from '../bucket-hash.ts'
import { bucketComparator } from '../bucket-order.ts'
import { KeyedAggregator } from '../buckets/keyed-aggregator.ts'
import type { DocBatch } from '../doc-batch.ts'
import { late, lately } from '../late-fault.ts'
import { MetBuckets } from '../met-buckets.ts'
import { followSortPath } from '../sort-path.ts'
import { ExactLongs } from '../values/exact-longs.ts'
import { KeyInput, type KeyLeaf, ValuesSpent } from '../values/key-input.ts'
import { spreadOrdinals } from '../values/ordinal-leaf.ts'
import { type NumericLeaf, numericLeaf, ValueBatch } from '../values/value-batch.ts'
import { RAW_FORMAT, UNSIGNED_FORMAT, type ValueFormat } from '../values/value-format.ts'
import { NO_ROUNDING } from '../values/value-ordinals.ts'
import type { NumericSource, ValuesSource } from '../values/values-source.ts'
import { hasExpressions, type IncludeExclude, numberTest } from './include-exclude.ts'
import type { TermsDefinition } from './terms-aggregator-definition.ts'
import { isByCount, type SelectedTerms, selectTerms } from './terms-selection.ts'
import { topByCount } from './top-by-count.ts'

/**
 * Terms of a numeric, date or boolean field, by value; where values are known as ordinals of themselves ({@link KeyInput}),
 * by those.
 */
export class NumericTermsAggregator extends KeyedAggregator {
  readonly #definition: TermsDefinition
  readonly #context: AggregationContext
  readonly #budget: BucketBudget
  readonly #sources: readonly ValuesSource[]
  readonly #format: ValueFormat
  /** Of buckets; undefined: all are shown in the same. */
  readonly #formats: BucketFormats | undefined
  readonly #isFloating: boolean
  readonly #isUnsigned: boolean
  readonly #test: ((value: number | bigint) => boolean) | undefined
  readonly #longs: ExactLongs | undefined
  protected readonly keys: KeyInput | undefined
  /** 1 by ordinal of keys that get buckets; undefined: all do. */
  readonly #accepted: Uint8Array | undefined
  protected readonly dense: Int32Array | undefined
  /** Keys are values, or ordinals where {@link keys} is there. */
  readonly #hash: BucketHash
  protected readonly spent: ValuesSpent
  readonly #values = new ValueBatch()
  readonly #met: MetBuckets
  #leaf: NumericLeaf | undefined

  constructor(
    definition: TermsDefinition,
    context: AggregationContext,
    children: readonly NamedAggregator[],
    options: { readonly name: string; readonly sources: readonly ValuesSource[]; readonly isTopLevel: boolean },
  ) {
    super(children)
    this.#met = new MetBuckets(definition, context)
    this.#definition = definition
    this.#context = context
    this.#budget = context.budget
    this.#sources = options.sources
    this.spent = new ValuesSpent(options.sources, NO_ROUNDING)
    const numeric = options.sources.filter((source): source is NumericSource => source.kind === 'numeric')
    this.#format = numeric[0]?.format ?? RAW_FORMAT
    this.#formats = BucketFormats.open(options.sources, definition.source, context.engineVersion)
    this.#isUnsigned = numeric.some((source) => source.isUnsigned)
    this.#isFloating = numeric.some((source) => source.isFloating)
    const { filter } = definition
    const isRare = definition.maxDocCount !== undefined
    const isList = Array.isArray(filter?.include) || Array.isArray(filter?.exclude)
    // Rare terms read lists of longs in a format of their own.
    const isUnsignedList =
      this.#isUnsigned && !this.#isFloating && isList && !(isRare && this.#format !== UNSIGNED_FORMAT)
    // Doubles are refused before what is asked of them is read, but after expressions.
    const isRefused = isRare && this.#isFloating
    const isRead = !isRefused || hasExpressions(filter)
    this.#test =
      filter === undefined || !isRead
        ? undefined
        : isUnsignedList
          ? lately(() => testUnsigned(filter, this.#format, isRare))
          : lately(() => numberTest(filter, options.name, this.#format, this.#isFloating, context.now, isRare))
    if (isRefused) {
      const reason = 'RareTerms aggregation does not support floating point fields.'
      throw late(illegalArgument(reason))
    }
    // Beside doubles whole numbers are doubles too.
    const isExact = !this.#isFloating && ExactLongs.needed(context, options.sources)
    this.#longs = isExact ? new ExactLongs() : undefined
    // With a least count of 0 values count that no document matches; those are looked for one by one.
    const keys = definition.minDocCount === 0 ? undefined : KeyInput.open(context, options.sources, NO_ROUNDING)
    this.keys = keys
    const test = this.#test
    this.#accepted =
      keys === undefined || test === undefined ? undefined : Uint8Array.from(keys.keys, (key) => Number(test(key)))
    const isCounted = this.#formats === undefined && children.length === 0
    const isDense = keys !== undefined && options.isTopLevel && isCounted
    this.dense = isDense ? context.scratch.counts(keys.keys.length) : undefined
    this.#hash = new BucketHash(isDense ? 1 : keys?.keys.length)
  }

  override openSegment(segment: SegmentScope): void {
    this.#formats?.openSegment(segment, this.#hash.size)
    super.openSegment(segment)
  }

  protected override openValues(segment: SegmentScope): void {
    const source = this.#sources[segment.searcherOrdinal]
    if (source?.kind !== 'numeric') this.#leaf = undefined
    else if (this.#longs !== undefined) this.#leaf = this.#longs.leaf(segment.reader, source)
    else this.#leaf = numericLeaf(segment.reader, source.path, source.missing)
  }

  override collect(batch: DocBatch): void {
    this.#met.note(batch)
    super.collect(batch)
  }

  protected override collectKeys(batch: DocBatch, leaf: KeyLeaf): void {
    spreadOrdinals(batch, leaf, this.#hash, this.#accepted, this.begin())
    this.flush(this.#hash.size)
  }

  protected override collectValues(batch: DocBatch): void {
    if (this.#leaf === undefined) return
    this.spent.add(batch.count)
    this.#leaf.gather(batch, this.#values)
    const { docs, buckets, scores, values, count } = this.#values
    const hash = this.#hash
    const test = this.#test
    const out = this.begin()
    for (let i = 0; i < count; i++) {
      const value = values[i] as number
      // Equal values of one document are one term.
      if (i > 0 && Object.is(values[i - 1], value) && docs[i - 1] === docs[i] && buckets[i - 1] === buckets[i]) continue
      if (test !== undefined && !test(this.#key(value))) continue
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
    if (minDocCount === 0 && this.#met.has(parent)) this.#addEmpty(parent)
    const ordinalOf = (candidate: number): number =>
      this.dense === undefined ? (this.#hash.keys[candidate] as number) : candidate
    const isRare = this.#definition.maxDocCount !== undefined
    // Rare terms are told, and sorted, as the longs that they are kept in.
    const isSigned = isRare && this.#isUnsigned
    const keyOf = (candidate: number): number | bigint => {
      if (this.keys !== undefined) return this.keys.keys[ordinalOf(candidate)] as number
      const key = this.#key(ordinalOf(candidate))
      return isSigned ? BigInt.asIntN(64, BigInt(key)) : key
    }
    const count = (candidate: number): number =>
      this.dense === undefined ? this.docCount(candidate) : (this.dense[candidate] as number)
    const bucketOf = (candidate: number): number => (this.dense === undefined ? candidate : -1)
    const fast =
      this.keys !== undefined && isByCount(this.#definition) ? this.#select(parent, this.keys.keys.length) : undefined
    const compare = bucketComparator(order, {
      count,
      compareKeys: (a, b) => {
        const left = keyOf(a)
        const right = keyOf(b)
        if (typeof left === 'number' && typeof right === 'number') return compareDoubles(left, right)
        return left < right ? -1 : left > right ? 1 : 0
      },
      value: (candidate, path) => followSortPath(this.children, bucketOf(candidate), path),
    })
    const { chosen, otherDocCount, docCountError } =
      fast ?? selectTerms(this.#definition, this.#candidates(parent), count, compare)
    this.#budget.take(chosen.length)
    const buckets = chosen.map((candidate): BucketResult => {
      const key = keyOf(candidate)
      const format = this.#formats?.of(candidate) ?? this.#format
      const isWhole =
        (this.#isUnsigned && !isRare && !this.#isFloating) ||
        format === UNSIGNED_FORMAT ||
        (format.isRaw && !this.#isFloating)
      const told = isSigned ? BigInt.asUintN(64, BigInt(key)) : key
      const text = isWhole ? String(told) : format.format(told)
      return {
        key,
        isFloatingKey: this.#isFloating,
        name: text,
        ...(format.isRaw || (format === UNSIGNED_FORMAT && !isRare) ? {} : { keyAsString: text }),
        docCount: count(candidate),
        docCountError,
        aggregations: this.buildChildren(bucketOf(candidate)),
      }
    })
    return {
      kind: 'terms',
      type: isRare ? 'lrareterms' : this.#isFloating ? 'dterms' : this.#isUnsigned ? 'ulterms' : 'lterms',
      docCountError,
      showsBucketErrors,
      otherDocCount,
      buckets,
    }
  }

  /** The values with the most documents. */
  #select(parent: number, width: number): SelectedTerms {
    const { size } = this.#definition
    return this.dense === undefined
      ? topByCount(this.#hash.ofParent(parent), this.counts.values, this.#hash.keys, width, size)
      : topByCount(undefined, this.dense, undefined, width, size, this.#accepted)
  }

  #candidates(parent: number): Int32Array {
    const dense = this.dense
    if (dense === undefined) return this.#hash.ofParent(parent)
    const found: number[] = []
    for (let ordinal = 0; ordinal < dense.length; ordinal++)
      if (dense[ordinal] !== 0 && this.#accepted?.[ordinal] !== 0) found.push(ordinal)
    return Int32Array.from(found)
  }

  #key(value: number): number | bigint {
    return this.#longs === undefined ? value : this.#longs.value(value)
  }

  /** With a least count of 0 every value of the field is a term, whatever matches. */
  #addEmpty(parent: number): void {
    this.#context.searchers.forEach((searcher, searcherOrdinal) => {
      const source = this.#sources[searcherOrdinal]
      if (source?.kind !== 'numeric') return
      for (const reader of searcher.segments) {
        const docs = countUp(reader.maxDoc)
        const leaf = this.#longs?.leaf(reader, source) ?? numericLeaf(reader, source.path, source.missing)
        leaf.gather(
          { docs, buckets: new Int32Array(docs.length), scores: undefined, count: docs.length, bucketCount: 1 },
          this.#values,
        )
        for (let i = 0; i < this.#values.count; i++) {
          const value = this.#values.values[i] as number
          if (this.#test === undefined || this.#test(this.#key(value))) this.#hash.add(parent, value)
        }
      }
    })
  }
}

/**
 * Of lists the real server compares doubles with longs, so that none of them says anything of unsigned ones; only rare terms are
 * asked about as such.
 */
function testUnsigned(
  { include = [], exclude = [] }: IncludeExclude,
  format: ValueFormat,
  isRare: boolean,
): ((value: number | bigint) => boolean) | undefined {
  if (typeof include === 'string' || typeof exclude === 'string') return undefined
  if (!isRare) {
    for (const value of [...include, ...exclude]) if (format === UNSIGNED_FORMAT) doubleOfText(String(value))
    return include.length === 0 ? undefined : () => false
  }
  const [included, excluded] = [include, exclude].map((values) => new Set(values.map((v) => parseUnsigned(String(v)))))
  return (value) =>
    (include.length === 0 || included?.has(BigInt(value)) === true) && excluded?.has(BigInt(value)) !== true
}

/** A text as Java's `Long.parseUnsignedLong` reads it. @throws {ServiceError} number_format_exception */
function parseUnsigned(text: string): bigint {
  const refused = (reason: string): ServiceError => new ServiceError('number_format_exception', reason)
  if (text.startsWith('-')) throw refused(`Illegal leading minus sign on unsigned string ${text}.`)
  if (!/^\+?\d+$/.test(text)) throw refused(`For input string: "${text}"`)
  const value = BigInt(text.replace('+', ''))
  if (value < 2n ** 64n) return value
  throw refused(`String value ${text} exceeds range of unsigned long.`)
}
