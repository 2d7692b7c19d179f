import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { SearchThreads } from './search-threads.ts'

/** How often the load is looked at. */
const INTERVAL_MS = 250

/** Shares of its time that the event loop must be busy, and how many intervals in a row, for threads to be started. */
const BUSY = 0.6
const BUSY_INTERVALS = 4

/** More threads than this gain nothing measured. */
const MOST = 8

/**
 * Starts search threads: the number asked for at once, or with `auto` one for each core beyond the first as soon as the
 * first thread is busy for a second. A domain that is hardly used stays one thread, small and quick to start.
 *
 * @returns what stops waiting for load
 */
export function startWhenBusy(threads: SearchThreads, count: 'auto' | number): () => void {
  if (count !== 'auto') {
    threads.start(count)
    return () => {}
  }
  let last = performance.eventLoopUtilization()
  let busyIntervals = 0
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    busyIntervals = utilization >= BUSY ? busyIntervals + 1 : 0
    if (busyIntervals < BUSY_INTERVALS) return
    clearInterval(timer)
    // One even where there is one core: the system shares it out fairly between a long search and the short requests.
    threads.start(Math.min(Math.max(availableParallelism() - 1, 1), MOST))
  }, INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}
