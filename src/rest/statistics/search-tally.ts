import type { StoredDocument } from '../../engine/index/index-searcher.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { EndpointRequest } from '../rest-request.ts'
import type { DocumentShard, SearchView } from '../search/search-view.ts'
import { tellSlowSearch } from './slow-searches.ts'

/** Told of each document that a search shows, by index of its searcher. */
export type ShownDocument = (searcher: number, document: StoredDocument) => void

/** More than an index may have. */
const SHARDS = 2 ** 12

/**
 * What one search counts for in the statistics of its indices: a query for each shard that it asks, and a fetch for each
 * that has some of its hits; a shard alone is asked for both at once.
 */
export class SearchTally {
  #view: SearchView | undefined
  #queries = 0
  /** Shards with hits, of one query after the other; nothing where a shard is alone. */
  readonly #shown: number[] = []
  #isSuggestOnly = false
  #isHit: boolean | undefined
  /** Time it took to show the hits. */
  fetchMs = 0

  /** A search begins; what one that failed before has noted is forgotten. @param isSuggestOnly  it finds nothing */
  begin(view: SearchView, isSuggestOnly = false): void {
    this.#view = view
    this.#queries = 0
    this.#shown.length = 0
    this.#isSuggestOnly = isSuggestOnly
    this.#isHit = undefined
    this.fetchMs = 0
  }

  /** One more query of the same indices. @param shardOf  where it has hits @returns what is to be told of them */
  query(shardOf?: DocumentShard): ShownDocument | undefined {
    this.#queries++
    if (this.#view?.shards.total === 1 || shardOf === undefined) return undefined
    const seen = new Set<number>()
    return (searcher, document) => {
      const shard = searcher * SHARDS + shardOf(searcher, document)
      if (seen.has(shard)) return
      seen.add(shard)
      this.#shown.push(shard)
    }
  }

  /** Its answer may be kept (`request_cache`). @param isHit  it was */
  cached(isHit: boolean): void {
    this.#isHit = isHit
  }

  /** Counts what was searched, and tells the log of what was slow. @param ms  how long all of it took */
  count(
    { searches, log }: Pick<RestContext, 'searches' | 'log'>,
    request: EndpointRequest,
    groups: readonly string[],
    ms: number,
  ): void {
    const view = this.#view
    if (view === undefined) return
    const isSearch = !this.#isSuggestOnly
    const queryMs = ms - this.fetchMs
    for (let i = 0; i < view.indices.length; i++) {
      const index = view.indices[i] as IndexMetadata
      const shards = view.shardCounts[i] as number
      searches.add(index.uuid, groups, {
        queryTotal: isSearch ? shards * this.#queries : 0,
        queryTimeMs: isSearch ? queryMs : 0,
        suggestTotal: isSearch ? 0 : shards,
        suggestTimeMs: isSearch ? 0 : queryMs,
        fetchTotal: this.#fetches(i, view),
        fetchTimeMs: this.fetchMs,
      })
      if (this.#isHit !== undefined)
        searches.add(index.uuid, [], this.#isHit ? { cacheHits: shards } : { cacheMisses: shards })
      tellSlowSearch(log, index, request, { query: queryMs, fetch: this.fetchMs })
    }
  }

  #fetches(searcher: number, { shards }: SearchView): number {
    if (shards.total === 1) return this.#queries
    let count = 0
    for (const shard of this.#shown) if (Math.floor(shard / SHARDS) === searcher) count++
    return count
  }
}
