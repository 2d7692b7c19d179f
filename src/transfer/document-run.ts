import { appendFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { pause } from '../client/backoff.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { DocumentBatch, DocumentSource } from './document-reader.ts'
import type { DocumentDestination, RejectedDocument } from './document-writer.ts'
import type { Rewrite } from './rewrite.ts'
import { documentLine, oneLine } from './transfer-document.ts'

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

/** The walk over the source's batches: reads ahead by one, writes, then moves the checkpoint. */
export class DocumentRun {
  readonly #options: RunOptions
  readonly #source: DocumentSource
  readonly #destination: DocumentDestination
  readonly #rewrite: Rewrite
  readonly #checkpoint: Checkpoint
  #retries = 0
  #bytes = 0
  #total: number | undefined

  constructor(
    options: RunOptions,
    source: DocumentSource,
    destination: DocumentDestination,
    rewrite: Rewrite,
    checkpoint: Checkpoint,
  ) {
    this.#options = options
    this.#source = source
    this.#destination = destination
    this.#rewrite = rewrite
    this.#checkpoint = checkpoint
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
    if (!this.#source.resumable && this.#checkpoint.resumed && state.partsDone.length === 0) {
      this.#options.onNote('the source cannot be read from the middle: its documents are read again from the start')
      Object.assign(state, { positions: {}, read: 0, written: 0, rejected: 0, rejectBytes: 0 })
      this.#destination.restart(state.headerBytes)
    }
    // What a batch left behind that was not finished is written again with it.
    if (state.rejectBytes === 0) rmSync(this.#options.rejectPath, { force: true })
    else truncateSync(this.#options.rejectPath, state.rejectBytes)
    for (const part of await this.#source.parts()) {
      if (state.partsDone.includes(part)) continue
      await this.#part(part)
      state.partsDone.push(part)
      this.#checkpoint.save()
    }
  }

  async #part(part: number): Promise<void> {
    const { signal, maxRate } = this.#options
    const batches = this.#source.read(part, this.#checkpoint.state.positions[part], signal)
    // The next batch is read while this one is written.
    let next = batches.next()
    const started = performance.now()
    let documents = 0
    try {
      for (;;) {
        const { value: batch, done } = await next
        if (done || batch === undefined) return
        next = batches.next()
        next.catch(() => {})
        await this.#write(batch)
        documents += batch.documents.length
        if (maxRate !== undefined) {
          const ahead = (documents / maxRate) * 1000 - (performance.now() - started)
          if (ahead > 0) await pause(ahead, signal)
        }
      }
    } finally {
      await batches.return()
    }
  }

  async #write(batch: DocumentBatch): Promise<void> {
    const { signal, onProgress } = this.#options
    signal.throwIfAborted()
    const outcome = await this.#destination.write(batch.documents.map(this.#rewrite), signal)
    this.#keepRejected(outcome.rejected)
    const { state } = this.#checkpoint
    state.positions[batch.part] = batch.position
    state.read += batch.documents.length
    state.written += outcome.written
    state.rejected += outcome.rejected.length
    state.fileBytes = this.#destination.fileBytes
    this.#retries += outcome.retries
    this.#bytes += outcome.bytes
    this.#checkpoint.save()
    onProgress(this.progress)
  }

  #keepRejected(rejected: readonly RejectedDocument[]): void {
    if (rejected.length === 0) return
    const lines = rejected.map(({ document, status, type, reason }) => {
      const error = JSON.stringify({ status, type, reason })
      return `{"error":${error},${documentLine({ ...document, source: oneLine(document.source) }).slice(1)}\n`
    })
    appendFileSync(this.#options.rejectPath, lines.join(''), { mode: 0o600, flush: true })
    this.#checkpoint.state.rejectBytes = statSync(this.#options.rejectPath).size
  }
}
