import { createHash } from 'node:crypto'
import { DIGEST_BUCKETS, type DocumentHash, DocumentHasher, type PackedSource } from './document-hash.ts'

/**
 * An order-independent digest of a set of documents: the sum, modulo 2^64 a bucket, of a hash of each one's key and
 * canonical source. Two sets with the same documents have the same digest in whatever order they are read.
 */
export class DocumentSetDigest {
  #count = 0
  /** A sum's low and high half, by bucket. */
  readonly #sums = new Uint32Array(2 * DIGEST_BUCKETS)
  readonly #counts = new Uint32Array(DIGEST_BUCKETS)
  readonly #hasher = new DocumentHasher()

  /** Documents in it. */
  get count(): number {
    return this.#count
  }

  /**
   * @param key     what tells documents apart: the id, with the type where both sides have types
   * @param source  JSON, however it is written
   */
  add(key: string, source: Uint8Array): void {
    this.addHash(this.#hasher.hash(key, source))
  }

  /** {@link DocumentHasher.hashPacked} */
  addPacked(key: string, packed: PackedSource): void {
    this.addHash(this.#hasher.hashPacked(key, packed))
  }

  /** Adds a document by its hash. */
  addHash({ bucket, low, high }: DocumentHash): void {
    this.#addSum(bucket, low, high, 1)
  }

  /** Adds all documents of another set. */
  addDigest(other: DocumentSetDigest): void {
    for (let i = 0; i < DIGEST_BUCKETS; i++) {
      this.#addSum(i, other.#sums[2 * i] as number, other.#sums[2 * i + 1] as number, other.#counts[i] as number)
    }
  }

  #addSum(bucket: number, low: number, high: number, count: number): void {
    const sum = (this.#sums[2 * bucket] as number) + low
    this.#sums[2 * bucket] = sum
    this.#sums[2 * bucket + 1] = (this.#sums[2 * bucket + 1] as number) + high + (sum > 0xffff_ffff ? 1 : 0)
    this.#counts[bucket] = (this.#counts[bucket] as number) + count
    this.#count += count
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
      if (
        this.#sums[2 * i] !== other.#sums[2 * i] ||
        this.#sums[2 * i + 1] !== other.#sums[2 * i + 1] ||
        this.#counts[i] !== other.#counts[i]
      )
        differing.add(i)
    }
    return differing
  }

  /** The whole state as text (16 KiB), for a checkpoint. */
  toText(): string {
    return Buffer.concat([new Uint8Array(this.#sums.buffer), new Uint8Array(this.#counts.buffer)]).toString('base64')
  }

  /** Reads what {@link toText} wrote; undefined when it is something else. */
  static fromText(text: string): DocumentSetDigest | undefined {
    const bytes = new Uint8Array(Buffer.from(text, 'base64'))
    const digest = new DocumentSetDigest()
    if (bytes.length !== digest.#sums.byteLength + digest.#counts.byteLength) return undefined
    new Uint8Array(digest.#sums.buffer).set(bytes.subarray(0, digest.#sums.byteLength))
    new Uint8Array(digest.#counts.buffer).set(bytes.subarray(digest.#sums.byteLength))
    digest.#count = digest.#counts.reduce((sum, n) => sum + n, 0)
    return digest
  }
}
