import { createHash } from 'node:crypto'

/** At most this many scrolls are remembered; the oldest are forgotten first. */
const MAX_REMEMBERED = 20_000

/** Which indices the scrolls of callers with rights to some indices only go over. Not kept over a restart. */
export class ScrollOwners {
  readonly #indices = new Map<string, readonly string[]>()

  remember(scrollId: string, expressions: readonly string[]): void {
    const key = digest(scrollId)
    this.#indices.delete(key)
    this.#indices.set(key, expressions)
    const [oldest] = this.#indices.keys()
    if (this.#indices.size > MAX_REMEMBERED && oldest !== undefined) this.#indices.delete(oldest)
  }

  /** What the search that began a scroll named; undefined for one that is not known. */
  find(scrollId: string): readonly string[] | undefined {
    return this.#indices.get(digest(scrollId))
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
