import { bucketOf, DocumentSetDigest, documentHash } from './digest.ts'
import type { DocumentSource } from './document-reader.ts'
import type { Rewrite } from './rewrite.ts'
import type { TransferDocument } from './transfer-document.ts'

/** One side of a comparison: where its documents are, and how they are named for it. */
export interface VerifiedSide {
  readonly source: DocumentSource
  /** Brings a document to the form it has at the destination. */
  readonly rewrite: Rewrite
  readonly key: (document: TransferDocument) => string
}

/** What a verification found. */
export interface Verification {
  readonly equal: boolean
  readonly sourceCount: number
  readonly destinationCount: number
  readonly sourceDigest: string
  readonly destinationDigest: string
  /** Up to ten documents that differ. */
  readonly examples: readonly { readonly key: string; readonly difference: 'missing' | 'extra' | 'different' }[]
}

/** What a comparison leaves out, and what ends it. */
export interface VerifyOptions {
  /** Keys of documents that the destination refused. */
  readonly refused: ReadonlySet<string>
  readonly signal: AbortSignal
  /** The source's digest, where it was read for it already. */
  readonly sourceDigest?: Promise<DocumentSetDigest> | undefined
}

/**
 * Reads both sides whole and compares them by an order-independent digest; where they differ, reads the differing
 * groups again to name examples.
 */
export async function verify(a: VerifiedSide, b: VerifiedSide, options: VerifyOptions): Promise<Verification> {
  const [early, right] = await Promise.all([options.sourceDigest ?? digestOf(a, options), digestOf(b, options)])
  // A digest made during the transfer may have met documents before they were changed: a difference is looked at again.
  const stale = options.sourceDigest !== undefined && early.differingBuckets(right).size > 0
  const left = stale ? await digestOf(a, options) : early
  const differing = left.differingBuckets(right)
  return {
    equal: differing.size === 0,
    sourceCount: left.count,
    destinationCount: right.count,
    sourceDigest: left.hex,
    destinationDigest: right.hex,
    examples: differing.size === 0 ? [] : await findExamples(a, b, differing, options),
  }
}

/** Reads a side whole for its digest. */
export async function digestOf(
  side: VerifiedSide,
  options: Pick<VerifyOptions, 'refused' | 'signal'>,
): Promise<DocumentSetDigest> {
  const digest = new DocumentSetDigest()
  for await (const { key, source } of documents(side, options)) digest.add(key, source)
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
  const [left, right] = await Promise.all([hashesOf(a, few, options), hashesOf(b, few, options)])
  const examples: { key: string; difference: 'missing' | 'extra' | 'different' }[] = []
  for (const [key, hash] of left) {
    const other = right.get(key)
    if (other === undefined) examples.push({ key, difference: 'missing' })
    else if (other !== hash) examples.push({ key, difference: 'different' })
  }
  for (const key of right.keys()) if (!left.has(key)) examples.push({ key, difference: 'extra' })
  return examples.slice(0, 10).map((e) => ({ ...e, key: e.key.replaceAll('\0', '/') }))
}

async function hashesOf(
  side: VerifiedSide,
  buckets: ReadonlySet<number>,
  options: VerifyOptions,
): Promise<Map<string, bigint>> {
  const hashes = new Map<string, bigint>()
  for await (const { key, source } of documents(side, options)) {
    if (buckets.has(bucketOf(key))) hashes.set(key, documentHash(key, source))
  }
  return hashes
}

async function* documents(
  side: VerifiedSide,
  { refused, signal }: Pick<VerifyOptions, 'refused' | 'signal'>,
): AsyncGenerator<{ readonly key: string; readonly source: string }, void, undefined> {
  for (const part of await side.source.parts()) {
    for await (const batch of side.source.read(part, undefined, signal)) {
      for (const document of batch.documents) {
        const rewritten = side.rewrite(document)
        const key = side.key(rewritten)
        if (!refused.has(key)) yield { key, source: rewritten.source }
      }
    }
  }
}
