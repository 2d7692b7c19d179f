import { createHash } from 'node:crypto'

/** At most this many contexts are remembered; the oldest are forgotten first. */
const MAX_REMEMBERED = 20_000

/** Who began something, and which indices it goes over. */
interface Context {
  readonly owner: string
  readonly indices: readonly string[]
}

/**
 * Which indices the scrolls, points in time and tasks go over that callers with rights to some indices have begun, and who they are:
 * the cluster's ids can be guessed. Not kept over a restart.
 */
export class ContextOwners {
  readonly #contexts = new Map<string, Context>()

  remember(id: string, owner: string, indices: readonly string[]): void {
    const key = digest(id)
    this.#contexts.delete(key)
    this.#contexts.set(key, { owner, indices })
    const [oldest] = this.#contexts.keys()
    if (this.#contexts.size > MAX_REMEMBERED && oldest !== undefined) this.#contexts.delete(oldest)
  }

  /** What was named when a context was begun; undefined for one that is not known, or is another one's. */
  find(id: string, owner: string): readonly string[] | undefined {
    const context = this.#contexts.get(digest(id))
    return context?.owner === owner ? context.indices : undefined
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
