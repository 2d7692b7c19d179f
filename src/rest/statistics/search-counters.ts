import type { Engine } from '../../engine/engine.ts'
import { isServed } from '../../engine/metadata/index-metadata.ts'

/** How often one index was searched since the process began, and for how long (ms). */
export interface SearchCounts {
  queryTotal: number
  queryTimeMs: number
  fetchTotal: number
  fetchTimeMs: number
  scrollTotal: number
  scrollTimeMs: number
  suggestTotal: number
  suggestTimeMs: number
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
  suggestTimeMs: 0,
  cacheHits: 0,
  cacheMisses: 0,
}

const NAMES = Object.keys(NO_SEARCHES) as (keyof SearchCounts)[]

/** What {@link SearchCounters.take} hands over. */
export interface SearchCountsTaken {
  readonly byIndex: readonly (readonly [uuid: string, counts: SearchCounts])[]
  readonly byGroup: readonly (readonly [uuid: string, group: string, counts: SearchCounts])[]
}

/** Fewer indices than these are not looked through: it is done when somebody asks. */
const MANY = 1_000

/** Counts of the searches of an engine's indices. */
export const searchCountersOf = ({ indices }: Pick<Engine, 'indices'>): SearchCounters =>
  new SearchCounters(() => new Set([...indices.values()].filter(isServed).map(({ uuid }) => uuid)))

/** Searches by index, and by the groups (`stats` in a search's body) they count themselves to. */
export class SearchCounters {
  readonly #byIndex = new Map<string, SearchCounts>()
  readonly #byGroup = new Map<string, Map<string, SearchCounts>>()

  readonly #served: (() => ReadonlySet<string>) | undefined
  /** Of indices that are no longer there. */
  #ended: SearchCounts = { ...NO_SEARCHES }
  /** Indices counted from which on those that are no longer there are looked for. */
  #many = MANY

  /** @param served  uuids of the open indices; absent where all counts are taken again and again ({@link take}) */
  constructor(served?: () => ReadonlySet<string>) {
    this.#served = served
  }

  /** @param uuid  of the index: counts end with it */
  of(uuid: string): Readonly<SearchCounts> {
    return this.#byIndex.get(uuid) ?? NO_SEARCHES
  }

  groups(uuid: string): ReadonlyMap<string, Readonly<SearchCounts>> {
    return this.#byGroup.get(uuid) ?? new Map()
  }

  add(uuid: string, groups: readonly string[], counts: Partial<SearchCounts>): void {
    increase(entryOf(this.#byIndex, uuid), counts)
    for (const group of groups) this.#addToGroup(uuid, group, counts)
    if (this.#byIndex.size > this.#many) this.endOthers()
  }

  #addToGroup(uuid: string, group: string, counts: Partial<SearchCounts>): void {
    let ofIndex = this.#byGroup.get(uuid)
    if (ofIndex === undefined) {
      ofIndex = new Map()
      this.#byGroup.set(uuid, ofIndex)
    }
    // Names come from requests: no more of them are kept than anyone would look at.
    if (ofIndex.has(group) || ofIndex.size < 1_000) increase(entryOf(ofIndex, group), counts)
  }

  /** All counts since the last call, to be added to those of another thread; here they begin anew. */
  take(): SearchCountsTaken {
    const taken = {
      byIndex: [...this.#byIndex],
      byGroup: [...this.#byGroup].flatMap(([uuid, groups]) =>
        [...groups].map(([group, c]) => [uuid, group, c] as const),
      ),
    }
    this.#byIndex.clear()
    this.#byGroup.clear()
    return taken
  }

  /** Adds what another thread counted. */
  addTaken({ byIndex, byGroup }: SearchCountsTaken): void {
    for (const [uuid, counts] of byIndex) this.add(uuid, [], counts)
    for (const [uuid, group, counts] of byGroup) this.#addToGroup(uuid, group, counts)
  }

  /** Searches of indices that are no longer there, together. */
  ofEnded(): Readonly<SearchCounts> {
    this.endOthers()
    return this.#ended
  }

  /** Ends the counts of indices that are not open any more: one that is opened again begins anew. */
  endOthers(): void {
    const served = this.#served?.()
    for (const [uuid, counts] of this.#byIndex) {
      if (served?.has(uuid) !== false) continue
      increase(this.#ended, counts)
      this.#byIndex.delete(uuid)
      this.#byGroup.delete(uuid)
    }
    this.#many = Math.max(MANY, 2 * this.#byIndex.size)
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
  for (const name of NAMES) counts[name] += by[name] ?? 0
}
