import type { EngineVersion } from '../../engine/engine-version.ts'
import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import { JoinHits } from '../../engine/search/join-hits.ts'
import type { HasChildQuery, HasParentQuery, Query } from '../../engine/search/queries/query.ts'
import type { ScoredHit, SortKey } from '../../engine/search/search-request.ts'
import type { SortValue } from '../../engine/search/sort/segment-sort.ts'
import { compareSortValues, sortReader } from '../../engine/search/sort/sort-values.ts'
import { isObject } from '../../is-object.ts'
import type { JsonValue } from '../body/parse-json.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { JavaFloat, type Json } from '../json/json-writer.ts'
import { parsingException } from '../parsing-exception.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'
import { checkDocValueCount } from './check-field-counts.ts'
import type { FetchOptions } from './fetch-options.ts'
import { type InnerHitOptions, readInnerHitOptions } from './inner-hit-options.ts'
import { checkInnerWindow } from './inner-hit-window.ts'

/** What inner hits of joins are told of the search they are part of. */
export interface JoinInnerHitsContext {
  readonly dialect: Dialect
  readonly queries: QueryContext
  readonly engineVersion: EngineVersion
  readonly searchers: readonly IndexSearcher[]
  /** Makes what shows hits of a query as the search's own are shown. */
  readonly hitRenderer: (query: Query, sort: readonly SortKey[], fetch: FetchOptions) => (hit: ScoredHit) => Json
}

/** One `inner_hits` of a `has_child` or `has_parent`: the children, or the parent, that made a hit one. */
export class JoinInnerHits {
  readonly name: string
  readonly #query: HasChildQuery | HasParentQuery
  readonly #options: InnerHitOptions
  readonly #context: JoinInnerHitsContext
  readonly #render: (hit: ScoredHit) => Json
  readonly #finders = new Map<number, JoinHits | undefined>()

  /** @throws {ServiceError} illegal_argument_exception */
  constructor(query: HasChildQuery | HasParentQuery, context: JoinInnerHitsContext) {
    const json = query.innerHits as JsonValue
    if (!isObject(json)) throw parsingException(`[${query.kind}] query does not support [inner_hits]`)
    const options = readInnerHitOptions(json, context.queries)
    checkInnerWindow(options, context.searchers)
    if (!context.dialect.typed) checkDocValueCount(options.fetch, context.searchers)
    this.name = options.name ?? (query.kind === 'has_child' ? query.type : query.parentType)
    this.#query = query
    this.#options = options
    this.#context = context
    this.#render = context.hitRenderer(query.query, options.sort, options.fetch)
  }

  /** What is shown of a hit; undefined where its index has no join field. */
  render(hit: ScoredHit, searcher: IndexSearcher): Json | undefined {
    const finder = this.#finder(hit.searcher, searcher)
    if (finder === undefined) return undefined
    const { dialect } = this.#context
    const { from, size, sort, trackScores } = this.#options
    const found = finder.find(hit)
    const isSorted = sort.length > 0
    const count = found?.length ?? 0
    // Without a sort the real server knows nothing of hits before those it shows.
    const isBeyond = !isSorted && size > 0 && from >= count
    const isScored = count > 0 && size > 0 && (!isSorted || trackScores)
    const isUnknown = isBeyond && dialect.typed
    const best = found?.reduce((most, { score }) => Math.max(most, score), Number.NEGATIVE_INFINITY) ?? 0
    const noScore = dialect.typed && (found === undefined || size === 0) ? new JavaFloat(0) : null
    const hits = found === undefined ? [] : this.#shown(found, hit, searcher)
    return {
      hits: {
        total: dialect.renderTotalHits({ value: isBeyond ? 0 : count, relation: 'eq' }, false),
        max_score: isScored && !isUnknown ? new JavaFloat(best) : noScore,
        hits,
      },
    } as Json
  }

  #finder(index: number, searcher: IndexSearcher): JoinHits | undefined {
    if (!this.#finders.has(index)) {
      const { engineVersion } = this.#context
      const { sort, size } = this.#options
      // The real server scores for its sort only, whatever scores are to be shown.
      const needsScores = size > 0 && (sort.length === 0 || sort.some(({ kind }) => kind === 'score'))
      this.#finders.set(index, JoinHits.of(this.#query, searcher, { engineVersion, now: Date.now(), needsScores }))
    }
    return this.#finders.get(index)
  }

  #shown(found: NonNullable<ReturnType<JoinHits['find']>>, hit: ScoredHit, searcher: IndexSearcher): Json[] {
    const { from, size, sort, trackScores } = this.#options
    const { dialect } = this.#context
    const isScored = sort.length === 0 || (trackScores && dialect.typed)
    const joined = found.map(({ segment, doc, score }): ScoredHit & { readonly rank: number } => ({
      searcher: hit.searcher,
      segment,
      doc,
      score: isScored ? score : Number.NaN,
      rank: score,
      ...(sort.length === 0 ? {} : { sortValues: this.#sortValues(segment, doc, score, searcher) }),
    }))
    joined.sort((a, b) => (sort.length === 0 ? b.rank - a.rank : this.#compare(a.sortValues ?? [], b.sortValues ?? [])))
    return joined.slice(from, from + size).map(({ rank: _, ...shown }) => this.#render(shown))
  }

  #sortValues(segment: number, doc: number, score: number, searcher: IndexSearcher): SortValue[] {
    const isLucene7 = this.#context.engineVersion === 'Elasticsearch_6.8'
    const reader = searcher.segments[segment]
    if (reader === undefined) return []
    const leaf = { segment: reader, ord: segment, docBase: searcher.docBases[segment] as number }
    return this.#options.sort.map((key) => sortReader(key, searcher, isLucene7)(leaf).read(doc, score))
  }

  #compare(a: readonly SortValue[], b: readonly SortValue[]): number {
    for (const [i, key] of this.#options.sort.entries()) {
      const order = compareSortValues(a[i] as SortValue, b[i] as SortValue, key)
      if (order !== 0) return order
    }
    return 0
  }
}
