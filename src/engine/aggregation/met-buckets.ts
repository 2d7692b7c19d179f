import type { AggregationContext } from './aggregation-context.ts'
import type { DocBatch } from './doc-batch.ts'
import type { TermsDefinition } from './terms/terms-aggregator-definition.ts'

/**
 * The buckets around that show terms without documents: in 6.x only those that some document came in, and the first, since
 * it makes an aggregator for each as its first document comes.
 */
export class MetBuckets {
  readonly #met: Set<number> | undefined

  constructor({ minDocCount }: TermsDefinition, { engineVersion }: AggregationContext) {
    this.#met = minDocCount === 0 && engineVersion === 'Elasticsearch_6.8' ? new Set() : undefined
  }

  note({ buckets, count }: DocBatch): void {
    if (this.#met === undefined) return
    for (let i = 0; i < count; i++) this.#met.add(buckets[i] as number)
  }

  has(bucket: number): boolean {
    return bucket === 0 || (bucket > 0 && this.#met?.has(bucket) !== false)
  }
}
