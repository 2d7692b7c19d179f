import type { ServiceError } from '../../errors.ts'

/** How often requests were refused since they would have taken too much memory, by the breaker that said so. */
export class Trips {
  readonly #counts = new Map<string, number>()

  of(breaker: string): number {
    return this.#counts.get(breaker) ?? 0
  }

  /** All counts since the last call, to be added to those of another thread; here they begin anew. */
  take(): readonly (readonly [breaker: string, count: number])[] {
    const taken = [...this.#counts]
    this.#counts.clear()
    return taken
  }

  /** Adds what another thread counted. */
  addTaken(taken: ReturnType<Trips['take']>): void {
    for (const [breaker, count] of taken) this.#counts.set(breaker, this.of(breaker) + count)
  }

  /** Counts a fault if a breaker's: its reason begins with the name, `[request] Data too large, …`. */
  note({ type, message }: Pick<ServiceError, 'type' | 'message'>): void {
    if (type !== 'circuit_breaking_exception') return
    const name = /^\[(\w+)\]/.exec(message)?.[1]
    if (name !== undefined) this.#counts.set(name, this.of(name) + 1)
  }
}
