import { ServiceError } from '../../../errors.ts'
import type { TokenFilter } from '../analyzer.ts'
import { combineHashes, type Hash128, murmur3 } from '../murmur3.ts'
import { RewritingFilter } from './rewriting-filter.ts'

/** Options, named as the settings'. */
export interface MinHashOptions {
  readonly hashCount: number
  readonly bucketCount: number
  readonly hashSetSize: number
  readonly withRotation: boolean
}

/**
 * Replaces the tokens by a sketch of them: for each bucket of hashes the smallest ones.
 *
 * @throws {ServiceError} illegal_argument_exception for a count below one
 * @source Lucene, MinHashFilter
 */
export function minHashFilter(options: MinHashOptions): TokenFilter {
  const { hashCount, bucketCount, hashSetSize, withRotation } = options
  for (const name of ['hashCount', 'bucketCount', 'hashSetSize'] as const) {
    if (options[name] <= 0) throw new ServiceError('illegal_argument_exception', `${name} must be greater than zero`)
  }
  const bucketSize = Math.ceil(0x100000000 / bucketCount)
  const seeds = Array.from({ length: hashCount }, (_, i) =>
    murmur3(Buffer.from(Uint8Array.of(i >> 24, i >> 16, i >> 8, i))),
  )
  return new RewritingFilter((tokens, out) => {
    if (tokens.length === 0) return
    const hashes: Hash128[] = []
    for (let i = 0; i < tokens.length; i++) hashes.push(murmur3(Buffer.from(tokens.terms[i] as string, 'utf16le')))
    const end = tokens.endOffsets[tokens.length - 1] as number
    for (const [h, seed] of seeds.entries()) {
      const buckets: Hash128[][] = Array.from({ length: bucketCount }, () => [])
      for (const hash of hashes) {
        const combined = combineHashes(hash, seed)
        insert(buckets[Math.floor(Number(combined.high >> 32n) / bucketSize)] as Hash128[], combined, hashSetSize)
      }
      if (withRotation && hashSetSize === 1) rotate(buckets)
      for (const bucket of buckets) {
        for (const hash of bucket) out.push(termOf(hash, h, hashCount), 0, end, 'MIN_HASH', out.length === 0 ? 1 : 0)
      }
    }
  })
}

const compare = (a: Hash128, b: Hash128): number =>
  a.high === b.high ? (a.low < b.low ? -1 : a.low > b.low ? 1 : 0) : a.high < b.high ? -1 : 1

function insert(bucket: Hash128[], hash: Hash128, capacity: number): void {
  if (bucket.length >= capacity && compare(hash, bucket.at(-1) as Hash128) >= 0) return
  const at = bucket.findIndex((other) => compare(hash, other) <= 0)
  if (at >= 0 && compare(hash, bucket[at] as Hash128) === 0) {
    // It is there already, and yet the largest made room.
    if (bucket.length >= capacity) bucket.pop()
    if (!bucket.some((other) => compare(hash, other) === 0)) bucket.push(hash)
    return
  }
  if (bucket.length >= capacity) bucket.pop()
  bucket.splice(at < 0 ? bucket.length : at, 0, hash)
}

/** An empty bucket takes the smallest hash of the next one that is not. */
function rotate(buckets: Hash128[][]): void {
  for (let i = 0; i < buckets.length; i++) {
    if ((buckets[i] as Hash128[]).length > 0) continue
    for (let offset = 1; offset < buckets.length; offset++) {
      const [first] = buckets[(i + offset) % buckets.length] as Hash128[]
      if (first === undefined) continue
      buckets[i] = [first]
      break
    }
  }
}

/** A hash as text: its bits, 16 a unit; with several hash functions the function's number and less of the bits. */
function termOf(hash: Hash128, index: number, hashCount: number): string {
  const units = (value: bigint, count: number) =>
    Array.from({ length: count }, (_, i) => Number((value >> BigInt(48 - 16 * i)) & 0xffffn))
  const high = units(hash.high, 4)
  if (hashCount === 1) return String.fromCharCode(...high, ...units(hash.low, 4))
  return String.fromCharCode((index >> 16) & 0xffff, index & 0xffff, ...high, ...units(hash.low, 2))
}
