import { murmur64 } from './murmur.ts'

/** 64-bit hashes of values as the real server's cardinality has them: of numbers, mixed; of bytes, MurmurHash3. */
export class ValueHash {
  /** First and last 32 bits of the hash computed last. */
  high = 0
  low = 0
  readonly #double = new Float64Array(1)
  readonly #words = new Uint32Array(this.#double.buffer)
  readonly #bigint = new BigUint64Array(this.#double.buffer)

  /** A whole number that is exact in a double. */
  ofInteger(value: number): void {
    this.#mix(Math.floor(value / 2 ** 32) | 0, (value % 2 ** 32) | 0)
  }

  ofLong(value: bigint): void {
    this.#bigint[0] = BigInt.asUintN(64, value)
    this.#mix(this.#words[1] as number, this.#words[0] as number)
  }

  ofDouble(value: number): void {
    this.#double[0] = value
    this.#mix(this.#words[1] as number, this.#words[0] as number)
  }

  /** A double as the long of the same order that doc values keep of it. */
  ofSortableDouble(value: number): void {
    this.#double[0] = value
    const [low, high] = this.#words as unknown as [number, number]
    const flipped = high >>> 31 === 1
    this.#mix(flipped ? high ^ 0x7fffffff : high, flipped ? ~low : low)
  }

  ofBytes(bytes: Uint8Array): void {
    this.#bigint[0] = murmur64(bytes)
    this.high = this.#words[1] as number
    this.low = this.#words[0] as number
  }

  /** Stafford's mixer, on halves of 32 bits: BigInt would be twenty times slower. */
  #mix(high: number, low: number): void {
    this.high = high
    this.low = low ^ high
    this.#multiply(0x4cd6944c, 0x5cc20b6d)
    // z ^= z >>> 29
    const h = this.high
    this.low = this.low ^ ((this.low >>> 29) | (h << 3))
    this.high = h ^ (h >>> 29)
    this.#multiply(0xfc12c5b1, 0x9d3259e9)
    this.low = (this.low ^ this.high) >>> 0
    this.high >>>= 0
  }

  #multiply(high: number, low: number): void {
    const a0 = this.low & 0xffff
    const a1 = this.low >>> 16
    const b0 = low & 0xffff
    const b1 = low >>> 16
    const low0 = a0 * b0
    const middle = a1 * b0 + (low0 >>> 16)
    const middle2 = a0 * b1 + (middle % 65536)
    const carry = a1 * b1 + Math.floor(middle / 65536) + Math.floor(middle2 / 65536)
    this.high = (carry + Math.imul(this.high, low) + Math.imul(this.low, high)) | 0
    this.low = Math.imul(this.low, low)
  }
}
