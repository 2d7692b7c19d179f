import { MessageChannel, Worker } from 'node:worker_threads'
import type { Config } from '../config.ts'
import type { EmbeddedEngine } from '../engine/embedded-engine.ts'
import type { ReplicaNews } from '../engine/replica/replica-news.ts'
import type { HttpLog, HttpServer } from '../http/http-server.ts'
import type { TlsMaterial } from '../http/local-authority.ts'
import type { SearchCounters } from '../rest/statistics/search-counters.ts'
import { balanceConnections } from './balance-connections.ts'
import { duplicateSocket } from './duplicate-socket.ts'
import type { FromReader, ReaderSetup, ToReader } from './reader-messages.ts'
import type { RequestDesk } from './request-desk.ts'
import { ThreadBoard } from './thread-board.ts'

/** What reader threads work beside. */
export interface ReaderThreadsOptions {
  readonly config: Config
  readonly engine: EmbeddedEngine
  readonly http: HttpServer
  /** Answers what readers cannot. */
  readonly desk: RequestDesk
  /** Where their searches count. */
  readonly searches: SearchCounters
  readonly publishAddress: string
  readonly tls: TlsMaterial | undefined
  readonly log: HttpLog
}

/** A thread that ended by a fault is started again after this time, twice as long each time. */
const RESTART_MS = 1_000
const LONGEST_RESTART_MS = 60_000

/** Statistics wait no longer for a thread that is busy. */
const COUNTS_TIMEOUT_MS = 1_000

/** How long beyond the grace a thread may take to end. */
const END_MS = 2_000

interface Reader {
  readonly worker: Worker
  readonly place: number
  readonly ended: Promise<void>
  isReady: boolean
}

/**
 * Threads that listen on the domain's port beside the writer (the main thread) and answer reads from replicas of the
 * engine: as many cores search. Writes, and all that changes something, they hand to the writer.
 */
export class ReaderThreads {
  readonly #o: ReaderThreadsOptions
  readonly #board = new ThreadBoard()
  readonly #readers = new Set<Reader>()
  readonly #counts = new Map<number, () => void>()
  #tls: TlsMaterial | undefined
  #nextCount = 1
  #stopBalancing: (() => void) | undefined
  #closing = false

  constructor(options: ReaderThreadsOptions) {
    this.#o = options
    this.#tls = options.tls
  }

  /** Threads that are ready. */
  get listening(): number {
    return [...this.#readers].filter(({ isReady }) => isReady).length
  }

  /** Starts so many threads. Where it cannot, the domain goes on without. */
  async start(count: number): Promise<void> {
    this.#stopBalancing ??= balanceConnections(this.#o.http, this.#board, 0)
    for (let place = 1; place <= count; place++) await this.#start(place, RESTART_MS)
  }

  /** Takes a renewed certificate for connections to come. */
  setTls(tls: TlsMaterial): void {
    this.#tls = tls
    this.#toAll({ kind: 'tls', tls })
  }

  /** Credentials were taken back: no thread's next request is to believe them. */
  revoked(): void {
    this.#board.revoked()
  }

  /** Adds what the threads have counted to the engine's and the REST layer's counts. */
  async gatherCounts(): Promise<void> {
    await Promise.all(
      [...this.#readers].map(
        ({ worker, ended }) =>
          new Promise<void>((resolve) => {
            const id = this.#nextCount++
            const done = () => {
              clearTimeout(timer)
              this.#counts.delete(id)
              resolve()
            }
            const timer = setTimeout(done, COUNTS_TIMEOUT_MS)
            this.#counts.set(id, done)
            void ended.then(done)
            worker.postMessage({ kind: 'count', id } satisfies ToReader)
          }),
      ),
    )
  }

  /** Ends the threads: what is under way has the time given. */
  async close(graceMs: number): Promise<void> {
    this.#closing = true
    this.#stopBalancing?.()
    const readers = [...this.#readers]
    this.#toAll({ kind: 'close', graceMs })
    await Promise.all(
      readers.map(async ({ worker, ended }) => {
        const timer = setTimeout(() => void worker.terminate(), graceMs + END_MS)
        await ended
        clearTimeout(timer)
      }),
    )
  }

  async #start(place: number, restartMs: number): Promise<void> {
    if (this.#closing) return
    try {
      const fd = await duplicateSocket(this.#o.http.handle)
      if (!this.#closing) this.#run(place, fd, restartMs)
    } catch (error) {
      this.#o.log('warn', { error: (error as Error).message }, 'a reader thread could not be started')
    }
  }

  #run(place: number, listenFd: number, restartMs: number): void {
    const { engine, config, http, log } = this.#o
    const news = new MessageChannel()
    const feed = engine.feed((message: ReplicaNews) => news.port1.postMessage(message))
    news.port1.on('message', (view: number) => feed.released(view))
    news.port1.unref()
    const setup: ReaderSetup = {
      config,
      publishAddress: this.#o.publishAddress,
      replica: {
        dataDir: config.data,
        engineVersion: config.engineVersion,
        clusterUuid: engine.clusterUuid,
        nodeId: engine.nodeId,
        news: news.port2,
        clock: feed.clock.shared,
      },
      listenFd,
      tls: this.#tls,
      ticketKeys: http.ticketKeys,
      inFlight: http.inFlight,
      board: this.#board.shared,
      place,
    }
    const worker = new Worker(threadFile(), { workerData: setup, transferList: [news.port2] })
    let fault: Error | undefined
    const since = Date.now()
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    const reader: Reader = { worker, place, ended, isReady: false }
    this.#readers.add(reader)
    worker.on('message', (message: FromReader) => this.#take(reader, message))
    worker.on('error', (error) => {
      fault = error
    })
    void ended.then(() => {
      this.#readers.delete(reader)
      this.#board.setActive(place, -1)
      feed.close()
      news.port1.close()
      if (this.#closing) return
      // One that ran for a while failed for a reason of its own time.
      const waitMs = Date.now() - since > LONGEST_RESTART_MS ? RESTART_MS : restartMs
      log(
        'error',
        { error: String(fault?.stack ?? fault ?? 'unknown'), waitMs },
        'a reader thread ended, it is started again',
      )
      setTimeout(() => void this.#start(place, Math.min(waitMs * 2, LONGEST_RESTART_MS)), waitMs).unref()
    })
  }

  #take(reader: Reader, message: FromReader): void {
    const { worker, place } = reader
    switch (message.kind) {
      case 'ready':
        reader.isReady = true
        this.#o.log('info', { thread: place }, 'a reader thread listens')
        return
      case 'request': {
        const { id, request } = message
        void this.#o.desk.answer(`${place} ${id}`, request).then(({ answer, transfer }) => {
          worker.postMessage({ kind: 'answer', id, answer } satisfies ToReader, transfer)
        })
        return
      }
      case 'edge': {
        const { id, request } = message
        void this.#o.desk.answerEdge(request).then(({ answer, transfer }) => {
          worker.postMessage({ kind: 'answer', id, answer } satisfies ToReader, transfer)
        })
        return
      }
      case 'aborted':
        this.#o.desk.abort(`${place} ${message.id}`)
        return
      case 'counts':
        this.#o.searches.addTaken(message.searches)
        for (const [name, counts] of message.gets) this.#o.engine.countGets(name, counts)
        this.#counts.get(message.id)?.()
        return
      case 'log':
        this.#o.log(message.level, { ...message.fields, thread: place }, message.message)
    }
  }

  #toAll(message: ToReader): void {
    for (const { worker } of this.#readers) worker.postMessage(message)
  }
}

/** From source (tests, development) a thread needs the loader that reads TypeScript. */
function threadFile(): URL {
  const fromSource = import.meta.url.endsWith('.ts')
  return new URL(fromSource ? './reader-thread-loader.mjs' : './reader-thread.js', import.meta.url)
}
