import { appendFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { pause } from '../client/backoff.ts'
import { type DocumentHash, DocumentHasher } from '../digest/document-hash.ts'
import { DocumentSetDigest } from '../digest/document-set-digest.ts'
import { type Checkpoint, unwritable } from './checkpoint.ts'
import type { DocumentBatch, DocumentSource } from './document-reader.ts'
import type { BatchOutcome, DocumentDestination, RejectedDocument } from './document-writer.ts'
import { expectLength } from './file-lines.ts'
import { ReadyBatch } from './ready-batch.ts'
import { RecordBatch } from './record-batch.ts'
import type { Rewrite } from './rewrite.ts'
import { documentLine, type TransferDocument } from './transfer-document.ts'

/** What a run has done so far; `read`, `written` and `rejected` with the runs it goes on with. */
export interface RunSummary {
  readonly read: number
  readonly written: number
  readonly rejected: number
  readonly retries: number
  /** Sent to the destination by this run. */
  readonly bytes: number
}

/** Where a running transfer stands. */
export interface TransferProgress extends RunSummary {
  readonly phase: 'documents' | 'verification'
  /** Documents at the source, where it can tell. */
  readonly total: number | undefined
}

/** How documents are moved. */
export interface RunOptions {
  /** Most documents a second; undefined: as fast as it goes. */
  readonly maxRate?: number | undefined
  /** NDJSON file of what the destination refused, each document with the reason. */
  readonly rejectPath: string
  readonly onProgress: (progress: TransferProgress) => void
  readonly onNote: (line: string) => void
  readonly signal: AbortSignal
}

/** What a run moves documents from and to. */
export interface RunEnds {
  readonly source: DocumentSource
  readonly destination: DocumentDestination
  readonly rewrite: Rewrite
  /** Tells documents apart at the destination; undefined: no digest is wanted. */
  readonly key: ((document: TransferDocument) => string) | undefined
}

/** A batch on its way. */
interface SentBatch {
  readonly batch: DocumentBatch
  readonly written: Promise<BatchOutcome>
  /** Of its documents, in their order; undefined when no digest is wanted, or the batch has its own. */
  readonly hashes: readonly DocumentHash[] | undefined
}

/** Batches sent and not yet acknowledged: enough to keep the destination busy while answers and batches travel. */
const BATCHES_UNDER_WAY = 3

/** The walk over the source's batches: reads ahead, writes, moves the checkpoint behind what is acknowledged. */
export class DocumentRun {
  readonly #options: RunOptions
  readonly #ends: RunEnds
  readonly #checkpoint: Checkpoint
  readonly #hasher = new DocumentHasher()
  #digest: DocumentSetDigest | undefined
  #retries = 0
  #bytes = 0
  #total: number | undefined

  constructor(options: RunOptions, ends: RunEnds, checkpoint: Checkpoint) {
    this.#options = options
    this.#ends = ends
    this.#checkpoint = checkpoint
    const { digest, digestOf, read } = checkpoint.state
    if (ends.key === undefined) return
    if (read === 0) this.#digest = new DocumentSetDigest()
    else if (digestOf === ends.source.digestOf) this.#digest = DocumentSetDigest.fromText(digest ?? '')
  }

  /**
   * Digest of every document that was moved, in the form it has at the destination, and by earlier runs too; of what is stored
   * where the source says what that is compressed with. Undefined when none was wanted, or some of them have none of the kind.
   */
  get digest(): DocumentSetDigest | undefined {
    return this.#digest
  }

  get summary(): RunSummary {
    const { read, written, rejected } = this.#checkpoint.state
    return { read, written, rejected, retries: this.#retries, bytes: this.#bytes }
  }

  get progress(): TransferProgress {
    return { phase: 'documents', total: this.#total, ...this.summary }
  }

  /**
   * Moves every document that no earlier run has moved.
   *
   * @param total  documents at the source, where it can tell
   */
  async go(total: number | undefined): Promise<void> {
    this.#total = total
    const { state } = this.#checkpoint
    const { source, destination, key } = this.#ends
    if (!source.resumable && this.#checkpoint.resumed && state.partsDone.length === 0) {
      this.#options.onNote('the source cannot be read from the middle: its documents are read again from the start')
      Object.assign(state, { positions: {}, read: 0, written: 0, rejected: 0, rejectBytes: 0 })
      if (key !== undefined) this.#digest = new DocumentSetDigest()
      destination.restart(state.headerBytes)
    }
    // What a batch left behind that was not finished is written again with it.
    const { rejectPath } = this.#options
    expectLength(rejectPath, state.rejectBytes)
    if (state.rejectBytes === 0) rmSync(rejectPath, { force: true })
    else truncateSync(rejectPath, state.rejectBytes)
    for (const part of await source.parts()) {
      if (state.partsDone.includes(part)) continue
      await this.#part(part)
      state.partsDone.push(part)
      this.#checkpoint.save()
    }
  }

  async #part(part: number): Promise<void> {
    const { signal, maxRate } = this.#options
    const batches = this.#ends.source.read(part, this.#checkpoint.state.positions[part], signal)
    // The next batch is read while others are written; the oldest is waited for first, so that the checkpoint passes
    // batches in their order.
    const underWay: SentBatch[] = []
    const settleOldest = async () => {
      const { batch, written, hashes } = underWay.shift() as SentBatch
      this.#settle(batch, await written, hashes)
    }
    const started = performance.now()
    let documents = 0
    try {
      for await (const batch of readAhead(batches)) {
        signal.throwIfAborted()
        underWay.push(await this.#send(batch))
        while (underWay.length >= BATCHES_UNDER_WAY) await settleOldest()
        documents += batch.count
        if (maxRate !== undefined) {
          const ahead = (documents / maxRate) * 1000 - (performance.now() - started)
          if (ahead > 0) await pause(ahead, signal)
        }
      }
      while (underWay.length > 0) await settleOldest()
    } finally {
      // An interrupted run leaves what it has finished; batches under way are written again, which changes nothing.
      this.#checkpoint.save()
      await Promise.allSettled(underWay.map((u) => u.written))
    }
  }

  async #send(batch: DocumentBatch): Promise<SentBatch> {
    const { destination, rewrite } = this.#ends
    if (batch instanceof RecordBatch && destination.writeRecords !== undefined) {
      const written = destination.writeRecords(batch, this.#options.signal)
      written.catch(() => {})
      return { batch, written, hashes: undefined }
    }
    if (batch instanceof ReadyBatch && destination.writeReady !== undefined) {
      const written = destination.writeReady(batch, this.#options.signal)
      written.catch(() => {})
      return { batch, written, hashes: undefined }
    }
    const documents = batch.documents.map(rewrite)
    const written = destination.write(documents, this.#options.signal)
    written.catch(() => {})
    if (this.#digest === undefined) return { batch, written, hashes: undefined }
    // The request goes out first: the destination is busy with it while its documents are hashed here.
    await turn()
    return { batch, written, hashes: this.#hashesOf(documents) }
  }

  #hashesOf(documents: readonly TransferDocument[]): readonly DocumentHash[] {
    const { key = ({ id }) => id } = this.#ends
    return documents.map((d) => this.#hasher.hash(key(d), d.source))
  }

  #settle(given: DocumentBatch, outcome: BatchOutcome, hashes: readonly DocumentHash[] | undefined): void {
    this.#keepRejected(outcome.rejected)
    const { state } = this.#checkpoint
    const { digestOf } = this.#ends.source
    const batch = outcome.instead ?? given
    // A digest of what is stored is one of all or none.
    if (digestOf !== undefined && !(batch instanceof RecordBatch)) this.#digest = undefined
    if (this.#digest !== undefined) {
      this.#addToDigest(this.#digest, batch, outcome, hashes)
      state.digest = this.#digest.toText()
      if (digestOf !== undefined) state.digestOf = digestOf
    } else {
      delete state.digest
      delete state.digestOf
    }
    state.positions[batch.part] = batch.position
    state.read += batch.count
    state.written += outcome.written
    state.rejected += outcome.rejected.length
    state.fileBytes = outcome.fileBytes
    this.#retries += outcome.retries
    this.#bytes += outcome.bytes
    this.#checkpoint.saveNowAndThen()
    this.#options.onProgress(this.progress)
  }

  #addToDigest(
    digest: DocumentSetDigest,
    batch: DocumentBatch,
    { rejected }: BatchOutcome,
    hashes: readonly DocumentHash[] | undefined,
  ): void {
    const isReady = batch instanceof RecordBatch || batch instanceof ReadyBatch
    if (isReady && batch.digest !== undefined && rejected.length === 0) {
      digest.addDigest(batch.digest)
      return
    }
    const refused = new Set(rejected.map((r) => r.position))
    const all = hashes ?? this.#hashesOf(batch.documents.map(this.#ends.rewrite))
    for (const [i, hash] of all.entries()) if (!refused.has(i)) digest.addHash(hash)
  }

  #keepRejected(rejected: readonly RejectedDocument[]): void {
    if (rejected.length === 0) return
    const lines = rejected.map(({ document, status, type, reason }) => {
      const error = JSON.stringify({ status, type, reason })
      return `{"error":${error},${documentLine(document).toString().slice(1)}\n`
    })
    const { rejectPath } = this.#options
    try {
      appendFileSync(rejectPath, lines.join(''), { mode: 0o600, flush: true })
    } catch (cause) {
      throw unwritable(rejectPath, cause)
    }
    this.#checkpoint.state.rejectBytes = statSync(rejectPath).size
  }
}

/** Asks for the next batch before the one at hand is done with. */
async function* readAhead(
  batches: AsyncGenerator<DocumentBatch, void, undefined>,
): AsyncGenerator<DocumentBatch, void, undefined> {
  let next = batches.next()
  try {
    for (;;) {
      const { value, done } = await next
      if (done || value === undefined) return
      next = batches.next()
      next.catch(() => {})
      yield value
    }
  } finally {
    await batches.return()
  }
}
