/* What spreading does (`to.push(...from)`, `Math.max(...values)`) for lists of any length: as arguments, a hundred thousand values of a
 * document are more than the stack holds. */

/** Puts one list behind another. */
export function append<T>(to: T[], from: Iterable<T>): void {
  for (const item of from) to.push(item)
}

/** As `Math.min`. */
export function least(values: Iterable<number>): number {
  let found = Number.POSITIVE_INFINITY
  for (const value of values) found = Math.min(found, value)
  return found
}

/** As `Math.max`. */
export function greatest(values: Iterable<number>): number {
  let found = Number.NEGATIVE_INFINITY
  for (const value of values) found = Math.max(found, value)
  return found
}
