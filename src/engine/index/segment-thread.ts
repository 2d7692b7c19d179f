import { Worker } from 'node:worker_threads'
import { draftBuffers, type SegmentDraft } from './segment-draft.ts'
import type { SegmentOutcome, SegmentTask } from './segment-thread-worker.ts'
import type { LiveSegment } from './stored-segment.ts'

/** How long the thread is kept without work. */
const IDLE_MS = 10_000

/**
 * Makes and joins segments in a thread of their own, one at a time. The thread is started by the first task and ends
 * when idle.
 */
export class SegmentThread {
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  #nextId = 1
  readonly #waiting = new Map<
    number,
    { resolve: (bytes: SharedArrayBuffer | undefined) => void; reject: (error: Error) => void }
  >()

  /** Joins segments; answers the new one's bytes, or undefined when nothing was left. */
  merge(segments: readonly LiveSegment[]): Promise<SharedArrayBuffer | undefined> {
    const sources = segments.map((s) => ({ bytes: s.stored.bytes, liveDocs: s.liveDocs }))
    return this.#run({ kind: 'merge', segments: sources }, [])
  }

  /** Lays a segment out; the draft's arrays are handed over and empty here afterwards. */
  async layOut(draft: SegmentDraft): Promise<SharedArrayBuffer> {
    return (await this.#run({ kind: 'layOut', draft }, draftBuffers(draft))) as SharedArrayBuffer
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
    this.#fail(new Error('the engine is closing'))
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
    // From source (tests, development) the worker needs the loader that reads TypeScript.
    const fromSource = import.meta.url.endsWith('.ts')
    const worker = fromSource
      ? new Worker(new URL('./segment-thread-loader.mjs', import.meta.url))
      : new Worker(new URL('./segment-thread-worker.js', import.meta.url))
    worker.unref()
    worker.on('message', (outcome: SegmentOutcome) => {
      const waiting = this.#waiting.get(outcome.id)
      this.#waiting.delete(outcome.id)
      if ('error' in outcome) waiting?.reject(new Error(outcome.error))
      else waiting?.resolve(outcome.bytes)
      if (this.#waiting.size === 0) {
        this.#idle = setTimeout(() => this.#stop(), IDLE_MS)
        this.#idle.unref()
      }
    })
    worker.on('error', (error) => this.#fail(error))
    worker.on('exit', () => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#fail(new Error('the segment thread ended'))
    })
    return worker
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
