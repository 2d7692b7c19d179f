import { crc32, crc32Range } from '../algorithms/crc32.ts'
import type { Long } from '../algorithms/long.ts'
import { damagedRecord } from './damaged-record.ts'
import { VarintReader, varintLength, writeVarint } from './varint.ts'

/* An entry, the value of an id in the ids table: numbers (varint.ts): twice the sequence number, plus one for a delete;
 * version; primary term; then, since store format 4, the CRC-32 of the key and of the numbers, little-endian.
 * Of 25 bytes, by store format 1: the same numbers as float64, little-endian, and the delete as u8.
 */

/** What the store knows of one document id. */
export interface IdEntry {
  readonly seqNo: number
  readonly version: Long
  readonly primaryTerm: number
  /** True when the last write was a delete. */
  readonly deleted: boolean
}

const ENTRY_BYTES_1 = 25
const CHECKSUM_BYTES = 4

/** Lays an entry out in bytes. */
export function encodeIdEntry(key: Buffer, { seqNo, version, primaryTerm, deleted }: IdEntry): Buffer {
  const first = seqNo * 2 + (deleted ? 1 : 0)
  const length = varintLength(first) + varintLength(version) + varintLength(primaryTerm)
  const bytes = Buffer.allocUnsafe(length + CHECKSUM_BYTES)
  writeVarint(bytes, writeVarint(bytes, writeVarint(bytes, 0, first), version), primaryTerm)
  bytes.writeUInt32LE(crc32Range(bytes, 0, length, crc32(key)), length)
  return bytes
}

/**
 * Reads an entry.
 *
 * @param allChecked  true where every entry has a checksum
 * @throws {ServiceError} corrupt_index_exception when it is not as it was written
 */
export function decodeIdEntry(key: Buffer, bytes: Buffer, allChecked = false): IdEntry {
  const numbers = new VarintReader(bytes, 0)
  const first = numbers.next()
  const [version, primaryTerm] = [numbers.nextLong(), numbers.next()]
  const { at } = numbers
  const isWhole =
    at === bytes.length - CHECKSUM_BYTES && crc32Range(bytes, 0, at, crc32(key)) === bytes.readUInt32LE(at)
  if (!isWhole && allChecked) throw damagedRecord('the entry of an id')
  if (!isWhole && bytes.length === ENTRY_BYTES_1) {
    return {
      seqNo: bytes.readDoubleLE(0),
      version: bytes.readDoubleLE(8),
      primaryTerm: bytes.readDoubleLE(16),
      deleted: bytes[24] === 1,
    }
  }
  if (!isWhole && at !== bytes.length) throw damagedRecord('the entry of an id')
  return { seqNo: Math.floor(first / 2), deleted: first % 2 === 1, version, primaryTerm }
}
