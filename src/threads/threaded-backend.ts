import type { Backend, BackendRequest, BackendResponse } from '../backend.ts'
import { ElsewhereError } from '../engine/replica/elsewhere-error.ts'
import { ServiceError } from '../errors.ts'
import { renderError } from '../rest/error-response.ts'
import { encodeJson } from '../rest/json/json-writer.ts'
import { RequestCosts } from './request-costs.ts'
import { requestShape } from './request-shape.ts'
import type { SearchThreads } from './search-threads.ts'

/** Searches that take less are answered here: handing them over and back costs about a third of it. */
const WORTH_MS = 0.15

/** A thread that has so many gets no more: meanwhile the first thread searches too. */
const MOST_WAITING = 3

/**
 * Hands searches that take their time to search threads, while these have room; everything else is answered by the
 * first thread. So as many cores search, and a long search does not hold up the short requests behind it.
 */
export class ThreadedBackend implements Backend {
  readonly #local: Backend
  readonly #threads: SearchThreads
  readonly #worthMs: number
  readonly #costs = new RequestCosts()

  /**
   * @param local    answers in this thread
   * @param worthMs  what a search must take at least to be handed over
   */
  constructor(local: Backend, threads: SearchThreads, worthMs = WORTH_MS) {
    this.#local = local
    this.#threads = threads
    this.#worthMs = worthMs
  }

  handle(request: BackendRequest): Promise<BackendResponse> {
    const shape = requestShape(request)
    if (shape === undefined) return this.#local.handle(request)
    const isWorth = (this.#costs.of(shape) ?? 0) >= this.#worthMs
    const asked = isWorth ? this.#threads.tryAsk(request, MOST_WAITING) : undefined
    if (asked === undefined) return this.#measured(shape, request)
    return asked.then(
      ({ response, ms }) => {
        this.#costs.measured(shape, ms)
        return response
      },
      (error: unknown) => {
        if (error instanceof ElsewhereError) return this.#local.handle(request)
        if (error instanceof ServiceError) return errorResponse(error)
        throw error
      },
    )
  }

  /** A search runs in one piece, so that the time until its promise is there is what it took. */
  #measured(shape: number, request: BackendRequest): Promise<BackendResponse> {
    const started = performance.now()
    const response = this.#local.handle(request)
    this.#costs.measured(shape, performance.now() - started)
    return response
  }

  async close(): Promise<void> {
    await this.#threads.close()
    await this.#local.close()
  }
}

function errorResponse(error: ServiceError): BackendResponse {
  const headers = { 'content-type': 'application/json; charset=UTF-8' }
  return { status: error.status, headers, body: encodeJson(renderError(error)) }
}
