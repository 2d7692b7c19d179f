import { ServiceError } from '../../../errors.ts'
import { countUp } from '../../algorithms/count-up.ts'
import { selectTop } from '../../algorithms/select-top.ts'
import { illegalInQueryPhase } from '../../search/query-phase.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { BucketResult, BucketsResult } from '../aggregation-result.ts'
import { BucketAggregator, type NamedAggregator } from '../aggregator.ts'
import { BucketDoubles } from '../bucket-numbers.ts'
import type { DocBatch, DocBatchBuffer } from '../doc-batch.ts'
import { CombinationCells } from './combination-cells.ts'
import { CombinationKeys } from './combination-keys.ts'
import type { CompositeKeys, CompositeSource, CompositeSourceDefinition, CompositeValue } from './composite-source.ts'

/** `composite`: a page of the combinations of values of several sources, in order. */
export interface CompositeDefinition {
  readonly kind: 'composite'
  readonly sources: readonly CompositeSourceDefinition[]
  readonly size: number
  /** Last key of the page before, by source. */
  readonly after: readonly CompositeValue[] | undefined
}

/** Combinations of a document that are put by before they are counted, and between two looks at whether anybody still waits. */
const MANY = 65_536

/** Buckets beyond the page that are kept before those that cannot come into it are told apart. */
const SLACK = 256

/** Numbers the combinations met; those that come behind a full page are passed over from time to time. */
export class CompositeAggregator extends BucketAggregator {
  readonly #definition: CompositeDefinition
  readonly #context: AggregationContext
  readonly #keys: CombinationKeys
  readonly #after: readonly ((key: number) => number)[] | undefined
  /** The last key that can still be on the page. */
  #limit: Float64Array | undefined
  #nextPrune: number
  /** Undefined: documents' values are gone through one by one. */
  readonly #cells: CombinationCells | undefined
  #columns: readonly CompositeKeys[] = []
  readonly #tuple: Float64Array
  #steps = 0
  /** Documents by bucket where they are not all counted that the aggregations inside see. */
  readonly #counted: BucketDoubles | undefined

  constructor(definition: CompositeDefinition, context: AggregationContext, children: readonly NamedAggregator[]) {
    super(children)
    this.#definition = definition
    this.#context = context
    this.#keys = new CombinationKeys(definition.sources, context, true)
    const { sources } = this.#keys
    const { after, size } = definition
    // 6.8 has a limit of its own here, which it does not have elsewhere.
    if (context.engineVersion !== 'Elasticsearch_6.8') checkSize(size, context)
    if (after !== undefined && after.length !== sources.length) {
      throw illegalInQueryPhase(`[after] has ${after.length} value(s) but [sources] has ${sources.length}`)
    }
    this.#after = after?.map((value, i) => (sources[i] as CompositeSource).comparatorTo(value, context.now))
    this.#nextPrune = size * 2 + SLACK
    this.#counted = sources[0]?.leads === true ? new BucketDoubles() : undefined
    this.#cells = this.#counted === undefined ? CombinationCells.open(sources, context) : undefined
    this.#tuple = new Float64Array(sources.length)
  }

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    if (this.#cells === undefined) this.#keys.openSegment(segment)
    else this.#cells.openSegment(segment)
  }

  override finishIndex(): void {
    super.finishIndex()
    for (const source of this.#keys.sources) source.finishIndex()
  }

  override collectWholeSegment(segment: SegmentScope): boolean {
    const cells = this.#cells
    const added = this.children.length > 0 ? undefined : cells?.countSegment(segment)
    if (cells === undefined || added === undefined) return false
    for (let cell = 0; cell < added.length; cell++) {
      if (added[cell] === 0) continue
      const bucket = this.#bucketOf(cell, cells)
      if (bucket >= 0) this.counts.ensure(bucket + 1)[bucket]! += added[cell] as number
    }
    return true
  }

  collect(batch: DocBatch): void {
    if (this.#cells !== undefined) {
      this.#collectCells(batch, this.#cells)
      return
    }
    this.#columns = this.#keys.read(batch)
    const out = this.begin()
    const { docs, scores, count } = batch
    for (let i = 0; i < count; i++)
      this.#visit(0, i, docs[i] as number, scores === undefined ? 0 : (scores[i] as number), true, out)
    this.#settle()
  }

  #collectCells(batch: DocBatch, cells: CombinationCells): void {
    const { docs, scores, count } = batch
    const read = cells.read(batch)
    const out = this.begin()
    for (let i = 0; i < count; i++) {
      const cell = read[i] as number
      if (cell < 0) continue
      const bucket = this.#bucketOf(cell, cells)
      if (bucket >= 0) out.push(docs[i] as number, bucket, scores === undefined ? 0 : (scores[i] as number))
    }
    this.#settle()
  }

  /** Bucket of a cell's combination; -1: it is not on the page. */
  #bucketOf(cell: number, cells: CombinationCells): number {
    const { buckets } = cells
    if (buckets[cell] === 0) buckets[cell] = this.#enter(cell, cells) + 2
    return (buckets[cell] as number) - 2
  }

  #enter(cell: number, cells: CombinationCells): number {
    cells.readTuple(cell, this.#tuple)
    if (!this.#isOnPage()) return -1
    const bucket = this.#bucket()
    if (this.#keys.size > this.#nextPrune) this.#prune()
    return bucket
  }

  #settle(): void {
    this.flush(this.#keys.size)
    this.begin()
  }

  /** Goes through the combinations of a document's keys from a level on; those before it are in the tuple. */
  #visit(level: number, i: number, doc: number, score: number, counts: boolean, out: DocBatchBuffer): void {
    const { starts, keys, counted } = this.#columns[level] as CompositeKeys
    const end = starts[i + 1] as number
    const isLast = level === this.#columns.length - 1
    for (let at = starts[i] as number; at < end; at++) {
      this.#tuple[level] = keys[at] as number
      const countsHere = counts && (counted === undefined || counted[at] === 1)
      if (!isLast) {
        if (level > 0 || !this.#isBehindPage()) this.#visit(level + 1, i, doc, score, countsHere, out)
      } else {
        if (++this.#steps % MANY === 0) this.#context.watch?.turn()
        if ((this.#after !== undefined || this.#limit !== undefined) && !this.#isOnPage()) continue
        const bucket = this.#bucket()
        if (this.#keys.size > this.#nextPrune) this.#prune()
        if (countsHere && this.#counted !== undefined) this.#counted.ensure(bucket + 1)[bucket]!++
        out.push(doc, bucket, score)
        if (out.count >= MANY) this.#settle()
      }
    }
  }

  protected override docCount(bucket: number): number {
    return this.#counted?.get(bucket) ?? super.docCount(bucket)
  }

  build(): BucketsResult {
    for (const source of this.#keys.sources) source.checkOrder()
    const chosen = this.#first(this.#definition.size)
    this.#context.budget.take(chosen.length)
    const { sources } = this.#keys
    type Show = (source: CompositeSource, key: number) => CompositeValue
    const shown = (keys: ArrayLike<number>, show: Show): NonNullable<BucketResult['compositeKey']> =>
      sources.map((source, i) => [source.definition.name, show(source, keys[i] as number), source.isFloating])
    const buckets = chosen.map(
      (bucket): BucketResult => ({
        key: '',
        name: '',
        compositeKey: shown(this.#keys.tupleOf(bucket).keys, (source, key) => source.show(key)),
        docCount: this.docCount(bucket),
        aggregations: this.buildChildren(bucket),
      }),
    )
    const last = chosen.length === 0 ? undefined : this.#keys.tupleOf(chosen.at(-1) as number).keys
    return {
      kind: 'buckets',
      type: 'composite',
      keyed: false,
      buckets,
      // Looked at when it is written: what cannot be shown is no fault of the aggregation.
      get afterKey() {
        return last && shown(last, (source, key) => source.showAfter(key))
      },
    }
  }

  #bucket(): number {
    let parent = 0
    for (let level = 0; level < this.#tuple.length; level++) {
      parent = this.#keys.add(level, parent, this.#tuple[level] as number)
    }
    return parent
  }

  /** Whether nothing that begins with the first key can still be on the page. */
  #isBehindPage(): boolean {
    if (this.#limit === undefined) return false
    const source = this.#keys.sources[0] as CompositeSource
    return source.compare(this.#tuple[0] as number, this.#limit[0] as number) > 0
  }

  #isOnPage(): boolean {
    const tuple = this.#tuple
    if (this.#after !== undefined) {
      let order = 0
      for (let level = 0; level < tuple.length && order === 0; level++) {
        order = (this.#after[level] as (key: number) => number)(tuple[level] as number)
      }
      if (order <= 0) return false
    }
    return this.#limit === undefined || this.#keys.compare(tuple, this.#limit) <= 0
  }

  #first(size: number): number[] {
    const keys = this.#keys.rememberedKeys()
    const all = countUp(this.#keys.size)
    const filled = this.#counted === undefined ? all : all.filter((bucket) => this.docCount(bucket) > 0)
    return selectTop(filled, size, (a, b) => this.#keys.compare(keys(a), keys(b)))
  }

  #prune(): void {
    const { size } = this.#definition
    const page = this.#first(size)
    if (page.length === size) this.#limit = this.#keys.tupleOf(page.at(-1) as number).keys
    this.#nextPrune = this.#keys.size * 2 + SLACK
  }
}

/** So many buckets may not be asked for: a fault of the caller's in OpenSearch. @throws {ServiceError} too_many_buckets_exception */
function checkSize(size: number, { budget, engineVersion }: AggregationContext): void {
  try {
    budget.check(size)
  } catch (error) {
    if (!(error instanceof ServiceError) || engineVersion !== 'OpenSearch_2.19') throw error
    throw error.with({ status: 400 })
  }
}
