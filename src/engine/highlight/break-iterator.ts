/**
 * Boundaries of a text: 0, its length, and what lies between.
 */
export interface BreakIterator {
  /** The last boundary before an offset; -1 when there is none. */
  preceding(offset: number): number
  /** The first boundary after an offset; -1 when there is none. */
  following(offset: number): number
}

/** The last of some ascending boundaries that lies before an offset; -1 when there is none. */
export function lastBefore(boundaries: readonly number[], offset: number): number {
  const i = countBefore(boundaries, offset) - 1
  return i < 0 ? -1 : (boundaries[i] as number)
}

/** The first of some ascending boundaries that lies behind an offset; -1 when there is none. */
export function firstBehind(boundaries: readonly number[], offset: number): number {
  const i = countBefore(boundaries, offset + 1)
  return i < boundaries.length ? (boundaries[i] as number) : -1
}

function countBefore(boundaries: readonly number[], offset: number): number {
  let low = 0
  let high = boundaries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((boundaries[middle] as number) < offset) low = middle + 1
    else high = middle
  }
  return low
}
