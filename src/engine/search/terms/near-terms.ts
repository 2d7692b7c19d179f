import type { TermDictionary } from '../../index/segment-reader.ts'
import { backwardTerms, MAX_BACKWARD_TERMS } from './backward-trie.ts'
import { type CharacterAutomaton, walkTrie } from './character-walk.ts'
import { prefixTerms } from './prefix-terms.ts'
import { termTrie } from './term-trie.ts'

/** A term near another. */
export interface NearTerm {
  readonly ordinal: number
  /** Insertions, deletions, substitutions and (where asked for) swaps of neighbours it takes. */
  readonly edits: number
  /** Its length in characters. */
  readonly length: number
}

/** How near a term must be. */
export interface NearTermOptions {
  /** 1 or 2. */
  readonly maxEdits: number
  /** Leading characters that must be the same. */
  readonly prefixLength: number
  /** Whether a swap of neighbours is one edit. */
  readonly transpositions: boolean
}

/** Longest pattern whose automaton fits a word of bits. */
const MAX_BITS = 29

/** Finds terms near a text in one dictionary after the other. */
export type NearTermSearch = (terms: TermDictionary) => NearTerm[]

/**
 * Makes ready a search for the terms within some edits of a text; they come in the order of the dictionary.
 *
 * Where the beginning need not be the same, a walk from the front would have to try every way to err at once. So the
 * pattern is halved: either its first half stands unchanged (walked from the front), or the last half is short of an
 * edit (walked from the back). Plain equivalent: {@link allNearTerms}.
 */
export function nearTermSearch(text: string, options: NearTermOptions): NearTermSearch {
  const points = Array.from(text, (c) => c.codePointAt(0) as number)
  const { maxEdits } = options
  if (options.prefixLength > 0 || points.length < 3 * maxEdits || points.length > MAX_BITS) {
    return (terms) => allNearTerms(terms, text, options)
  }
  const walks = [halvedWalk(points, options)]
  const half = points.length >>> 1
  let swap: Buffer | undefined
  if (options.transpositions && points[half - 1] !== points[half]) {
    // A swap across the middle is no edit of either half.
    const swapped = points.slice()
    swapped[half - 1] = points[half] as number
    swapped[half] = points[half - 1] as number
    if (maxEdits > 1) walks.push(halvedWalk(swapped, { ...options, maxEdits: maxEdits - 1 }))
    else swap = bytesOf(swapped)
  }
  return (terms) => {
    if (terms.size > MAX_BACKWARD_TERMS) return allNearTerms(terms, text, options)
    const found = new Map<number, NearTerm>()
    const take = (ordinal: number, length: number): void => {
      if (found.has(ordinal)) return
      const edits = editsBetween(points, terms.termText(ordinal), options)
      if (edits <= maxEdits) found.set(ordinal, { ordinal, edits, length })
    }
    for (const walk of walks) walk(terms, take)
    const ordinal = swap === undefined ? -1 : terms.find(swap)
    if (ordinal >= 0) take(ordinal, points.length)
    return [...found.values()].sort((a, b) => a.ordinal - b.ordinal)
  }
}

type Take = (ordinal: number, length: number) => void

/** Candidates: what is within the edits without a swap across the middle, and perhaps a few more. */
function halvedWalk(points: readonly number[], options: NearTermOptions): (terms: TermDictionary, take: Take) => void {
  const half = points.length >>> 1
  const edits = options.maxEdits - 1
  const front = new BitLevenshtein(points, options, { length: half, edits: 0 })
  const back = new BitLevenshtein([...points].reverse(), options, { length: points.length - half, edits })
  const beginning = bytesOf(points.slice(0, half))
  const ending = edits === 0 ? bytesOf(points.slice(half).reverse()) : new Uint8Array(0)
  return (terms, take) => {
    walkTrie(termTrie(terms), prefixTerms(terms, beginning), front, take)
    const { trie, ordinals } = backwardTerms(terms)
    walkTrie(trie, trie.beginningWith(ending), back, (place, length) => take(ordinals[place] as number, length))
  }
}

const bytesOf = (points: readonly number[]): Buffer => Buffer.from(String.fromCodePoint(...points))

/** All terms tried, as far as they share beginnings: for prefixes that must be the same, and short or very long texts. */
export function allNearTerms(terms: TermDictionary, text: string, options: NearTermOptions): NearTerm[] {
  const characters = Array.from(text)
  const range = prefixTerms(terms, Buffer.from(characters.slice(0, options.prefixLength).join('')))
  const points = characters.map((c) => c.codePointAt(0) as number)
  const automaton =
    points.length <= MAX_BITS
      ? new BitLevenshtein(points, options)
      : new RowLevenshtein(points, options.maxEdits, options.transpositions)
  const found: NearTerm[] = []
  walkTrie(termTrie(terms), range, automaton, (ordinal, length) => {
    found.push({ ordinal, edits: automaton.edits(length), length })
  })
  return found
}

function editsBetween(pattern: readonly number[], text: string, { maxEdits, transpositions }: NearTermOptions): number {
  const rows = new RowLevenshtein(pattern, maxEdits, transpositions)
  let depth = 0
  for (const character of text) if (!rows.step(depth++, character.codePointAt(0) as number)) return maxEdits + 1
  return rows.edits(depth)
}

interface Levenshtein extends CharacterAutomaton {
  /** Edits at an accepting level. */
  edits(depth: number): number
}

/**
 * Levenshtein's automaton as bits: bit j of row d is set when j characters of the pattern are matched with d edits
 * (Wu and Manber; a swap looks back one row further). For patterns that fit a word.
 */
class BitLevenshtein implements Levenshtein {
  readonly #length: number
  readonly #maxEdits: number
  readonly #transpositions: boolean
  readonly #ascii = new Int32Array(128)
  readonly #others = new Map<number, number>()
  readonly #mask: number
  /** Bits of the first and second row that may be set: fewer where the pattern's beginning allows fewer edits. */
  readonly #mask1: number
  readonly #mask2: number
  #rows0 = new Int32Array(64)
  #rows1 = new Int32Array(64)
  #rows2 = new Int32Array(64)
  /** Places of the character read at a level. */
  #places = new Int32Array(64)

  /** @param beginning  so many leading characters of the pattern take so many edits at most */
  constructor(
    pattern: readonly number[],
    { maxEdits, transpositions }: NearTermOptions,
    beginning = { length: 0, edits: maxEdits },
  ) {
    this.#length = pattern.length
    this.#maxEdits = maxEdits
    this.#transpositions = transpositions
    this.#mask = 2 ** (pattern.length + 1) - 1
    for (const [i, point] of pattern.entries()) {
      if (point < 128) this.#ascii[point] = (this.#ascii[point] as number) | (1 << i)
      else this.#others.set(point, (this.#others.get(point) ?? 0) | (1 << i))
    }
    const behind = this.#mask & ~(2 ** beginning.length - 1)
    this.#mask1 = beginning.edits < 1 ? behind : this.#mask
    this.#mask2 = beginning.edits < 2 ? behind : this.#mask
    // Before anything is read, d edits delete up to d characters.
    this.#rows0[0] = 1
    this.#rows1[0] = 3 & this.#mask1
    this.#rows2[0] = 7 & this.#mask2
  }

  step(depth: number, codePoint: number): boolean {
    const next = depth + 1
    if (next >= this.#rows0.length) this.#grow()
    const places = codePoint < 128 ? (this.#ascii[codePoint] as number) : (this.#others.get(codePoint) ?? 0)
    const before0 = this.#rows0[depth] as number
    const before1 = this.#rows1[depth] as number
    const row0 = (before0 & places) << 1
    // Kept, inserted, substituted, deleted.
    let row1 = ((before1 & places) << 1) | before0 | (before0 << 1) | (row0 << 1)
    const swaps = this.#transpositions && depth > 0
    const earlier = swaps ? (this.#places[depth] as number) : 0
    if (swaps) row1 |= ((((this.#rows0[depth - 1] as number) & places) << 1) & earlier) << 1
    row1 &= this.#mask1
    let row2 = 0
    if (this.#maxEdits > 1) {
      const before2 = this.#rows2[depth] as number
      row2 = ((before2 & places) << 1) | before1 | (before1 << 1) | (row1 << 1)
      if (swaps) row2 |= ((((this.#rows1[depth - 1] as number) & places) << 1) & earlier) << 1
      row2 &= this.#mask2
    }
    this.#rows0[next] = row0
    this.#rows1[next] = row1
    this.#rows2[next] = row2
    this.#places[next] = places
    return (row0 | row1 | row2) !== 0
  }

  accepts(depth: number): boolean {
    const all =
      (this.#rows0[depth] as number) |
      (this.#rows1[depth] as number) |
      (this.#maxEdits > 1 ? (this.#rows2[depth] as number) : 0)
    return (all & (1 << this.#length)) !== 0
  }

  edits(depth: number): number {
    const whole = 1 << this.#length
    if (((this.#rows0[depth] as number) & whole) !== 0) return 0
    return ((this.#rows1[depth] as number) & whole) !== 0 ? 1 : 2
  }

  #grow(): void {
    const longer = (rows: Int32Array): Int32Array<ArrayBuffer> => {
      const out = new Int32Array(rows.length * 2)
      out.set(rows)
      return out
    }
    this.#rows0 = longer(this.#rows0)
    this.#rows1 = longer(this.#rows1)
    this.#rows2 = longer(this.#rows2)
    this.#places = longer(this.#places)
  }
}

/** The same by rows of the edit matrix, for patterns of any length; also what {@link BitLevenshtein} is tested against. */
class RowLevenshtein implements Levenshtein {
  readonly #pattern: readonly number[]
  readonly #maxEdits: number
  readonly #transpositions: boolean
  readonly #rows: number[][]
  readonly #read: number[] = []

  constructor(pattern: readonly number[], maxEdits: number, transpositions: boolean) {
    this.#pattern = pattern
    this.#maxEdits = maxEdits
    this.#transpositions = transpositions
    this.#rows = [Array.from({ length: pattern.length + 1 }, (_, i) => i)]
  }

  step(depth: number, codePoint: number): boolean {
    const pattern = this.#pattern
    const before = this.#rows[depth] as number[]
    const row = [depth + 1]
    let least = depth + 1
    for (let j = 1; j <= pattern.length; j++) {
      const same = pattern[j - 1] === codePoint ? 0 : 1
      let edits = Math.min((before[j] as number) + 1, (row[j - 1] as number) + 1, (before[j - 1] as number) + same)
      if (
        this.#transpositions &&
        depth > 0 &&
        j > 1 &&
        pattern[j - 2] === codePoint &&
        pattern[j - 1] === this.#read[depth - 1]
      ) {
        edits = Math.min(edits, ((this.#rows[depth - 1] as number[])[j - 2] as number) + 1)
      }
      row[j] = edits
      if (edits < least) least = edits
    }
    this.#rows[depth + 1] = row
    this.#read[depth] = codePoint
    return least <= this.#maxEdits
  }

  accepts(depth: number): boolean {
    return this.edits(depth) <= this.#maxEdits
  }

  edits(depth: number): number {
    return (this.#rows[depth] as number[])[this.#pattern.length] as number
  }
}
