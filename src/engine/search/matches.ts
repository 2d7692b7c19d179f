/** Documents of one segment that match a query, ascending, with their scores; deleted and nested ones included. */
export interface Matches {
  readonly docs: Int32Array
  /** Score by place in `docs`; undefined: every score is `constant`. */
  readonly scores: Float32Array | undefined
  readonly constant: number
}

const EMPTY = new Int32Array(0)

/** No document. */
export const NO_MATCHES: Matches = { docs: EMPTY, scores: undefined, constant: 0 }

export function scoreAt(matches: Matches, i: number): number {
  return matches.scores === undefined ? matches.constant : (matches.scores[i] as number)
}

/** The same documents under one score. */
export function withConstant(matches: Matches, constant: number): Matches {
  return { docs: matches.docs, scores: undefined, constant }
}

/** Documents of a bit set of 32-bit words. */
export function docsOfBits(bits: Uint32Array, maxDoc: number): Int32Array {
  const docs = new Int32Array(maxDoc)
  let n = 0
  for (let word = 0; word < bits.length; word++) {
    let left = bits[word] as number
    while (left !== 0) {
      const lowest = left & -left
      const doc = (word << 5) + (31 - Math.clz32(lowest))
      if (doc < maxDoc) docs[n++] = doc
      left ^= lowest
    }
  }
  return docs.subarray(0, n)
}

/** Documents of all lists, without scores. */
export function union(lists: readonly Matches[], maxDoc: number, constant: number): Matches {
  if (lists.length === 1) return withConstant(lists[0] as Matches, constant)
  const bits = new Uint32Array((maxDoc + 31) >>> 5)
  for (const { docs } of lists) {
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i] as number
      bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31))
    }
  }
  return { docs: docsOfBits(bits, maxDoc), scores: undefined, constant }
}

/** Documents in every list; scores are the sums (in double, as Lucene's ConjunctionScorer) of those lists that score. */
export function intersect(scoring: readonly Matches[], filtering: readonly Matches[]): Matches {
  const lists = [...scoring, ...filtering].sort((a, b) => a.docs.length - b.docs.length)
  const [first, ...rest] = lists
  if (first === undefined) return NO_MATCHES
  let docs = first.docs
  for (const { docs: other } of rest) docs = intersectDocs(docs, other)
  if (scoring.length === 0) return { docs, scores: undefined, constant: 0 }
  const sums = new Float64Array(docs.length)
  for (const list of scoring) addScores(list, docs, sums)
  return { docs, scores: Float32Array.from(sums), constant: 0 }
}

/** Adds a list's scores at the documents given, all of which it holds. */
function addScores(list: Matches, docs: Int32Array, sums: Float64Array): void {
  if (list.scores === undefined) {
    for (let i = 0; i < docs.length; i++) sums[i] = (sums[i] as number) + list.constant
    return
  }
  for (let i = 0, at = 0; i < docs.length; i++) {
    at = advance(list.docs, at, docs[i] as number)
    sums[i] = (sums[i] as number) + (list.scores[at] as number)
  }
}

function intersectDocs(small: Int32Array, large: Int32Array): Int32Array {
  const out = new Int32Array(small.length)
  let n = 0
  for (let i = 0, at = 0; i < small.length && at < large.length; i++) {
    const doc = small[i] as number
    at = advance(large, at, doc)
    if (large[at] === doc) out[n++] = doc
  }
  return out.subarray(0, n)
}

/** First place from `at` on whose document is not below `target`: gallops, then searches by halves. */
function advance(docs: Int32Array, at: number, target: number): number {
  let step = 1
  let high = at
  while (high < docs.length && (docs[high] as number) < target) {
    at = high + 1
    high += step
    step *= 2
  }
  high = Math.min(high, docs.length)
  while (at < high) {
    const middle = (at + high) >>> 1
    if ((docs[middle] as number) < target) at = middle + 1
    else high = middle
  }
  return at
}

/** `left` without the documents of `right`. */
export function subtract(left: Matches, right: Matches): Matches {
  if (right.docs.length === 0) return left
  const docs = new Int32Array(left.docs.length)
  const scores = left.scores === undefined ? undefined : new Float32Array(left.docs.length)
  let n = 0
  for (let i = 0, at = 0; i < left.docs.length; i++) {
    const doc = left.docs[i] as number
    at = advance(right.docs, at, doc)
    if (right.docs[at] === doc) continue
    docs[n] = doc
    if (scores !== undefined) scores[n] = (left.scores as Float32Array)[i] as number
    n++
  }
  return { docs: docs.subarray(0, n), scores: scores?.subarray(0, n), constant: left.constant }
}

/** Documents in at least `least` of the lists; scores are sums in double, made float at the end (BooleanScorer). */
export function disjunction(lists: readonly Matches[], least: number, maxDoc: number): Matches {
  if (lists.length === 1 && least <= 1) return lists[0] as Matches
  const sums = new Float64Array(maxDoc)
  const counts = new Uint16Array(maxDoc)
  const bits = new Uint32Array((maxDoc + 31) >>> 5)
  for (const list of lists) {
    const { docs, scores, constant } = list
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i] as number
      sums[doc] = (sums[doc] as number) + (scores === undefined ? constant : (scores[i] as number))
      const count = (counts[doc] as number) + 1
      counts[doc] = count
      if (count === least || (least <= 1 && count === 1)) bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31))
    }
  }
  const docs = docsOfBits(bits, maxDoc)
  const scores = new Float32Array(docs.length)
  for (let i = 0; i < docs.length; i++) scores[i] = sums[docs[i] as number] as number
  return { docs, scores, constant: 0 }
}

/** The best list's score and a share of the others' (dis_max). */
export function disjunctionMax(lists: readonly Matches[], tieBreaker: number, maxDoc: number): Matches {
  if (lists.length === 1) return lists[0] as Matches
  const best = new Float64Array(maxDoc)
  const sums = new Float64Array(maxDoc)
  const bits = new Uint32Array((maxDoc + 31) >>> 5)
  for (const list of lists) {
    for (let i = 0; i < list.docs.length; i++) {
      const doc = list.docs[i] as number
      const score = scoreAt(list, i)
      sums[doc] = (sums[doc] as number) + score
      if (score > (best[doc] as number)) best[doc] = score
      bits[doc >>> 5] = (bits[doc >>> 5] as number) | (1 << (doc & 31))
    }
  }
  const docs = docsOfBits(bits, maxDoc)
  const scores = new Float32Array(docs.length)
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i] as number
    const top = best[doc] as number
    scores[i] = Math.fround(top + Math.fround(((sums[doc] as number) - top) * tieBreaker))
  }
  return { docs, scores, constant: 0 }
}

/** `required` with `optional`'s scores added where both match. */
export function requiredPlusOptional(required: Matches, optional: Matches): Matches {
  if (optional.docs.length === 0) return required
  const scores = new Float32Array(required.docs.length)
  for (let i = 0, at = 0; i < scores.length; i++) {
    const doc = required.docs[i] as number
    const score = scoreAt(required, i)
    at = advance(optional.docs, at, doc)
    scores[i] = optional.docs[at] === doc ? Math.fround(score + scoreAt(optional, at)) : score
  }
  return { docs: required.docs, scores, constant: 0 }
}
