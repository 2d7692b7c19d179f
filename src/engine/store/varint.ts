/* Whole numbers from 0 to 2^53, seven bits a byte, lowest first; all but the last byte have their top bit set. */

/** Bytes a number takes. */
export function varintLength(value: number): number {
  let length = 1
  for (let left = value; left >= 128; left = Math.floor(left / 128)) length++
  return length
}

/** Writes a number; answers where it ends. */
export function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let end = at
  let left = value
  for (; left >= 128; left = Math.floor(left / 128)) bytes[end++] = (left % 128) | 128
  bytes[end++] = left
  return end
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
}
