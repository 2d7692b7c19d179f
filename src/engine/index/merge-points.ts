import { longArray, type NumbersDraft } from './column-writer.ts'
import type { DocMap } from './gathered-postings.ts'
import type { PointIndex } from './segment-reader.ts'

/** One segment's points of the field that is merged. */
export interface PointsPart {
  /** Undefined where it has none. */
  readonly points: PointIndex | undefined
  readonly docMap: DocMap
}

/**
 * Joins points, which stand in the order of their values and then of their documents in each part, in that order.
 *
 * @param parts        in the order of their documents
 * @param isReordered  documents come in another order than before
 */
export function mergePoints(parts: readonly PointsPart[], isReordered = false): NumbersDraft {
  const all = parts.map(({ points }) => points?.values ?? [])
  const next = new Int32Array(parts.length)
  const total = all.reduce((sum, { length }) => sum + length, 0)
  const docs = new Int32Array(total)
  const isLong = all.some((values) => typeof values[0] === 'bigint')
  const longs: bigint[] = []
  const numbers = new Float64Array(isLong ? 0 : total)
  let size = 0
  for (let i = 0; i < total; i++) {
    const from = smallest(all, next)
    const at = next[from]!++
    const { points, docMap } = parts[from] as PointsPart
    const doc = docMap.newDocs[points?.docs[at] as number] as number
    if (doc < 0) continue
    const value = all[from]?.[at] as number | bigint
    if (isLong) longs.push(BigInt(value))
    else numbers[size] = value as number
    docs[size++] = doc
  }
  const values = isLong ? longArray(longs) : numbers.subarray(0, size)
  if (isReordered) sortWithinValues(docs, values)
  return { docs: docs.subarray(0, size), values }
}

function sortWithinValues(docs: Int32Array, values: NumbersDraft['values']): void {
  for (let from = 0; from < values.length; ) {
    let to = from + 1
    while (to < values.length && Object.is(values[to], values[from])) to++
    if (to - from > 1) docs.subarray(from, to).sort()
    from = to
  }
}

/** The part whose next value comes first. */
function smallest(all: readonly ArrayLike<number | bigint>[], next: Int32Array): number {
  let best = -1
  let least: number | bigint = 0
  for (let i = 0; i < all.length; i++) {
    const values = all[i] as ArrayLike<number | bigint>
    const at = next[i] as number
    if (at >= values.length) continue
    const value = values[at] as number | bigint
    // -0.0 stands before 0.0, which a comparison does not see.
    if (best === -1 || value < least || (value === 0 && Object.is(value, -0) && Object.is(least, 0))) {
      best = i
      least = value
    }
  }
  return best
}
