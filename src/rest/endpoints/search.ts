import { shardCount } from '../../engine/metadata/shard-routing.ts'
import { ServiceError } from '../../errors.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import { searchObject } from '../rest-request.ts'
import { checkCombinations } from '../search/check-combinations.ts'
import { searchWhatAnswers } from '../search/partial-failures.ts'
import { answerSearch, checkSlices, checkWindow } from '../search/run-search.ts'
import { parseSearchBody, type SearchBody } from '../search/search-body.ts'
import { openView, type SearchView } from '../search/search-view.ts'
import { openScroll } from './scroll.ts'

/** `GET|POST /_search`, `/<index>/_search`, `/<index>/<type>/_search`. */
export const search: EndpointHandler = (request, context) => {
  const started = performance.now()
  const preFilter = request.parameters.integer('pre_filter_shard_size')
  if (preFilter !== undefined && preFilter < 1)
    throw new ServiceError('illegal_argument_exception', 'preFilterShardSize must be >= 1')
  const body = parseSearchBody(request, searchObject(request) ?? {})
  const scroll = request.parameters.text('scroll')
  const view = openView(request, context, '_search')
  let kept = false
  try {
    const probe = (part: SearchView): Json => {
      checkCombinations(part, body, request.dialect, scroll !== undefined)
      checkWindow(part, body, scroll !== undefined, request.dialect)
      checkSlices(part, body, request.dialect)
      return answerSearch(part, body, request, context, started)
    }
    if (scroll !== undefined) {
      const open = (part: SearchView): Json => {
        checkCombinations(part, body, request.dialect, true)
        checkWindow(part, body, true, request.dialect)
        checkSlices(part, body, request.dialect)
        return openScroll(part, body, request, context, scroll, started)
      }
      const json = searchWhatAnswers(view, request, open, probe)
      kept = true
      return { status: 200, json }
    }
    const json = searchWhatAnswers(view, request, probe)
    countSearch(context, view, body, performance.now() - started)
    return { status: 200, json }
  } finally {
    if (!kept) view.release()
  }
}

function countSearch(context: RestContext, view: SearchView, body: SearchBody, ms: number): void {
  const fetched = body.size > 0 ? 1 : 0
  for (const index of view.indices) {
    context.searches.add(index.uuid, body.groups, {
      queryTotal: shardCount(index),
      queryTimeMs: ms,
      fetchTotal: fetched,
      suggestTotal: body.suggest === undefined ? 0 : 1,
    })
  }
}
