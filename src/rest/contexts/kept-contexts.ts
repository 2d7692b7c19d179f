import { randomBytes } from 'node:crypto'

/** What is kept between the requests of a search. */
export interface KeptContext {
  /** Indices it was opened on, for the access policy. */
  readonly indices: readonly string[]
  /** Freed as soon as this is true: the indices it was opened on are gone. Absent: it is only freed in time. */
  readonly isGone?: () => boolean
  readonly close: () => void
}

interface Kept<C> {
  readonly context: C
  /** Of a clock that is never set. */
  expiresAt: number
}

/** Whether a text may be the id of one. */
export const isContextId = (id: string): boolean => /^[\w-]{43}$/.test(id)

/** Contexts by id: unguessable, freed when their time is over. */
export class KeptContexts<C extends KeptContext> {
  readonly #contexts = new Map<string, Kept<C>>()
  #timer: NodeJS.Timeout | undefined

  get size(): number {
    return this.#contexts.size
  }

  /** How many are open on an index. */
  openOn(index: string): number {
    this.expire()
    let open = 0
    for (const { context } of this.#contexts.values()) if (context.indices.includes(index)) open++
    return open
  }

  /** Answers its id. */
  keep(context: C, keepAliveMs: number): string {
    const id = randomBytes(32).toString('base64url')
    this.#contexts.set(id, { context, expiresAt: performance.now() + keepAliveMs })
    this.#timer ??= setInterval(() => this.expire(), 1_000).unref()
    return id
  }

  /** @param keepAliveMs  from now on; undefined: as before */
  find(id: string, keepAliveMs?: number): C | undefined {
    this.expire()
    const kept = this.#contexts.get(id)
    if (kept !== undefined && keepAliveMs !== undefined) kept.expiresAt = performance.now() + keepAliveMs
    return kept?.context
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

  /** Ids of all that are open. */
  ids(): string[] {
    this.expire()
    return [...this.#contexts.keys()]
  }

  close(): void {
    for (const id of this.#contexts.keys()) this.remove(id)
  }

  /** Frees those whose time is over, or whose indices are gone. */
  expire(): void {
    const now = performance.now()
    for (const [id, kept] of this.#contexts) {
      if (kept.expiresAt <= now || kept.context.isGone?.()) this.remove(id)
    }
  }

  #idle(): void {
    if (this.#contexts.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
