import type { StoredDocument } from '../../engine/index/index-searcher.ts'
import { shardCount } from '../../engine/metadata/shard-routing.ts'
import type { DocumentShard, SearchView } from '../search/search-view.ts'
import type { SearchCounters } from './search-counters.ts'

/** Told of each document that a search shows, by index of its searcher. */
export type ShownDocument = (searcher: number, document: StoredDocument) => unknown

/** More than an index may have. */
const SHARDS = 2 ** 12

/**
 * What one search counts for in the statistics of its indices: a query for each shard that it asks, and a fetch for each
 * that has some of its hits; a shard alone is asked for both at once.
 */
export class SearchTally {
  #view: SearchView | undefined
  /** Shards with hits, by query. */
  #shown: Set<number>[] = []
  #isSuggestOnly = false
  #isHit: boolean | undefined
  /** Time it took to show the hits. */
  fetchMs = 0

  /** A search begins; what one that failed before has noted is forgotten. @param isSuggestOnly  it finds nothing */
  begin(view: SearchView, isSuggestOnly = false): void {
    this.#view = view
    this.#shown = []
    this.#isSuggestOnly = isSuggestOnly
    this.#isHit = undefined
    this.fetchMs = 0
  }

  /** One more query of the same indices. @param shardOf  where it has hits @returns what is to be told of them */
  query(shardOf?: DocumentShard): ShownDocument | undefined {
    const shown = new Set<number>()
    this.#shown.push(shown)
    if (this.#view?.shards.total === 1 || shardOf === undefined) return undefined
    return (searcher, document) => shown.add(searcher * SHARDS + shardOf(searcher, document))
  }

  /** Its answer may be kept (`request_cache`). @param isHit  it was */
  cached(isHit: boolean): void {
    this.#isHit = isHit
  }

  /** Counts what was searched. @param ms  how long all of it took */
  count(counters: SearchCounters, groups: readonly string[], ms: number): void {
    const view = this.#view
    for (const [i, index] of view?.indices.entries() ?? []) {
      const shards = view?.routedShards.get(index)?.length ?? shardCount(index)
      const queries = this.#isSuggestOnly ? { suggestTotal: shards } : { queryTotal: shards * this.#shown.length }
      const queryMs = ms - this.fetchMs
      counters.add(index.uuid, groups, {
        ...queries,
        ...(this.#isSuggestOnly ? { suggestTimeMs: queryMs } : { queryTimeMs: queryMs }),
        fetchTotal: this.#fetches(i),
        fetchTimeMs: this.fetchMs,
      })
      if (this.#isHit !== undefined)
        counters.add(index.uuid, [], this.#isHit ? { cacheHits: shards } : { cacheMisses: shards })
    }
  }

  #fetches(searcher: number): number {
    if (this.#view?.shards.total === 1) return this.#shown.length
    const isOf = (key: number): boolean => Math.floor(key / SHARDS) === searcher
    return this.#shown.reduce((sum, shown) => sum + [...shown].filter(isOf).length, 0)
  }
}
