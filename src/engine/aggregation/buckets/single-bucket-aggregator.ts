import type { SingleBucketResult } from '../aggregation-result.ts'
import { BucketAggregator, type SortedAs } from '../aggregator.ts'
import { followSortPath } from '../sort-path.ts'

/** An aggregator with one bucket for each bucket around it, under the same ordinal. */
export abstract class SingleBucketAggregator extends BucketAggregator {
  protected abstract readonly type: SingleBucketResult['type']

  build(bucket: number): SingleBucketResult {
    return {
      kind: 'single_bucket',
      type: this.type,
      docCount: this.docCount(bucket),
      aggregations: this.buildChildren(bucket),
    }
  }

  override get sortedAs(): SortedAs | undefined {
    return 'bucket'
  }

  override sortValue(bucket: number, path: readonly string[]): number {
    if (path.length === 0 || (path.length === 1 && path[0] === 'doc_count')) return this.docCount(bucket)
    return followSortPath(this.children, bucket, path)
  }
}
