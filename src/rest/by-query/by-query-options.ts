import { parseJavaDouble, parseJavaInteger } from '../../engine/java/java-number.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { type ActiveCopies, activeCopies } from '../documents/active-copies.ts'
import type { RequestParameters } from '../parameters/request-parameters.ts'
import type { EndpointRequest } from '../rest-request.ts'

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

/** What a call's body says of them; undefined: nothing. */
export interface SaidOptions {
  readonly proceed: boolean | undefined
  readonly maxDocs: number | undefined
}

/**
 * Reads them, in the order in which the real servers do.
 *
 * @param body  what was said in the body, which is read before
 * @throws {ServiceError} illegal_argument_exception
 */
export function byQueryOptions(request: EndpointRequest, body: SaidOptions): ByQueryOptions {
  const { parameters, dialect } = request
  let { maxDocs } = body
  const size = parameters.integer('size')
  if (size !== undefined) {
    request.warnings.note('by_query_size')
    // 6.x takes -1 for all of them.
    if (size !== -1 || !dialect.typed) maxDocs = maxDocsIn(size, maxDocs, dialect)
  }
  const conflicts = parameters.text('conflicts')
  const proceed = conflicts === undefined ? (body.proceed ?? false) : proceeds(conflicts)
  const refresh = parameters.boolean('refresh', false)
  const slices = slicesOf(parameters.text('slices'))
  const copies = activeCopies(parameters)
  const requestsPerSecond = requestsPerSecondOf(parameters) ?? Number.POSITIVE_INFINITY
  if (dialect.typed && parameters.has('max_docs')) {
    throw illegalArgument(`request [${request.uri.split('?')[0]}] contains unrecognized parameter: [max_docs]`)
  }
  const most = parameters.integer('max_docs')
  if (most !== undefined) maxDocs = maxDocsIn(most, maxDocs, dialect)
  if (maxDocs !== undefined && slices !== 'auto' && maxDocs < slices && !dialect.typed) throw tooFew()
  return {
    proceed,
    maxDocs,
    refresh,
    slices,
    requestsPerSecond,
    waitForCompletion: parameters.boolean('wait_for_completion', true),
    activeCopies: copies,
  }
}

/** `conflicts`. @throws {ServiceError} illegal_argument_exception */
export function proceeds(conflicts: string): boolean {
  if (conflicts === 'abort' || conflicts === 'proceed') return conflicts === 'proceed'
  throw illegalArgument(`conflicts may only be "proceed" or "abort" but was [${conflicts}]`)
}

/** `requests_per_second`; Infinity for -1. @throws {ServiceError} illegal_argument_exception */
export function requestsPerSecondOf(parameters: RequestParameters): number | undefined {
  const text = parameters.text('requests_per_second')
  if (text === undefined) return undefined
  const number = parseJavaDouble(text)
  if (number === -1) return Number.POSITIVE_INFINITY
  if (number !== undefined && !(number <= 0)) return Math.fround(number)
  throw new ServiceError(
    'illegal_argument_exception',
    '[requests_per_second] must be a float greater than 0. Use -1 to disable throttling.',
    number === undefined
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

/** How many documents there may be. @param known  what was said before, which has to be the same from 7 on @throws {ServiceError} illegal_argument_exception */
export function maxDocsIn(number: number, known: number | undefined, { typed }: Dialect): number {
  const name = typed ? 'size' : 'max_docs'
  if (!typed && known !== undefined && known !== number)
    throw illegalArgument(`[max_docs] set to two different values [${known}] and [${number}]`)
  if (number < 0) throw illegalArgument(`[${name}] parameter cannot be negative, found [${number}]`)
  if (!typed && number === 0) throw tooFew()
  return number
}

function tooFew(): ServiceError {
  return illegalArgument('[max_docs] should be >= [slices]')
}
