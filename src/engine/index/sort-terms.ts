/** Terms up to which comparing them is quicker than sorting by parts. */
const FEW = 12
/** More terms than this do not fit into one number beside four bytes. */
const MOST = 2 ** 20

/**
 * Numbers of terms in the order of their bytes.
 *
 * The native sort of plain numbers does the work: four bytes of a term and its place in one double, then, where those
 * are equal, the next four. (Measured on 250,000 Korean words: 85 ms instead of 190 with a sort that compares.)
 *
 * @param termEnds  where the bytes of each term end in `termBytes`
 */
export function sortedTerms(termBytes: Uint8Array, termEnds: Int32Array): Int32Array {
  const size = termEnds.length
  const order = new Int32Array(size)
  for (let id = 0; id < size; id++) order[id] = id
  const terms: Terms = { bytes: termBytes, ends: termEnds, keys: new Float64Array(size), ids: new Int32Array(size) }
  if (size > MOST) {
    order.sort((a, b) => compareFrom(terms, a, b, 0))
    return order
  }
  sortRun(terms, order, { from: 0, to: size, depth: 0 })
  return order
}

interface Terms {
  readonly bytes: Uint8Array
  readonly ends: Int32Array
  /** Room to sort in. */
  readonly keys: Float64Array
  readonly ids: Int32Array
}

/** Terms, of which the first `depth` bytes are equal. */
interface Run {
  readonly from: number
  readonly to: number
  readonly depth: number
}

function sortRun(terms: Terms, order: Int32Array, whole: Run): void {
  const runs = [whole]
  for (let run = runs.pop(); run !== undefined; run = runs.pop()) {
    const { from, to, depth } = run
    if (to - from <= FEW) {
      sortFew(terms, order, run)
      continue
    }
    const keys = terms.keys.subarray(from, to)
    const { bytes, ends, ids } = terms
    for (let i = from; i < to; i++) {
      const id = order[i] as number
      const end = ends[id] as number
      const start = (id === 0 ? 0 : (ends[id - 1] as number)) + depth
      let prefix = 0
      // One more than the byte, so that a term sorts before those that go on with a zero byte.
      for (let at = start; at < start + 4; at++) prefix = prefix * 257 + (at < end ? (bytes[at] as number) + 1 : 0)
      keys[i - from] = prefix * MOST + (i - from)
      ids[i] = id
    }
    keys.sort()
    let runStart = from
    let previous = -1
    for (let i = from; i < to; i++) {
      const key = keys[i - from] as number
      const prefix = Math.floor(key / MOST)
      order[i] = ids[from + (key - prefix * MOST)] as number
      if (prefix === previous) continue
      pushRun(runs, runStart, i, { prefix: previous, depth })
      runStart = i
      previous = prefix
    }
    pushRun(runs, runStart, to, { prefix: previous, depth })
  }
}

/** Terms that ended within the four bytes are one and the same: only those that go on are to be looked at again. */
function pushRun(runs: Run[], from: number, to: number, at: { readonly prefix: number; readonly depth: number }): void {
  if (to - from > 1 && at.prefix % 257 !== 0) runs.push({ from, to, depth: at.depth + 4 })
}

function sortFew(terms: Terms, order: Int32Array, { from, to, depth }: Run): void {
  for (let i = from + 1; i < to; i++) {
    const id = order[i] as number
    let at = i
    for (; at > from && compareFrom(terms, order[at - 1] as number, id, depth) > 0; at--) {
      order[at] = order[at - 1] as number
    }
    order[at] = id
  }
}

function compareFrom({ bytes, ends }: Terms, a: number, b: number, depth: number): number {
  const endA = ends[a] as number
  const endB = ends[b] as number
  let i = (a === 0 ? 0 : (ends[a - 1] as number)) + depth
  let j = (b === 0 ? 0 : (ends[b - 1] as number)) + depth
  for (; i < endA && j < endB; i++, j++) {
    const difference = (bytes[i] as number) - (bytes[j] as number)
    if (difference !== 0) return difference
  }
  return endA - i - (endB - j)
}
