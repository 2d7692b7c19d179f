import type { Explanation } from '../explanation.ts'
import type { PostingsBlock, SimilarityWeight, SumWindow } from './term-similarity.ts'

/** Frequencies whose scores are kept by norm. */
const KEPT_FREQS = 8
/** Documents that are scored before it is worth while to keep scores. */
const KEEP_AFTER = 1024

/**
 * The loops of both BM25s. Where many documents are scored, scores of small frequencies are kept by frequency and norm:
 * a look-up instead of a division.
 */
export abstract class Bm25Weight implements SimilarityWeight {
  abstract readonly maxScore: number
  abstract score(freq: number, norm: number): number
  abstract explain(doc: number, freq: Explanation, norm: number): Explanation
  /** Whether scores may be kept: not those that scripts reckon. */
  protected readonly keepsScores: boolean = true
  #scored = 0
  /** Score of frequency f and norm n at `(f - 1) * 256 + n`. */
  #kept: Float32Array | undefined

  scoreBlock(
    { blockDocs, blockFreqs }: PostingsBlock,
    from: number,
    to: number,
    norms: Uint8Array | undefined,
    out: Float32Array,
    at: number,
  ): void {
    const kept = this.#keptScores(to - from)
    if (kept === undefined || norms === undefined) {
      for (let i = from; i < to; i++, at++) {
        out[at] = this.score(
          blockFreqs[i] as number,
          norms === undefined ? -1 : (norms[blockDocs[i] as number] as number),
        )
      }
      return
    }
    for (let i = from; i < to; i++, at++) {
      const freq = blockFreqs[i] as number
      const norm = norms[blockDocs[i] as number] as number
      out[at] = freq <= KEPT_FREQS ? (kept[((freq - 1) << 8) | norm] as number) : this.score(freq, norm)
    }
  }

  addBlock(
    { blockDocs, blockFreqs }: PostingsBlock,
    from: number,
    to: number,
    norms: Uint8Array | undefined,
    { base, sums, bits }: SumWindow,
  ): void {
    const kept = this.#keptScores(to - from)
    if (kept === undefined || norms === undefined) {
      for (let i = from; i < to; i++) {
        const doc = blockDocs[i] as number
        const at = doc - base
        bits[at >>> 5] = (bits[at >>> 5] as number) | (1 << (at & 31))
        sums[at] =
          (sums[at] as number) + this.score(blockFreqs[i] as number, norms === undefined ? -1 : (norms[doc] as number))
      }
      return
    }
    for (let i = from; i < to; i++) {
      const doc = blockDocs[i] as number
      const freq = blockFreqs[i] as number
      const norm = norms[doc] as number
      const at = doc - base
      bits[at >>> 5] = (bits[at >>> 5] as number) | (1 << (at & 31))
      sums[at] =
        (sums[at] as number) +
        (freq <= KEPT_FREQS ? (kept[((freq - 1) << 8) | norm] as number) : this.score(freq, norm))
    }
  }

  #keptScores(count: number): Float32Array | undefined {
    if (this.#kept !== undefined || !this.keepsScores) return this.#kept
    this.#scored += count
    if (this.#scored < KEEP_AFTER) return undefined
    const kept = new Float32Array(KEPT_FREQS << 8)
    for (let freq = 1; freq <= KEPT_FREQS; freq++) {
      for (let norm = 0; norm < 256; norm++) kept[((freq - 1) << 8) | norm] = this.score(freq, norm)
    }
    this.#kept = kept
    return kept
  }
}

/** Something for each norm byte, made once for a field's average length. */
export class ByNorm {
  readonly #make: (averageLength: number) => Float32Array
  /** By average length, a 32-bit float; the last few that were asked for. */
  readonly #made = new Map<number, Float32Array>()

  constructor(make: (averageLength: number) => Float32Array) {
    this.#make = make
  }

  of(averageLength: number): Float32Array {
    let made = this.#made.get(averageLength)
    if (made === undefined) {
      made = this.#make(averageLength)
      if (this.#made.size >= 32) this.#made.delete(this.#made.keys().next().value as number)
      this.#made.set(averageLength, made)
    }
    return made
  }
}
