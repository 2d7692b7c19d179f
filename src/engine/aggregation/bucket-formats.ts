import type { EngineVersion } from '../engine-version.ts'
import type { SegmentScope } from './aggregation-context.ts'
import { RAW_FORMAT, type ValueFormat } from './values/value-format.ts'
import type { ValuesSource, ValuesSourceConfig } from './values/values-source.ts'

/**
 * What keys are shown in where indices show values of a field otherwise: 6.x shows each bucket as the first index does
 * that has it. Buckets are numbered as they come, so that those of an index begin where those before it end.
 */
export class BucketFormats {
  readonly #formats: readonly ValueFormat[]
  /** The first bucket of each index with segments, ascending. */
  readonly #firsts: { readonly bucket: number; readonly searcher: number }[] = []

  private constructor(formats: readonly ValueFormat[]) {
    this.#formats = formats
  }

  /** Undefined where all of them show values alike, or nobody minds. @param sources  by searcher */
  static open(
    sources: readonly ValuesSource[],
    { format }: ValuesSourceConfig,
    engineVersion: EngineVersion,
  ): BucketFormats | undefined {
    if (engineVersion !== 'Elasticsearch_6.8' || format !== undefined) return undefined
    const shown = sources.filter((source) => source.kind === 'numeric').map(({ format }) => format)
    if (new Set(shown).size < 2) return undefined
    return new BucketFormats(sources.map((source) => (source.kind === 'numeric' ? source.format : RAW_FORMAT)))
  }

  /** Goes on with another segment. @param size  buckets until then */
  openSegment({ searcherOrdinal: searcher }: SegmentScope, size: number): void {
    if (this.#firsts.at(-1)?.searcher !== searcher) this.#firsts.push({ bucket: size, searcher })
  }

  /** What a bucket's key is shown in. */
  of(bucket: number): ValueFormat {
    const found = this.#firsts.findLast((first) => first.bucket <= bucket)
    return this.#formats[found?.searcher ?? 0] ?? RAW_FORMAT
  }
}
