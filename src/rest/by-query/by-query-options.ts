import { parseJavaInteger } from '../../engine/java-number.ts'
import { parseTimeMs } from '../../engine/metadata/time-value.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { failedField } from '../../parse-fault.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readInt } from '../body/read-int.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { type ActiveCopies, activeCopies } from '../documents/active-copies.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import { RequestParameters } from '../parameters/request-parameters.ts'
import type { EndpointRequest } from '../rest-request.ts'
import type { SearchBody } from '../search/search-body.ts'

/** Documents of a batch when nothing is said. */
const DEFAULT_BATCH_SIZE = 1_000

/** What delete by query, update by query and reindex are told alike. */
export interface ByQueryOptions {
  /** True: documents changed meanwhile are counted and passed over; false: they end the work. */
  readonly proceed: boolean
  /** Most documents to go through, 0 for none only until {@link checkByQuerySearch}; undefined: all that match. */
  readonly maxDocs: number | undefined
  readonly refresh: boolean
  /** Parts worked on side by side. */
  readonly slices: number | 'auto'
  /** Infinity: no limit. */
  readonly requestsPerSecond: number
  readonly waitForCompletion: boolean
  /** What each batch of writes wants of its shards. */
  readonly activeCopies: ActiveCopies
}

/** Reads them. @throws {ServiceError} illegal_argument_exception, action_request_validation_exception */
export function byQueryOptions(
  request: EndpointRequest,
  body: { readonly conflicts?: JsonValue | undefined; readonly maxDocs: readonly SaidMaxDocs[] },
): ByQueryOptions {
  const { parameters } = request
  const conflicts = parameters.text('conflicts') ?? (body.conflicts === undefined ? 'abort' : String(body.conflicts))
  if (conflicts !== 'abort' && conflicts !== 'proceed') {
    throw new ServiceError(
      'illegal_argument_exception',
      `conflicts may only be "proceed" or "abort" but was [${conflicts}]`,
    )
  }
  const slices = slicesOf(parameters.text('slices'))
  return {
    proceed: conflicts === 'proceed',
    maxDocs: maxDocsOf(request, body.maxDocs, slices === 'auto' ? 0 : slices),
    refresh: parameters.boolean('refresh', false),
    slices,
    requestsPerSecond: requestsPerSecondOf(parameters) ?? Number.POSITIVE_INFINITY,
    waitForCompletion: parameters.boolean('wait_for_completion', true),
    activeCopies: activeCopies(parameters),
  }
}

/** `requests_per_second`; Infinity for -1. @throws {ServiceError} illegal_argument_exception */
export function requestsPerSecondOf(parameters: RequestParameters): number | undefined {
  const text = parameters.text('requests_per_second')
  if (text === undefined) return undefined
  const number = text.trim() === '' ? Number.NaN : Number(text)
  if (number === -1) return Number.POSITIVE_INFINITY
  if (number > 0) return number
  throw new ServiceError(
    'illegal_argument_exception',
    '[requests_per_second] must be a float greater than 0. Use -1 to disable throttling.',
    Number.isNaN(number)
      ? {
          cause: new ServiceError(
            'number_format_exception',
            text.trim() === '' ? 'empty String' : `For input string: "${text}"`,
          ),
        }
      : {},
  )
}

function slicesOf(text: string | undefined): number | 'auto' {
  if (text === undefined) return 1
  if (text === 'auto') return 'auto'
  const number = parseJavaInteger(text, 32)
  if (number !== undefined && number >= 1n) return Number(number)
  throw new ServiceError(
    'illegal_argument_exception',
    `[slices] must be a positive integer or the string "auto", but was [${text}]`,
    number === undefined ? { cause: new ServiceError('number_format_exception', `For input string: "${text}"`) } : {},
  )
}

/** How many documents there may be, as one place of a request says. */
export interface SaidMaxDocs {
  readonly value: JsonValue
  /** The member of reindex's body that says it; undefined: elsewhere. */
  readonly member?: string
}

function maxDocsOf(request: EndpointRequest, inBody: readonly SaidMaxDocs[], slices: number): number | undefined {
  const { parameters, dialect } = request
  if (dialect.typed && parameters.has('max_docs')) {
    throw new ServiceError(
      'illegal_argument_exception',
      `request [${request.uri.split('?')[0]}] contains unrecognized parameter: [max_docs]`,
    )
  }
  const inParameters = [parameters.integer('size'), parameters.integer('max_docs')]
  if (inParameters[0] !== undefined) request.warnings.note('by_query_size')
  const said: readonly SaidMaxDocs[] = [
    ...inBody,
    ...inParameters.flatMap((value) => (value === undefined ? [] : [{ value }])),
  ]
  let known: number | undefined
  for (const { value, member } of said) {
    try {
      known = maxDocsIn(value, known, dialect)
    } catch (error) {
      if (!(error instanceof ServiceError) || member === undefined) throw error
      throw failedField('reindex', member, error)
    }
  }
  if (known !== undefined && known < slices && !dialect.typed) throw tooFew()
  return known === -1 ? undefined : known
}

/** @param known  what was said before, which has to be the same from 7 on @throws {ServiceError} illegal_argument_exception */
function maxDocsIn(value: JsonValue, known: number | undefined, { typed }: Dialect): number {
  const name = typed ? 'size' : 'max_docs'
  const number = readInt(value, typed)
  if (!typed && known !== undefined && known !== number)
    throw illegalArgument(`[max_docs] set to two different values [${known}] and [${number}]`)
  if (number < (typed ? -1 : 0)) throw illegalArgument(`[${name}] parameter cannot be negative, found [${number}]`)
  if (!typed && number === 0) throw tooFew()
  return number
}

function tooFew(): ServiceError {
  return illegalArgument('[max_docs] should be >= [slices]')
}

/** Parameters that mean something else here than to a search. */
const OWN_PARAMETERS = ['size', 'max_docs', 'timeout', 'scroll_size', 'search_timeout', 'version', 'slices', 'scroll']

/** The request as the search in it sees it: `scroll_size` documents at a time, or its body's `size`; `search_timeout` as its timeout. */
export function searchRequestOf(
  request: EndpointRequest,
  body: { readonly [name: string]: JsonValue },
): EndpointRequest {
  const { parameters } = request
  const scroll = parameters.text('scroll')
  if (scroll !== undefined) parseTimeMs(scroll, 'scroll')
  const values = new Map([...parameters.values].filter(([name]) => !OWN_PARAMETERS.includes(name)))
  const scrollSize = parameters.integer('scroll_size')
  if (scrollSize !== undefined && scrollSize < 0) {
    throw new ServiceError('illegal_argument_exception', `[size] parameter cannot be negative, found [${scrollSize}]`)
  }
  const timeout = parameters.text('search_timeout')
  if (timeout !== undefined) values.set('timeout', timeout)
  if (scrollSize !== undefined || body['size'] === undefined)
    values.set('size', String(scrollSize ?? DEFAULT_BATCH_SIZE))
  return { ...request, parameters: new RequestParameters(values) }
}

/** What a search within these calls cannot have. @param more  other complaints about it @throws {ServiceError} */
export function checkByQuerySearch(
  search: SearchBody,
  { maxDocs }: ByQueryOptions,
  more: readonly string[] = [],
): void {
  const complaints = [
    ...(search.trackTotalHits === false ? ['disabling [track_total_hits] is not allowed in a scroll context'] : []),
    ...(search.size === 0 ? ['[size] cannot be [0] in a scroll context'] : []),
    ...(search.from > 0
      ? ['using [from] is not allowed in a scroll context', 'from is not supported in this context']
      : []),
    ...(search.rescore.length > 0 ? ['using [rescore] is not allowed in a scroll context'] : []),
    ...(search.collapse !== undefined ? ['cannot use `collapse` in a scroll context'] : []),
    ...(search.fetch.storedFields !== undefined ? ['stored_fields is not supported in this context'] : []),
    // From 7 on this is told before.
    ...(maxDocs === 0
      ? [
          "size should be greater than 0 if the request is limited to some number of documents or -1 if it isn't but it was [0]",
        ]
      : []),
    ...more,
  ]
  if (complaints.length > 0) throw validationFailed(complaints)
  if (search.aggregations !== undefined || search.postFilter !== undefined || search.searchAfter !== undefined) {
    throw new ServiceError(
      'illegal_argument_exception',
      'aggregations, [post_filter] and [search_after] are not supported by calls that change documents by query',
    )
  }
}
