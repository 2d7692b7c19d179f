import { setImmediate as nextTurn } from 'node:timers/promises'
import { crc32 } from '../algorithms/crc32.ts'

/* A segment, in one piece, little-endian; every section begins at a multiple of 8.
 *   OFFSET  SIZE  DESCRIPTION
 *        0     8  "CHAJASEG"
 *        8     4  format version
 *       12     4  CRC-32 of all bytes from 16 on
 *       16     8  offset of the directory (float64)
 *       24     4  length of the directory in bytes
 *       28     4  reserved, 0
 *       32     …  sections
 *        …     …  the directory: JSON (UTF-8), what is in which section
 */

/** Version of the layout; a segment of another version is rebuilt from the store, never guessed at. */
const SEGMENT_FORMAT = 2
/** The same of a segment whose documents stand in another order than that of their writes (`index.sort`). */
const SORTED_FORMAT = 3

/** Versions of what a segment is made of. */
export const SEGMENT_FORMATS = [SEGMENT_FORMAT, SORTED_FORMAT] as const

const MAGIC = 'CHAJASEG'
const HEADER_BYTES = 32
const CHECKSUM_OFFSET = 12
/** Where the bytes begin that the checksum is of. */
const CHECKED_FROM = 16
const DIRECTORY_OFFSET = 16
const DIRECTORY_LENGTH_OFFSET = 24
/** Bytes whose checksum is made in one piece, where others are served in between. */
const SLICE_BYTES = 16 * 1024 * 1024

/** Kinds of typed arrays a section can hold, by the name the directory gives them. */
export type ArrayKind = 'i8' | 'u8' | 'i16' | 'u16' | 'i32' | 'u32' | 'f32' | 'f64' | 'i64' | 'u64'

/** A section: element kind, byte offset, number of elements. */
export type SectionRef = readonly [kind: ArrayKind, offset: number, length: number]

/** What a section can be read as. */
export type SectionArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigInt64Array
  | BigUint64Array

/** Thrown when bytes are not a whole, undamaged segment of this version. */
export class DamagedSegmentError extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'DamagedSegmentError'
  }
}

/** Thrown when a segment is whole, of an earlier version. */
export class OutdatedSegmentError extends DamagedSegmentError {}

/** Collects sections and lays them out with a directory. */
export class SegmentFileWriter {
  readonly #sections: { readonly array: SectionArray; readonly offset: number }[] = []
  #end = HEADER_BYTES

  /** Adds a section; the array must not change until {@link finish}. */
  add(array: SectionArray): SectionRef {
    const offset = this.#end
    this.#sections.push({ array, offset })
    this.#end = (offset + array.byteLength + 7) & ~7
    if (this.#end < offset) throw new RangeError('a segment must stay below 2 GiB')
    return [kindOf(array), offset, array.length]
  }

  /** The segment's bytes, in memory that threads can share. */
  finish(directory: object): SharedArrayBuffer {
    const json = Buffer.from(JSON.stringify(directory))
    const buffer = new SharedArrayBuffer(this.#end + json.length)
    const bytes = Buffer.from(buffer)
    for (const { array, offset } of this.#sections) {
      bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), offset)
    }
    bytes.set(json, this.#end)
    bytes.write(MAGIC, 0, 'latin1')
    bytes.writeUInt32LE(formatOf(directory), 8)
    bytes.writeDoubleLE(this.#end, DIRECTORY_OFFSET)
    bytes.writeUInt32LE(json.length, DIRECTORY_LENGTH_OFFSET)
    bytes.writeUInt32LE(crc32(bytes.subarray(CHECKED_FROM)), CHECKSUM_OFFSET)
    return buffer
  }
}

const formatOf = (directory: object): number => ('order' in directory ? SORTED_FORMAT : SEGMENT_FORMAT)

/** Reads the directory of a segment, after checking it whole unless it is trusted. @throws {DamagedSegmentError} */
export function readSegmentDirectory(
  buffer: SharedArrayBuffer,
  options: { readonly trusted: boolean } = { trusted: false },
): unknown {
  const bytes = Buffer.from(buffer)
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 8) !== MAGIC) {
    throw new DamagedSegmentError('it does not begin as a segment does')
  }
  const version = bytes.readUInt32LE(8)
  const reason = `its format is ${version}, not ${SEGMENT_FORMAT}`
  if (version !== SEGMENT_FORMAT && version !== SORTED_FORMAT)
    throw version > 0 && version < SEGMENT_FORMAT ? new OutdatedSegmentError(reason) : new DamagedSegmentError(reason)
  if (!options.trusted && crc32(bytes.subarray(CHECKED_FROM)) !== bytes.readUInt32LE(CHECKSUM_OFFSET)) {
    throw new DamagedSegmentError('its checksum does not fit its bytes')
  }
  const offset = bytes.readDoubleLE(DIRECTORY_OFFSET)
  const directory = JSON.parse(bytes.toString('utf8', offset, offset + bytes.readUInt32LE(DIRECTORY_LENGTH_OFFSET)))
  // The checksum leaves the version out.
  if (version !== formatOf(directory)) throw new DamagedSegmentError(`its format is not ${version}`)
  return directory
}

/** Checks a segment's bytes; others are served in between. @throws {DamagedSegmentError} */
export async function checkSegment(buffer: SharedArrayBuffer): Promise<void> {
  if (buffer.byteLength < HEADER_BYTES) throw new DamagedSegmentError('it does not begin as a segment does')
  if ((await checksumInTurns(buffer)) !== segmentChecksum(buffer))
    throw new DamagedSegmentError('its checksum does not fit its bytes')
}

/**
 * A copy of a segment with another directory, of the same sections; others are served in between.
 *
 * @param change  called with the copy: what is written into sections, while they are not sealed
 */
export async function sealSegment(
  buffer: SharedArrayBuffer,
  directory: object,
  change: (copy: SharedArrayBuffer) => void,
): Promise<SharedArrayBuffer> {
  const end = Buffer.from(buffer).readDoubleLE(DIRECTORY_OFFSET)
  const json = Buffer.from(JSON.stringify(directory))
  const copy = new SharedArrayBuffer(end + json.length)
  const bytes = Buffer.from(copy)
  bytes.set(new Uint8Array(buffer, 0, end))
  bytes.set(json, end)
  bytes.writeUInt32LE(json.length, DIRECTORY_LENGTH_OFFSET)
  change(copy)
  bytes.writeUInt32LE(await checksumInTurns(copy), CHECKSUM_OFFSET)
  return copy
}

async function checksumInTurns(buffer: SharedArrayBuffer): Promise<number> {
  const bytes = new Uint8Array(buffer)
  let checksum = 0
  for (let at = CHECKED_FROM; at < bytes.length; at += SLICE_BYTES) {
    if (at > CHECKED_FROM) await nextTurn()
    checksum = crc32(bytes.subarray(at, at + SLICE_BYTES), checksum)
  }
  return checksum
}

/** What is known of a segment's bytes without looking at them: it tells this segment from all others. */
export function segmentChecksum(buffer: SharedArrayBuffer): number {
  return new DataView(buffer).getUint32(CHECKSUM_OFFSET, true)
}

/** A view of a section. */
export function sectionArray(buffer: SharedArrayBuffer, [kind, offset, length]: SectionRef): SectionArray {
  switch (kind) {
    case 'i8':
      return new Int8Array(buffer, offset, length)
    case 'u8':
      return new Uint8Array(buffer, offset, length)
    case 'i16':
      return new Int16Array(buffer, offset, length)
    case 'u16':
      return new Uint16Array(buffer, offset, length)
    case 'i32':
      return new Int32Array(buffer, offset, length)
    case 'u32':
      return new Uint32Array(buffer, offset, length)
    case 'f32':
      return new Float32Array(buffer, offset, length)
    case 'f64':
      return new Float64Array(buffer, offset, length)
    case 'i64':
      return new BigInt64Array(buffer, offset, length)
    case 'u64':
      return new BigUint64Array(buffer, offset, length)
  }
}

function kindOf(array: SectionArray): ArrayKind {
  if (array instanceof Int8Array) return 'i8'
  if (array instanceof Uint8Array) return 'u8'
  if (array instanceof Int16Array) return 'i16'
  if (array instanceof Uint16Array) return 'u16'
  if (array instanceof Int32Array) return 'i32'
  if (array instanceof Uint32Array) return 'u32'
  if (array instanceof Float32Array) return 'f32'
  if (array instanceof Float64Array) return 'f64'
  return array instanceof BigInt64Array ? 'i64' : 'u64'
}
