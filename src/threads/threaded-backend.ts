import type { Backend, BackendRequest, BackendResponse } from '../backend.ts'
import { ElsewhereError, OverrunError } from '../engine/elsewhere-error.ts'
import { ServiceError } from '../errors.ts'
import { renderError } from '../rest/errors/error-response.ts'
import { encodeJson } from '../rest/json/json-writer.ts'
import { RequestCosts } from './request-costs.ts'
import { mayBeLargeRead, requestShape } from './request-shape.ts'
import { SearchLoad } from './search-load.ts'
import type { SearchThreads, ThreadAnswer } from './search-threads.ts'

/** When searches are handed over, in ms. */
export interface ThreadingTimes {
  /** One that takes less is answered at once: handing it over and back would cost a third of it. */
  readonly worth: number
  /** One that takes less, and has no other beside it, is not handed over either: a thread would have to be woken. */
  readonly worthAlone: number
  /** One that takes longer where no thread can be had is given up, so that others are answered. */
  readonly mostAlone: number
}

const TIMES: ThreadingTimes = { worth: 1, worthAlone: 2, mostAlone: 5_000 }

/** A thread that has so many gets no more: meanwhile the first thread searches too. */
const MOST_WAITING = 3

/** Searches that take so many ms would hold up everything else here: a thread may have more of them. */
const LONG_MS = 5
const MOST_LONG_WAITING = 8

/** What a search may take here, in ms, before it is given up and made again in a thread: nothing else is answered meanwhile. */
const MOST_HERE_MS = 200

/** Bodies beyond this size hold much to do, whatever it is. */
const LARGE_BODY_BYTES = 128 * 1024

/** The first thread searches so long, in ms, before it looks whether other requests have come. */
const TURN_MS = 0.5

/** A search that waits for the end of the event loop's turn. */
interface Waiting {
  readonly request: BackendRequest
  readonly shape: number
  /** Expected, in ms. */
  readonly cost: number
  readonly resolve: (response: Promise<BackendResponse>) => void
}

/**
 * Hands searches that take their time to search threads, while these have room; everything else is answered by the
 * first thread. So as many cores search, and short requests are answered before the long searches that came with them.
 */
export class ThreadedBackend implements Backend {
  readonly #local: Backend
  readonly #threads: SearchThreads
  readonly #times: ThreadingTimes
  readonly #costs = new RequestCosts()
  readonly #load = new SearchLoad()
  readonly #startThreads: (() => void) | undefined
  readonly #waiting: Waiting[] = []
  #isDue = false

  /**
   * @param local         answers in this thread
   * @param startThreads  called when this thread has been busy with searches that others could do; undefined: they are all started
   */
  constructor(local: Backend, threads: SearchThreads, startThreads: (() => void) | undefined, times = TIMES) {
    this.#local = local
    this.#threads = threads
    this.#startThreads = startThreads
    this.#times = times
  }

  handle(request: BackendRequest): Promise<BackendResponse> {
    const shape = requestShape(request)
    if (shape === undefined) return mayBeLargeRead(request) ? this.#read(request) : this.#local.handle(request)
    if (request.body.length > LARGE_BODY_BYTES) return this.#inThread(request, shape)
    const known = this.#costs.of(shape) ?? 0
    // What a script will take nobody knows, and its shape does not tell it from others.
    const cost = request.body.includes('script"') ? Math.max(known, this.#times.worthAlone) : known
    if (cost > MOST_HERE_MS) return this.#inThread(request, shape)
    if (cost < this.#times.worth || !this.#threads.areReady) return this.#measured(shape, request)
    return new Promise((resolve) => {
      this.#waiting.push({ request, shape, cost, resolve })
      this.#turnSoon()
    })
  }

  async close(): Promise<void> {
    await this.#threads.close()
    await this.#local.close()
  }

  #turnSoon(): void {
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(this.#turn)
  }

  /** At the end of a turn of the event loop: what came in together is known, and what is short has been answered. */
  readonly #turn = (): void => {
    this.#isDue = false
    const started = performance.now()
    while (this.#waiting.length > 0) {
      const { request, shape, cost, resolve } = this.#waiting.shift() as Waiting
      const isAlone = this.#waiting.length === 0 && !this.#threads.areBusy
      const asked =
        isAlone && cost < this.#times.worthAlone
          ? undefined
          : this.#threads.tryAsk(request, cost < LONG_MS ? MOST_WAITING : MOST_LONG_WAITING, false)
      if (asked !== undefined) {
        resolve(this.#answerOf(asked, shape, request))
        continue
      }
      resolve(this.#measured(shape, request))
      if (performance.now() - started > TURN_MS) break
    }
    if (this.#waiting.length > 0) this.#turnSoon()
  }

  async #answerOf(asked: Promise<ThreadAnswer>, shape: number, request: BackendRequest): Promise<BackendResponse> {
    try {
      const { response, ms } = await asked
      this.#costs.measured(shape, ms)
      return response
    } catch (error) {
      if (error instanceof OverrunError) return this.#inThread(request, shape)
      if (error instanceof ElsewhereError) return this.#local.handle(request)
      if (error instanceof ServiceError) {
        // It took the thread down: it is not to be tried here while there is no other.
        if (error.type === 'circuit_breaking_exception') this.#costs.expect(shape, MOST_HERE_MS * 20)
        return errorResponse(error)
      }
      throw error
    }
  }

  /** Has a search made in a thread, however long that takes and however many others wait for one. */
  async #inThread(request: BackendRequest, shape: number): Promise<BackendResponse> {
    // Its queries may look up documents.
    const behind = this.#threads.caughtUp()
    if (behind !== undefined) await behind
    this.#startThreads?.()
    while (await this.#threads.whenReady()) {
      const asked = this.#threads.tryAsk(request, Number.POSITIVE_INFINITY, true)
      if (asked !== undefined) return this.#answerOf(asked, shape, request)
    }
    return this.#withoutThread(request)
  }

  /** Answers a read here, unless it turns out to be large work: it is made in a thread then, where one can be had. */
  async #read(request: BackendRequest): Promise<BackendResponse> {
    const { signal } = request
    if (this.#startThreads === undefined && !this.#threads.areReady) return this.#local.handle(request)
    if (request.body.length <= LARGE_BODY_BYTES) {
      signal.until = Number.MAX_VALUE
      try {
        return await this.#local.handle(request)
      } catch (error) {
        if (!(error instanceof OverrunError)) throw error
      } finally {
        signal.until = Number.POSITIVE_INFINITY
      }
    }
    await this.#threads.caughtUp()
    this.#startThreads?.()
    while (await this.#threads.whenReady()) {
      const asked = this.#threads.tryAsk(request, Number.POSITIVE_INFINITY, true)
      if (asked === undefined) continue
      try {
        return (await asked).response
      } catch (error) {
        if (error instanceof OverrunError) continue
        if (error instanceof ServiceError) return errorResponse(error)
        if (!(error instanceof ElsewhereError)) throw error
        break
      }
    }
    return this.#local.handle(request)
  }

  /** Where threads were wanted and none can be had, what takes long is refused rather than that everything waits for it. */
  async #withoutThread(request: BackendRequest): Promise<BackendResponse> {
    const { signal } = request
    const isBounded = this.#startThreads !== undefined || this.#threads.areWanted
    if (isBounded) signal.until = performance.now() + this.#times.mostAlone
    const response = this.#local.handle(request)
    if (isBounded) signal.until = Number.POSITIVE_INFINITY
    try {
      return await response
    } catch (error) {
      if (error instanceof OverrunError) return errorResponse(this.#threads.noThread())
      throw error
    }
  }

  /** A search runs in one piece, so that the time until its promise is there is what it took. */
  #measured(shape: number, request: BackendRequest): Promise<BackendResponse> {
    const started = performance.now()
    const { signal } = request
    const canLeave = this.#startThreads !== undefined || this.#threads.areReady
    if (canLeave) signal.until = started + MOST_HERE_MS
    const response = this.#local.handle(request)
    const now = performance.now()
    if (canLeave) signal.until = Number.POSITIVE_INFINITY
    const ms = now - started
    this.#costs.measured(shape, ms)
    if (ms >= this.#times.worth && this.#load.add(ms, now)) this.#startThreads?.()
    // However soon: one that comes to a step that takes long is given up before it. (To look at each would cost a twentieth of it.)
    return signal.isGivenUp ? this.#unlessOverrun(response, shape, request) : response
  }

  async #unlessOverrun(
    response: Promise<BackendResponse>,
    shape: number,
    request: BackendRequest,
  ): Promise<BackendResponse> {
    try {
      return await response
    } catch (error) {
      if (error instanceof OverrunError) return this.#inThread(request, shape)
      throw error
    }
  }
}

function errorResponse(error: ServiceError): BackendResponse {
  const headers = { 'content-type': 'application/json; charset=UTF-8' }
  return { status: error.status, headers, body: encodeJson(renderError(error)) }
}
