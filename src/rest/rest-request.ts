import type { BackendRequest } from '../backend.ts'
import { ServiceError } from '../errors.ts'
import { isObject } from '../is-object.ts'
import { ExtraContentError, isJsonFault } from '../json-fault.ts'
import { parseFault } from '../parse-fault.ts'
import { tokenName } from '../token-name.ts'
import type { BodyPlaces } from './body/body-places.ts'
import { type JsonValue, parseFirstJson, parseJson } from './body/parse-json.ts'
import type { Warnings } from './deprecation/warnings.ts'
import type { Dialect } from './dialects/dialect.ts'
import type { Json } from './json/json-writer.ts'
import type { StoredPart } from './judge-stored.ts'
import type { RequestParameters } from './parameters/request-parameters.ts'
import { parsingException } from './parsing-exception.ts'
import type { QueryContext } from './query-dsl/query-reader.ts'
import { sourceContent } from './request-content.ts'
import type { PathParameters } from './router.ts'

/** A request that found its endpoint. */
export interface EndpointRequest {
  readonly endpoint: string
  readonly method: string
  /** Path and query as received. */
  readonly uri: string
  readonly path: PathParameters
  readonly parameters: RequestParameters
  readonly body: Buffer
  readonly dialect: Dialect
  readonly signal: BackendRequest['signal']
  /** `X-Opaque-Id`: what the caller calls the request. */
  readonly opaqueId: string | undefined
  /** Whether `format` or `Accept` ask for JSON or YAML, for endpoints that answer with text by default. */
  readonly wantsJson: boolean
  readonly authorize: BackendRequest['authorize']
  readonly authorizeDomain: BackendRequest['authorizeDomain']
  /** What reading the request's queries takes. */
  readonly queries: QueryContext
  /** Told of what is deprecated. */
  readonly warnings: Warnings
  /** Told of what is parsed; undefined where it is another text than the caller's. */
  readonly places: BodyPlaces | undefined
  /** What is stored that the request is made of: its faults quote it. */
  readonly madeOf?: readonly StoredPart[]
}

/** An endpoint's answer. */
export type EndpointResponse =
  | {
      readonly status: number
      readonly json: Json
      readonly headers?: Readonly<Record<string, string>>
      /** Indented even when that is not asked for (`GET /`). */
      readonly pretty?: boolean
      /** Whatever `filter_path` says: an error. */
      readonly whole?: true
    }
  | { readonly status: number; readonly text: string; readonly headers?: Readonly<Record<string, string>> }

/** `{"acknowledged":true}`. */
export const ACKNOWLEDGED: EndpointResponse = { status: 200, json: { acknowledged: true } }

/** Whether a body is blanks alone, where some parsers find nothing to mind. */
export const isBlank = ({ body }: Pick<EndpointRequest, 'body'>): boolean =>
  body.length > 0 && (body[0] as number) <= 0x20 && body.every((byte) => BLANKS.includes(byte))

const BLANKS = [0x20, 0x0a, 0x0d, 0x09]

/** The first JSON value of the body (or of the `source` parameter); undefined when there is none. @throws {ServiceError} parse errors */
function bodyValue(request: EndpointRequest): JsonValue | undefined {
  const source = request.parameters.text('source')
  if (request.body.length === 0 && source === undefined) return undefined
  const type = request.parameters.text('source_content_type')
  if (request.body.length === 0 && type === undefined) {
    throw new ServiceError('illegal_state_exception', 'source and source_content_type parameters are required', {
      status: 400,
    })
  }
  const text =
    request.body.length === 0 ? sourceContent(source as string, type as string, request.dialect) : request.body
  const value = parseFirstJson(text, request.dialect.typed)
  request.places?.note(text, value)
  return value
}

/**
 * The same of an endpoint that takes an object.
 *
 * @param noObject  what to say of another value, by the name of its first token
 * @throws {ServiceError} parse errors
 */
export function bodyObject(
  request: EndpointRequest,
  noObject = (token: string) => new ServiceError('parse_exception', `Expected START_OBJECT but got ${token}`),
): { [name: string]: JsonValue } | undefined {
  const value = bodyValue(request)
  if (value === undefined || isObject(value)) return value
  const fault = noObject(tokenName(value))
  throw typeof value === 'object' && value !== null ? fault.at(value) : fault
}

/** What a search says of a body that is no object, by the name of its first token. */
export const noQuery = (token: string) => parsingException(`Expected [START_OBJECT] but found [${token}]`)

const SEVERAL: ReadonlySet<string> = new Set(['msearch', 'msearch_template'])

/** The same of a search. Since 7.x nothing may stand behind the object; 6.x warns of it. */
export function searchObject(request: EndpointRequest): { [name: string]: JsonValue } | undefined {
  if (request.body.length === 0) return bodyObject(request, noQuery)
  try {
    const value = parseJson(request.body)
    request.places?.note(request.body, value)
    if (isObject(value)) return value
    throw noQuery(tokenName(value))
  } catch (error) {
    // What is wrong with the object itself is told first.
    const value = bodyObject(request, noQuery)
    // Of several searches nobody looks.
    if (value !== undefined && (request.dialect.typed || SEVERAL.has(request.endpoint))) {
      if (request.endpoint === 'search') request.warnings.note('content_behind_search')
      return value
    }
    if (!(error instanceof ExtraContentError) || value === undefined) throw error
    const reason = `Unexpected token [${error.token}] found after the main object.`
    throw parsingException(reason).at(value, undefined, 'next')
  }
}

/** The same of an endpoint that looks for a query alone, and tells what is no JSON as its own fault. */
export function queryObject(request: EndpointRequest): { [name: string]: JsonValue } | undefined {
  if (isBlank(request)) return undefined
  try {
    return bodyObject(request, noQuery)
  } catch (error) {
    throw isJsonFault(error) ? new ServiceError('parsing_exception', 'Failed to parse', { cause: error }) : error
  }
}

/** The same of an endpoint whose object parser tells what is no object. */
export const parserObject = (request: EndpointRequest, parser: string): { [name: string]: JsonValue } | undefined =>
  bodyObject(request, (token) => parseFault(`[${parser}] Expected START_OBJECT but was: ${token}`))

/** The same of an endpoint that reads a map: a body that is no object says nothing. */
export function lenientBody(request: EndpointRequest): { [name: string]: JsonValue } {
  if (isBlank(request)) return {}
  const value = bodyValue(request)
  return isObject(value) ? value : {}
}

/** Sees to it that a body has no member but one. @throws {ServiceError} parsing_exception */
export function checkOnlyMember(body: { readonly [name: string]: JsonValue }, only: string): void {
  const other = Object.keys(body).find((name) => name !== only)
  if (other === undefined) return
  throw parsingException(`request does not support [${other}]`).at(body, other, 'name')
}

/** {@link bodyObject} of an endpoint that cannot do without. @param parser  {@link parserObject}'s, where there is one */
export function requiredBody(request: EndpointRequest, parser?: string): { [name: string]: JsonValue } {
  const body = parser === undefined ? bodyObject(request) : parserObject(request, parser)
  if (body === undefined) throw new ServiceError('parse_exception', 'request body is required')
  return body
}
