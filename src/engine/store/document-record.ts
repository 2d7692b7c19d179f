import { crc32Range } from '../algorithms/crc32.ts'
import type { Long } from '../algorithms/long.ts'
import { damagedRecord } from './damaged-record.ts'
import type { Lz4Dictionary } from './lz4-dictionary.ts'
import { writeText } from './short-text.ts'
import { VarintReader, varintLength, writeVarint } from './varint.ts'

/* A document record: the value of (index number, sequence number) in the documents table.
 *   flags, u8: bit 0 tombstone (a delete), 1 has routing, 2 has a source, 3 its source is compressed, 4 has a checksum (always
 *     since store format 3), 7 always
 *   numbers (varint.ts): lengths of type, id and, if there is one, routing, in bytes; version; sequence number of the write
 *     before this one (deletes too), plus one, 0 for none; primary term; of a compressed source its length
 *   type, id, routing in UTF-8, then the source as received, or compressed (lz4-dictionary.ts)
 *   CRC-32 of all of it, little-endian
 * Records without bit 7 are of store format 1, little-endian:
 *   OFFSET  SIZE  DESCRIPTION
 *        0     1  flags
 *        1     1  length of the type in bytes, low byte
 *        2     2  length of the id in bytes
 *        4     2  length of the routing in bytes (0 without), low 16 bits
 *        6     1  length of the type in bytes, high byte
 *        7     1  length of the routing in bytes, bits 16 to 23
 *        8     8  version (float64)
 *       16     8  sequence number of the write before this one (float64), -1 for none
 *       24     8  primary term (float64)
 *       32     …  type, id, routing, source
 */

const TOMBSTONE = 1
const ROUTING = 2
const SOURCE = 4
const COMPRESSED = 8
const CHECKED = 16
const NUMBERED = 128

const HEADER_BYTES_1 = 32
const CHECKSUM_BYTES = 4
/** Version, sequence number before, primary term. */
const NUMBERS_BEHIND_LENGTHS = 3

/** Shorter sources are not worth compressing. */
export const LEAST_COMPRESSED_BYTES = 256

/** Instead of a dictionary, where nobody looks at the source. */
export const AS_STORED = { restore: (bytes: Buffer): Buffer => bytes }

/** One write to one document as the store keeps it. */
export interface DocumentRecord {
  readonly type: string
  readonly id: string
  readonly routing: string | undefined
  readonly version: Long
  readonly primaryTerm: number
  /** Sequence number of the id's write before this one, deletes too; -1 when there is none known. */
  readonly replacedSeqNo: number
  /** True for a delete. */
  readonly tombstone: boolean
  /** `_source` as received; undefined for a tombstone or when the type keeps none. */
  readonly source: Buffer | undefined
}

/** A source in the form in which a record keeps it. */
export interface StoredSource {
  readonly bytes: Buffer
  /** What compressed bytes are of, in bytes; 0: they are the source itself. */
  readonly restoredBytes: number
  /** What they are compressed with. */
  readonly dictionary: Lz4Dictionary
  /** The whole record that they came in, where that is one of a document's first write ({@link isFirstWrite}). */
  readonly record?: Buffer | undefined
}

/** A record as it is stored. */
export interface StoredRecord {
  readonly bytes: Buffer
  /** What it says; its source is what is in {@link bytes} of it. */
  readonly record: DocumentRecord
  /** As of {@link StoredSource}. */
  readonly restoredBytes: number
}

/** What a record is of. */
export type DocumentName = Pick<DocumentRecord, 'type' | 'id' | 'routing'>

/** Lays a record out in bytes. @param stored  the form its source is to have; absent: as it is */
export function encodeDocumentRecord(record: DocumentRecord, stored?: StoredSource): Buffer {
  const { type, id, routing } = record
  const source = stored === undefined ? record.source : stored.bytes
  const restoredBytes = stored === undefined ? 0 : stored.restoredBytes
  const { version, replacedSeqNo, primaryTerm } = record
  const typeBytes = Buffer.byteLength(type)
  const idBytes = Buffer.byteLength(id)
  const routingBytes = routing === undefined ? -1 : Buffer.byteLength(routing)
  let length = 1 + typeBytes + idBytes + (source?.length ?? 0) + CHECKSUM_BYTES
  length += varintLength(typeBytes) + varintLength(idBytes)
  length += varintLength(version) + varintLength(replacedSeqNo + 1) + varintLength(primaryTerm)
  if (routingBytes >= 0) length += routingBytes + varintLength(routingBytes)
  if (restoredBytes > 0) length += varintLength(restoredBytes)
  const bytes = Buffer.allocUnsafe(length)
  bytes[0] =
    NUMBERED |
    CHECKED |
    (record.tombstone ? TOMBSTONE : 0) |
    (routing === undefined ? 0 : ROUTING) |
    (source === undefined ? 0 : SOURCE) |
    (restoredBytes > 0 ? COMPRESSED : 0)
  let at = writeVarint(bytes, writeVarint(bytes, 1, typeBytes), idBytes)
  if (routingBytes >= 0) at = writeVarint(bytes, at, routingBytes)
  at = writeVarint(bytes, writeVarint(bytes, writeVarint(bytes, at, version), replacedSeqNo + 1), primaryTerm)
  if (restoredBytes > 0) at = writeVarint(bytes, at, restoredBytes)
  at = writeText(bytes, writeText(bytes, at, type), id)
  if (routing !== undefined) at = writeText(bytes, at, routing)
  source?.copy(bytes, at)
  putChecksum(bytes)
  return bytes
}

/**
 * Whether a record, which was read, is what {@link encodeDocumentRecord} would make again of a write of the same document and
 * version that replaces nothing.
 */
export function isFirstWrite(bytes: Buffer, { replacedSeqNo, primaryTerm }: DocumentRecord): boolean {
  const flags = (bytes[0] as number) & ~(ROUTING | SOURCE | COMPRESSED)
  return flags === (NUMBERED | CHECKED) && replacedSeqNo === -1 && primaryTerm === 1
}

/** The same record with its source compressed; undefined where that saves less than an eighth of it. */
export function compressRecord(record: Buffer, dictionary: Lz4Dictionary): Buffer | undefined {
  const flags = record[0] as number
  const numbers = new VarintReader(record, 1)
  let names = numbers.next() + numbers.next()
  if (flags & ROUTING) names += numbers.next()
  for (let i = 0; i < NUMBERS_BEHIND_LENGTHS; i++) numbers.next()
  const { at } = numbers
  const source = record.subarray(at + names, record.length - CHECKSUM_BYTES)
  const compressed = dictionary.compress(source, source.length - (source.length >>> 3))
  if (compressed === undefined) return undefined
  const length = at + varintLength(source.length) + names + compressed.length + CHECKSUM_BYTES
  const bytes = Buffer.allocUnsafe(length)
  record.copy(bytes, 0, 0, at)
  bytes[0] = flags | COMPRESSED
  const namesAt = writeVarint(bytes, at, source.length)
  record.copy(bytes, namesAt, at, at + names)
  compressed.copy(bytes, namesAt + names)
  putChecksum(bytes)
  return bytes
}

function putChecksum(bytes: Buffer): void {
  const end = bytes.length - CHECKSUM_BYTES
  bytes.writeUInt32LE(crc32Range(bytes, 0, end), end)
}

/**
 * Reads a record; nothing of it is a view into `stored`, which may be used again.
 *
 * @param dictionary  the one its source was compressed with, asked for where it is
 * @param allChecked  true where every record has a checksum: one without is damaged
 * @throws {ServiceError} corrupt_index_exception when it is damaged, or the dictionary of a compressed source is missing
 */
export function decodeDocumentRecord(
  stored: Buffer,
  dictionary?: () => Pick<Lz4Dictionary, 'restore'> | undefined,
  allChecked = false,
): DocumentRecord {
  const flags = stored[0] as number
  const isChecked = allChecked || (flags & (NUMBERED | CHECKED)) === (NUMBERED | CHECKED)
  const end = isChecked ? checkedEnd(stored) : stored.length
  if ((flags & NUMBERED) === 0) return decodeRecord1(stored)
  const numbers = new VarintReader(stored, 1)
  const type = numbers.next()
  const id = numbers.next()
  const routing = flags & ROUTING ? numbers.next() : 0
  const version = numbers.nextLong()
  const replacedSeqNo = numbers.next() - 1
  const primaryTerm = numbers.next()
  const length = flags & COMPRESSED ? numbers.next() : 0
  const typeEnd = numbers.at + type
  const idEnd = typeEnd + id
  const routingEnd = idEnd + routing
  let source: Buffer | undefined
  if (flags & COMPRESSED) {
    const known = dictionary?.()
    if (known === undefined) throw damagedRecord('the dictionary of a source')
    source = known.restore(stored.subarray(routingEnd, end), length)
  } else if (flags & SOURCE) source = Buffer.from(stored.subarray(routingEnd, end))
  return {
    type: stored.toString('utf8', numbers.at, typeEnd),
    id: stored.toString('utf8', typeEnd, idEnd),
    routing: flags & ROUTING ? stored.toString('utf8', idEnd, routingEnd) : undefined,
    version,
    replacedSeqNo,
    primaryTerm,
    tombstone: (flags & TOMBSTONE) !== 0,
    source,
  }
}

/** {@link decodeDocumentRecord} that leaves a source compressed. */
export function decodeStoredRecord(bytes: Buffer, allChecked = false): StoredRecord {
  let restoredBytes = 0
  const keep = {
    restore: (source: Buffer, length: number): Buffer => {
      restoredBytes = length
      return source
    },
  }
  const record = decodeDocumentRecord(bytes, () => keep, allChecked)
  return { bytes, record, restoredBytes }
}

/** Where a record's checksum begins, which is right. */
function checkedEnd(stored: Buffer): number {
  const end = stored.length - CHECKSUM_BYTES
  if (end < 0 || crc32Range(stored, 0, end) !== stored.readUInt32LE(end))
    throw damagedRecord('the record of a document')
  return end
}

/** True when a record says nothing without its dictionary. */
export function isCompressed(bytes: Buffer): boolean {
  return ((bytes[0] as number) & (NUMBERED | COMPRESSED)) === (NUMBERED | COMPRESSED)
}

function decodeRecord1(bytes: Buffer): DocumentRecord {
  const flags = bytes[0] as number
  const typeEnd = HEADER_BYTES_1 + (bytes[1] as number) + (bytes[6] as number) * 256
  const idEnd = typeEnd + bytes.readUInt16LE(2)
  const routingEnd = idEnd + bytes.readUInt16LE(4) + (bytes[7] as number) * 65_536
  return {
    type: bytes.toString('utf8', HEADER_BYTES_1, typeEnd),
    id: bytes.toString('utf8', typeEnd, idEnd),
    routing: flags & ROUTING ? bytes.toString('utf8', idEnd, routingEnd) : undefined,
    version: bytes.readDoubleLE(8),
    replacedSeqNo: bytes.readDoubleLE(16),
    primaryTerm: bytes.readDoubleLE(24),
    tombstone: (flags & TOMBSTONE) !== 0,
    source: flags & SOURCE ? Buffer.from(bytes.subarray(routingEnd)) : undefined,
  }
}
