/* A document record, little-endian: the value of (index number, sequence number) in the documents table.
 *   OFFSET  SIZE  DESCRIPTION
 *        0     1  flags: bit 0 tombstone (a delete), bit 1 has routing, bit 2 has a source
 *        1     1  length of the type in bytes, low byte
 *        2     2  length of the id in bytes
 *        4     2  length of the routing in bytes (0 without), low 16 bits
 *        6     1  length of the type in bytes, high byte
 *        7     1  length of the routing in bytes, bits 16 to 23
 *        8     8  version (float64: exact to 2^53; external versions are capped there)
 *       16     8  sequence number of the write before this one, deletes too (float64), -1 for none
 *       24     8  primary term (float64)
 *       32     …  type, id, routing in UTF-8, then the source as received
 */

const HEADER_BYTES = 32
const TOMBSTONE = 1
const ROUTING = 2
const SOURCE = 4

/** One write to one document as the store keeps it. */
export interface DocumentRecord {
  readonly type: string
  readonly id: string
  readonly routing: string | undefined
  readonly version: number
  readonly primaryTerm: number
  /** Sequence number of the id's write before this one, deletes too; -1 when there is none known. */
  readonly replacedSeqNo: number
  /** True for a delete. */
  readonly tombstone: boolean
  /** `_source` as received; undefined for a tombstone or when the type keeps none. */
  readonly source: Buffer | undefined
}

/** Lays a record out in bytes. */
export function encodeDocumentRecord(record: DocumentRecord): Buffer {
  const type = Buffer.byteLength(record.type)
  const id = Buffer.byteLength(record.id)
  const routing = record.routing === undefined ? 0 : Buffer.byteLength(record.routing)
  const source = record.source?.length ?? 0
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + type + id + routing + source)
  bytes[0] =
    (record.tombstone ? TOMBSTONE : 0) |
    (record.routing === undefined ? 0 : ROUTING) |
    (record.source === undefined ? 0 : SOURCE)
  bytes[1] = type
  bytes.writeUInt16LE(id, 2)
  bytes.writeUInt16LE(routing & 0xffff, 4)
  bytes[6] = type >>> 8
  bytes[7] = routing >>> 16
  bytes.writeDoubleLE(record.version, 8)
  bytes.writeDoubleLE(record.replacedSeqNo, 16)
  bytes.writeDoubleLE(record.primaryTerm, 24)
  let at = HEADER_BYTES
  at += bytes.write(record.type, at)
  at += bytes.write(record.id, at)
  if (record.routing !== undefined) at += bytes.write(record.routing, at)
  record.source?.copy(bytes, at)
  return bytes
}

/** Reads a record; `source` is a view into `bytes`. */
export function decodeDocumentRecord(bytes: Buffer): DocumentRecord {
  const flags = bytes[0] as number
  const typeEnd = HEADER_BYTES + (bytes[1] as number) + (bytes[6] as number) * 256
  const idEnd = typeEnd + bytes.readUInt16LE(2)
  const routingEnd = idEnd + bytes.readUInt16LE(4) + (bytes[7] as number) * 65_536
  return {
    type: bytes.toString('utf8', HEADER_BYTES, typeEnd),
    id: bytes.toString('utf8', typeEnd, idEnd),
    routing: flags & ROUTING ? bytes.toString('utf8', idEnd, routingEnd) : undefined,
    version: bytes.readDoubleLE(8),
    replacedSeqNo: bytes.readDoubleLE(16),
    primaryTerm: bytes.readDoubleLE(24),
    tombstone: (flags & TOMBSTONE) !== 0,
    source: flags & SOURCE ? bytes.subarray(routingEnd) : undefined,
  }
}
