import { inTurns } from '../../breather.ts'
import type { ScoredHit, SearchResult } from '../../engine/search/search-request.ts'
import { scrollMissing } from '../contexts/scroll-contexts.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { renderShardFailure } from '../errors/error-response.ts'
import type { Json } from '../json/json-writer.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { SearchTally, type ShownDocument } from '../statistics/search-tally.ts'
import { fetchOrder } from './fetch-order.ts'
import { type HitRenderer, maxScoreJson } from './hit-renderer.ts'
import { isInIndexOrder } from './ordered-hits.ts'
import { phaseTook } from './phase-took.ts'
import type { ScrolledHits } from './scrolled-hits.ts'
import type { SearchBody } from './search-body.ts'
import { type SearchView, shardOfDocuments } from './search-view.ts'
import { shardsOf } from './skipped-shards.ts'

/** Hits of a page from which on they are shown in turns with what else there is to do. */
const MANY_HITS = 500

/** A page of a scroll, whose hits may still have to be shown. */
export interface ScrollPage {
  readonly json: Json
  /** Of its hits. */
  readonly count: number
  /** Shows them, once it settles; undefined: they are. */
  readonly show: (() => Promise<void>) | undefined
}

/** A search whose matches are shown page by page. */
export interface ScrolledSearch {
  /** Let go of when it is closed. */
  readonly view: SearchView
  readonly body: SearchBody
  readonly request: EndpointRequest
  readonly renderer: HitRenderer
  /** What the first search told, its hits aside. */
  readonly told: Omit<SearchResult, 'hits'>
  readonly hits: ScrolledHits
  /** Where each page counts as a search. */
  readonly context: Pick<RestContext, 'searches' | 'log'>
}

/** What a scroll goes through: each page shows the next stretch of its matches, in the order of the first. */
export class ScrollPages {
  readonly #view: SearchView
  readonly #body: SearchBody
  readonly #request: EndpointRequest
  readonly #renderer: HitRenderer
  readonly #told: Omit<SearchResult, 'hits'>
  readonly #context: ScrolledSearch['context']
  readonly #hits: ScrolledHits
  #isCut: boolean | undefined
  /** Whether later pages end where they are full; not known before there is one. */
  #endsPages: boolean | undefined
  #shards: ReturnType<typeof shardsOf>
  /** Indices that are not there any more. */
  #gone = 0
  /** Pages that are being found or shown. */
  #underway = 0
  #isClosed = false

  /** Told of each document of the page at hand that is shown. */
  onShown: ShownDocument | undefined

  constructor({ view, body, request, renderer, told, hits, context }: ScrolledSearch) {
    this.#view = view
    this.#body = body
    this.#request = request
    this.#renderer = renderer
    this.#told = told
    this.#context = context
    this.#hits = hits
    // 6.x does not say when it came to the end after all.
    this.#isCut = request.dialect.typed ? told.terminatedEarly || undefined : told.terminatedEarly
    this.#shards = shardsOf(view, body, request)
  }

  /**
   * The next page with its hits, once they are found and shown.
   *
   * @param onFound  told how many they are
   */
  async goOn(id: string, shownId: string | undefined, onFound: (count: number) => void): Promise<Json> {
    const since = performance.now()
    // A scroll may be cleared meanwhile.
    this.#underway++
    try {
      for (let finding = this.#find(id); finding !== undefined; finding = this.#find(id)) await finding
      const { json, count, show } = this.next(id, shownId, since)
      onFound(count)
      await show?.()
      return json
    } finally {
      this.#underway--
      this.#release()
    }
  }

  #find(id: string): Promise<void> | undefined {
    this.#leaveOutGone(id)
    return this.#hits.find?.(this.#body.size)
  }

  /**
   * The next page, whose hits are found.
   *
   * @param id       of the scroll
   * @param shownId  what the page calls it; undefined: it is not kept
   * @param since    when the page was asked for, by performance.now()
   */
  next(id: string, shownId: string | undefined, since: number): ScrollPage {
    this.#leaveOutGone(id)
    const { totalAsInt, groups } = this.#body
    const { dialect } = this.#request
    const tally = new SearchTally()
    tally.begin(this.#view)
    this.onShown = tally.query(shardOfDocuments(this.#view, dialect.engineVersion))
    const count = (): void => tally.count(this.#context, this.#request, groups, performance.now() - since)
    const hits = this.#nextHits()
    const _shards = this.#shards
    // Later pages are asked of the shards that were searched.
    const { total, successful, skipped } = _shards
    this.#shards = { ..._shards, total: total - skipped, successful: successful - skipped, skipped: 0 }
    const isLong = this.#renderer.isPlain && hits.length > MANY_HITS
    const shown: Json[] = isLong ? new Array(hits.length) : this.#renderer.renderAll(hits)
    const took = Math.round(performance.now() - since)
    const told = this.#told
    const json = {
      ...(shownId === undefined ? {} : { _scroll_id: shownId }),
      took,
      ...phaseTook(this.#request, took),
      timed_out: false,
      ...(this.#isCut === undefined ? {} : { terminated_early: this.#isCut }),
      _shards,
      hits: {
        total: dialect.renderTotalHits(this.#gone === 0 ? told.total : totalOf(this.#hits.count), totalAsInt),
        max_score: maxScoreJson(told.maxScore),
        hits: shown,
      },
    }
    if (!isLong) count()
    return { json, count: hits.length, show: isLong ? () => this.#show(hits, shown).then(count) : undefined }
  }

  /** Ends it: the view is let go of once no page is being shown. */
  close(): void {
    this.#isClosed = true
    this.#release()
  }

  #nextHits(): readonly ScoredHit[] {
    const { typed, engineVersion } = this.#request.dialect
    const { asked, count } = this.#hits
    const { size } = this.#body
    // Later pages go on behind the last document and end where they are full.
    if (asked > 0 && engineVersion !== 'OpenSearch_2.19') {
      this.#endsPages ??= isInIndexOrder(this.#body, this.#view, engineVersion)
      if (this.#endsPages && asked + size < count) this.#isCut = true
      else if (this.#endsPages && !typed) this.#isCut = false
    }
    return this.#hits.next(size)
  }

  /** Closed or removed since: the shards of these indices fail from then on, the others go on. */
  #leaveOutGone(id: string): void {
    const { searchers, shardCounts } = this.#view
    const isThere = searchers.map((searcher) => searcher.isGone !== true)
    const missing = isThere.filter((there) => !there).length
    if (missing === this.#gone) return
    this.#gone = missing
    this.#hits.leaveOut(isThere)
    const failed = isThere.reduce((sum, there, i) => sum + (there ? 0 : (shardCounts[i] ?? 0)), 0)
    const failures = Array.from({ length: failed }, () => renderShardFailure(scrollMissing(id), null))
    const { total, skipped } = this.#shards
    this.#shards = { ...this.#shards, successful: total - skipped - failed, failed, failures }
  }

  async #show(hits: readonly ScoredHit[], shown: Json[]): Promise<void> {
    this.#underway++
    try {
      this.#renderer.startFetch()
      await inTurns(fetchOrder(hits, this.#request.dialect), (rank) => {
        shown[rank] = this.#renderer.render(hits[rank] as ScoredHit)
      })
    } finally {
      this.#underway--
      this.#release()
    }
  }

  #release(): void {
    if (this.#isClosed && this.#underway === 0) this.#view.release()
  }
}

const totalOf = (value: number) => ({ value, relation: 'eq' }) as const
