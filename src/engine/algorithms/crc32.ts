import * as zlib from 'node:zlib'

/** Node's own, from 20.15 on. */
const native = (zlib as unknown as { crc32?: (bytes: Uint8Array, before: number) => number }).crc32
/** So many bytes are gone through in less time than a call and a view take (measured: bench/INDEXING.md). */
const SHORT_BYTES = 128

/** What a byte does to the remainder, and what it does with one, two or three bytes behind it. */
const [BY_0, BY_1, BY_2, BY_3] = remainders()

/** CRC-32 (IEEE). @param before  that of the bytes before these */
export function crc32(bytes: Uint8Array, before = 0): number {
  return crc32Range(bytes, 0, bytes.length, before)
}

/** The same of `bytes` in [from, to). */
export function crc32Range(bytes: Uint8Array, from: number, to: number, before = 0): number {
  if (to - from > SHORT_BYTES && native !== undefined) return native(bytes.subarray(from, to), before)
  let crc = ~before
  let at = from
  for (; at + 4 <= to; at += 4) {
    crc ^=
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)
    crc =
      (BY_3[crc & 255] as number) ^
      (BY_2[(crc >>> 8) & 255] as number) ^
      (BY_1[(crc >>> 16) & 255] as number) ^
      (BY_0[crc >>> 24] as number)
  }
  for (; at < to; at++) crc = (BY_0[(crc ^ (bytes[at] as number)) & 255] as number) ^ (crc >>> 8)
  return ~crc >>> 0
}

function remainders(): [Int32Array, Int32Array, Int32Array, Int32Array] {
  const first = new Int32Array(256).map((_, byte) => {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1
    return crc
  })
  const further = (table: Int32Array) => table.map((crc) => (first[crc & 255] as number) ^ (crc >>> 8))
  const second = further(first)
  const third = further(second)
  return [first, second, third, further(third)]
}
