import { Worker } from 'node:worker_threads'
import { workerFile } from '../../worker-file.ts'
import type { SharedDictionary } from '../analysis/korean/dictionaries.ts'
import type { DeferredAnalysis } from './deferred-analysis.ts'
import { batchBuffers, type DocumentBatch } from './document-batch.ts'
import type { DocumentOrder } from './document-order.ts'
import { portableField } from './portable-field.ts'
import { draftBuffers, type SegmentDraft } from './segment-draft.ts'
import type { SegmentOutcome, SegmentTask } from './segment-thread-worker.ts'
import type { LiveSegment } from './stored-segment.ts'

/** Thrown for what the thread could not do, or did not live through. */
export class SegmentThreadError extends Error {
  /** @param stack  where in the thread */
  constructor(message: string, stack?: string) {
    super(message)
    this.name = 'SegmentThreadError'
    if (stack !== undefined) this.stack = stack
  }
}

/** How long the thread is kept without work. */
const IDLE_MS = 10_000

/** A segment in the making in the thread. */
export interface SegmentDraftHandle {
  /** Bytes handed over and not yet inverted. */
  readonly waitingBytes: number
  /** Hands a batch over; its arrays are empty here afterwards. A failure shows with {@link seal}. */
  add(batch: DocumentBatch, sizeBytes: number): void
  /** Settles when one of the batches that wait has been inverted, or failed. */
  progress(): Promise<void>
  /** The segment, in an order. @throws {Error} when the thread could not make it, or ended meanwhile */
  seal(order?: DocumentOrder): Promise<SharedArrayBuffer>
  drop(): void
}

/**
 * Makes and joins segments in a thread of their own, one at a time. The thread is started by the first task and ends
 * when idle.
 */
export class SegmentThread {
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #nextId = 1
  /** While there are any, the thread holds what it was told and must stay. */
  #openDrafts = 0
  readonly #waiting = new Map<
    number,
    { resolve: (bytes: SharedArrayBuffer | undefined) => void; reject: (error: Error) => void }
  >()

  /** Joins segments in an order; answers the new one's bytes, or undefined when nothing was left. */
  merge(segments: readonly LiveSegment[], order?: DocumentOrder): Promise<SharedArrayBuffer | undefined> {
    const sources = segments.map((s) => ({ bytes: s.stored.bytes, liveDocs: s.liveDocs }))
    return this.#run({ kind: 'merge', segments: sources, order }, [])
  }

  /** Lays a segment out; the draft's arrays are handed over and empty here afterwards. */
  async layOut(draft: SegmentDraft, order?: DocumentOrder): Promise<SharedArrayBuffer> {
    return (await this.#run({ kind: 'layOut', draft, order }, draftBuffers(draft))) as SharedArrayBuffer
  }

  /** Begins a segment that is handed over batch by batch. */
  openDraft(analysis: DeferredAnalysis & { readonly dictionaries: readonly SharedDictionary[] }): SegmentDraftHandle {
    const draft = this.#nextId++
    let batches = 0
    let waitingBytes = 0
    const waiting: Promise<void>[] = []
    this.#openDrafts++
    return {
      get waitingBytes() {
        return waitingBytes
      },
      add: (batch, sizeBytes) => {
        const number = batches++
        const first = number === 0 ? { analysis } : {}
        const portable = { ...batch, newFields: batch.newFields.map(portableField) }
        waitingBytes += sizeBytes
        const done = () => {
          waitingBytes -= sizeBytes
          waiting.shift()
        }
        const inverted = this.#run({ kind: 'invert', draft, number, batch: portable, ...first }, batchBuffers(batch))
        waiting.push(inverted.then(done, done))
      },
      progress: () => waiting[0] ?? Promise.resolve(),
      seal: async (order) => {
        try {
          return (await this.#run({ kind: 'seal', draft, batches, order }, [])) as SharedArrayBuffer
        } finally {
          this.#openDrafts--
          this.#restWhenIdle()
        }
      },
      drop: () => {
        this.#openDrafts--
        // A thread that has ended has forgotten it.
        if (this.#worker !== undefined) this.#run({ kind: 'drop', draft }, []).catch(() => {})
      },
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
    this.#fail(new SegmentThreadError('the engine is closing'))
  }

  #run(task: SegmentTask, transfer: ArrayBuffer[]): Promise<SharedArrayBuffer | undefined> {
    clearTimeout(this.#idle)
    this.#worker ??= this.#start()
    const worker = this.#worker
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      worker.postMessage({ id, task }, transfer)
    })
  }

  #start(): Worker {
    const worker = new Worker(workerFile(import.meta.url, './segment-thread-loader.mjs', './segment-thread-worker.js'))
    worker.unref()
    worker.on('message', (outcome: SegmentOutcome) => {
      const waiting = this.#waiting.get(outcome.id)
      this.#waiting.delete(outcome.id)
      if ('error' in outcome) waiting?.reject(new SegmentThreadError(outcome.error, outcome.stack))
      else waiting?.resolve(outcome.bytes)
      this.#restWhenIdle()
    })
    worker.on('error', ({ message, stack }) => this.#fail(new SegmentThreadError(message, stack)))
    worker.on('exit', () => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#fail(new SegmentThreadError('the segment thread ended'))
    })
    return worker
  }

  #restWhenIdle(): void {
    clearTimeout(this.#idle)
    if (this.#worker === undefined || this.#waiting.size > 0 || this.#openDrafts > 0) return
    this.#idle = setTimeout(() => this.#stop(), IDLE_MS)
    this.#idle.unref()
  }

  #stop(): void {
    const worker = this.#worker
    this.#worker = undefined
    void worker?.terminate()
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
