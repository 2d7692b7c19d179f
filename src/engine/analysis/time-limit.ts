import { createContext, Script } from 'node:vm'

const script = new Script('run()')
const context = createContext({ run: undefined })

/**
 * Runs something synchronous and breaks it off when it takes too long, even inside one regular expression.
 *
 * @returns undefined when it was broken off. Costs about 0.1 ms by itself.
 */
export function withinTime<T>(limitMs: number, run: () => T): { readonly value: T } | undefined {
  const before = context['run']
  context['run'] = run
  try {
    return { value: script.runInContext(context, { timeout: limitMs }) as T }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  } finally {
    context['run'] = before
  }
}
