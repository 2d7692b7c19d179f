import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { SharedMemory } from '../../kernel.ts'
import {
  type ColumnName,
  type DictionaryColumns,
  ENTRY_COST,
  ENTRY_FEATURE,
  ENTRY_RIGHT,
  ENTRY_UNITS,
} from './dictionary-columns.ts'
import { createImage, finishImage } from './dictionary-image.ts'
import { TRIE_ENTRY, TRIE_NODE_INTS } from './word-trie.ts'

/* Dictionary file, little-endian.
 *   OFFSET  SIZE  DESCRIPTION
 *        0     8  "CHAJAKO" and a zero byte
 *        8     4  format version, 1
 *       12     4  n: number of columns, in the order of STORED_COLUMNS
 *       16    32  SHA-256 of everything behind it
 *       48   12n  by column: u32 elements, u32 bytes as encoded, u32 bytes as deflated
 *   48+12n     …  the columns, each raw deflate
 *
 * Encodings of a column, chosen by what deflates best:
 *   plain   the elements
 *   planes  16-bit elements: all low bytes, then all high bytes
 *   delta   32-bit ascending or 16-bit elements: differences from the one before (16 bits, wrapping), then as planes
 *   wide    32-bit ascending elements: differences from the one before, each 32 bits
 */
const MAGIC = 'CHAJAKO\0'
const FORMAT_VERSION = 1
const HEADER_BYTES = 48

type Encoding = 'plain' | 'planes' | 'delta' | 'wide'

/** How a column is stored: one of the dictionary's, or one unit of every row of it. */
interface StoredColumn {
  readonly column: ColumnName
  readonly encoding: Encoding
  readonly unitOfRow?: number
}

const STORED_COLUMNS: readonly StoredColumn[] = [
  { column: 'meta', encoding: 'plain' },
  { column: 'labels', encoding: 'plain' },
  { column: 'nodes', encoding: 'delta', unitOfRow: 0 },
  { column: 'nodes', encoding: 'delta', unitOfRow: TRIE_ENTRY },
  { column: 'entries', encoding: 'planes', unitOfRow: 0 },
  { column: 'entries', encoding: 'planes', unitOfRow: ENTRY_RIGHT },
  { column: 'entries', encoding: 'plain', unitOfRow: ENTRY_COST },
  { column: 'entries', encoding: 'planes', unitOfRow: ENTRY_FEATURE },
  { column: 'connectionCosts', encoding: 'delta' },
  { column: 'leftClasses', encoding: 'plain' },
  { column: 'rightClasses', encoding: 'plain' },
  { column: 'features', encoding: 'plain' },
  { column: 'featureFlags', encoding: 'plain' },
  { column: 'readingEntries', encoding: 'wide' },
  { column: 'readingStarts', encoding: 'delta' },
  { column: 'readingUnits', encoding: 'plain' },
  { column: 'unitTraits', encoding: 'planes' },
]

/**
 * Packs a dictionary for storing.
 *
 * @throws {RangeError} when two neighbours of an ascending column are more than 65,535 apart
 */
export function encodeDictionary(columns: DictionaryColumns): Buffer {
  const table = Buffer.alloc(STORED_COLUMNS.length * 12)
  const packed = STORED_COLUMNS.map((stored, i) => {
    const column = storedUnits(columns, stored)
    const encoded = encodeColumn(column, stored.encoding)
    const deflated = deflateRawSync(encoded, { level: 9, memLevel: 9 })
    table.writeUInt32LE(column.length, i * 12)
    table.writeUInt32LE(encoded.length, i * 12 + 4)
    table.writeUInt32LE(deflated.length, i * 12 + 8)
    return deflated
  })
  const body = Buffer.concat([table, ...packed])
  const header = Buffer.alloc(HEADER_BYTES)
  header.write(MAGIC, 'latin1')
  header.writeUInt32LE(FORMAT_VERSION, 8)
  header.writeUInt32LE(STORED_COLUMNS.length, 12)
  createHash('sha256').update(body).digest().copy(header, 16)
  return Buffer.concat([header, body])
}

/**
 * Reads a dictionary file into shared memory.
 *
 * @returns an image for `dictionary-image.ts`
 * @throws {Error} naming the file when it is missing, of another format or version, or damaged
 */
export function readDictionaryFile(file: string): SharedMemory {
  const bytes = readFileSync(file)
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 8) !== MAGIC) {
    throw new Error(`${file}: not a dictionary made by chaja dictionary build`)
  }
  const version = bytes.readUInt32LE(8)
  if (version !== FORMAT_VERSION || bytes.readUInt32LE(12) !== STORED_COLUMNS.length) {
    throw new Error(`${file}: dictionary format ${version} is not ${FORMAT_VERSION}; build it again`)
  }
  const body = bytes.subarray(HEADER_BYTES)
  if (!createHash('sha256').update(body).digest().equals(bytes.subarray(16, HEADER_BYTES))) {
    throw new Error(`${file}: damaged (checksum differs)`)
  }
  const lengths = STORED_COLUMNS.map(({ column, unitOfRow }, i) => {
    const length = body.readUInt32LE(i * 12)
    return [column, unitOfRow === undefined ? length : length * rowUnits(column)] as const
  })
  const { image, columns } = createImage(Object.fromEntries(lengths) as Record<ColumnName, number>)
  let offset = STORED_COLUMNS.length * 12
  STORED_COLUMNS.forEach(({ column, encoding, unitOfRow }, i) => {
    const encodedBytes = body.readUInt32LE(i * 12 + 4)
    const end = offset + body.readUInt32LE(i * 12 + 8)
    // One chunk of the right size: no list of pieces to join.
    const encoded = inflateRawSync(body.subarray(offset, end), { chunkSize: Math.max(encodedBytes + 1, 64) })
    if (unitOfRow === undefined) decodeColumn(encoded, columns[column], encoding)
    else if (column === 'nodes') decodeDelta32(encoded, columns.nodes, TRIE_NODE_INTS, unitOfRow)
    else decodeUnitOfRow(encoded, columns.entries, unitOfRow, encoding)
    offset = end
  })
  finishImage(image, columns)
  return image
}

type Column = DictionaryColumns[ColumnName]

function storedUnits(columns: DictionaryColumns, { column, unitOfRow }: StoredColumn): Column {
  if (unitOfRow === undefined) return columns[column]
  const source = columns[column]
  const units = rowUnits(column)
  const unit = (_: unknown, row: number): number => source[row * units + unitOfRow]!
  const length = source.length / units
  return source instanceof Uint32Array ? Uint32Array.from({ length }, unit) : Uint16Array.from({ length }, unit)
}

/** Elements of a row of a column stored unit by unit. */
function rowUnits(column: ColumnName): number {
  return column === 'nodes' ? TRIE_NODE_INTS : ENTRY_UNITS
}

function encodeColumn(column: Column, encoding: Encoding): Buffer {
  if (encoding === 'plain') {
    const bytes = Buffer.alloc(column.byteLength)
    for (let i = 0; i < column.length; i++) {
      if (column.BYTES_PER_ELEMENT === 1) bytes[i] = column[i]!
      else bytes.writeUInt16LE(column[i]! & 0xffff, i * 2)
    }
    return bytes
  }
  if (encoding === 'wide') {
    const bytes = Buffer.alloc(column.length * 4)
    for (let i = 0; i < column.length; i++) bytes.writeUInt32LE(column[i]! - (i === 0 ? 0 : column[i - 1]!), i * 4)
    return bytes
  }
  const planes = Buffer.alloc(column.length * 2)
  let before = 0
  for (let i = 0; i < column.length; i++) {
    const value = encoding === 'delta' ? column[i]! - before : column[i]!
    if (column.BYTES_PER_ELEMENT === 4 && (value < 0 || value > 0xffff)) throw new RangeError('column is not ascending')
    before = column[i]!
    planes[i] = value & 0xff
    planes[column.length + i] = (value >> 8) & 0xff
  }
  return planes
}

function decodeColumn(encoded: Buffer, column: Column, encoding: Encoding): void {
  const bytes = new Uint8Array(encoded.buffer, encoded.byteOffset, encoded.byteLength)
  // Little-endian like every platform Node runs on; a copy of bytes is enough.
  if (encoding === 'plain') new Uint8Array(column.buffer, column.byteOffset, column.byteLength).set(bytes)
  else if (column instanceof Uint32Array) {
    if (encoding === 'wide') decodeWide(bytes, column)
    else decodeDelta32(bytes, column, 1, 0)
  } else {
    // One type of array, as a loop over several is several times slower.
    const units = new Uint16Array(column.buffer, column.byteOffset, column.length)
    if (encoding === 'delta') decodeDelta16(bytes, units)
    else decodePlanes(bytes, units)
  }
}

function decodeUnitOfRow(bytes: Uint8Array, entries: Uint16Array, unit: number, encoding: Encoding): void {
  const count = entries.length / ENTRY_UNITS
  if (encoding === 'plain') {
    for (let i = 0, to = unit; i < count; i++, to += ENTRY_UNITS) entries[to] = bytes[i * 2]! | (bytes[i * 2 + 1]! << 8)
  } else {
    for (let i = 0, to = unit; i < count; i++, to += ENTRY_UNITS) entries[to] = bytes[i]! | (bytes[count + i]! << 8)
  }
}

function decodePlanes(bytes: Uint8Array, units: Uint16Array): void {
  const count = units.length
  for (let i = 0; i < count; i++) units[i] = bytes[i]! | (bytes[count + i]! << 8)
}

function decodeDelta16(bytes: Uint8Array, units: Uint16Array): void {
  const count = units.length
  let value = 0
  for (let i = 0; i < count; i++) {
    value = (value + (bytes[i]! | (bytes[count + i]! << 8))) & 0xffff
    units[i] = value
  }
}

/** Decodes into every `step`th element, from `first` on. */
function decodeDelta32(bytes: Uint8Array, column: Uint32Array, step: number, first: number): void {
  const count = column.length / step
  let value = 0
  for (let i = 0, to = first; i < count; i++, to += step) {
    value += bytes[i]! | (bytes[count + i]! << 8)
    column[to] = value
  }
}

function decodeWide(bytes: Uint8Array, column: Uint32Array): void {
  let value = 0
  for (let i = 0; i < column.length; i++) {
    const at = i * 4
    value += (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
    column[i] = value
  }
}
