import { constants, type NodeGCPerformanceDetail, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'

/** Collections of garbage, and how long they took together. */
export interface Collections {
  count: number
  ms: number
}

/** Of the first thread's heap, by the generation that was collected. */
export const collections: Readonly<Record<'young' | 'old', Collections>> = {
  young: { count: 0, ms: 0 },
  old: { count: 0, ms: 0 },
}

/** What Node tells of a collection. */
type CollectionEntry = PerformanceEntry & { readonly detail: NodeGCPerformanceDetail }

let observer: PerformanceObserver | undefined

/** Counts collections from now on; again it does nothing. */
export function countCollections(): void {
  if (observer !== undefined) return
  observer = new PerformanceObserver((list) => {
    for (const { detail, duration } of list.getEntries() as CollectionEntry[]) {
      const isYoung = detail.kind === constants.NODE_PERFORMANCE_GC_MINOR
      const counts = collections[isYoung ? 'young' : 'old']
      counts.count++
      counts.ms += duration
    }
  })
  observer.observe({ entryTypes: ['gc'] })
}
