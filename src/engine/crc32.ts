import * as zlib from 'node:zlib'

/** CRC-32 (IEEE); Node's own where it has one (20.15 on), else a table's. @param before  that of the bytes before these */
export const crc32: (bytes: Uint8Array, before?: number) => number =
  (zlib as unknown as { crc32?: (bytes: Uint8Array, before?: number) => number }).crc32 ?? tableCrc32

function tableCrc32(bytes: Uint8Array, before = 0): number {
  const table = new Int32Array(256).map((_, n) => {
    let c = n
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
    return c
  })
  let crc = before ^ -1
  for (let i = 0; i < bytes.length; i++) crc = (table[(crc ^ (bytes[i] as number)) & 0xff] as number) ^ (crc >>> 8)
  return (crc ^ -1) >>> 0
}
