import type { BackendRequest } from '../backend.ts'
import { ElsewhereError } from '../engine/elsewhere-error.ts'

/** What is asked of the first thread: arguments of its `BackendRequest.authorize`. */
export interface Question {
  readonly indices: readonly string[]
  readonly api: string
  readonly method: string
}

/**
 * Judges in a search thread, which does not know the policy, by asking the first one. Nothing is searched before it has
 * answered: a search that is refused only afterwards tells by the time it takes what it has found.
 */
export class RemoteJudge implements Pick<BackendRequest, 'authorize' | 'authorizeDomain'> {
  readonly #request: Pick<BackendRequest, 'method' | 'segments'>
  readonly #ask: (question: Question) => boolean
  #allowed: Set<string> | undefined

  /** @param ask  answers whether the caller may */
  constructor(request: Pick<BackendRequest, 'method' | 'segments'>, ask: (question: Question) => boolean) {
    this.#request = request
    this.#ask = ask
  }

  /** @throws {ElsewhereError} when the first thread refuses, which has then answered */
  authorize(indices: readonly string[], api: string, method = this.#request.method): void {
    const keyOf = (index: string): string => `${method} ${index}/${api}`
    // The index that the path names was judged with it.
    const isJudged = (index: string): boolean =>
      (method === this.#request.method && index === this.#request.segments[0]) ||
      this.#allowed?.has(keyOf(index)) === true
    const asked = indices.filter((index) => !isJudged(index))
    if (asked.length === 0) return
    if (!this.#ask({ indices: asked, api, method })) throw new ElsewhereError('refused by the first thread')
    this.#allowed ??= new Set()
    for (const index of asked) this.#allowed.add(keyOf(index))
  }

  /** Nothing that searches asks this; should it, the first thread answers. @throws {ElsewhereError} */
  authorizeDomain(): void {
    throw new ElsewhereError('judged by the first thread')
  }
}
