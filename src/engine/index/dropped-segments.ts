import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes that are worth a collection. */
const WORTH_BYTES = 32 * 2 ** 20
/** How often is looked whether the thread has time for one, and what part of that may be work. */
const LOOK_MS = 1_000
const IDLE_UTILIZATION = 0.1

let droppedBytes = 0
let timer: NodeJS.Timeout | undefined
let before: EventLoopUtilization | undefined
let collect: (() => void) | undefined

/**
 * Counts segments that nobody in this thread uses any more. They lie in shared memory, of which V8 does not know that
 * it is much: an idle process would keep them for ever. So once it is worth it, and the thread has nothing else to do,
 * they are collected. (A busy one collects by itself.)
 */
export function segmentsDropped(bytes: number): void {
  droppedBytes += bytes
  if (droppedBytes < WORTH_BYTES || timer !== undefined) return
  before = performance.eventLoopUtilization()
  timer = setInterval(collectWhenIdle, LOOK_MS)
  timer.unref()
}

function collectWhenIdle(): void {
  const { utilization } = performance.eventLoopUtilization(before)
  before = performance.eventLoopUtilization()
  if (utilization > IDLE_UTILIZATION) return
  clearInterval(timer)
  timer = undefined
  droppedBytes = 0
  collect ??= collector()
  collect()
}

/** V8's collector, which it shows to contexts made while the flag is set; where it does not, memory waits for its own. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  try {
    return runInNewContext('gc') as () => void
  } catch {
    return () => {}
  } finally {
    setFlagsFromString('--no-expose-gc')
  }
}
