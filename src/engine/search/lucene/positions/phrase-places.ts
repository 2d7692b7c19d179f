import type { FieldReader, TermDictionary } from '../../../index/segment-reader.ts'
import { byte4ToInt } from '../../../index/small-float.ts'
import { emptyBits, setBit } from '../bit-set.ts'
import { KeptArrays } from '../kept-arrays.ts'

/** Places left free behind each document: no phrase whose words are nearer than this reaches into the next one. */
export const PLACE_MARGIN = 16
/** Terms with fewer occurrences are read again each time. */
const MIN_KEPT = 64
/** A term has bits when there are no more words of them than this many an occurrence. */
const MAX_WORDS = 2
/** A phrase with a rare word looks at few places of frequent ones: see {@link arePlacesWorthMaking}. */
const MIN_MADE = 2048
const MADE_SHARE = 8

/** All occurrences of a term in a segment, as places: its documents' positions side by side. */
export interface TermPlaces {
  /** Ascending. */
  readonly places: Int32Array
  /** The same as bits; only for frequent terms. */
  readonly bits: Uint32Array | undefined
  /** Some places come twice (synonyms, n-grams): they count twice, or not, by where in the phrase the term stands. */
  readonly hasRepeats: boolean
  readonly sizeBytes: number
}

/** Where documents begin by field; undefined where they have too many places. */
const startsOfFields = new WeakMap<FieldReader, Int32Array | undefined>()
const keptPlaces = new WeakMap<TermDictionary, Map<number, KeptArrays<TermPlaces>>>()

/**
 * Where each document of a field begins when their positions are put side by side, and where the last ends. The room of a
 * document is what its length, as its norm tells it, is at most. Undefined where there are no norms, or no room in 31 bits.
 */
export function placeStarts(reader: FieldReader, maxDoc: number): Int32Array | undefined {
  if (startsOfFields.has(reader)) return startsOfFields.get(reader)
  const starts = reader.norms === undefined ? undefined : startsByNorms(reader.norms, maxDoc)
  startsOfFields.set(reader, starts)
  return starts
}

function startsByNorms(norms: Uint8Array, maxDoc: number): Int32Array | undefined {
  const starts = new Int32Array(maxDoc + 1)
  const rooms = Float64Array.from({ length: 256 }, (_, norm) => (norm < 255 ? byte4ToInt(norm + 1) : 2 ** 31))
  // Free places before the first document, too.
  let at = PLACE_MARGIN
  for (let doc = 0; doc < maxDoc; doc++) {
    starts[doc] = at
    const norm = norms[doc] as number
    if (norm > 0) at += (rooms[norm] as number) + PLACE_MARGIN
    if (at >= 2 ** 31) return undefined
  }
  starts[maxDoc] = at
  return starts
}

/**
 * Whether the places of some terms are worth making: they are kept already, or not many more than those of the rarest, or asked
 * for again.
 */
export function arePlacesWorthMaking(dictionary: TermDictionary, ordinals: readonly number[]): boolean {
  let least = Number.POSITIVE_INFINITY
  for (const ordinal of ordinals) least = Math.min(least, dictionary.totalTermFreq(ordinal))
  const most = MIN_MADE + MADE_SHARE * least
  let worth = true
  for (const ordinal of ordinals) {
    if (dictionary.totalTermFreq(ordinal) <= most) continue
    const kept = keptOf(dictionary, ordinal)
    // All are asked, so that all are known the next time.
    if (kept.value === undefined && !kept.isAskedAgain()) worth = false
  }
  return worth
}

/**
 * The places of a term, kept when it has many occurrences; undefined where a document has more positions than its length says
 * (gaps between values, words left out).
 */
export function termPlaces(dictionary: TermDictionary, ordinal: number, starts: Int32Array): TermPlaces | undefined {
  const count = dictionary.totalTermFreq(ordinal)
  if (count < MIN_KEPT) return makePlaces(dictionary, ordinal, starts, count)
  const kept = keptOf(dictionary, ordinal)
  let made = kept.value
  if (made === undefined) {
    made = makePlaces(dictionary, ordinal, starts, count)
    if (made !== undefined) kept.set(made)
  }
  return made
}

function keptOf(dictionary: TermDictionary, ordinal: number): KeptArrays<TermPlaces> {
  let byOrdinal = keptPlaces.get(dictionary)
  if (byOrdinal === undefined) {
    byOrdinal = new Map()
    keptPlaces.set(dictionary, byOrdinal)
  }
  let kept = byOrdinal.get(ordinal)
  if (kept === undefined) {
    kept = new KeptArrays()
    byOrdinal.set(ordinal, kept)
  }
  return kept
}

function makePlaces(
  dictionary: TermDictionary,
  ordinal: number,
  starts: Int32Array,
  count: number,
): TermPlaces | undefined {
  const places = new Int32Array(count)
  if (!dictionary.copyPlaces(ordinal, starts, PLACE_MARGIN, places)) return undefined
  const end = starts[starts.length - 1] as number
  const words = (end + PLACE_MARGIN + 31) >>> 5
  let bits: Uint32Array | undefined
  if (words <= count * MAX_WORDS) {
    bits = emptyBits(end + PLACE_MARGIN)
    for (let i = 0; i < count; i++) setBit(bits, places[i] as number)
  }
  let hasRepeats = false
  for (let i = 1; i < count; i++) if (places[i] === places[i - 1]) hasRepeats = true
  return { places, bits, hasRepeats, sizeBytes: 4 * count + (bits?.byteLength ?? 0) }
}
