import { parseTimeMs } from '../../engine/metadata/time-value.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import { RequestParameters } from '../parameters/request-parameters.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { checkMembers } from '../search/check-members.ts'
import { scrollComplaints } from '../search/scroll-complaints.ts'
import { parseSearchBody, type SearchBody } from '../search/search-body.ts'
import type { ByQueryOptions } from './by-query-options.ts'

/** Documents of a batch when nothing is said. */
const DEFAULT_BATCH_SIZE = 1_000

/** Parameters that mean something else here than to a search. */
const OWN_PARAMETERS = ['size', 'max_docs', 'timeout', 'scroll_size', 'search_timeout', 'version', 'slices', 'scroll']

/** The request as the search in it sees it: `search_timeout` is its timeout. */
export function searchRequestOf(request: EndpointRequest): EndpointRequest {
  const { parameters } = request
  const values = new Map([...parameters.values].filter(([name]) => !OWN_PARAMETERS.includes(name)))
  const timeout = parameters.text('search_timeout')
  if (timeout !== undefined) values.set('timeout', timeout)
  return { ...request, parameters: new RequestParameters(values) }
}

/** What finds the documents of a call. */
export interface ByQuerySearch extends SearchBody {
  /** Whether `from` is said at all. */
  readonly hasFrom: boolean
}

type Json = { readonly [name: string]: JsonValue }

/**
 * Reads the search of a call that changes documents where they are: `scroll_size` documents at a time, or its body's `size`.
 *
 * @param inner  {@link searchRequestOf}
 * @throws {ServiceError} parsing_exception, illegal_argument_exception
 */
export function parseByQuerySearch({ parameters }: EndpointRequest, inner: EndpointRequest, json: Json): ByQuerySearch {
  checkMembers(inner, json)
  // It is one of the options, which are all read later.
  parameters.integer('size')
  const search = parseSearchBody(inner, json)
  const scroll = parameters.text('scroll')
  if (scroll !== undefined) parseTimeMs(scroll, 'scroll')
  return inBatches(search, inner, json, parameters.integer('scroll_size'))
}

/** The same of a reindex, which has all in its body. */
export function parseReindexSearch(inner: EndpointRequest, json: Json): ByQuerySearch {
  checkMembers(inner, json)
  return inBatches(parseSearchBody(inner, json), inner, json)
}

function inBatches(search: SearchBody, { parameters }: EndpointRequest, json: Json, asked?: number): ByQuerySearch {
  const said = json['size']
  const size = asked ?? (said === undefined ? DEFAULT_BATCH_SIZE : Number(said) < 0 ? Number(said) : search.size)
  if (size < 0) throw illegalArgument(`[size] parameter cannot be negative, found [${size}]`)
  const from = parameters.integer('from') ?? json['from'] ?? -1
  return { ...search, size, hasFrom: Number(from) !== -1 }
}

/** What a search within these calls cannot have. @param more  other complaints about it @throws {ServiceError} */
export function checkByQuerySearch(
  search: ByQuerySearch,
  { maxDocs, slices }: ByQueryOptions,
  request: EndpointRequest,
  more: readonly string[] = [],
): void {
  const complaints = [
    ...scrollComplaints(search, request),
    ...(search.hasFrom ? ['from is not supported in this context'] : []),
    ...(search.fetch.storedFields !== undefined ? ['stored_fields is not supported in this context'] : []),
    // From 7 on this is told before.
    ...(maxDocs === 0
      ? [
          "size should be greater than 0 if the request is limited to some number of documents or -1 if it isn't but it was [0]",
        ]
      : []),
    ...(search.slice !== undefined && slices !== 1
      ? ["can't specify both manual and automatic slicing at the same time"]
      : []),
    ...more,
  ]
  if (complaints.length > 0) throw validationFailed(complaints)
}
