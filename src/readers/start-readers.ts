import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { ReaderThreads } from './reader-threads.ts'

/** How often the load is looked at. */
const INTERVAL_MS = 250

/** Shares of its time that the event loop must be busy, and how many intervals in a row, for threads to be started. */
const BUSY = 0.6
const BUSY_INTERVALS = 4

/** More readers than this gain nothing measured. */
const MOST = 8

/**
 * Starts reader threads: the number asked for at once, or with `auto` one for each core beyond the first as soon as the
 * writer's thread is busy for a second. A domain that is hardly used stays one thread, small and quick to start.
 *
 * @returns what stops waiting for load
 */
export function startReaders(readers: ReaderThreads, count: 'auto' | number): () => void {
  if (count !== 'auto') {
    if (count > 0) void readers.start(count)
    return () => {}
  }
  const wanted = Math.min(availableParallelism() - 1, MOST)
  if (wanted < 1) return () => {}
  let last = performance.eventLoopUtilization()
  let busyIntervals = 0
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    busyIntervals = utilization >= BUSY ? busyIntervals + 1 : 0
    if (busyIntervals < BUSY_INTERVALS) return
    clearInterval(timer)
    void readers.start(wanted)
  }, INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}
