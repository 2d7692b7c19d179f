import { getHeapStatistics } from 'node:v8'
import { Worker } from 'node:worker_threads'
import { workerFile } from '../../worker-file.ts'
import type { IndexMapping } from '../mapping/index-mapping.ts'
import type { PortableMapping, ReadingTask, ReadOutcome } from './document-thread-worker.ts'

/** The thread knows so many mappings. */
const MOST_TOLD = 4
/** How long the thread is kept without work. */
const IDLE_MS = 10_000
/** The heap of the thread: what the process' own may have. A document that wants more ends its thread, and nothing else. */
const HEAP_MB = Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20)

/** What is asked of the thread; the mapping's form for messages is made only where the thread does not know it. */
export type ReadingRequest = Omit<ReadingTask, 'mapping' | 'made'> & {
  readonly mapping: IndexMapping
  readonly portable: () => PortableMapping
}

/** What became of it; `tooLarge`: the thread has ended of it. */
export type ThreadOutcome = ReadOutcome | { readonly kind: 'tooLarge' }

interface Waiting {
  readonly request: ReadingRequest
  readonly resolve: (outcome: ThreadOutcome) => void
}

/**
 * Takes large documents apart in a thread of their own, one at a time: two of them side by side would want twice the
 * memory. The thread is started by the first and ends when idle.
 */
export class DocumentThread {
  readonly #file: URL
  readonly #heapMb: number
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined
  /** The first of them is the thread's. */
  readonly #waiting: Waiting[] = []
  /** Mappings that the thread has, by their numbers there. */
  #told: IndexMapping[] = []
  #nextTold = 0

  /** @param file  what the thread runs (tests) */
  constructor({ file, heapMb = HEAP_MB }: { readonly file?: URL; readonly heapMb?: number } = {}) {
    this.#file = file ?? workerFile(import.meta.url, './document-thread-loader.mjs', './document-thread-worker.js')
    this.#heapMb = heapMb
  }

  /** Reads a document by a mapping. */
  read(request: ReadingRequest): Promise<ThreadOutcome> {
    return new Promise((resolve) => {
      this.#waiting.push({ request, resolve })
      if (this.#waiting.length === 1) this.#begin(request)
    })
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
    for (const { resolve } of this.#waiting.splice(0)) resolve({ kind: 'here' })
  }

  #begin(request: ReadingRequest): void {
    clearTimeout(this.#idle)
    try {
      this.#worker ??= this.#start()
      this.#post(this.#worker, request)
    } catch {
      // What cannot be said in a message: the thread may not know the mapping either.
      this.#told = []
      this.#finish({ kind: 'here' })
    }
  }

  #post(worker: Worker, { mapping, portable, source, ...document }: ReadingRequest): void {
    let number = this.#told.indexOf(mapping)
    const made = number < 0 ? portable() : undefined
    if (number < 0) {
      number = this.#nextTold++ % MOST_TOLD
      this.#told[number] = mapping
    }
    // The source alone: it may be a small part of a large buffer, which would go along.
    const own = new Uint8Array(source)
    worker.postMessage({ ...document, mapping: number, made, source: own } satisfies ReadingTask, [own.buffer])
  }

  #start(): Worker {
    const worker = new Worker(this.#file, { resourceLimits: { maxOldGenerationSizeMb: this.#heapMb } })
    worker.unref()
    this.#told = []
    let outcome: ThreadOutcome = { kind: 'here' }
    worker.on('message', (read: ReadOutcome) => this.#finish(read))
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') outcome = { kind: 'tooLarge' }
    })
    worker.on('exit', () => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#finish(outcome)
    })
    return worker
  }

  #finish(outcome: ThreadOutcome): void {
    this.#waiting.shift()?.resolve(outcome)
    const next = this.#waiting[0]
    if (next !== undefined) this.#begin(next.request)
    else this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref()
  }
}
