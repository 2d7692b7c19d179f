import * as crypto from 'node:crypto'
import { CanonicalJsonWriter } from './canonical-json.ts'

/** How many groups a digest is kept in, so that a difference can be narrowed down without keeping every document's. */
export const DIGEST_BUCKETS = 1_024

/** The group a document belongs to. */
export function bucketOf(key: string): number {
  // FNV-1a over UTF-16 units.
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % DIGEST_BUCKETS
}

/** A document in a digest: its group, and the first eight bytes of SHA-256 over key, NUL, canonical source. */
export interface DocumentHash {
  readonly bucket: number
  readonly low: number
  readonly high: number
}

/** A source as a store has it; compressed, `restoredBytes` is its length then, else 0. */
export interface PackedSource {
  readonly source: Uint8Array
  readonly restoredBytes: number
}

/** Hashes documents, one after the other, in memory of its own. */
export class DocumentHasher {
  readonly #writer = new CanonicalJsonWriter()
  #packed: Buffer = Buffer.allocUnsafeSlow(4 * 1024)

  /** @throws {SyntaxError} when the source is broken off */
  hash(key: string, source: Uint8Array): DocumentHash {
    const sha = sha256(this.#writer.write(key, source))
    return { bucket: bucketOf(key), low: word(sha, 0), high: word(sha, 4) }
  }

  /** The same of the bytes of a source in a store, which need not be restored for it; of another form is another hash. */
  hashPacked(key: string, { source, restoredBytes }: PackedSource): DocumentHash {
    const most = 8 + 3 * key.length + source.length
    if (this.#packed.length < most) this.#packed = Buffer.allocUnsafeSlow(2 * most)
    const packed = this.#packed
    packed.writeUInt32LE(restoredBytes)
    // Where the key ends: both may be any bytes.
    packed.writeUInt32LE(source.length, 4)
    const at = 8 + packed.write(key, 8)
    packed.set(source, at)
    const sha = sha256(packed.subarray(0, at + source.length))
    const low = word(sha, 0)
    return { bucket: low % DIGEST_BUCKETS, low, high: word(sha, 4) }
  }
}

// Missing from Node before 20.12.
const { hash: hashAtOnce, createHash }: { hash?: typeof crypto.hash; createHash: typeof crypto.createHash } = crypto

/** SHA-256, a character a byte: at once it takes a quarter of the time that a hash object and a buffer take. */
function sha256(bytes: Uint8Array): string {
  if (hashAtOnce === undefined) return createHash('sha256').update(bytes).digest().toString('latin1')
  return hashAtOnce('sha256', bytes, LATIN1)
}

/** Left out of the types, but taken like any encoding of a buffer. */
const LATIN1 = 'latin1' as crypto.BinaryToTextEncoding

/** Four bytes, little-endian. */
function word(bytes: string, at: number): number {
  return (
    (bytes.charCodeAt(at) |
      (bytes.charCodeAt(at + 1) << 8) |
      (bytes.charCodeAt(at + 2) << 16) |
      (bytes.charCodeAt(at + 3) << 24)) >>>
    0
  )
}
