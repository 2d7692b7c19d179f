import { ValueHash } from './value-hash.ts'

/** 64-bit hashes of numbered terms, computed when first asked for. */
export class TermHashes {
  readonly #terms: { readonly size: number; term(ordinal: number): Uint8Array }
  readonly #hash = new ValueHash()
  readonly #known: Uint8Array
  readonly #highs: Uint32Array
  readonly #lows: Uint32Array

  constructor(terms: { readonly size: number; term(ordinal: number): Uint8Array }) {
    this.#terms = terms
    this.#known = new Uint8Array(terms.size)
    this.#highs = new Uint32Array(terms.size)
    this.#lows = new Uint32Array(terms.size)
  }

  high(ordinal: number): number {
    this.#compute(ordinal)
    return this.#highs[ordinal] as number
  }

  low(ordinal: number): number {
    this.#compute(ordinal)
    return this.#lows[ordinal] as number
  }

  #compute(ordinal: number): void {
    if (this.#known[ordinal] === 1) return
    this.#known[ordinal] = 1
    this.#hash.ofBytes(this.#terms.term(ordinal))
    this.#highs[ordinal] = this.#hash.high
    this.#lows[ordinal] = this.#hash.low
  }
}
