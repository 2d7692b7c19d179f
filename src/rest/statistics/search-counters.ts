/** How often one index was searched since the process began, and for how long (ms). */
export interface SearchCounts {
  queryTotal: number
  queryTimeMs: number
  fetchTotal: number
  fetchTimeMs: number
  scrollTotal: number
  scrollTimeMs: number
  suggestTotal: number
  /** Answers given from memory, and those that had to be computed first (`request_cache`). */
  cacheHits: number
  cacheMisses: number
}

/** Of an index nobody searched. */
export const NO_SEARCHES: Readonly<SearchCounts> = {
  queryTotal: 0,
  queryTimeMs: 0,
  fetchTotal: 0,
  fetchTimeMs: 0,
  scrollTotal: 0,
  scrollTimeMs: 0,
  suggestTotal: 0,
  cacheHits: 0,
  cacheMisses: 0,
}

/** Searches by index, and by the groups (`stats` in a search's body) they count themselves to. */
export class SearchCounters {
  readonly #byIndex = new Map<string, SearchCounts>()
  readonly #byGroup = new Map<string, Map<string, SearchCounts>>()

  /** @param uuid  of the index: counts end with it */
  of(uuid: string): Readonly<SearchCounts> {
    return this.#byIndex.get(uuid) ?? NO_SEARCHES
  }

  groups(uuid: string): ReadonlyMap<string, Readonly<SearchCounts>> {
    return this.#byGroup.get(uuid) ?? new Map()
  }

  add(uuid: string, groups: readonly string[], counts: Partial<SearchCounts>): void {
    increase(entryOf(this.#byIndex, uuid), counts)
    if (groups.length === 0) return
    let ofIndex = this.#byGroup.get(uuid)
    if (ofIndex === undefined) {
      ofIndex = new Map()
      this.#byGroup.set(uuid, ofIndex)
    }
    // Names come from requests: no more of them are kept than anyone would look at.
    for (const group of groups)
      if (ofIndex.has(group) || ofIndex.size < 1_000) increase(entryOf(ofIndex, group), counts)
  }

  forget(uuid: string): void {
    this.#byIndex.delete(uuid)
    this.#byGroup.delete(uuid)
  }
}

function entryOf(map: Map<string, SearchCounts>, key: string): SearchCounts {
  let counts = map.get(key)
  if (counts === undefined) {
    counts = { ...NO_SEARCHES }
    map.set(key, counts)
  }
  return counts
}

function increase(counts: SearchCounts, by: Partial<SearchCounts>): void {
  for (const [name, value] of Object.entries(by)) counts[name as keyof SearchCounts] += value
}
