import { packageOf } from '../../engine/engine-version.ts'
import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import { indicesOptionsFromQuery, STRICT_EXPAND_OPEN_FORBID_CLOSED } from '../../engine/metadata/indices-options.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isJsonFault } from '../../json-fault.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { renderFailure } from '../errors/error-response.ts'
import { judgeNamed } from '../indices/judge-names.ts'
import type { ValueMap } from '../ingest/ingest-document.ts'
import { JavaDouble, type Json, RawJson, writeJson } from '../json/json-writer.ts'
import { printable } from '../json/printable-json.ts'
import { judgeStoredNames } from '../judge-stored.ts'
import { RequestParameters } from '../parameters/request-parameters.ts'
import { losslessParams } from '../query-dsl/read-script.ts'
import { type RankEvalSpec, readRankEvalSpec } from '../rank-eval/rank-eval-spec.ts'
import { checkRatedSearch, type RatedRequest, type SearchJson } from '../rank-eval/rated-request.ts'
import { compileTemplate, searchForTemplate } from '../rank-eval/search-for-template.ts'
import { bodyObject, type EndpointRequest } from '../rest-request.ts'
import { uncheckedQueries } from '../search/query-lookup.ts'
import { checkParameters, parseSearchBody } from '../search/search-body.ts'
import { partRequest } from './multi-search.ts'
import { searchOnce } from './search.ts'

/** A search of those to be evaluated, or what keeps it from being one. */
type Prepared = RatedRequest & ({ readonly request: SearchJson } | { readonly fault: ServiceError })

/** What was found, or what failed. */
type Evaluated = { readonly score: number; readonly json: Json } | { readonly failure: Json }

/** `GET|POST /_rank_eval`, `/<index>/_rank_eval`. In one piece, as `_msearch` is. */
export const rankEval: EndpointHandler = (request, context) => {
  checkParameters(request)
  indicesOptionsFromQuery(request.parameters.values, STRICT_EXPAND_OPEN_FORBID_CLOSED)
  const spec = readSpec(request)
  const prepared = prepare(spec, request, context)
  const evaluated = new Map<string, Evaluated>()
  for (const rated of prepared)
    evaluated.set(rated.id, 'fault' in rated ? failed(rated.fault) : evaluate(rated, spec, request, context))
  return { status: 200, json: renderEvaluation(evaluated, spec.requests.length) }
}

/** What is to be evaluated, and how. @throws {ServiceError} */
export function readSpec(request: EndpointRequest): RankEvalSpec {
  const body = request.body.length > 0 ? request.body : undefined
  // Complains where the query string's body has no type.
  if (body === undefined) bodyObject(request)
  const queries = uncheckedQueries(request.dialect)
  return readRankEvalSpec(body ?? request.parameters.text('source', ''), {
    dialect: request.dialect,
    queries,
    places: request.places,
    checkSearch: (json) => checkSearch(json, request),
  })
}

/** Sees whether a search can be read, by itself. */
function checkSearch(json: SearchJson, { dialect, ...request }: EndpointRequest): void {
  const parameters = new RequestParameters(new Map())
  parseSearchBody({ ...request, dialect, parameters, queries: uncheckedQueries(dialect) }, json)
}

/**
 * The searches that are asked for.
 *
 * @throws {ServiceError} when a template cannot be filled in or makes no search
 */
function prepare(spec: RankEvalSpec, request: EndpointRequest, context: RestContext): Prepared[] {
  const { dialect } = request
  // What is tried out is told by what is wrong with it.
  for (const { script } of spec.templates.values())
    if (script.kind === 'stored') judgeStoredNames(request, '_scripts', script.id, 'GET')
  const templates = new Map([...spec.templates].map(([id, script]) => [id, compileTemplate(script, context, dialect)]))
  if (spec.maxConcurrentSearches < 1) throw illegalArgument('maxConcurrentSearchRequests must be positive')
  const { searchSize } = spec.metric
  if (searchSize < 0) {
    const reason = `[size] parameter cannot be negative, found [${searchSize}]`
    throw illegalArgument(reason)
  }
  const prepared = spec.requests.map((rated): Prepared => {
    if (rated.request !== undefined) return { ...rated, request: rated.request }
    const template = templates.get(rated.templateId as string)
    if (template === undefined) throw noTemplate(request)
    try {
      const json = searchForTemplate(template, rated.params, dialect)
      checkSearch(json, request)
      checkRatedSearch(json, dialect)
      return { ...rated, request: json }
    } catch (error) {
      // What is no JSON is its own search's failure alone.
      if (isJsonFault(error)) return { ...rated, fault: error }
      throw error
    }
  })
  if (prepared.every((rated) => 'fault' in rated)) throw validationFailed(['no requests added'])
  return prepared
}

/** The real servers look no further into a template that there is not. */
function noTemplate({ dialect }: EndpointRequest): ServiceError {
  const factory = `${packageOf(dialect.engineVersion)}.script.TemplateScript$Factory`
  const reason = `Cannot invoke "${factory}.newInstance(java.util.Map)" because "templateScript" is null`
  return new ServiceError('null_pointer_exception', reason)
}

function evaluate(
  rated: RatedRequest & { readonly request: SearchJson },
  { metric }: RankEvalSpec,
  request: EndpointRequest,
  context: RestContext,
): Evaluated {
  const body = Buffer.from(writeJson(searchJson(rated, metric.searchSize)))
  const part = partRequest(request, { header: { parameters: new Map() }, body }, context)
  try {
    judgeNamed(part, part.path['index']?.split(',') ?? [], '_search')
    const response = searchOnce(part, context)
    const hits = 'json' in response ? hitsOf(response.json) : []
    return measured(hits, rated, metric)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return failed(error)
  }
}

/** The search as it is run: for as many hits as the metric looks at, showing nothing that was not asked to be seen. */
function searchJson({ request, summaryFields }: RatedRequest & { readonly request: SearchJson }, size: number): Json {
  const shown = summaryFields.length > 0 && request['_source'] !== false
  const json = printable(losslessParams(request) as ValueMap) as { readonly [name: string]: Json }
  return { ...json, size, _source: shown ? { includes: summaryFields } : false }
}

interface Hit {
  readonly _index: string
  readonly _id: string
}

function hitsOf(response: Json): readonly { readonly hit: Hit; readonly json: Json }[] {
  const found = (response as { readonly hits: Json }).hits
  // What was kept of a search for no hits is a text.
  if (found instanceof RawJson) return []
  const { hits } = found as unknown as { readonly hits: readonly Json[] }
  return hits.map((json) => ({ hit: (json instanceof RawJson ? JSON.parse(json.text) : json) as Hit, json }))
}

function measured(
  hits: ReturnType<typeof hitsOf>,
  { ratings }: RatedRequest,
  metric: RankEvalSpec['metric'],
): Evaluated {
  const marks = new Map(ratings.map(({ index, id, rating }) => [keyOf(index, id), rating]))
  const found = hits.map(({ hit }) => marks.get(keyOf(hit._index, hit._id)))
  const { score, details } = metric.evaluate(found, [...marks.values()])
  const unrated = hits.filter((_, i) => found[i] === undefined)
  return {
    score,
    json: {
      metric_score: new JavaDouble(score),
      unrated_docs: unrated.map(({ hit }) => ({ _index: hit._index, _id: hit._id })),
      hits: hits.map(({ json }, i) => ({ hit: json, rating: found[i] ?? null })),
      metric_details: { [metric.name]: details },
    },
  }
}

function keyOf(index: string, id: string): string {
  return `${index}/${id}`
}

function failed(error: ServiceError): Evaluated {
  return { failure: { error: renderFailure(error) } }
}

/**
 * The answer, searches in the order in which Java's maps have them; their scores are summed up in that order too.
 *
 * @param asked  how many searches were to be evaluated
 */
function renderEvaluation(evaluated: ReadonlyMap<string, Evaluated>, asked: number): Json {
  const details = new Map<string, Json>()
  const failures = new Map<string, Json>()
  const scores: number[] = []
  for (const id of inJavaHashOrder([...evaluated.keys()], powerOf2(asked))) {
    const found = evaluated.get(id) as Evaluated
    if ('failure' in found) failures.set(id, found.failure)
    else {
      details.set(id, found.json)
      scores.push(found.score)
    }
  }
  return {
    metric_score: new JavaDouble(compensatedSum(scores) / details.size),
    details: copied(details),
    failures: copied(failures),
  }
}

/** Java's sum of a stream of doubles. */
function compensatedSum(values: readonly number[]): number {
  let sum = 0
  let lost = 0
  for (const value of values) {
    const added = value - lost
    const next = sum + added
    lost = next - sum - added
    sum = next
  }
  return sum - lost
}

/** A map as a copy of it has its members: in a table for just as many. */
function copied(map: ReadonlyMap<string, Json>): Json {
  const ids = inJavaHashOrder([...map.keys()], powerOf2(Math.floor(map.size / 0.75 + 1)))
  return Object.fromEntries(ids.map((id) => [id, map.get(id)]))
}

function powerOf2(atLeast: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(atLeast, 1)))
}
