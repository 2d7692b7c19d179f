import type { SimilarityWeight } from '../similarity/term-similarity.ts'
import type { TermPlaces } from './phrase-places.ts'

/** Terms with fewer places have no windows. */
export const MIN_WINDOWED = 4096
/** Places of a window; those of its last document come on top. */
const WINDOW_PLACES = 512
/** More occurrences in one document than these are not told apart. */
const MAX_FREQ = 16

/**
 * Places of a frequent term cut between documents, and for each window what its documents could score at best: what Lucene
 * calls the impacts of a block.
 */
export interface PlaceWindows {
  /** Where windows begin, and where the last ends. */
  readonly starts: Int32Array
  /** Where the impacts of each window begin. */
  readonly impactStarts: Int32Array
  /** `frequency << 8 | norm`: each document of the window has no more occurrences than one of them and no lower norm. */
  readonly impacts: Uint16Array
}

const madeWindows = new WeakMap<TermPlaces, PlaceWindows>()

/** @param docStarts  where each document's places begin */
export function placeWindows(term: TermPlaces, docStarts: Int32Array, norms: Uint8Array): PlaceWindows {
  let made = madeWindows.get(term)
  if (made === undefined) {
    made = makeWindows(term.places, docStarts, norms)
    madeWindows.set(term, made)
  }
  return made
}

function makeWindows(places: Int32Array, docStarts: Int32Array, norms: Uint8Array): PlaceWindows {
  const starts = [0]
  const impactStarts = [0]
  const impacts: number[] = []
  /** Lowest norm by frequency; 256: no document has it. */
  const lowest = new Int32Array(MAX_FREQ + 1).fill(256)
  let doc = 0
  for (let at = 0; at < places.length; ) {
    const first = at++
    doc = documentAt(docStarts, doc, places[first] as number)
    const end = docStarts[doc + 1] as number
    while (at < places.length && (places[at] as number) < end) at++
    const freq = Math.min(at - first, MAX_FREQ)
    lowest[freq] = Math.min(lowest[freq] as number, norms[doc] as number)
    if (at - (starts.at(-1) as number) < WINDOW_PLACES && at < places.length) continue
    let least = 256
    for (let f = MAX_FREQ; f > 0; f--) {
      const norm = lowest[f] as number
      // One that occurs no less often and is no longer stands for it.
      if (norm >= least) continue
      least = norm
      impacts.push((f << 8) | norm)
    }
    lowest.fill(256)
    starts.push(at)
    impactStarts.push(impacts.length)
  }
  return {
    starts: Int32Array.from(starts),
    impactStarts: Int32Array.from(impactStarts),
    impacts: Uint16Array.from(impacts),
  }
}

/** No document of a window scores more. */
export function windowMaximum(
  { impactStarts, impacts }: PlaceWindows,
  window: number,
  similarity: SimilarityWeight,
): number {
  let best = 0
  const end = impactStarts[window + 1] as number
  for (let i = impactStarts[window] as number; i < end; i++) {
    const impact = impacts[i] as number
    const freq = impact >>> 8
    best = Math.max(best, freq === MAX_FREQ ? similarity.maxScore : similarity.score(freq, impact & 255))
  }
  return best
}

/** The document a place belongs to, which is `from` or behind. */
export function documentAt(docStarts: Int32Array, from: number, place: number): number {
  let low = from
  let step = 1
  while (low + step < docStarts.length - 1 && (docStarts[low + step] as number) <= place) {
    low += step
    step <<= 1
  }
  let high = Math.min(low + step, docStarts.length - 1)
  // The last document that begins at the place or before.
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((docStarts[middle] as number) <= place) low = middle
    else high = middle
  }
  return low
}
