import { constants, type NodeGCPerformanceDetail, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'

/** Collections of garbage, and how long they took together. */
export interface Collections {
  count: number
  ms: number
}

const counted: Readonly<Record<'young' | 'old', Collections>> = {
  young: { count: 0, ms: 0 },
  old: { count: 0, ms: 0 },
}

/** What Node tells of a collection. */
type CollectionEntry = PerformanceEntry & { readonly detail: NodeGCPerformanceDetail }

let observer: PerformanceObserver | undefined

/**
 * Collections of the first thread's heap since this was first asked, by the generation that was collected. Being told of them makes the
 * slowest hundredth of short requests some 5 % slower, which nobody pays who does not watch.
 */
export function collections(): typeof counted {
  if (observer === undefined) count()
  return counted
}

function count(): void {
  observer = new PerformanceObserver((list) => {
    for (const { detail, duration } of list.getEntries() as CollectionEntry[]) {
      const isYoung = detail.kind === constants.NODE_PERFORMANCE_GC_MINOR
      const counts = counted[isYoung ? 'young' : 'old']
      counts.count++
      counts.ms += duration
    }
  })
  observer.observe({ entryTypes: ['gc'] })
}
