import { Breather } from '../../breather.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import { searchDocuments, searchInTurns } from '../../engine/search/search-documents.ts'
import type { ScoredHit, SearchRequest, SearchResult } from '../../engine/search/search-request.ts'

/** A search that is made again for later hits, in some of its indices: the places of these among all of them are told each time. */
export class RepeatedSearch {
  readonly searchers: readonly IndexSearcher[]
  readonly #search: SearchRequest
  readonly #engineVersion: EngineVersion
  readonly #now: number

  /**
   * @param search  as it was made first
   * @param now     when, by Date.now()
   */
  constructor(searchers: readonly IndexSearcher[], search: SearchRequest, engineVersion: EngineVersion, now: number) {
    this.searchers = searchers
    const { profile: _, signal: __, ...asked } = search
    this.#search = { ...asked, from: 0, trackTotalHits: false, collectors: [] }
    this.#engineVersion = engineVersion
    this.#now = now
  }

  get sort(): SearchRequest['sort'] {
    return this.#search.sort
  }

  /** Hits asked for each time unless it is said otherwise. */
  get size(): number {
    return this.#search.size
  }

  find(places: readonly number[], asked: Partial<SearchRequest>): readonly ScoredHit[] {
    return placed(this.#made(places, asked).hits, places)
  }

  /** The same, while others are served. */
  async findInTurns(places: readonly number[], asked: Partial<SearchRequest>): Promise<readonly ScoredHit[]> {
    const breather = new Breather()
    const giveWay = (): Promise<void> | undefined => breather.turn()
    const search = this.#asked(places, asked)
    const { hits } = await searchInTurns(this.#at(places), search, this.#engineVersion, giveWay, this.#now)
    return placed(hits, places)
  }

  /** How many there are. */
  count(places: readonly number[]): number {
    return this.#made(places, { size: 0, sort: [], trackTotalHits: true }).total?.value ?? 0
  }

  #made(places: readonly number[], asked: Partial<SearchRequest>): SearchResult {
    return searchDocuments(this.#at(places), this.#asked(places, asked), this.#engineVersion, this.#now)
  }

  #at(places: readonly number[]): readonly IndexSearcher[] {
    return places.map((place) => this.searchers[place] as IndexSearcher)
  }

  #asked(places: readonly number[], asked: Partial<SearchRequest>): SearchRequest {
    const { slice, indexBoosts } = this.#search
    return {
      ...this.#search,
      ...(slice?.shards === undefined ? {} : { slice: { ...slice, shards: places.map((i) => slice.shards?.[i]) } }),
      ...(indexBoosts === undefined ? {} : { indexBoosts: places.map((i) => indexBoosts[i] as number) }),
      ...asked,
    }
  }
}

/** Places of the indices that are there. */
export const placesOf = (isThere: readonly boolean[]): readonly number[] =>
  isThere.flatMap((there, i) => (there ? [i] : []))

/** Hits as those of their indices' places among all. */
const placed = (hits: readonly ScoredHit[], places: readonly number[]): readonly ScoredHit[] =>
  hits.map(({ searcher: at, segment, doc, score, sortValues }) => {
    const searcher = places[at] as number
    return sortValues === undefined ? { searcher, segment, doc, score } : { searcher, segment, doc, score, sortValues }
  })
