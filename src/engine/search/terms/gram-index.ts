import type { TermDictionary } from '../../index/segment-reader.ts'

/* Which terms hold which gram. A gram is three characters where the first two are ASCII, else two: selective in alphabets
 * and in scripts of many characters alike. Grams are hashed into buckets; a bucket lists the ordinals of its terms,
 * ascending, each once. */

/** Bytes of terms beyond which no index is made: its lists would take four times as much. */
const MAX_INDEXED_BYTES = 32 * 1024 * 1024

/** Terms by the grams they hold. */
export class GramIndex {
  readonly #mask: number
  /** Where each bucket's list begins. */
  readonly #starts: Uint32Array
  readonly #ordinals: Uint32Array

  constructor({ size, termBytes, termOffsets }: TermDictionary) {
    const buckets = 2 ** Math.min(20, Math.max(8, 32 - Math.clz32(termBytes.length >>> 4)))
    this.#mask = buckets - 1
    const counts = new Uint32Array(buckets + 1)
    const last = new Int32Array(buckets).fill(-1)
    forEachGram(termBytes, termOffsets, size, (hash, ordinal) => {
      const bucket = hash & (buckets - 1)
      if (last[bucket] === ordinal) return
      last[bucket] = ordinal
      counts[bucket + 1]!++
    })
    for (let i = 0; i < buckets; i++) counts[i + 1] = (counts[i + 1] as number) + (counts[i] as number)
    const next = counts.slice()
    const ordinals = new Uint32Array(counts[buckets] as number)
    last.fill(-1)
    forEachGram(termBytes, termOffsets, size, (hash, ordinal) => {
      const bucket = hash & (buckets - 1)
      if (last[bucket] === ordinal) return
      last[bucket] = ordinal
      ordinals[next[bucket]!++] = ordinal
    })
    this.#starts = counts
    this.#ordinals = ordinals
  }

  /** Ordinals of terms that may hold all grams of a text, ascending; undefined when it has no whole gram. */
  candidates(text: Uint8Array): Uint32Array | undefined {
    const lists: Uint32Array[] = []
    forEachGram(text, new Uint32Array([0, text.length]), 1, (hash) => {
      const bucket = hash & this.#mask
      lists.push(this.#ordinals.subarray(this.#starts[bucket], this.#starts[bucket + 1]))
    })
    lists.sort((a, b) => a.length - b.length)
    const [shortest, second] = lists
    // Two lists leave little that a look at the term would not tell as fast.
    return shortest === undefined || second === undefined || second === shortest ? shortest : common(shortest, second)
  }
}

function common(a: Uint32Array, b: Uint32Array): Uint32Array {
  const out = new Uint32Array(a.length)
  let n = 0
  let low = 0
  for (let i = 0; i < a.length; i++) {
    const wanted = a[i] as number
    let step = 1
    while (low + step < b.length && (b[low + step] as number) < wanted) {
      low += step
      step <<= 1
    }
    let high = Math.min(low + step + 1, b.length)
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((b[middle] as number) < wanted) low = middle + 1
      else high = middle
    }
    if (b[low] === wanted) out[n++] = wanted
  }
  return out.subarray(0, n)
}

function forEachGram(
  bytes: Uint8Array,
  offsets: Uint32Array,
  size: number,
  visit: (hash: number, ordinal: number) => void,
): void {
  for (let ordinal = 0; ordinal < size; ordinal++) {
    const end = offsets[ordinal + 1] as number
    for (let at = offsets[ordinal] as number; at < end; ) {
      const first = at
      at += width(bytes[at] as number)
      if (at >= end) break
      let to = at + width(bytes[at] as number)
      if (to === first + 2) {
        if (to >= end) break
        to += width(bytes[to] as number)
      }
      let hash = 0
      for (let i = first; i < to; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x9e3779b1)
      visit((hash ^ (hash >>> 15)) >>> 0, ordinal)
    }
  }
}

/** Bytes of the character that begins with a byte. */
const width = (first: number): number => (first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4)

const made = new WeakMap<TermDictionary, GramIndex>()
const askedFor = new WeakSet<TermDictionary>()

/** A dictionary's gram index, made when it is asked for a second time; undefined until then and for huge dictionaries. */
export function gramIndex(terms: TermDictionary): GramIndex | undefined {
  const index = made.get(terms)
  if (index !== undefined || terms.termBytes.length > MAX_INDEXED_BYTES) return index
  if (!askedFor.has(terms)) {
    askedFor.add(terms)
    return undefined
  }
  const fresh = new GramIndex(terms)
  made.set(terms, fresh)
  return fresh
}
