import { openSync, readSync } from 'node:fs'
import { createContext, Script } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

const script = new Script('run()')
const context = createContext({ run: undefined })

/** What is slow may take so long in all, in ms, before others are served; of search threads nobody else waits for. */
const TURN_LIMIT_MS = isMainThread ? 500 : Number.POSITIVE_INFINITY
/** What takes less is not counted, and may take it whatever was slow before: there are texts enough that are matched in no time. */
const SLOW_MS = 5
/** What was broken off without having had the processor for that long is tried so often: the machine was busy. */
const ATTEMPTS = 4

/** What was slow in this turn of the event loop took so long, in ms. */
const turn = { slowMs: 0 }

/**
 * Runs something synchronous and breaks it off when it takes too long, even inside one regular expression, or when much
 * like it has taken too long since others were served. It may be run again from its beginning.
 *
 * @returns undefined when it was broken off. Costs about 0.1 ms by itself.
 */
export function withinTime<T>(limitMs: number, run: () => T): { readonly value: T } | undefined {
  for (let attempt = 1; ; attempt++) {
    const timeout = Math.max(Math.floor(Math.min(limitMs, TURN_LIMIT_MS - turn.slowMs)), SLOW_MS)
    const before = processorMs()
    const result = runOnce(timeout, run)
    const spentMs = processorMs() - before
    count(spentMs)
    if (result !== undefined || spentMs >= timeout || attempt === ATTEMPTS) return result
  }
}

function runOnce<T>(timeout: number, run: () => T): { readonly value: T } | undefined {
  const before = context['run']
  context['run'] = run
  try {
    return { value: script.runInContext(context, { timeout }) as T }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  } finally {
    context['run'] = before
  }
}

function count(ms: number): void {
  if (ms < SLOW_MS) return
  if (turn.slowMs === 0) setImmediate(() => (turn.slowMs = 0))
  turn.slowMs += ms
}

/** Tells this thread's processor time; stays open, since opening it takes longer than most of what is timed. */
let schedule: number | undefined
const told = Buffer.alloc(64)

/** Processor time of this thread, in ms; where the system does not tell, of the process. */
function processorMs(): number {
  try {
    schedule ??= openSync('/proc/thread-self/schedstat', 'r')
    const length = readSync(schedule, told, 0, told.length, 0)
    return Number(told.toString('latin1', 0, length).split(' ', 1)[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
}
