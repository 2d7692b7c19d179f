import { type Long, longOf } from '../algorithms/long.ts'

/* Whole numbers from 0, seven bits a byte, lowest first; all but the last byte have their top bit set. A negative one is written
 * as the number 2^65 higher.
 */

const ABOVE_ALL = 1n << 65n
const LARGEST = (1n << 63n) - 1n

/** Bytes a number takes. */
export function varintLength(value: Long): number {
  if (typeof value === 'bigint' || value < 0) return bigVarint(BigInt(value)).length
  let length = 1
  for (let left = value; left >= 128; left = Math.floor(left / 128)) length++
  return length
}

/** Writes a number; answers where it ends. */
export function writeVarint(bytes: Uint8Array, at: number, value: Long): number {
  if (typeof value === 'bigint' || value < 0) {
    const big = bigVarint(BigInt(value))
    bytes.set(big, at)
    return at + big.length
  }
  let end = at
  let left = value
  for (; left >= 128; left = Math.floor(left / 128)) bytes[end++] = (left % 128) | 128
  bytes[end++] = left
  return end
}

function bigVarint(value: bigint): number[] {
  const bytes: number[] = []
  let left = value < 0n ? value + ABOVE_ALL : value
  for (; left >= 128n; left >>= 7n) bytes.push(Number(left & 127n) | 128)
  bytes.push(Number(left))
  return bytes
}

/** Reads numbers one after the other. */
export class VarintReader {
  readonly #bytes: Uint8Array
  /** Where the next one begins. */
  at: number

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    this.at = at
  }

  next(): number {
    let byte = this.#bytes[this.at++] as number
    if (byte < 128) return byte
    let value = byte & 127
    for (let factor = 128; byte >= 128; factor *= 128) {
      byte = this.#bytes[this.at++] as number
      value += (byte & 127) * factor
    }
    return value
  }

  /** One that may be any of 64 bits. (2^63 itself was rounded up when it was written, as a number.) */
  nextLong(): Long {
    const { at } = this
    const rounded = this.next()
    if (rounded <= Number.MAX_SAFE_INTEGER) return rounded
    let value = 0n
    for (let i = this.at - 1; i >= at; i--) value = (value << 7n) | BigInt((this.#bytes[i] as number) & 127)
    if (value > LARGEST + 1n) return longOf(value - ABOVE_ALL)
    return value > LARGEST ? LARGEST : value
  }
}
