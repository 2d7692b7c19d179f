import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { BodyPlaces } from '../body/body-places.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { renderFailure } from '../errors/error-response.ts'
import { asAnswered } from '../errors/tripped-breaker.ts'
import { judgeNamed } from '../indices/judge-names.ts'
import type { Json } from '../json/json-writer.ts'
import { RequestParameters } from '../parameters/request-parameters.ts'
import { bodyObject, type EndpointRequest, noQuery } from '../rest-request.ts'
import { checkMembers } from '../search/check-members.ts'
import { queryContext, uncheckedQueries } from '../search/query-lookup.ts'
import { parseSearchBody } from '../search/search-body.ts'
import { readSearchHeader, type SearchHeader } from '../search/search-header.ts'
import { searchOnce } from './search.ts'

/** Pairs of lines: where to search, and for what. */
export interface Part {
  readonly header: SearchHeader
  readonly body: Buffer
}

/** `GET|POST /_msearch` and its paths. In one piece, as a search is, so that what all of them take is measured and bounded. */
export const msearch: EndpointHandler = (request, context) => {
  const started = performance.now()
  const responses: Json[] = []
  checkConcurrency(request)
  // A body that cannot be read fails them all, as in the real server; what an index objects to, its own search alone.
  const requests: EndpointRequest[] = []
  const queries = uncheckedQueries(request.dialect)
  for (const one of readParts(request, context)) {
    const part = partRequest(request, one, context)
    requests.push(part)
    const body = bodyObject(part, noQuery)
    if (body === undefined) throw noQuery('null')
    inPart(part, () => {
      checkMembers(part, body)
      parseSearchBody({ ...part, queries }, body)
    })
  }
  if (requests.length === 0) throw validationFailed(['no requests added'])
  for (const part of requests) responses.push(answer(part, context))
  const took = request.dialect.typed ? {} : { took: Math.round(performance.now() - started) }
  return { status: 200, json: { ...took, responses } }
}

/** Reads a part; what is wrong in it is told of its own text. */
function inPart(part: EndpointRequest, read: () => void): void {
  try {
    read()
  } catch (error) {
    throw error instanceof ServiceError ? (part.places?.locate(error) ?? error) : error
  }
}

/** Checks `max_concurrent_searches`. @throws {ServiceError} illegal_argument_exception */
export function checkConcurrency(request: EndpointRequest): void {
  const concurrent = request.parameters.integer('max_concurrent_searches')
  if (concurrent !== undefined && concurrent < 1) {
    throw illegalArgument('maxConcurrentSearchRequests must be positive')
  }
}

/** Takes the body apart, pair by pair of lines. @throws {ServiceError} for a header that cannot be read, and at the end for one without a newline */
export function* readParts(request: EndpointRequest, context: RestContext): Generator<Part, void> {
  const { body } = request
  if (body.length === 0) throw new ServiceError('parse_exception', 'request body is required')
  let from = 0
  const next = (): Buffer | undefined => {
    const end = body.indexOf(0x0a, from)
    if (end < 0) {
      if (from === body.length) return undefined
      throw illegalArgument('The msearch request must be terminated by a newline [\n]')
    }
    const line = body.subarray(from, end)
    from = end + 1
    return line
  }
  // The first line may be empty.
  if (body[0] === 0x0a) {
    from = 1
    request.warnings.note('empty_first_line')
  }
  let isTyped = false
  for (let line = next(); line !== undefined; line = next()) {
    const header = readSearchHeader(line, request, context)
    isTyped ||= Boolean(header.type)
    const own = next()
    // A header that nothing stands behind is read, too.
    if (own !== undefined) yield { header, body: own }
  }
  // Of what cannot be read nothing is warned.
  if (isTyped) request.warnings.note('typed_msearch')
}

/** The request that one part is by itself. */
export function partRequest(request: EndpointRequest, { header, body }: Part, context: RestContext): EndpointRequest {
  // Names that say nothing are all there are, whatever the path says.
  const index = (header.index ?? request.path['index']) || undefined
  const type = (header.type ?? request.path['type']) || undefined
  const parameters = new Map(request.parameters.values)
  for (const [name, value] of header.parameters) {
    if (value === undefined) parameters.delete(name)
    else parameters.set(name, value)
  }
  const part = {
    ...request,
    path: { ...(index === undefined ? {} : { index }), ...(type === undefined ? {} : { type }) },
    parameters: new RequestParameters(parameters),
    body,
    places: request.places && new BodyPlaces(request.dialect),
  }
  return { ...part, queries: queryContext(part, context) }
}

function answer(part: EndpointRequest, context: RestContext): Json {
  try {
    judgeNamed(part, part.path['index']?.split(',') ?? [], '_search')
    const response = searchOnce(part, context)
    return 'json' in response ? ({ ...(response.json as object), status: 200 } as Json) : null
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const fault = asAnswered(error, part.dialect)
    return { error: renderFailure(part.places?.locate(fault) ?? fault), status: fault.status }
  }
}
