import { crc32 } from '../algorithms/crc32.ts'
import { readBigJson, writeBigJson } from '../big-json.ts'
import { damagedRecord } from './damaged-record.ts'
import { isShortened } from './record-keys.ts'

/* A value of the metadata table:
 *   OFFSET  SIZE  DESCRIPTION
 *        0     1  1
 *        1     4  CRC-32 of the key and the JSON, little-endian
 *        5     …  JSON (UTF-8); [name, value] where the key is too short for the name
 * Until store format 3, and of FORMAT_NAME always, so that every version can read it: JSON alone.
 */

const CHECKED = 1
const JSON_OFFSET = 5

/** The entry that says how the others are to be read. */
export const FORMAT_NAME = 'format'

/** Lays a value out in bytes. */
export function encodeMetadata(key: Buffer, name: string, value: unknown): Buffer {
  const json = Buffer.from(writeBigJson(isShortened(key) ? [name, value] : value))
  if (name === FORMAT_NAME) return json
  const head = Buffer.alloc(JSON_OFFSET)
  head[0] = CHECKED
  head.writeUInt32LE(crc32(json, crc32(key)), 1)
  return Buffer.concat([head, json])
}

/**
 * Reads a value and its name.
 *
 * @param allChecked  true where every value but the format has a checksum
 * @throws {ServiceError} corrupt_index_exception when it is not as it was written
 */
export function decodeMetadata(
  key: Buffer,
  bytes: Buffer,
  allChecked = false,
): readonly [name: string, value: unknown] {
  const isChecked = bytes[0] === CHECKED
  if (allChecked && !isChecked && key.toString() !== FORMAT_NAME) throw damaged(key)
  const json = isChecked ? bytes.subarray(JSON_OFFSET) : bytes
  if (isChecked && (bytes.length < JSON_OFFSET || crc32(json, crc32(key)) !== bytes.readUInt32LE(1))) throw damaged(key)
  try {
    const value = readBigJson(json.toString())
    return isShortened(key) ? (value as [string, unknown]) : [key.toString(), value]
  } catch {
    throw damaged(key)
  }
}

/** What is left of the JSON of a damaged value. */
export function remainsOf(bytes: Buffer): unknown {
  try {
    return readBigJson(bytes.subarray(bytes[0] === CHECKED ? JSON_OFFSET : 0).toString())
  } catch {
    return undefined
  }
}

const damaged = (key: Buffer) => damagedRecord(`the entry [${key}] of the store`)
