import { VarintReader, varintLength, writeVarint } from './varint.ts'

/* An entry, the value of an id in the ids table: numbers (varint.ts): twice the sequence number, plus one for a delete;
 * version; primary term. Of 25 bytes, by store format 1: the same as float64, little-endian, and the delete as u8.
 */

/** What the store knows of one document id. */
export interface IdEntry {
  readonly seqNo: number
  readonly version: number
  readonly primaryTerm: number
  /** True when the last write was a delete. */
  readonly deleted: boolean
}

const ENTRY_BYTES_1 = 25

/** Lays an entry out in bytes; never 25 of them. */
export function encodeIdEntry({ seqNo, version, primaryTerm, deleted }: IdEntry): Buffer {
  const numbers = [seqNo * 2 + (deleted ? 1 : 0), version, primaryTerm]
  const bytes = Buffer.allocUnsafe(numbers.reduce((length, number) => length + varintLength(number), 0))
  let at = 0
  for (const number of numbers) at = writeVarint(bytes, at, number)
  return bytes
}

/** Reads an entry. */
export function decodeIdEntry(bytes: Buffer): IdEntry {
  if (bytes.length === ENTRY_BYTES_1) {
    return {
      seqNo: bytes.readDoubleLE(0),
      version: bytes.readDoubleLE(8),
      primaryTerm: bytes.readDoubleLE(16),
      deleted: bytes[24] === 1,
    }
  }
  const numbers = new VarintReader(bytes, 0)
  const first = numbers.next()
  return {
    seqNo: Math.floor(first / 2),
    deleted: first % 2 === 1,
    version: numbers.next(),
    primaryTerm: numbers.next(),
  }
}
