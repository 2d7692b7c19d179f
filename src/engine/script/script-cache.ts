import type { ScriptContext } from './script-context.ts'
import { scriptCounts } from './script-counts.ts'
import type { ScriptSource } from './script-source.ts'

/** Scripts that are remembered for each kind of place (`script.cache.max_size`). */
const MAX_CACHED = 100

/** What was compiled of texts in one language, for each kind of place; the oldest are forgotten for others. */
export class ScriptCache<Compiled> {
  readonly #known = new WeakMap<ScriptContext, Map<string, Compiled>>()
  readonly #compile: (text: ScriptSource, context: ScriptContext) => Compiled

  /** @param compile  what it throws is not remembered */
  constructor(compile: (text: ScriptSource, context: ScriptContext) => Compiled) {
    this.#compile = compile
  }

  /** What compiling makes of a text, now or when it was last met in such a place. */
  get(text: ScriptSource, context: ScriptContext): Compiled {
    let known = this.#known.get(context)
    if (known === undefined) {
      known = new Map()
      this.#known.set(context, known)
    }
    const before = known.get(text.source)
    if (before !== undefined) return before
    const compiled = this.#compile(text, context)
    scriptCounts.compilations++
    if (known.size >= MAX_CACHED) {
      known.delete(known.keys().next().value as string)
      scriptCounts.evictions++
    }
    known.set(text.source, compiled)
    return compiled
  }
}
