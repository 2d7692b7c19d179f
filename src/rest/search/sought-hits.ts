import type { EngineVersion } from '../../engine/engine-version.ts'
import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import { SearchContext } from '../../engine/search/lucene/search-context.ts'
import { createQuery, createRootQuery } from '../../engine/search/queries/create-query.ts'
import type { Behind, ScoredHit, SearchRequest, SearchResult } from '../../engine/search/search-request.ts'
import { ListedHits } from './listed-hits.ts'
import { placesOf, type RepeatedSearch } from './repeated-search.ts'
import type { ScrolledHits } from './scrolled-hits.ts'

/** Hits that a scroll finds, and holds, at once: so many pages, within these bounds. */
const AT_ONCE = { pages: 64, least: 8_192, most: 65_536 } as const

/** How many hits a scroll's searches find, each. @param pageSize  hits a page */
export const soughtAtOnce = (pageSize: number): number =>
  Math.max(pageSize, Math.min(Math.max(pageSize * AT_ONCE.pages, AT_ONCE.least), AT_ONCE.most))

/**
 * Whether later hits of such a search can be found behind the first ones, as {@link SoughtHits} does: it finds the same again.
 *
 * @throws {ServiceError} as the search would
 */
export function canSeek(
  search: SearchRequest,
  searchers: readonly IndexSearcher[],
  engineVersion: EngineVersion,
): boolean {
  const { query, postFilter, sort, terminateAfter, timeoutMs, searchAfter, rescore, collapse, statistics } = search
  if ([terminateAfter, timeoutMs, searchAfter, rescore, collapse, statistics].some((part) => part !== undefined))
    return false
  if (sort.some((key) => key.kind === 'script' || ('nested' in key && key.nested !== undefined))) return false
  return searchers.every((searcher) => {
    const context = new SearchContext(searcher, { engineVersion, now: Date.now() })
    createRootQuery(query, context)
    if (postFilter !== undefined) createQuery(postFilter, context)
    return !context.mayRunScripts
  })
}

/** A scroll's matches of which so many are found at a time, those behind the last one by the same search made again. */
export class SoughtHits implements ScrolledHits {
  count: number
  readonly #search: RepeatedSearch
  #listed: ListedHits
  /** The last that was found; undefined: there are no others. */
  #last: ScoredHit | undefined
  /** Shown, by searcher. */
  readonly #asked: number[]
  #isThere: readonly boolean[]
  #seeking: Promise<void> | undefined

  /**
   * @param search  for {@link soughtAtOnce} hits, one that {@link canSeek}
   * @param first   what it found
   */
  constructor(search: RepeatedSearch, first: SearchResult) {
    this.#search = search
    const { searchers } = search
    this.count = first.total?.value ?? 0
    this.#listed = new ListedHits(first.hits)
    this.#last = first.hits.length < search.size ? undefined : first.hits.at(-1)
    this.#asked = searchers.map(() => 0)
    this.#isThere = searchers.map(() => true)
  }

  get asked(): number {
    return this.#asked.reduce((sum, asked, i) => sum + (this.#isThere[i] === true ? asked : 0), 0)
  }

  find(size: number): Promise<void> | undefined {
    if (this.#last === undefined || this.#listed.count - this.#listed.asked >= size) return undefined
    this.#seeking ??= this.#seek(this.#last).finally(() => {
      this.#seeking = undefined
    })
    return this.#seeking
  }

  next(size: number): readonly ScoredHit[] {
    const hits = this.#listed.next(size)
    for (const { searcher } of hits) this.#asked[searcher] = (this.#asked[searcher] as number) + 1
    return hits
  }

  leaveOut(isThere: readonly boolean[]): void {
    this.#isThere = isThere
    this.#listed.leaveOut(isThere)
    this.count = this.#search.count(placesOf(isThere))
  }

  /** Lists those behind a hit too. */
  async #seek(last: ScoredHit): Promise<void> {
    const found = await this.#search.findInTurns(placesOf(this.#isThere), { behind: this.#behind(last) })
    const isThere = this.#isThere
    this.#last = found.length < this.#search.size ? undefined : found.at(-1)
    const listed = this.#listed
    this.#listed = new ListedHits([
      ...listed.next(listed.count),
      ...found.filter(({ searcher }) => isThere[searcher] === true),
    ])
  }

  /** Where a hit stands among those of the indices that are there. */
  #behind({ searcher, segment, doc, score, sortValues }: ScoredHit): Behind {
    let base = 0
    const { searchers } = this.#search
    for (let i = 0; i < searcher; i++) if (this.#isThere[i] === true) base += (searchers[i] as IndexSearcher).maxDoc
    // Of an index that is gone: behind all of those before it.
    if (this.#isThere[searcher] !== true) return { doc: base - 1, score, sortValues }
    const number = base + ((searchers[searcher] as IndexSearcher).docBases[segment] as number) + doc
    return { doc: number, score, sortValues }
  }
}
