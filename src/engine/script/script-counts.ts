/** Scripts compiled, and compiled ones forgotten for others, since the process began. */
export interface ScriptCounts {
  compilations: number
  evictions: number
}

/** Of this thread, and of those whose counts were added. */
export const scriptCounts: ScriptCounts = { compilations: 0, evictions: 0 }

/** All counts since the last call, to be added to those of another thread; here they begin anew. */
export function takeScriptCounts(): ScriptCounts {
  const taken = { ...scriptCounts }
  scriptCounts.compilations = 0
  scriptCounts.evictions = 0
  return taken
}

/** Adds what another thread counted. */
export function addScriptCounts({ compilations, evictions }: ScriptCounts): void {
  scriptCounts.compilations += compilations
  scriptCounts.evictions += evictions
}
