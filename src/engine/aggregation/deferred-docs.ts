import type { SegmentScope } from './aggregation-context.ts'
import type { NamedAggregator } from './aggregator.ts'
import { BATCH_SIZE, DocBatchBuffer } from './doc-batch.ts'

/** Documents put aside, to be handed on once it is known which of them count, or into which buckets. */
export class DeferredDocs {
  readonly #segments: { readonly scope: SegmentScope; readonly entries: DocBatchBuffer }[] = []
  readonly #withScores: boolean

  constructor(withScores: boolean) {
    this.#withScores = withScores
  }

  /** Documents added from now on are of this segment. */
  openSegment(scope: SegmentScope): void {
    this.#segments.push({ scope, entries: new DocBatchBuffer(this.#withScores) })
  }

  add(doc: number, bucket: number, score: number): void {
    this.#segments.at(-1)!.entries.push(doc, bucket, score)
  }

  /** @param numbers  new numbers of the buckets there are */
  renumber(numbers: Int32Array): void {
    for (const { entries } of this.#segments) {
      const { buckets } = entries
      for (let i = 0; i < entries.count; i++) buckets[i] = numbers[buckets[i] as number] as number
    }
  }

  /**
   * Hands everything on, in order, with buckets as given by a function (-1: nowhere), and forgets it.
   *
   * @param counts  counts documents by bucket; room is made by the function
   */
  replay(
    children: readonly NamedAggregator[],
    bucketOf: (bucket: number) => number,
    options: { readonly bucketCount: number; readonly count: (bucket: number) => void },
  ): void {
    let searcher = -1
    for (const { scope, entries } of this.#segments.splice(0)) {
      if (searcher >= 0 && searcher !== scope.searcherOrdinal) finish(children)
      searcher = scope.searcherOrdinal
      if (entries.count === 0) continue
      for (const { aggregator } of children) aggregator.openSegment(scope)
      const out = new DocBatchBuffer(this.#withScores)
      out.bucketCount = options.bucketCount
      const hand = (): void => {
        for (const { aggregator } of children) aggregator.collect(out)
        out.count = 0
      }
      for (let i = 0; i < entries.count; i++) {
        const bucket = bucketOf(entries.buckets[i] as number)
        if (bucket < 0) continue
        options.count(bucket)
        out.push(entries.docs[i] as number, bucket, entries.scores === undefined ? 0 : (entries.scores[i] as number))
        if (out.count === BATCH_SIZE) hand()
      }
      if (out.count > 0) hand()
    }
    finish(children)
  }
}

function finish(children: readonly NamedAggregator[]): void {
  for (const { aggregator } of children) aggregator.finishIndex()
}
