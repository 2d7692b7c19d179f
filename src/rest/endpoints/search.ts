import { OverrunError } from '../../engine/elsewhere-error.ts'
import type { SearchResult } from '../../engine/search/search-request.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import { judgeFault } from '../judge-stored.ts'
import { type EndpointRequest, type EndpointResponse, searchObject } from '../rest-request.ts'
import { checkCombinations, checkGroups, checkRescore } from '../search/check-combinations.ts'
import { checkFieldCounts } from '../search/check-field-counts.ts'
import { withMembersFirst } from '../search/check-members.ts'
import { checkSlices } from '../search/check-slices.ts'
import { withDerivedFields } from '../search/derived-view.ts'
import { isOfQueryPhase, isOfReducePhase } from '../search/failed-index.ts'
import { openView } from '../search/open-view.ts'
import { inOrderOfFaults } from '../search/order-of-faults.ts'
import { searchWhatAnswers } from '../search/partial-failures.ts'
import { answerSearch, checkIndexBoosts, checkWindow } from '../search/run-search.ts'
import type { ScrollPage } from '../search/scroll-pages.ts'
import { parseSearchBody, type SearchBody } from '../search/search-body.ts'
import { withSearchDefaults } from '../search/search-defaults.ts'
import { isSuggestOnly } from '../search/search-suggest.ts'
import type { SearchView } from '../search/search-view.ts'
import { faultOfSort, inOrderOfSort } from '../search/skipped-shards.ts'
import { inStatisticsPhase } from '../search/statistics-phase.ts'
import {
  checkTold,
  defaultPipeline,
  namedPipeline,
  pipedSearch,
  throughPipeline,
} from '../search-pipelines/piped-search.ts'
import { SearchTally } from '../statistics/search-tally.ts'
import { keepPit, pitView } from './point-in-time.ts'
import { findScrolled, openScroll } from './scroll.ts'

/** `GET|POST /_search`, `/<index>/_search`, `/<index>/<type>/_search`. */
export const search = (request: EndpointRequest, context: RestContext): EndpointResponse | Promise<EndpointResponse> =>
  withMembersFirst(
    request,
    () => searchObject(request) ?? {},
    () => {
      const { warnings } = request
      const noted = warnings.size
      try {
        return answer(withSearchDefaults(request, context), context)
      } catch (error) {
        if (!isOfQueryPhase(error) && !isOfReducePhase(error)) warnings.takeBackOfIndices(noted)
        throw error
      }
    },
  )

/** One that begins no scroll. */
export const searchOnce = search as (request: EndpointRequest, context: RestContext) => EndpointResponse

function answer(request: EndpointRequest, context: RestContext): EndpointResponse | Promise<EndpointResponse> {
  const started = performance.now()
  const preFilter = request.parameters.integer('pre_filter_shard_size')
  if (preFilter !== undefined && preFilter < 1) throw illegalArgument('preFilterShardSize must be >= 1')
  const asked = searchObject(request) ?? {}
  const parsed = parseSearchBody(request, asked)
  const named = namedPipeline(request, asked, context)
  const scroll = request.parameters.text('scroll')
  const opened =
    parsed.pit === undefined ? openView(request, context, '_search') : pitView(parsed.pit, request, context)
  let kept = false
  let made = request
  const judged = (fault: unknown): never => {
    throw judgeFault(request, made.madeOf ?? [], fault)
  }
  try {
    const isNamed = named !== undefined || request.parameters.has('search_pipeline') || 'search_pipeline' in asked
    const pipeline = isNamed ? named : defaultPipeline(request, opened.indices, context)
    if (pipeline !== undefined) made = throughPipeline(request, pipeline)
    if (pipeline === undefined) checkTold(request, asked)
    const piped = pipeline === undefined ? undefined : pipedSearch(pipeline, parsed, request, asked)
    const body = piped?.body ?? parsed
    const view = inOrderOfSort(opened, body, request)
    const answered = (json: Json): Json => piped?.answer(json) ?? json
    const isScroll = scroll !== undefined
    const checked = <T>(part: SearchView, answer: (seen: SearchView) => T): T => {
      const seen = withDerivedFields(part, body, context)
      return inOrderOfFaults(seen, body, request, isScroll, () => {
        checkWhole(seen, body, request, isScroll)
        return answer(seen)
      })
    }
    /** Searches what answers of the view; of what nothing does the fault is told that is found first. */
    const search = <T>(run: (part: SearchView) => T, probe?: (part: SearchView) => unknown): T => {
      try {
        return searchWhatAnswers(view, made, run, probe)
      } catch (error) {
        const isWhole = isOfQueryPhase(error) && error.detail.isPartial !== true
        throw (
          (isWhole ? faultOfSort(opened, body, request) : undefined) ?? inStatisticsPhase(error, view, body, request)
        )
      }
    }
    const tally = new SearchTally()
    const probe = (part: SearchView): Json => {
      const answer = checked(part, (seen) => {
        if (body.pit !== undefined) keepPit(body.pit, context)
        return answerSearch(seen, body, request, context, started, body, tally)
      })
      return body.pit === undefined ? answer : { pit_id: body.pit.id, ...(answer as object) }
    }
    if (scroll !== undefined) {
      const open: OpenScroll = (found) => {
        const openPart = (part: SearchView): ScrollPage => {
          const ofPart = typeof found === 'object' && part !== view ? 'whole' : found
          return checked(part, (seen) => openScroll(seen, body, request, context, scroll, started, ofPart))
        }
        return search(openPart, probe)
      }
      const shown = ({ json, show }: ScrollPage): EndpointResponse | Promise<EndpointResponse> => {
        const response = (): EndpointResponse => ({ status: 200, json: answered(json) })
        return show === undefined ? response() : show().then(response).catch(judged)
      }
      const page = openSoon(open)
      kept = true
      return page === undefined
        ? openInTurns(view, open, () => findScrolled(withDerivedFields(view, body, context), body, request)).then(
            shown,
            judged,
          )
        : shown(page)
    }
    const json = search(probe)
    tally.count(context, request, body.groups, performance.now() - started)
    return { status: 200, json: answered(json) }
  } catch (error) {
    return judged(error)
  } finally {
    if (!kept) opened.release()
  }
}

/** Opens a scroll whose matches are found so. */
type OpenScroll = (found: SearchResult | 'soon' | 'whole') => ScrollPage

/** @returns undefined: it takes long */
function openSoon(open: OpenScroll): ScrollPage | undefined {
  try {
    return open('soon')
  } catch (error) {
    if (error instanceof OverrunError) return undefined
    throw error
  }
}

/** Opens a scroll whose matches take long to find, while others are served: no other thread could keep it. */
async function openInTurns(view: SearchView, open: OpenScroll, find: () => Promise<SearchResult>): Promise<ScrollPage> {
  try {
    // What is wrong is told in its place.
    const found = await find().catch((error: unknown): 'whole' => {
      if (error instanceof ServiceError) return 'whole'
      throw error
    })
    return open(found)
  } catch (error) {
    view.release()
    throw error
  }
}

/** Refuses what does not go together. */
function checkWhole(view: SearchView, body: SearchBody, request: EndpointRequest, isScroll: boolean): void {
  const { dialect } = request
  checkCombinations(body, dialect, isScroll)
  checkGroups(view, body, dialect)
  // Of suggestions alone the real servers do not ask what they would find.
  if (isSuggestOnly(body, request)) return
  checkFieldCounts(body.fetch, view.searchers)
  checkWindow(view, body, isScroll, dialect)
  checkRescore(view, body, dialect)
  checkSlices(view, body, dialect)
  checkIndexBoosts(view, body, dialect)
}
