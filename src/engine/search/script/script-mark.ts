/**
 * Stands in the keys of queries that run scripts. What a script finds may change from one time to the next, and it must not be
 * run for documents that other conditions rule out: nothing with the mark is kept, or worked out for a whole segment.
 */
const MARK = '\u0001script:'

let count = 0

/** A key for a query that runs a script: no two are alike. */
export function scriptedKey(): string {
  return `${MARK}${++count}`
}

/** How many keys there have been: nothing that was made since it was last asked runs a script when it is the same. */
export function scriptedKeys(): number {
  return count
}

/** Whether a query of this key runs a script somewhere. */
export function runsScript(key: string): boolean {
  return key.includes(MARK)
}
