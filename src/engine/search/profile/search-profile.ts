import type { BatchCollector, DocsCollector } from '../docs-collector.ts'
import { type MeasuredStep, measured, newStep } from './measured-step.ts'
import { QueryProfiler } from './query-profiler.ts'

/** What a search spent in one index. */
export interface IndexProfile {
  readonly index: string
  readonly queries: QueryProfiler
  /** Making Lucene's queries of the request's, and simpler ones of those. */
  readonly rewrite: MeasuredStep
  /** Ranking matches. */
  readonly rank: MeasuredStep
  /** Handing matches to aggregations. */
  readonly collect: MeasuredStep
}

/** Measures one search (`profile: true`). A search without one is not measured and pays nothing. */
export class SearchProfile {
  /** By index, in the order searched. */
  readonly indices: IndexProfile[] = []

  /** What follows is done in this index. */
  open(index: string): IndexProfile {
    const profile = { index, queries: new QueryProfiler(), rewrite: newStep(), rank: newStep(), collect: newStep() }
    this.indices.push(profile)
    return profile
  }
}

/** Ranks, measured. */
export function measuredRank(rank: BatchCollector, { rank: step }: IndexProfile): BatchCollector {
  return (docs, scores, count) => measured(step, () => rank(docs, scores, count), count)
}

/** A collector, measured. */
export function measuredCollector(collector: DocsCollector, { collect: step }: IndexProfile): DocsCollector {
  return {
    needsScores: collector.needsScores,
    segment: (reader, docBase) => {
      const one = measured(step, () => collector.segment(reader, docBase), 0)
      return (doc, score) => measured(step, () => one(doc, score))
    },
    batches: (reader, docBase) => {
      const batch = measured(step, () => collector.batches?.(reader, docBase), 0)
      if (batch !== undefined) return (docs, scores, count) => measured(step, () => batch(docs, scores, count), count)
      const one = measured(step, () => collector.segment(reader, docBase), 0)
      return (docs, scores, count) =>
        measured(
          step,
          () => {
            for (let i = 0; i < count; i++) one(docs[i] as number, scores[i] as number)
          },
          count,
        )
    },
    wholeSegment: (reader, docBase) => measured(step, () => collector.wholeSegment?.(reader, docBase) === true, 0),
  }
}
