import { createContext, Script } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

const script = new Script('run()')
const context = createContext({ run: undefined })

/** What is slow may take so long in all, in ms, before others are served; of search threads nobody else waits for. */
const TURN_LIMIT_MS = isMainThread ? 500 : Number.POSITIVE_INFINITY
/** What takes less is not counted: there are texts enough that are matched in no time. */
const SLOW_MS = 5

/** What was slow in this turn of the event loop took so long, in ms. */
const turn = { slowMs: 0 }

/**
 * Runs something synchronous and breaks it off when it takes too long, even inside one regular expression, or when much
 * like it has taken too long since others were served.
 *
 * @returns undefined when it was broken off. Costs about 0.1 ms by itself.
 */
export function withinTime<T>(limitMs: number, run: () => T): { readonly value: T } | undefined {
  const timeout = Math.floor(Math.min(limitMs, TURN_LIMIT_MS - turn.slowMs))
  if (timeout < 1) return undefined
  const started = performance.now()
  const before = context['run']
  context['run'] = run
  try {
    return { value: script.runInContext(context, { timeout }) as T }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  } finally {
    context['run'] = before
    count(performance.now() - started)
  }
}

function count(ms: number): void {
  if (ms < SLOW_MS) return
  if (turn.slowMs === 0) setImmediate(() => (turn.slowMs = 0))
  turn.slowMs += ms
}
