import { readForUpdate, writeUpdated } from '../../engine/index/update-source.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import type { JsonValue } from '../body/parse-json.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { type Json, RawJson, writeJson } from '../json/json-writer.ts'
import { judgeStoredNames, type StoredPart } from '../judge-stored.ts'
import type { EndpointRequest } from '../rest-request.ts'
import type { SearchBody } from '../search/search-body.ts'
import { fullQuery } from './full-query.ts'
import type {
  PipedHit,
  PipedMembers,
  PipedRequest,
  RequestProcessor,
  ResponseProcessor,
  SearchState,
} from './processor.ts'
import { NO_PIPELINE, readSearchPipeline, SEARCH_PIPELINES, type SearchPipeline, through } from './search-pipeline.ts'
import { shownHits, shownSearch, ToldSteps } from './told-steps.ts'

const DEFAULT_PIPELINE = 'index.search.default_pipeline'
const VERBOSE = 'verbose_pipeline'

/** A search as its pipeline leaves it, and what it makes of the answer. */
export interface PipedSearch {
  readonly body: SearchBody
  /** @throws {ServiceError} */
  readonly answer: (json: Json) => Json
}

/**
 * The pipeline that a search names or brings; undefined: neither.
 *
 * @throws {ServiceError} illegal_argument_exception, parse_exception
 */
export function namedPipeline(
  request: EndpointRequest,
  { search_pipeline: member }: { readonly [name: string]: JsonValue },
  context: RestContext,
): SearchPipeline | undefined {
  if (request.dialect.engineVersion !== 'OpenSearch_2.19') return undefined
  const named = request.parameters.text('search_pipeline') ?? (isObject(member) ? undefined : member)
  if (isObject(member)) {
    if (named === undefined) return readSearchPipeline('_ad_hoc_pipeline', member, request.queries)
    const reason = 'Both named and inline search pipeline were specified. Please only specify one or the other.'
    throw illegalArgument(reason)
  }
  return named === undefined ? undefined : storedPipeline(String(named), request, context)
}

/** The pipeline that all searched indices name that name any; undefined: none. @throws {ServiceError} illegal_argument_exception */
export function defaultPipeline(
  request: EndpointRequest,
  indices: readonly IndexMetadata[],
  context: RestContext,
): SearchPipeline | undefined {
  const name = request.path['index'] === undefined ? undefined : defaultPipelineName(indices)
  return name === undefined ? undefined : storedPipeline(name, request, context)
}

/** Asked of every search: nothing is made for it. */
function defaultPipelineName(indices: readonly IndexMetadata[]): string | undefined {
  let name: string | undefined
  for (const { settings } of indices) {
    const own = settings[DEFAULT_PIPELINE]
    if (typeof own !== 'string') continue
    if (name !== undefined && name !== own) return undefined
    name = own
  }
  return name === NO_PIPELINE ? undefined : name
}

/** Refuses to read past a pipeline what goes through one in the real server. @throws {ServiceError} illegal_argument_exception */
export function refuseDefaultPipeline(indices: readonly IndexMetadata[]): void {
  if (defaultPipelineName(indices) === undefined) return
  const reason = `[${DEFAULT_PIPELINE}] of an index is not supported by this domain here`
  throw illegalArgument(reason)
}

/** Whether a search is to tell what becomes of it in its pipeline (`verbose_pipeline`). @throws {ServiceError} */
function isTold({ parameters }: EndpointRequest, asked: { readonly [name: string]: JsonValue }): boolean {
  return parameters.has(VERBOSE) ? parameters.boolean(VERBOSE, false) : String(asked[VERBOSE]) === 'true'
}

/** @throws {ServiceError} illegal_argument_exception for a search that is to tell of its pipeline and has none */
export function checkTold(request: EndpointRequest, asked: { readonly [name: string]: JsonValue }): void {
  if (request.dialect.engineVersion === 'OpenSearch_2.19' && isTold(request, asked))
    throw illegalArgument("The 'verbose pipeline' option requires a search pipeline to be defined.")
}

/** What of a search its pipeline changes. @throws {ServiceError} */
export function pipedRequest(
  pipeline: SearchPipeline,
  given: PipedRequest,
  { queries }: EndpointRequest,
  state: SearchState = new Map(),
  telling?: { readonly told: ToldSteps; readonly asked: { readonly [name: string]: JsonValue } },
): PipedRequest {
  const run = (process: RequestProcessor, before: PipedRequest): PipedRequest => process(before, state, queries)
  if (telling === undefined) return through(given, pipeline.request, run)
  return telling.told.through(given, pipeline.request, run, shownSearch(telling.asked))
}

/**
 * Takes a search through its pipeline. A profile and explanations of what a stored one makes of it are for who may read that.
 *
 * @throws {ServiceError}
 * @throws {Error} the access layer's denial
 */
export function pipedSearch(
  pipeline: SearchPipeline,
  body: SearchBody,
  request: EndpointRequest,
  asked: { readonly [name: string]: JsonValue },
): PipedSearch {
  const { id } = pipeline
  const verbose = isTold(request, asked)
  if (id !== undefined && (body.profile || body.fetch.explain || verbose))
    judgeStoredNames(request, '_search/pipeline', id, 'GET')
  const told = verbose ? new ToldSteps() : undefined
  const state: SearchState = new Map()
  const isSized = request.parameters.has('size') || asked['size'] !== undefined
  const asMembers = membersOf(body, request, asked)
  const { query: written } = asked
  const shown = told && { json: written === undefined ? undefined : fullQuery(written) }
  const given = {
    query: body.query,
    hasQuery: body.hasQuery,
    size: isSized ? body.size : -1,
    members: asMembers,
    told: shown,
  }
  const { query, hasQuery, size, members } = pipedRequest(
    pipeline,
    given,
    request,
    state,
    told === undefined ? undefined : { told, asked },
  )
  const changed = members === asMembers ? {} : changedBody(body, members)
  return {
    body: { ...body, ...changed, query, hasQuery, size: size < 0 ? body.size : size, isPiped: true },
    answer: (json) => {
      if (told === undefined) return pipeline.response.length === 0 ? json : changedAnswer(json, pipeline, state)
      const answer = changedAnswer(json, pipeline, state, told) as { readonly [name: string]: Json }
      return told.results.length === 0 ? answer : { ...answer, processor_results: told.results }
    },
  }
}

/** What scripts see of a search besides its query. */
function membersOf(
  body: SearchBody,
  { parameters }: EndpointRequest,
  asked: { readonly [name: string]: JsonValue },
): PipedMembers {
  const said = (name: string): boolean => parameters.has(name) || asked[name] !== undefined
  const { trackTotalHits, minScore, terminateAfter } = body
  return {
    from: said('from') ? body.from : -1,
    track_scores: body.trackScores,
    terminate_after: terminateAfter ?? 0,
    profile: body.profile,
    ...(said('explain') ? { explain: body.fetch.explain } : {}),
    ...(said('version') ? { version: body.fetch.version } : {}),
    ...(said('seq_no_primary_term') ? { seq_no_primary_term: body.fetch.seqNo } : {}),
    ...(said('track_total_hits') ? { track_total_hits: upTo(trackTotalHits) } : {}),
    ...(minScore === undefined ? {} : { min_score: minScore }),
  }
}

const upTo = (hits: boolean | number): number => (hits === true ? 2 ** 31 - 1 : hits === false ? -1 : hits)

/** A search's members as a script left them. */
function changedBody(body: SearchBody, members: PipedMembers): Partial<SearchBody> {
  const { from = -1, track_total_hits: total, terminate_after: after = 0, min_score: minScore } = members
  const { explain, version, seq_no_primary_term: seqNo } = members
  const { fetch } = body
  const trackTotalHits = total === undefined ? undefined : total < 0 ? false : total === 2 ** 31 - 1 ? true : total
  return {
    from: Math.max(from, 0),
    trackScores: members.track_scores ?? body.trackScores,
    trackTotalHits: trackTotalHits ?? body.trackTotalHits,
    minScore,
    terminateAfter: after === 0 ? undefined : after,
    profile: members.profile ?? body.profile,
    fetch: {
      ...fetch,
      explain: explain ?? fetch.explain,
      version: version ?? fetch.version,
      seqNo: seqNo ?? fetch.seqNo,
    },
  }
}

/** A search through a pipeline, whose faults quote that. */
export function throughPipeline(request: EndpointRequest, { id }: SearchPipeline): EndpointRequest {
  if (id === undefined) return request
  const part: StoredPart = { folder: '_search/pipeline', name: id }
  return { ...request, madeOf: [...(request.madeOf ?? []), part] }
}

function changedAnswer(json: Json, { response }: SearchPipeline, state: SearchState, told?: ToldSteps): Json {
  const { hits } = json as { readonly hits: Json }
  const found = readForUpdate(Buffer.from(writeJson(hits))) as { readonly hits: readonly PipedHit[] }
  const run = (process: ResponseProcessor, before: readonly PipedHit[]): readonly PipedHit[] => process(before, state)
  const changed =
    told === undefined
      ? through(found.hits, response, run)
      : told.through<readonly PipedHit[], ResponseProcessor>(found.hits, response, run, shownHits)
  const answer = json as { readonly [name: string]: Json }
  // Where an answer is made anew, it has a profile too.
  const isNew = changed !== found.hits && answer['profile'] === undefined
  return {
    ...answer,
    hits: new RawJson(writeUpdated({ ...found, hits: changed })),
    ...(isNew ? { profile: { shards: [] } } : {}),
  }
}

function storedPipeline(name: string, request: EndpointRequest, { engine }: RestContext): SearchPipeline | undefined {
  if (name === NO_PIPELINE) return undefined
  const body = engine.extras.get(SEARCH_PIPELINES, name) as { readonly [name: string]: JsonValue } | undefined
  if (body !== undefined) return { ...readSearchPipeline(name, body, request.queries), id: name }
  throw illegalArgument(`Pipeline ${name} is not defined`)
}
