import { Worker } from 'node:worker_threads'
import { workerFile } from '../../worker-file.ts'
import { compressRecord, LEAST_COMPRESSED_BYTES } from './document-record.ts'
import { type Lz4Dictionary, MOST_SOURCE_BYTES } from './lz4-dictionary.ts'
import type { CompressedBatch, RecordBatch } from './record-compressor-worker.ts'
import type { Change } from './write-ahead-log.ts'

/** A batch is handed over once it has so many bytes: fewer are not worth a message, nor a wait before a commit. */
const BATCH_BYTES = 128 * 1024
/** Batches that the thread may have at a time: what is more the thread that writes does itself. */
const MOST_HANDED = 4
/** The thread knows so many dictionaries. */
const MOST_TOLD = 16
/** How long the thread is kept without work. */
const IDLE_MS = 10_000

interface Batch {
  readonly changes: Change[]
  bytes: number
}

/**
 * Compresses the sources of records on their way to the tables, in a thread of its own where there are many of them: it
 * is a fifth of the work of a bulk. What the thread fails to compress stays as it is, which is as good a record.
 */
export class RecordCompressor {
  /** By the dictionary they are compressed with. */
  readonly #open = new Map<Lz4Dictionary, Batch>()
  #worker: Worker | undefined
  /** True once the thread takes batches. */
  #isReady = false
  /** A thread that failed is not started again. */
  #hasFailed = false
  #idle: NodeJS.Timeout | undefined
  /** Dictionaries that the thread has, by their numbers there. */
  readonly #told: Lz4Dictionary[] = []
  /** What the thread has, in order. */
  readonly #handed: { readonly changes: readonly Change[]; readonly settle: () => void }[] = []
  #lastHanded: Promise<void> = Promise.resolve()

  /** Whether there is a thread that takes batches. */
  get hasThread(): boolean {
    return this.#isReady
  }

  /** Takes a change whose value is a record; it has a shorter one once {@link done} says so. @param length  of its source */
  add(change: Change, dictionary: Lz4Dictionary, length: number): void {
    if (length < LEAST_COMPRESSED_BYTES || length > MOST_SOURCE_BYTES) return
    if (this.#worker !== undefined && !this.#takesMore) {
      // By itself, so that all of a batch is not done in one piece while others wait.
      change.value = compressRecord(change.value as Buffer, dictionary) ?? change.value
      return
    }
    let batch = this.#open.get(dictionary)
    if (batch === undefined) {
      batch = { changes: [], bytes: 0 }
      this.#open.set(dictionary, batch)
    }
    batch.changes.push(change)
    batch.bytes += (change.value as Buffer).length
    if (batch.bytes < BATCH_BYTES) return
    if (!this.#hasFailed) this.#worker ??= this.#start()
    this.#open.delete(dictionary)
    if (this.#takesMore) this.#hand(dictionary, batch)
    else compress(dictionary, batch.changes)
  }

  get #takesMore(): boolean {
    return this.#isReady && this.#handed.length < MOST_HANDED
  }

  /** Settles when all that was added so far is compressed, or stays as it is. */
  done(): Promise<void> {
    for (const [dictionary, { changes }] of this.#open) compress(dictionary, changes)
    this.#open.clear()
    return this.#lastHanded
  }

  #hand(dictionary: Lz4Dictionary, { changes, bytes }: Batch): void {
    clearTimeout(this.#idle)
    const records = new Uint8Array(bytes)
    const ends = new Uint32Array(changes.length)
    let at = 0
    for (let i = 0; i < changes.length; i++) {
      const record = (changes[i] as Change).value as Buffer
      records.set(record, at)
      at += record.length
      ends[i] = at
    }
    const task: RecordBatch = { records, ends, ...this.#tell(dictionary) }
    this.#worker?.postMessage(task, [records.buffer, ends.buffer])
    this.#lastHanded = new Promise((settle) => this.#handed.push({ changes, settle }))
  }

  /** What the thread is told of a dictionary. */
  #tell(dictionary: Lz4Dictionary): Pick<RecordBatch, 'dictionary' | 'learned'> {
    const known = this.#told.indexOf(dictionary)
    if (known >= 0) return { dictionary: known, learned: undefined }
    if (this.#told.length === MOST_TOLD) this.#told.length = 0
    const learned = { bytes: dictionary.bytes.slice(), codeLengths: dictionary.code?.lengths.slice() }
    return { dictionary: this.#told.push(dictionary) - 1, learned }
  }

  #start(): Worker {
    const worker = new Worker(
      workerFile(import.meta.url, './record-compressor-loader.mjs', './record-compressor-worker.js'),
    )
    worker.unref()
    worker.on('message', (message: CompressedBatch | 'ready') => {
      if (message === 'ready') this.#isReady = true
      else this.#take(message)
      if (this.#handed.length === 0) this.#idle = setTimeout(() => this.close(), IDLE_MS).unref()
    })
    worker.on('error', () => {
      this.#hasFailed = true
    })
    worker.on('exit', () => {
      if (this.#worker === worker) this.close()
    })
    return worker
  }

  #take({ records, ends }: CompressedBatch): void {
    const handed = this.#handed.shift()
    if (handed === undefined) return
    let from = 0
    for (let i = 0; i < ends.length; i++) {
      const end = ends[i] as number
      // One that would not be shorter is not there.
      if (end > from) (handed.changes[i] as Change).value = Buffer.from(records.buffer, from, end - from)
      from = end
    }
    handed.settle()
  }

  /** Ends the thread; what it had stays as it is. */
  close(): void {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    this.#isReady = false
    this.#told.length = 0
    void worker?.terminate()
    for (const { settle } of this.#handed.splice(0)) settle()
  }
}

function compress(dictionary: Lz4Dictionary, changes: readonly Change[]): void {
  for (const change of changes) {
    change.value = compressRecord(change.value as Buffer, dictionary) ?? change.value
  }
}
