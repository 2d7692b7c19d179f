import { type DocumentKeyForm, documentKey } from '../digest/document-key.ts'
import type { DocumentSetDigest } from '../digest/document-set-digest.ts'
import type { DocumentSource } from './document-reader.ts'
import { fileLineBytes } from './file-lines.ts'
import { JoinedSource } from './joined-source.ts'
import type { Rewrite } from './rewrite.ts'
import { serverDigest } from './server-digest.ts'
import type { IndexEnd } from './shared-dictionary.ts'
import { readDocumentLine, type TransferDocument } from './transfer-document.ts'
import { refresh, type Side, sourceOf } from './transfer-side.ts'
import { equality, type Verification, type VerifiedSide, verify } from './verify.ts'

/** What was moved where, to be compared. */
export interface MovedDocuments {
  readonly source: DocumentSource
  /** Set where the source is an index of a chaja domain, which digests itself. */
  readonly digestingSource: IndexEnd | undefined
  /** Where the documents were written to. */
  readonly destination: Side
  /** Indices there; of a file the name that its documents go by. */
  readonly indices: readonly string[]
  readonly rewrite: Rewrite
  readonly keyForm: DocumentKeyForm
  /** Digest of what was moved, where it was made on the way, and id of what its sources are compressed with if it is of records. */
  readonly digest: DocumentSetDigest | undefined
  readonly digestOf: string | undefined
  /** NDJSON file of what the destination refused; undefined where it took everything. */
  readonly rejectPath: string | undefined
}

/** Compares what a transfer has moved with what is at the destination now: records where both sides have the same, else documents. */
export async function compareMoved(
  moved: MovedDocuments,
  options: { readonly pageSize: number; readonly signal: AbortSignal },
): Promise<Verification> {
  const { digest, digestOf, digestingSource, keyForm, rejectPath, rewrite, source } = moved
  const { signal } = options
  const alike = digestOf === undefined ? undefined : await storedAlike(moved, digestOf, signal)
  if (alike !== undefined) return alike
  const key = (document: TransferDocument) => documentKey(keyForm, document)
  const ownDigest =
    digestingSource && (() => serverDigest(digestingSource.client, [digestingSource.index], keyForm, signal))
  return verify({ source, rewrite, key, ...(ownDigest && { ownDigest }) }, writtenSide(moved, key, options), {
    refused: rejectPath === undefined ? new Set() : await refusedKeys(rejectPath, key),
    signal,
    sourceDigest: digestOf === undefined ? digest : undefined,
  })
}

/** The proof that both sides have the same records; undefined where that is not so, whatever they say. */
async function storedAlike(
  { digest, destination: { client }, indices, keyForm }: MovedDocuments,
  digestOf: string,
  signal: AbortSignal,
): Promise<Verification | undefined> {
  if (digest === undefined || client === undefined) return undefined
  const there = await serverDigest(client, indices, keyForm, signal, digestOf)
  return there === undefined ? undefined : equality(digest, there)
}

/** The destination as a verification reads it: every index that was written, or the file. */
function writtenSide(
  { destination, indices, keyForm }: MovedDocuments,
  key: VerifiedSide['key'],
  options: { readonly pageSize: number; readonly signal: AbortSignal },
): VerifiedSide {
  const { client } = destination
  if (client === undefined) {
    const [index = ''] = indices
    return { source: sourceOf(destination, options), rewrite: (d) => ({ ...d, index }), key }
  }
  return {
    source: new JoinedSource(indices.map((name) => sourceOf(destination, options, name))),
    prepare: async () => {
      for (const name of indices) await refresh(client, name, { mayBeRefused: false, signal: options.signal })
    },
    rewrite: (d) => d,
    key,
    ownDigest: (signal) => serverDigest(client, indices, keyForm, signal),
  }
}

/** Keys of the documents that the destination refused: known to differ, they take no part in the comparison. */
async function refusedKeys(path: string, key: (d: TransferDocument) => string): Promise<ReadonlySet<string>> {
  const keys = new Set<string>()
  for await (const lines of fileLineBytes(path, false)) for (const line of lines) keys.add(key(readDocumentLine(line)))
  return keys
}
