import type { SelectedTerms } from './terms-selection.ts'

/**
 * The candidates with the most documents, of equals those with the lower ordinal: the order that terms stand in unless told
 * otherwise. Count and ordinal make one number, so that nothing is called to compare.
 *
 * @param candidates  what to choose from; undefined: every index of `counts` that is not 0
 * @param counts      documents by candidate
 * @param ordinals    ordinal by candidate; undefined: its own number
 * @param width       all ordinals are below it
 * @param accepted    1 by candidate for those that are in question, where there is no list of them
 */
export function topByCount(
  candidates: Int32Array | undefined,
  counts: Int32Array | Float64Array,
  ordinals: Float64Array | undefined,
  width: number,
  size: number,
  accepted?: Uint8Array,
): SelectedTerms {
  const length = candidates?.length ?? counts.length
  const heap = new Float64Array(Math.min(size, length))
  // Which candidate a number belongs to is needed only where its ordinal does not say it.
  const byOrdinal = ordinals === undefined ? undefined : new Map<number, number>()
  let kept = 0
  let otherDocCount = 0
  for (let i = 0; i < length; i++) {
    const candidate = candidates === undefined ? i : (candidates[i] as number)
    const count = counts[candidate] as number
    if (count === 0 && candidates === undefined) continue
    if (accepted !== undefined && accepted[candidate] === 0) continue
    otherDocCount += count
    const ordinal = ordinals === undefined ? candidate : (ordinals[candidate] as number)
    const rank = count * width + (width - 1 - ordinal)
    if (kept < heap.length) {
      byOrdinal?.set(ordinal, candidate)
      heap[kept++] = rank
      if (kept === heap.length && kept < length) heapify(heap)
    } else if (kept > 0 && rank > (heap[0] as number)) {
      byOrdinal?.set(ordinal, candidate)
      heap[0] = rank
      sink(heap, 0)
    }
  }
  const ranks = heap.subarray(0, kept).sort()
  const chosen = new Array<number>(kept)
  for (let i = 0; i < kept; i++) {
    const ordinal = width - 1 - ((ranks[kept - 1 - i] as number) % width)
    const candidate = byOrdinal === undefined ? ordinal : (byOrdinal.get(ordinal) as number)
    chosen[i] = candidate
    otherDocCount -= counts[candidate] as number
  }
  return { chosen, otherDocCount, docCountError: 0 }
}

/** Smallest number first. */
function heapify(heap: Float64Array): void {
  for (let i = (heap.length >> 1) - 1; i >= 0; i--) sink(heap, i)
}

function sink(heap: Float64Array, from: number): void {
  const size = heap.length
  const value = heap[from] as number
  let at = from
  for (;;) {
    let child = at * 2 + 1
    if (child >= size) break
    if (child + 1 < size && (heap[child + 1] as number) < (heap[child] as number)) child++
    if ((heap[child] as number) >= value) break
    heap[at] = heap[child] as number
    at = child
  }
  heap[at] = value
}
