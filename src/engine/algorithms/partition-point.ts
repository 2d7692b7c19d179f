/**
 * The first of `size` places in order that is not before what is looked for, by halving; `size`: all are before it. Not for inner loops,
 * which have it written out.
 *
 * @param isBefore  true of the first places, false of those behind them
 */
export function partitionPoint(size: number, isBefore: (place: number) => boolean): number {
  let low = 0
  let high = size
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
