import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import type { Query } from '../../engine/search/queries/query.ts'
import { countDocuments, searchDocuments } from '../../engine/search/search-documents.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { RawJson } from '../json/json-writer.ts'
import { judgeFault } from '../judge-stored.ts'
import { checkOnlyMember, type EndpointRequest, queryObject } from '../rest-request.ts'
import { checkPreference } from '../search/check-preference.ts'
import { openView } from '../search/open-view.ts'
import { searchWhatAnswers } from '../search/partial-failures.ts'
import { throughCache } from '../search/request-cache.ts'
import { onlyQueryOf } from '../search/search-body.ts'
import { defaultPipeline, pipedRequest, throughPipeline } from '../search-pipelines/piped-search.ts'
import { SearchTally } from '../statistics/search-tally.ts'

/** `GET|POST /_count` and its paths. */
export const count: EndpointHandler = (request, context) => {
  const body = queryObject(request) ?? {}
  checkOnlyMember(body, 'query')
  const query = onlyQueryOf(request, body)
  const view = openView(request, context, '_count')
  let made = request
  try {
    checkPreference(request)
    const pipeline = defaultPipeline(request, view.indices, context)
    if (pipeline !== undefined) made = throughPipeline(request, pipeline)
    const hasQuery = body['query'] !== undefined || request.parameters.has('q')
    const asked =
      pipeline === undefined ? query : pipedRequest(pipeline, { query, hasQuery, size: 0, members: {} }, request).query
    const started = performance.now()
    const tally = new SearchTally()
    const answer = searchWhatAnswers(view, made, (part) => {
      tally.begin(part)
      tally.query()
      const { searchers, limit, shards } = part
      const body = {
        size: 0,
        suggest: undefined,
        profile: false,
        ...(pipeline === undefined ? {} : { isPiped: true as const }),
      }
      const { hits } = throughCache(
        part,
        body,
        made,
        { form: '_count', count: (isHit) => tally.cached(isHit) },
        () => ({
          answer: { hits: counted(searchers, limit(asked), request) },
          whole: true,
        }),
      )
      const found = hits instanceof RawJson ? JSON.parse(hits.text) : hits
      return { status: 200, json: { ...found, _shards: shards } }
    })
    tally.count(context, request, [], performance.now() - started)
    return answer
  } catch (error) {
    throw judgeFault(request, made.madeOf ?? [], error)
  } finally {
    view.release()
  }
}

/** Matches, unless only some of them are asked for: those of a score, or the first few. */
function counted(
  searchers: readonly IndexSearcher[],
  query: Query,
  { parameters, dialect, signal }: EndpointRequest,
): { readonly count: number; readonly terminated_early?: boolean | null } {
  const { engineVersion } = dialect
  const minScore = parameters.float('min_score')
  const terminateAfter = parameters.integer('terminate_after')
  if (terminateAfter !== undefined && terminateAfter < 0) throw illegalArgument('terminateAfter must be > 0')
  if (minScore === undefined && !terminateAfter)
    return { count: countDocuments(searchers, query, engineVersion, signal) }
  const request = { query, from: 0, size: 0, sort: [], trackScores: false, trackTotalHits: true, collectors: [] }
  const { total, terminatedEarly } = searchDocuments(
    searchers,
    {
      ...request,
      ...(minScore === undefined ? {} : { minScore }),
      ...(terminateAfter ? { terminateAfter } : {}),
      signal,
    },
    engineVersion,
  )
  const count = total?.value ?? 0
  if (terminatedEarly === undefined) return { count }
  return { terminated_early: terminatedEarly || (dialect.typed ? null : false), count }
}
