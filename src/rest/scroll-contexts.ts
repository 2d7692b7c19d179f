import { randomBytes } from 'node:crypto'
import { ServiceError } from '../errors.ts'

/** What a scroll keeps between its pages. */
export interface ScrollContext {
  /** Indices it was opened on, for the access policy. */
  readonly indices: readonly string[]
  /** Answers the next page. */
  readonly nextPage: () => unknown
  readonly close: () => void
}

interface Kept {
  readonly context: ScrollContext
  expiresAt: number
}

/** @throws {ServiceError} illegal_argument_exception for what was never a scroll's id */
export function checkScrollId(id: string): void {
  if (!/^[\w-]{43}$/.test(id)) throw new ServiceError('illegal_argument_exception', 'Cannot parse scroll id')
}

/** Open scrolls by id: unguessable, freed when their time is over. */
export class ScrollContexts {
  readonly #contexts = new Map<string, Kept>()
  #timer: NodeJS.Timeout | undefined

  /** Most scrolls open at once. */
  readonly limit: number

  constructor(limit = 500) {
    this.limit = limit
  }

  get size(): number {
    return this.#contexts.size
  }

  /** Scrolls open on an index. */
  openOn(index: string): number {
    let open = 0
    for (const { context } of this.#contexts.values()) if (context.indices.includes(index)) open++
    return open
  }

  /** @throws {ServiceError} rejected_execution_exception (429) when too many are open; 6.x: exception */
  open(context: ScrollContext, keepAliveMs: number, limit = this.limit, isLegacy = false): string {
    this.#expire()
    if (this.#contexts.size >= limit) {
      throw new ServiceError(
        isLegacy ? 'exception' : 'rejected_execution_exception',
        `Trying to create too many scroll contexts. Must be less than or equal to: [${limit}]. This limit can be set by changing the [search.max_open_scroll_context] setting.`,
        isLegacy ? { inQueryPhase: true, status: 400 } : {},
      )
    }
    const id = randomBytes(32).toString('base64url')
    this.#contexts.set(id, { context, expiresAt: Date.now() + keepAliveMs })
    this.#timer ??= setInterval(() => this.#expire(), 1_000).unref()
    return id
  }

  /** @throws {ServiceError} search_context_missing_exception (404) */
  get(id: string, keepAliveMs?: number): ScrollContext {
    checkScrollId(id)
    this.#expire()
    const kept = this.#contexts.get(id)
    if (kept === undefined)
      throw new ServiceError('search_context_missing_exception', `No search context found for id [${id.slice(0, 64)}]`)
    if (keepAliveMs !== undefined) kept.expiresAt = Date.now() + keepAliveMs
    return kept.context
  }

  /** Whether there was one. */
  remove(id: string): boolean {
    const kept = this.#contexts.get(id)
    if (kept === undefined) return false
    this.#contexts.delete(id)
    kept.context.close()
    this.#idle()
    return true
  }

  /** Ids of all open scrolls. */
  ids(): string[] {
    return [...this.#contexts.keys()]
  }

  close(): void {
    for (const id of this.ids()) this.remove(id)
  }

  #expire(): void {
    const now = Date.now()
    for (const [id, kept] of this.#contexts) if (kept.expiresAt <= now) this.remove(id)
  }

  #idle(): void {
    if (this.#contexts.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
