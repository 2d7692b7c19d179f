import { createHash } from 'node:crypto'

/** At most this many contexts are remembered; the oldest are forgotten first. */
const MAX_REMEMBERED = 20_000

/**
 * Which indices the scrolls and points in time go over that callers with rights to some indices have begun. Not kept over a
 * restart.
 */
export class ContextOwners {
  readonly #indices = new Map<string, readonly string[]>()

  remember(id: string, expressions: readonly string[]): void {
    const key = digest(id)
    this.#indices.delete(key)
    this.#indices.set(key, expressions)
    const [oldest] = this.#indices.keys()
    if (this.#indices.size > MAX_REMEMBERED && oldest !== undefined) this.#indices.delete(oldest)
  }

  /** What was named when a context was begun; undefined for one that is not known. */
  find(id: string): readonly string[] | undefined {
    return this.#indices.get(digest(id))
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
