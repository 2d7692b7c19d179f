import { durationText } from '../../engine/duration-text.ts'
import { shardCount } from '../../engine/metadata/shard-routing.ts'
import { parseTimeMs } from '../../engine/metadata/time-value.ts'
import { queryPhaseFault } from '../../engine/search/query-phase.ts'
import type { SearchRequest, SearchResult } from '../../engine/search/search-request.ts'
import { ServiceError } from '../../errors.ts'
import { clusterSetting } from '../cluster-flag.ts'
import { contextBody, contextIds, notAContextMember } from '../contexts/context-ids.ts'
import { checkScrollId } from '../contexts/scroll-contexts.ts'
import { noteDocValueFields } from '../deprecation/search-deprecations.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { checkDocValueFields } from '../search/doc-value-fields.ts'
import { HitRenderer } from '../search/hit-renderer.ts'
import { ListedHits } from '../search/listed-hits.ts'
import { namedScoresOf } from '../search/named-queries.ts'
import { canGoOn, OrderedHits } from '../search/ordered-hits.ts'
import { profileJson } from '../search/profile-json.ts'
import { RepeatedSearch } from '../search/repeated-search.ts'
import { answerSearch, findHits, findHitsInTurns, hitsRequest, newProfile, type Window } from '../search/run-search.ts'
import { scrollComplaints } from '../search/scroll-complaints.ts'
import { type ScrollPage, ScrollPages } from '../search/scroll-pages.ts'
import type { ScrolledHits } from '../search/scrolled-hits.ts'
import type { SearchBody } from '../search/search-body.ts'
import { type SearchView, shardOfDocuments } from '../search/search-view.ts'
import { canSeek, SoughtHits, soughtAtOnce } from '../search/sought-hits.ts'

const EVERYTHING: Window = { from: 0, size: Number.MAX_SAFE_INTEGER }

/** A scroll's matches may take so long, in ms, to be found before others are served. */
const MOST_AT_ONCE_MS = 100

/** @throws {OverrunError} */
function soon<T>({ signal }: EndpointRequest, find: () => T): T {
  const until = signal.until ?? Number.POSITIVE_INFINITY
  signal.until = performance.now() + MOST_AT_ONCE_MS
  try {
    return find()
  } finally {
    signal.until = until
  }
}

interface FirstSearch {
  readonly body: SearchBody
  readonly window: Window
  /** What a scroll goes through that found this first, by Date.now() then. */
  readonly hits: (first: SearchResult, now: number) => ScrolledHits
}

/** A scroll's first search, which finds all where others cannot find what stands behind it. */
function firstSearch(view: SearchView, scrolled: SearchBody, request: EndpointRequest): FirstSearch {
  const body = { ...scrolled, trackTotalHits: true }
  const { searchers } = view
  const { engineVersion } = request.dialect
  const page = hitsRequest(view, body, request, { from: 0, size: body.size })
  const behind = (search: SearchRequest, Hits: typeof OrderedHits | typeof SoughtHits): FirstSearch => ({
    body,
    window: search,
    hits: (first, now) => new Hits(new RepeatedSearch(searchers, search, engineVersion, now), first),
  })
  try {
    if (canGoOn(page, searchers, engineVersion)) return behind(page, OrderedHits)
    if (canSeek(page, searchers, engineVersion)) return behind({ ...page, size: soughtAtOnce(body.size) }, SoughtHits)
  } catch (error) {
    // The search will say so in its place.
    if (!(error instanceof ServiceError)) throw error
  }
  return { body, window: EVERYTHING, hits: (all) => new ListedHits(all.hits) }
}

/** Finds what a scroll goes through, while others are served. */
export function findScrolled(view: SearchView, scrolled: SearchBody, request: EndpointRequest): Promise<SearchResult> {
  const { body, window } = firstSearch(view, scrolled, request)
  return findHitsInTurns(view, body, request, window)
}

/**
 * Begins a scroll: the view stays as it is until the scroll is cleared or its time is over, and each page shows the next
 * stretch of its matches, in the order of the first page.
 *
 * @param found  what {@link findScrolled} found; else that is to be found: `soon` or not here, or whatever it takes
 * @throws {ServiceError} action_request_validation_exception, illegal_argument_exception
 * @throws {OverrunError} where they are not found soon
 */
export function openScroll(
  view: SearchView,
  body: SearchBody,
  request: EndpointRequest,
  context: RestContext,
  keepAlive: string,
  started: number,
  found: SearchResult | 'soon' | 'whole',
): ScrollPage {
  const keepAliveMs = keepAliveOf(keepAlive, context)
  checkScrollable(body, request)
  if (body.slice?.field === '_uid') request.queries.warnings?.note('uid_slices')
  const { dialect } = request
  const renderer = new HitRenderer(
    {
      searchers: view.searchers,
      dialect,
      queries: request.queries,
      query: body.query,
      postFilter: body.postFilter,
      rescore: body.rescore,
      sort: body.sort,
      node: context.engine.nodeId,
      namedScores: namedScoresOf(request),
      shardOf: shardOfDocuments(view, dialect.engineVersion),
      onShown: (searcher, document) => pages.onShown?.(searcher, document),
    },
    body.fetch,
  )
  const profile = body.profile ? newProfile({ ...body, aggregations: undefined }) : undefined
  const first = firstSearch(view, body, request)
  const now = Date.now()
  const find = () => findHits(view, first.body, request, first.window, undefined, profile?.search)
  const all = typeof found === 'object' ? found : found === 'soon' && !body.profile ? soon(request, find) : find()
  // A shard alone looks for its hits' values whether it has hits or not.
  if (dialect.typed && view.shards.total === 1) renderer.noteDocValueFields()
  if (dialect.typed) checkDocValueFields(body.fetch.docValueFields, view.searchers)
  const hits = first.hits(all, now)
  // Without the hits found: they may be millions of objects.
  const { hits: _, ...told } = all
  const pages = new ScrollPages({ view, body, request, renderer, told, hits, context })
  const most = clusterSetting(context, 'search.max_open_scroll_context')
  /** Until then the view is its opener's. */
  let isOpen = false
  const id: string = context.scrolls.open(
    {
      indices: view.indices.map((index) => index.name),
      isGone: () => view.searchers.length > 0 && view.searchers.every(({ isGone }) => isGone),
      nextPage: (kept, warnings) =>
        pages.goOn(id, kept, (count) => {
          const looksUp = count > 0 || (dialect.typed && view.shards.total === 1)
          if (looksUp && warnings !== undefined) noteDocValueFields(body.fetch.docValueFields, view.searchers, warnings)
        }),
      endsUnkept: view.shards.total === 1,
      close: () => {
        if (!isOpen) return
        countScroll(view, body, context, performance.now() - started)
        pages.close()
      },
    },
    keepAliveMs,
    most === '' ? undefined : Number(most),
    dialect.typed,
  )
  try {
    const page = firstPage(pages.next(id, id, started))
    isOpen = true
    return page
  } catch (error) {
    // Nobody is told its id.
    context.scrolls.remove(id)
    throw error
  }

  function firstPage({ json: plain, count, show }: ScrollPage): ScrollPage {
    const shown =
      show &&
      (() =>
        show().catch((error: unknown) => {
          context.scrolls.remove(id)
          throw error
        }))
    const json =
      profile === undefined
        ? plain
        : { ...(plain as object), profile: profileJson(profile, body, dialect, context.engine.nodeId) }
    if (body.aggregations === undefined) return { json, count, show: shown }
    const found = { from: 0, size: 0 }
    const { aggregations } = answerSearch(view, { ...body, profile: false }, request, context, started, found) as {
      aggregations: Json
    }
    return { json: { ...(json as object), aggregations } as Json, count, show: shown }
  }
}

/** Scrolls are counted when they end. */
function countScroll({ indices }: SearchView, { groups }: SearchBody, context: RestContext, ms: number): void {
  for (const index of indices) {
    if (context.engine.indices.get(index.name)?.uuid !== index.uuid) continue
    context.searches.add(index.uuid, groups, { scrollTotal: shardCount(index), scrollTimeMs: ms })
  }
}

/** Refuses what a scroll cannot do. @throws {ServiceError} action_request_validation_exception */
function checkScrollable(body: SearchBody, request: EndpointRequest): void {
  const complaints = scrollComplaints(body, request)
  if (complaints.length > 0) throw validationFailed(complaints)
}

/** @throws {ServiceError} when longer than `search.max_keep_alive` */
function keepAliveOf(value: string, context: RestContext): number {
  const isLegacy = context.engine.version === 'Elasticsearch_6.8'
  const ms = parseTimeMs(value, 'scroll')
  const longest = clusterSetting(context, 'search.max_keep_alive')
  const longestMs = parseTimeMs(longest === '' ? '24h' : longest, 'search.max_keep_alive')
  if (ms > longestMs) {
    throw queryPhaseFault(
      context.engine.version,
      `Keep alive for ${isLegacy ? 'scroll' : 'request'} (${durationText(ms)}) is too large. It must be less than (${durationText(longestMs)}). This limit can be set by changing the [search.max_keep_alive] cluster level setting.`,
    )
  }
  return ms
}

/** How long a scroll is to be kept from its next page on; one that is asked to stay too long goes. @throws as {@link keepAliveOf} */
function keptFor(keepAlive: string, id: string, context: RestContext): number {
  try {
    return keepAliveOf(keepAlive, context)
  } catch (error) {
    context.scrolls.remove(id)
    throw error instanceof ServiceError ? error.with({ hasNoShard: true }) : error
  }
}

/** `GET|POST /_search/scroll`. */
export const scroll: EndpointHandler = async (request, context) => {
  const body = contextBody(request) ?? {}
  const members: { scroll_id?: string; scroll?: string } = {}
  for (const [name, value] of Object.entries(body)) {
    if ((name !== 'scroll_id' && name !== 'scroll') || typeof value !== 'string') throw notAContextMember(name, value)
    members[name] = value
    if (name === 'scroll') parseTimeMs(value, name)
  }
  const id = members.scroll_id ?? request.path['scroll_id'] ?? request.parameters.text('scroll_id')
  if (id === undefined) throw validationFailed(['scrollId is missing'])
  const keepAlive = members.scroll ?? request.parameters.text('scroll')
  if (keepAlive !== undefined) parseTimeMs(keepAlive, 'scroll')
  request.authorize(context.scrolls.get(id).indices, '_search')
  const kept = context.scrolls.get(id, keepAlive === undefined ? undefined : keptFor(keepAlive, id, context))
  const page = kept.nextPage(keepAlive === undefined ? undefined : id, request.queries.warnings)
  if (keepAlive === undefined && kept.endsUnkept) context.scrolls.remove(id)
  return { status: 200, json: (await page) as Json }
}

/** `DELETE /_search/scroll`. */
export const clearScroll: EndpointHandler = (request, context) => {
  const asked = contextIds(contextBody(request) ?? {}, 'scroll_id')
  const ids = asked ?? request.path['scroll_id']?.split(',') ?? request.parameters.list('scroll_id') ?? []
  if (ids.length === 0) throw validationFailed(['no scroll ids specified'])
  for (const id of ids) if (id !== '_all') checkScrollId(id)
  const all = ids.includes('_all')
  const cleared = all ? context.scrolls.ids() : ids
  // All of them before the first is gone.
  for (const id of cleared) authorizeClearing(request, indicesOf(id, context))
  let freed = 0
  for (const id of cleared) if (context.scrolls.remove(id)) freed++
  return { status: freed > 0 || all ? 200 : 404, json: { succeeded: true, num_freed: freed } }
}

function indicesOf(id: string, context: RestContext): readonly string[] {
  try {
    return context.scrolls.get(id).indices
  } catch (error) {
    if (error instanceof ServiceError) return []
    throw error
  }
}

/** Whoever may search the indices of a scroll or a point in time, by either method, may end it. */
export function authorizeClearing(request: EndpointRequest, indices: readonly string[]): void {
  try {
    request.authorize(indices, '_search', 'GET')
  } catch {
    request.authorize(indices, '_search', 'POST')
  }
}
