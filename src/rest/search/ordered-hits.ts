import { greatest, least } from '../../engine/algorithms/long-lists.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import { ConstantScoreQuery } from '../../engine/search/lucene/constant-score-query.ts'
import { MatchAllDocsQuery } from '../../engine/search/lucene/match-all-docs-query.ts'
import { SearchContext } from '../../engine/search/lucene/search-context.ts'
import { createRootQuery } from '../../engine/search/queries/create-query.ts'
import type { ScoredHit, SearchRequest, SearchResult } from '../../engine/search/search-request.ts'
import type { Stretch } from '../../engine/search/slice-documents.ts'
import { isByScore } from '../../engine/search/sort/ranking.ts'
import { placesOf, type RepeatedSearch } from './repeated-search.ts'
import type { ScrolledHits } from './scrolled-hits.ts'
import type { SearchBody } from './search-body.ts'
import type { SearchView } from './search-view.ts'

/** Whether hits stand in the order of their documents: 6.x and 7.x need not look at those shown before then. */
export function isInIndexOrder(
  { sort, query }: Pick<SearchBody, 'sort' | 'query'>,
  { searchers }: Pick<SearchView, 'searchers'>,
  engineVersion: EngineVersion,
): boolean {
  const [key] = sort
  if (!isByScore(sort)) return sort.length === 1 && key?.kind === 'doc' && key.order === 'asc'
  // All score the same, as is seen once the query is rewritten.
  return searchers.some((searcher) => {
    const made = createRootQuery(query, new SearchContext(searcher, { engineVersion, now: Date.now() }))
    return made instanceof MatchAllDocsQuery || made instanceof ConstantScoreQuery
  })
}

/** Whether the pages of such a search can be found one by one, as {@link OrderedHits} does. @throws {ServiceError} as the search would */
export function canGoOn(
  search: SearchRequest,
  searchers: readonly IndexSearcher[],
  engineVersion: EngineVersion,
): boolean {
  const { terminateAfter, timeoutMs, minScore, searchAfter, rescore, collapse, indexBoosts, statistics } = search
  const more = [terminateAfter, timeoutMs, minScore, searchAfter, rescore, collapse, indexBoosts, statistics]
  if (more.some((part) => part !== undefined)) return false
  // Of several indices each might score in its own way.
  if (isByScore(search.sort) && searchers.length > 1) return search.query.kind === 'match_all'
  return isInIndexOrder(search, { searchers }, engineVersion)
}

/** Documents that are searched for a page at first, and how many times as many next. */
const LEAST_STRETCH = 4096
const GROWTH = 4

/** Documents to be searched one stretch after the other until a page is full. */
function* stretches(begin: number, end: number, size: number): Generator<Stretch> {
  let length = Math.max(LEAST_STRETCH, size * 2)
  for (let from = begin; from < end; from += length, length *= GROWTH) yield { from, to: Math.min(from + length, end) }
}

/**
 * A scroll's matches that stand in the order of documents: each page is searched for where the last one ended. By score one index stands
 * behind the other, sorted by documents the first ones of all indices before the second ones.
 */
export class OrderedHits implements ScrolledHits {
  count: number
  readonly #search: RepeatedSearch
  /** Asked for, by searcher; what was asked for beyond the last one counts too. */
  readonly #asked: number[]
  #beyond = 0
  #isThere: readonly boolean[]
  /** The first page; undefined once it was asked for. */
  #first: readonly ScoredHit[] | undefined
  /** Where the next page begins among the documents of each searcher. */
  readonly #begins: number[]

  /**
   * @param search  of the first page, one that {@link canGoOn}
   * @param first   what it found
   */
  constructor(search: RepeatedSearch, first: SearchResult) {
    this.#search = search
    const { searchers } = search
    this.count = first.total?.value ?? 0
    this.#first = first.hits
    this.#asked = searchers.map(() => 0)
    this.#begins = searchers.map(() => 0)
    this.#isThere = searchers.map(() => true)
  }

  get asked(): number {
    return this.#asked.reduce((sum, asked, i) => sum + (this.#isThere[i] === true ? asked : 0), this.#beyond)
  }

  next(size: number): readonly ScoredHit[] {
    const hits = this.#first ?? (this.#isBySearcher ? this.#findBySearcher(size) : this.#findByDocument(size))
    this.#first = undefined
    this.#goBehind(hits.at(-1))
    for (const { searcher } of hits) this.#asked[searcher] = (this.#asked[searcher] as number) + 1
    this.#beyond += size - hits.length
    return hits
  }

  leaveOut(isThere: readonly boolean[]): void {
    this.#isThere = isThere
    this.#beyond = 0
    this.count = this.#search.count(placesOf(isThere))
  }

  get #isBySearcher(): boolean {
    return isByScore(this.#search.sort)
  }

  /** The next page begins behind a hit. */
  #goBehind(last: ScoredHit | undefined): void {
    if (last === undefined) return
    const doc = this.#numberOf(last)
    for (let i = 0; i < this.#begins.length; i++) {
      if (this.#isBySearcher && i !== last.searcher) this.#begins[i] = i < last.searcher ? Number.POSITIVE_INFINITY : 0
      else this.#begins[i] = i <= last.searcher ? doc + 1 : doc
    }
  }

  #numberOf({ searcher, segment, doc }: ScoredHit): number {
    return ((this.#search.searchers[searcher] as IndexSearcher).docBases[segment] as number) + doc
  }

  #findBySearcher(size: number): ScoredHit[] {
    const hits: ScoredHit[] = []
    for (const [i, { maxDoc }] of this.#search.searchers.entries()) {
      for (const stretch of stretches(this.#begins[i] as number, maxDoc, size)) {
        hits.push(...this.#within(i, stretch, size - hits.length))
        if (hits.length === size) return hits
      }
    }
    return hits
  }

  #findByDocument(size: number): ScoredHit[] {
    const hits: ScoredHit[] = []
    const end = greatest(this.#search.searchers.map(({ maxDoc }) => maxDoc))
    let begins: readonly number[] = this.#begins
    for (const { to } of stretches(least(begins), end, size)) {
      const found = begins.flatMap((from, i) => this.#within(i, { from, to }, size - hits.length))
      found.sort((a, b) => this.#numberOf(a) - this.#numberOf(b) || a.searcher - b.searcher)
      hits.push(...found.slice(0, size - hits.length))
      if (hits.length === size) return hits
      begins = begins.map(() => to)
    }
    return hits
  }

  /** Hits among some documents of a searcher, in their order. */
  #within(i: number, stretch: Stretch, size: number): readonly ScoredHit[] {
    if (this.#isThere[i] !== true || stretch.from >= stretch.to) return []
    return this.#search.find([i], { size, stretch })
  }
}
