import type { SegmentScope } from '../aggregation-context.ts'
import { BucketAggregator } from '../aggregator.ts'
import type { DocBatch } from '../doc-batch.ts'
import type { KeyInput, KeyLeaf, ValuesSpent } from '../values/key-input.ts'
import { countOrdinals } from '../values/ordinal-leaf.ts'

/** Buckets by numbers of a field: by ordinals of their keys where those are known, else by the values one after the other. */
export abstract class KeyedAggregator extends BucketAggregator {
  /** Undefined: keys are not known. */
  protected abstract readonly keys: KeyInput | undefined
  /** Documents by ordinal, at the top with nothing inside; undefined: they go to buckets. */
  protected abstract readonly dense: Int32Array | undefined
  protected abstract readonly spent: ValuesSpent
  #leaf: KeyLeaf | undefined

  override openSegment(segment: SegmentScope): void {
    super.openSegment(segment)
    if (this.keys !== undefined) {
      this.#leaf = this.keys.leaf(segment)
      return
    }
    this.spent.openSegment(segment)
    this.openValues(segment)
  }

  override finishIndex(): void {
    super.finishIndex()
    this.spent.note()
  }

  override collectWholeSegment(segment: SegmentScope): boolean {
    const counts = this.dense
    return counts !== undefined && this.keys?.countSegment(segment, counts) === true
  }

  collect(batch: DocBatch): void {
    const leaf = this.#leaf
    if (leaf === undefined) this.collectValues(batch)
    else if (this.dense !== undefined) countOrdinals(batch, leaf, this.dense)
    else this.collectKeys(batch, leaf)
  }

  /** Goes on with another segment, where keys are not known. */
  protected abstract openValues(segment: SegmentScope): void
  protected abstract collectValues(batch: DocBatch): void
  protected abstract collectKeys(batch: DocBatch, leaf: KeyLeaf): void
}
