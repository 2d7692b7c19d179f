import { bucketOf, type DocumentHash, DocumentHasher } from '../digest/document-hash.ts'
import { DocumentSetDigest } from '../digest/document-set-digest.ts'
import type { DocumentSource } from './document-reader.ts'
import type { Rewrite } from './rewrite.ts'
import type { TransferDocument } from './transfer-document.ts'

/** One side of a comparison: where its documents are, and how they are named for it. */
export interface VerifiedSide {
  readonly source: DocumentSource
  /** Brings a document to the form it has at the destination. */
  readonly rewrite: Rewrite
  readonly key: (document: TransferDocument) => string
  /** Makes all documents readable; asked before they are read. */
  readonly prepare?: () => Promise<void>
  /** The digest as the server itself makes it of what it has stored; undefined when it cannot. */
  readonly ownDigest?: (signal: AbortSignal) => Promise<DocumentSetDigest | undefined>
}

/** `twice`: the side has several documents of the key, as a file may. */
type Difference = 'missing' | 'extra' | 'different' | 'twice'

/** What a verification found. */
export interface Verification {
  readonly equal: boolean
  /** What the digests are of: what documents say, the same wherever they are; or the records that two domains have them stored as. */
  readonly of: 'documents' | 'records'
  readonly sourceCount: number
  readonly destinationCount: number
  readonly sourceDigest: string
  readonly destinationDigest: string
  /** Up to ten documents that differ. */
  readonly examples: readonly { readonly key: string; readonly difference: Difference }[]
}

/** What a comparison leaves out, and what ends it. */
export interface VerifyOptions {
  /** Keys of documents that the destination refused. */
  readonly refused: ReadonlySet<string>
  readonly signal: AbortSignal
  /** The source's digest, where it was made as its documents were moved. */
  readonly sourceDigest?: DocumentSetDigest | undefined
}

/** Parts of a side (shards, indices) read at once. */
const PARTS_AT_ONCE = 4

/**
 * Makes a digest of the destination (or lets it make its own), and of the source unless that was done on the way, and
 * compares them; where they differ, reads the differing groups again to name examples.
 */
export async function verify(a: VerifiedSide, b: VerifiedSide, options: VerifyOptions): Promise<Verification> {
  const [early, right] = await Promise.all([options.sourceDigest ?? digestOf(a, options), digestOf(b, options)])
  // A digest made on the way may have met documents before they were changed: a difference is looked at again.
  const stale = options.sourceDigest !== undefined && early.differingBuckets(right).size > 0
  const left = stale ? await digestOf(a, options) : early
  const differing = left.differingBuckets(right)
  return outcome('documents', left, right, differing.size === 0 ? [] : await findExamples(a, b, differing, options))
}

/** What two digests of records say that are the same; undefined where they are not. */
export function equality(left: DocumentSetDigest, right: DocumentSetDigest): Verification | undefined {
  return left.differingBuckets(right).size > 0 ? undefined : outcome('records', left, right, [])
}

function outcome(
  of: Verification['of'],
  left: DocumentSetDigest,
  right: DocumentSetDigest,
  examples: Verification['examples'],
): Verification {
  return {
    equal: left.differingBuckets(right).size === 0,
    of,
    sourceCount: left.count,
    destinationCount: right.count,
    sourceDigest: left.hex,
    destinationDigest: right.hex,
    examples,
  }
}

async function digestOf(side: VerifiedSide, options: VerifyOptions): Promise<DocumentSetDigest> {
  // What a server digests by itself is all it has: what was refused before cannot be left out.
  const own = options.refused.size === 0 ? await side.ownDigest?.(options.signal) : undefined
  if (own !== undefined) return own
  const digest = new DocumentSetDigest()
  await eachDocument(side, options, (key, source) => digest.add(key, source))
  return digest
}

async function findExamples(
  a: VerifiedSide,
  b: VerifiedSide,
  buckets: ReadonlySet<number>,
  options: VerifyOptions,
): Promise<Verification['examples']> {
  // A few groups are enough for ten examples, and keep the memory small however much differs.
  const few = new Set([...buckets].slice(0, 16))
  const twice = new Set<string>()
  const [left, right] = await Promise.all([hashesOf(a, few, twice, options), hashesOf(b, few, twice, options)])
  const examples: { key: string; difference: Difference }[] = []
  for (const [key, { low, high }] of left) {
    const other = right.get(key)
    if (other === undefined) examples.push({ key, difference: 'missing' })
    else if (other.low !== low || other.high !== high) examples.push({ key, difference: 'different' })
  }
  for (const key of twice) examples.push({ key, difference: 'twice' })
  for (const key of right.keys()) if (!left.has(key)) examples.push({ key, difference: 'extra' })
  return examples.slice(0, 10).map((e) => ({ ...e, key: e.key.replaceAll('\0', '/') }))
}

async function hashesOf(
  side: VerifiedSide,
  buckets: ReadonlySet<number>,
  twice: Set<string>,
  options: VerifyOptions,
): Promise<Map<string, DocumentHash>> {
  const hashes = new Map<string, DocumentHash>()
  const hasher = new DocumentHasher()
  await eachDocument(side, options, (key, source) => {
    if (!buckets.has(bucketOf(key))) return
    if (hashes.has(key)) twice.add(key)
    hashes.set(key, hasher.hash(key, source))
  })
  return hashes
}

/** Reads a side, several parts of it at once, in no order. */
async function eachDocument(
  side: VerifiedSide,
  { refused, signal }: VerifyOptions,
  visit: (key: string, source: Buffer) => void,
): Promise<void> {
  await side.prepare?.()
  const parts = [...(await side.source.parts())]
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])
  const readParts = async () => {
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      for await (const batch of side.source.read(part, undefined, either)) {
        for (const document of batch.documents) {
          const rewritten = side.rewrite(document)
          const key = side.key(rewritten)
          if (!refused.has(key)) visit(key, rewritten.source)
        }
      }
    }
  }
  try {
    await Promise.all(Array.from({ length: PARTS_AT_ONCE }, readParts))
  } catch (error) {
    failed.abort(error)
    throw error
  }
}
