import { availableParallelism } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { MessageChannel, Worker } from 'node:worker_threads'
import type { BackendRequest, BackendResponse } from '../backend.ts'
import { ElsewhereError, OverrunError } from '../engine/elsewhere-error.ts'
import type { EmbeddedEngine } from '../engine/embedded-engine.ts'
import type { EngineLog } from '../engine/engine.ts'
import type { EngineVersion } from '../engine/engine-version.ts'
import type { ReplicaNews } from '../engine/replica/replica-news.ts'
import { addScriptCounts } from '../engine/script/script-counts.ts'
import { ServiceError } from '../errors.ts'
import { DIALECTS } from '../rest/dialects/dialect.ts'
import type { ThreadPoolStats } from '../rest/endpoint-handler.ts'
import { asAnswered } from '../rest/errors/tripped-breaker.ts'
import type { SearchCounters } from '../rest/statistics/search-counters.ts'
import type { Trips } from '../rest/statistics/trips.ts'
import { workerFile } from '../worker-file.ts'
import { AbortBoard } from './abort-board.ts'
import { type FromThread, PASSED_HEADERS, type ThreadSetup, type ToThread } from './thread-messages.ts'
import { Verdicts } from './verdicts.ts'

const THREAD_FILE = workerFile(import.meta.url, './search-thread-loader.mjs', './search-thread.js')

/** What search threads work beside. */
export interface SearchThreadsOptions {
  readonly engine: EmbeddedEngine
  /** What their REST layers are told. */
  readonly rest: ThreadSetup['rest']
  /** Where clients reach the domain, once it listens. */
  readonly publishAddress?: () => string
  /** Where their searches count. */
  readonly searches: SearchCounters
  /** Where what was too large for them counts; nowhere when absent. */
  readonly trips?: Trips
  readonly log: EngineLog
  /** What the threads run, instead of src/threads/search-thread.ts (tests). */
  readonly file?: URL
  /** Instead of {@link IDLE_MS} (tests). */
  readonly idleMs?: number
  /** Instead of {@link END_MS} (tests). */
  readonly endMs?: number
  /** Instead of {@link HEAP_MB} (tests). */
  readonly heapMb?: number
}

/** More threads than this gain nothing measured. */
const MOST = 8

/** Threads that were started for a load end when they had nothing to do for so long, at least. */
const IDLE_MS = 5 * 60_000

/** A thread that ended by a fault is started again after this time, twice as long each time. */
const RESTART_MS = 1_000
const LONGEST_RESTART_MS = 60_000

/** Statistics wait no longer for a thread that is busy. */
const COUNTS_TIMEOUT_MS = 1_000

/** The heap of a thread: what the process' own may have. */
const HEAP_MB = Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20)

/** How long a thread may take to end, or to give up what nobody waits for. */
const END_MS = 5_000

/** An answer, and what it took the thread, in ms. */
export interface ThreadAnswer {
  readonly response: BackendResponse
  readonly ms: number
}

interface Waiting {
  readonly request: BackendRequest
  /** It holds up what waits behind it, for who knows how long. */
  readonly isLong: boolean
  readonly resolve: (answer: ThreadAnswer) => void
  readonly reject: (error: Error) => void
}

interface SearchThread {
  readonly number: number
  readonly worker: Worker
  readonly board: AbortBoard
  readonly verdicts: Verdicts
  readonly ended: Promise<void>
  readonly waiting: Map<number, Waiting>
  isReady: boolean
  /** It was told to end. */
  isLeaving: boolean
  /** It was ended since it would not give up a search that nobody waits for: its others are asked of another. */
  isStuck: boolean
}

/** Threads that search beside the first one, on further cores, over the same segments. */
export class SearchThreads {
  readonly #o: SearchThreadsOptions
  readonly #threads = new Set<SearchThread>()
  readonly #counts = new Map<number, () => void>()
  #nextId = 1
  #completed = 0
  /** Who waits for a thread to be ready. */
  #expecting: (() => void)[] = []
  #areWanted = false
  #closing = false
  #restarting = 0
  /** Threads that ended before they were ready. */
  #failedStarts = 0
  #idle: NodeJS.Timeout | undefined

  constructor(options: SearchThreadsOptions) {
    this.#o = options
  }

  get areReady(): boolean {
    for (const { isReady } of this.#threads) if (isReady) return true
    return false
  }

  /** Whether any were ever asked for. */
  get areWanted(): boolean {
    return this.#areWanted
  }

  /** Whether any were started that were not told to end. */
  get #areStarted(): boolean {
    for (const { isLeaving } of this.#threads) if (!isLeaving) return true
    return false
  }

  /** Waits until the threads can read all that was written so far. @returns undefined: they can already */
  caughtUp(): Promise<void> | undefined {
    return this.#o.engine.caughtUp()
  }

  /** What a search is told that would need a thread, where there is none. */
  noThread(): ServiceError {
    const isOpenSearch = this.#o.engine.version === 'OpenSearch_2.19'
    return new ServiceError(
      isOpenSearch ? 'rejected_execution_exception' : 'es_rejected_execution_exception',
      'rejected execution of a search that takes long: there is no thread for it',
    )
  }

  /** Whether any of them has something to do. */
  get areBusy(): boolean {
    for (const { waiting } of this.#threads) if (waiting.size > 0) return true
    return false
  }

  get stats(): ThreadPoolStats {
    const ready = [...this.#threads].filter(({ isReady }) => isReady)
    const active = ready.filter(({ waiting }) => waiting.size > 0).length
    const asked = ready.reduce((sum, { waiting }) => sum + waiting.size, 0)
    return { threads: ready.length, active, queue: asked - active, completed: this.#completed }
  }

  /** Once a thread is ready; false: none is, and none will be soon. */
  async whenReady(): Promise<boolean> {
    const failed = this.#failedStarts
    while (!this.areReady) {
      if (this.#closing || this.#failedStarts > failed) return false
      if (!this.#areStarted && this.#restarting === 0) return false
      await new Promise<void>((resolve) => this.#expecting.push(resolve))
    }
    return true
  }

  /** Starts threads, where there are none. */
  start(count: number): void {
    if (this.#areStarted) return
    this.#areWanted ||= count > 0
    for (let number = 1; number <= count; number++) this.#start(number, RESTART_MS)
  }

  /**
   * Starts threads as {@link start} does, one for each core beyond the first, and ends them when nothing was asked of
   * them for a while. One even where there is one core: the system shares it out between a long search and short requests.
   */
  startForNow(): void {
    if (this.#areStarted || this.#closing) return
    this.start(Math.min(Math.max(availableParallelism() - 1, 1), MOST))
    let completed = this.#completed
    this.#idle = setInterval(() => {
      if (completed === this.#completed && this.areReady && !this.areBusy) void this.#end()
      completed = this.#completed
    }, this.#o.idleMs ?? IDLE_MS)
    this.#idle.unref()
  }

  /**
   * Hands a request to the thread that has least to do.
   *
   * @param most    requests a thread may have already
   * @param isLong  it may take longer than this thread could do it in: others do not wait behind it, and it was held back until {@link caughtUp}
   * @returns undefined when none is free
   */
  tryAsk(request: BackendRequest, most: number, isLong: boolean): Promise<ThreadAnswer> | undefined {
    let chosen: SearchThread | undefined
    for (const thread of this.#threads) {
      if (!thread.isReady || (!isLong && hasLong(thread))) continue
      if (chosen === undefined || thread.waiting.size < chosen.waiting.size) chosen = thread
    }
    return chosen === undefined || chosen.waiting.size >= most ? undefined : this.#ask(chosen, request, isLong)
  }

  #ask(thread: SearchThread, request: BackendRequest, isLong: boolean): Promise<ThreadAnswer> {
    const { worker, waiting, board } = thread
    const id = this.#nextId++
    const { method, segments, rawTarget, query, body } = request
    const headers: Record<string, string | undefined> = {}
    for (const name of PASSED_HEADERS) headers[name] = request.headers[name]
    // The body alone: it may be a small part of a large buffer, which would go along.
    const handed = {
      method,
      segments,
      rawTarget,
      query,
      headers,
      body: new Uint8Array(body),
      isCaughtUp: isLong,
    }
    worker.postMessage({ kind: 'request', id, request: handed } satisfies ToThread)
    const lookSoon = () => setTimeout(look, this.#o.endMs ?? END_MS).unref()
    const look = () => {
      if (!waiting.has(id)) return
      // Searches are made in their order: behind another it has not begun, and that one may be waited for.
      if (waiting.keys().next().value === id) this.#endStuck(thread)
      else lookSoon()
    }
    const giveUp = () => {
      board.abort(id)
      lookSoon()
    }
    request.signal.onAbort = giveUp
    // It may have waited for its turn.
    if (request.signal.aborted) giveUp()
    return new Promise((resolve, reject) => waiting.set(id, { request, isLong, resolve, reject }))
  }

  /** Ends a thread that does not look up from its search. */
  #endStuck(thread: SearchThread): void {
    thread.isStuck = true
    thread.isReady = false
    void thread.worker.terminate()
  }

  /** Adds what the threads have counted to the counts of the domain. */
  async gatherCounts(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => this.#gatherCounts(thread)))
  }

  #gatherCounts({ worker, ended }: SearchThread): Promise<void> {
    return new Promise((resolve) => {
      const id = this.#nextId++
      const done = () => {
        clearTimeout(timer)
        this.#counts.delete(id)
        resolve()
      }
      const timer = setTimeout(done, COUNTS_TIMEOUT_MS)
      this.#counts.set(id, done)
      void ended.then(done)
      worker.postMessage({ kind: 'count', id } satisfies ToThread)
    })
  }

  /** Ends the threads, when nothing waits for them any more. */
  async close(): Promise<void> {
    this.#closing = true
    this.#tellExpecting()
    await this.#end()
  }

  async #end(): Promise<void> {
    clearInterval(this.#idle)
    await Promise.all(
      [...this.#threads].map(async (thread) => {
        const { worker, ended } = thread
        thread.isReady = false
        thread.isLeaving = true
        await this.#gatherCounts(thread)
        worker.postMessage({ kind: 'close' } satisfies ToThread)
        const timer = setTimeout(() => void worker.terminate(), END_MS)
        await ended
        clearTimeout(timer)
      }),
    )
  }

  #start(number: number, restartMs: number): void {
    if (this.#closing) return
    const { engine, log } = this.#o
    const { clusterName, dataDir, allowExplicitIndex } = this.#o.rest
    const news = new MessageChannel()
    const feed = engine.feed((message: ReplicaNews) => news.port1.postMessage(message))
    news.port1.on('message', (view: number) => feed.released(view))
    news.port1.unref()
    const board = new AbortBoard()
    const verdicts = new Verdicts()
    const setup: ThreadSetup = {
      rest: { clusterName, dataDir, allowExplicitIndex },
      publishAddress: this.#o.publishAddress?.() ?? '',
      replica: {
        dataDir,
        engineVersion: engine.version,
        clusterUuid: engine.clusterUuid,
        nodeId: engine.nodeId,
        news: news.port2,
        clock: feed.clock.shared,
      },
      aborts: board.shared,
      verdicts: verdicts.shared,
    }
    const worker = new Worker(this.#o.file ?? THREAD_FILE, {
      workerData: setup,
      transferList: [news.port2],
      // A search that wants more ends its thread, and nothing else.
      resourceLimits: { maxOldGenerationSizeMb: this.#o.heapMb ?? HEAP_MB },
    })
    worker.unref()
    const since = performance.now()
    let fault: Error | undefined
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    const thread: SearchThread = {
      number,
      worker,
      board,
      verdicts,
      ended,
      waiting: new Map(),
      isReady: false,
      isLeaving: false,
      isStuck: false,
    }
    this.#threads.add(thread)
    worker.on('message', (message: FromThread) => this.#take(thread, message))
    worker.on('error', (error) => {
      fault = error
    })
    void ended.then(() => {
      this.#threads.delete(thread)
      if (!thread.isReady && !thread.isStuck && !thread.isLeaving) this.#failedStarts++
      feed.close()
      news.port1.close()
      // Searches are made in their order: those behind the first have not begun.
      const [culprit] = thread.waiting.values()
      for (const waiting of thread.waiting.values()) {
        const isGuilty = thread.isStuck ? waiting.request.signal.aborted : waiting === culprit
        waiting.reject(isGuilty ? threadEnded(engine.version) : new OverrunError('asked of a thread that has ended'))
      }
      this.#tellExpecting()
      if (thread.isLeaving) return
      // One that ran for a while failed for a reason of its own time.
      const waitMs = performance.now() - since > LONGEST_RESTART_MS ? RESTART_MS : restartMs
      const why = thread.isStuck ? 'it searched on when nobody waited any more' : 'unknown'
      const error = String(fault?.stack ?? fault ?? why)
      log('error', { error, thread: number, waitMs }, 'a search thread ended, it is started again')
      this.#restarting++
      setTimeout(() => {
        this.#restarting--
        this.#start(number, Math.min(waitMs * 2, LONGEST_RESTART_MS))
      }, waitMs).unref()
    })
  }

  #tellExpecting(): void {
    const expecting = this.#expecting
    this.#expecting = []
    for (const tell of expecting) tell()
  }

  #take(thread: SearchThread, message: FromThread): void {
    switch (message.kind) {
      case 'ready':
        thread.isReady = !thread.isLeaving
        this.#o.log('info', { thread: thread.number }, 'a search thread is ready')
        this.#tellExpecting()
        return
      case 'answer': {
        const waiting = thread.waiting.get(message.id)
        thread.waiting.delete(message.id)
        this.#completed++
        if (waiting !== undefined) settle(waiting, message)
        return
      }
      case 'judge':
        thread.verdicts.give(this.#judge(thread, message))
        return
      case 'elsewhere':
        thread.waiting.get(message.id)?.reject(new ElsewhereError('not in a search thread'))
        thread.waiting.delete(message.id)
        return
      case 'counts':
        this.#o.searches.addTaken(message.searches)
        this.#o.trips?.addTaken(message.trips)
        addScriptCounts(message.scripts)
        this.#counts.get(message.id)?.()
        return
      case 'log':
        this.#o.log(message.level, { ...message.fields, thread: thread.number }, message.message)
    }
  }

  /** Whether a request may go on. One that may not is answered with the denial, whatever becomes of it in the thread. */
  #judge({ waiting }: SearchThread, { id, indices, api, method }: FromThread & { kind: 'judge' }): boolean {
    const asking = waiting.get(id)
    try {
      asking?.request.authorize(indices, api, method)
    } catch (denial) {
      waiting.delete(id)
      asking?.reject(denial as Error)
      return false
    }
    return asking !== undefined
  }
}

function hasLong({ waiting }: SearchThread): boolean {
  for (const { isLong } of waiting.values()) if (isLong) return true
  return false
}

function settle({ resolve }: Waiting, answer: FromThread & { kind: 'answer' }): void {
  const { status, headers, body, ms } = answer
  const content = typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.length)
  resolve({ response: { status, headers, body: content }, ms })
}

/** What took a thread down, in the version's form of a breaker that knows no sizes. It must not be tried in the first one. */
function threadEnded(engineVersion: EngineVersion): ServiceError {
  const reason = 'the thread that searched has ended: it may have wanted too much memory'
  const metadata = { bytes_wanted: 0, bytes_limit: 0 }
  return asAnswered(new ServiceError('circuit_breaking_exception', reason, { metadata }), DIALECTS[engineVersion])
}
