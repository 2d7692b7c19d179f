import type { AggregationContext, SegmentScope } from './aggregation-context.ts'
import type { DocBatch } from './doc-batch.ts'
import { type NumericLeaf, numericLeaf, ValueBatch } from './value-batch.ts'
import { RAW_FORMAT, type ValueFormat } from './value-format.ts'
import {
  type NumericSource,
  resolveValuesSource,
  type ValuesSource,
  type ValuesSourceConfig,
  type ValueType,
} from './values-source.ts'

/** The numbers of a field over all indices of a search. */
export class NumericInput {
  readonly format: ValueFormat
  /** No index maps the field and nothing stands in for it. */
  readonly isUnmapped: boolean
  readonly isFloating: boolean
  readonly isDate: boolean
  /** By searcher. */
  readonly sources: readonly ValuesSource[]
  readonly #batch = new ValueBatch()
  #leaf: NumericLeaf | undefined

  /** @throws {ServiceError} illegal_argument_exception when the field is not numeric */
  constructor(context: AggregationContext, config: ValuesSourceConfig, hint?: ValueType) {
    this.sources = context.searchers.map((searcher) =>
      resolveValuesSource(searcher, config, {
        wanted: 'numeric',
        engineVersion: context.engineVersion,
        now: context.now,
        ...(hint === undefined ? {} : { hint }),
      }),
    )
    const mapped = this.sources.filter((source): source is NumericSource => source.kind === 'numeric')
    this.format = mapped[0]?.format ?? RAW_FORMAT
    this.isUnmapped = mapped.length === 0
    this.isFloating = mapped.some((source) => source.isFloating)
    this.isDate = mapped.some((source) => source.isDate)
  }

  openSegment({ reader, searcherOrdinal }: SegmentScope): void {
    const source = this.sources[searcherOrdinal]
    this.#leaf = source?.kind === 'numeric' ? numericLeaf(reader, source.path, source.missing) : undefined
  }

  /** See {@link NumericLeaf.limit}; of the segment that is open. */
  get limit(): number {
    return this.#leaf?.limit ?? 0
  }

  /** Values of a batch's documents; valid until the next call. */
  values(batch: DocBatch): ValueBatch {
    if (this.#leaf === undefined) this.#batch.reset(batch)
    else this.#leaf.gather(batch, this.#batch)
    return this.#batch
  }
}
