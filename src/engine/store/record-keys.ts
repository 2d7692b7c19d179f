import { createHash } from 'node:crypto'
import { writeText } from './short-text.ts'

/* Keys of the tables (lmdb-store.ts says what they are made of). Of one that would be as long as LMDB takes them, or
 * longer, there is its beginning and, in its last 32 bytes, the SHA-256 of all of it.
 */

const LONGEST_KEY_BYTES = 1978
const DIGEST_BYTES = 32

/** Sorts before everything of an index in the documents and ids tables. */
export function indexKey(indexNumber: number): Buffer {
  const key = Buffer.allocUnsafe(4)
  key.writeUInt32BE(indexNumber)
  return key
}

/** Of a record. */
export function documentKey(indexNumber: number, seqNo: number): Buffer {
  const key = Buffer.allocUnsafe(12)
  key.writeUInt32BE(indexNumber, 0)
  key.writeUInt32BE(Math.floor(seqNo / 2 ** 32), 4)
  key.writeUInt32BE(seqNo >>> 0, 8)
  return key
}

/** The sequence number in a record's key. */
export const seqNoOf = (key: Buffer): number => key.readUInt32BE(4) * 2 ** 32 + key.readUInt32BE(8)

/** Of an id. */
export function idKey(indexNumber: number, type: string, id: string): Buffer {
  const typeBytes = Buffer.byteLength(type)
  const key = Buffer.allocUnsafe(5 + typeBytes + Buffer.byteLength(id))
  key.writeUInt32BE(indexNumber, 0)
  writeText(key, 4, type)
  key[4 + typeBytes] = 0
  writeText(key, 5 + typeBytes, id)
  return storable(key)
}

/** Of a setting. */
export const metadataKey = (name: string): Buffer => storable(Buffer.from(name))

/** True for a key that does not say all of its name. */
export const isShortened = (key: Buffer): boolean => key.length === LONGEST_KEY_BYTES

function storable(key: Buffer): Buffer {
  if (key.length < LONGEST_KEY_BYTES) return key
  const digest = createHash('sha256').update(key).digest()
  return Buffer.concat([key.subarray(0, LONGEST_KEY_BYTES - DIGEST_BYTES), digest])
}
