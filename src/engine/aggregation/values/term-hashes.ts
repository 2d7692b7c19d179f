import { ValueHash } from '../../algorithms/value-hash.ts'

/** 64-bit hashes of numbered terms or keys, computed when first asked for. */
export class TermHashes {
  readonly #compute: (ordinal: number, hash: ValueHash) => void
  readonly #hash = new ValueHash()
  readonly #known: Uint8Array
  readonly #highs: Uint32Array
  readonly #lows: Uint32Array

  /** @param compute  works the hash of an ordinal out */
  constructor(size: number, compute: (ordinal: number, hash: ValueHash) => void) {
    this.#compute = compute
    this.#known = new Uint8Array(size)
    this.#highs = new Uint32Array(size)
    this.#lows = new Uint32Array(size)
  }

  high(ordinal: number): number {
    if (this.#known[ordinal] === 0) this.#learn(ordinal)
    return this.#highs[ordinal] as number
  }

  low(ordinal: number): number {
    if (this.#known[ordinal] === 0) this.#learn(ordinal)
    return this.#lows[ordinal] as number
  }

  #learn(ordinal: number): void {
    this.#known[ordinal] = 1
    this.#compute(ordinal, this.#hash)
    this.#highs[ordinal] = this.#hash.high
    this.#lows[ordinal] = this.#hash.low
  }
}
