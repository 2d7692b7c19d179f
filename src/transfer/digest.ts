import { createHash } from 'node:crypto'
import { canonicalJson } from './raw-json.ts'

/** How many groups a digest is kept in, so that a difference can be narrowed down without keeping every document's. */
export const DIGEST_BUCKETS = 1_024

/**
 * An order-independent digest of a set of documents: the sum, modulo 2^64 a bucket, of a hash of each one's key and
 * canonical source. Two sets with the same documents have the same digest in whatever order they are read.
 */
export class DocumentSetDigest {
  count = 0
  readonly #sums = new BigUint64Array(DIGEST_BUCKETS)
  readonly #counts = new Uint32Array(DIGEST_BUCKETS)

  /** @param key  what tells documents apart: the id, with the type where both sides have types */
  add(key: string, source: string): void {
    const bucket = bucketOf(key)
    this.#sums[bucket] = (this.#sums[bucket] ?? 0n) + documentHash(key, source)
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.count++
  }

  /** Hexadecimal, 64 characters. */
  get hex(): string {
    return createHash('sha256')
      .update(new Uint8Array(this.#sums.buffer))
      .update(new Uint8Array(this.#counts.buffer))
      .digest('hex')
  }

  /** Buckets in which two digests differ. */
  differingBuckets(other: DocumentSetDigest): ReadonlySet<number> {
    const differing = new Set<number>()
    for (let i = 0; i < DIGEST_BUCKETS; i++) {
      if (this.#sums[i] !== other.#sums[i] || this.#counts[i] !== other.#counts[i]) differing.add(i)
    }
    return differing
  }
}

/** The group a document belongs to. */
export function bucketOf(key: string): number {
  // FNV-1a over UTF-16 units.
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  return (hash >>> 0) % DIGEST_BUCKETS
}

/** First eight bytes of SHA-256 over key, NUL, canonical source. */
export function documentHash(key: string, source: string): bigint {
  return createHash('sha256')
    .update(`${key}\0${canonicalJson(source)}`)
    .digest()
    .readBigUInt64LE(0)
}
