import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import { javaText } from '../../engine/mapping/java-text.ts'
import { indicesOptionsFromQuery, STRICT_EXPAND_OPEN } from '../../engine/metadata/indices-options.ts'
import { parseTimeMs } from '../../engine/metadata/time-value.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { notABoolean } from '../../parse-boolean.ts'
import { type JsonValue, parseFirstJson } from '../body/parse-json.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { type EndpointRequest, isBlank } from '../rest-request.ts'

/** What a search of `_msearch` says in the line before its body. */
export interface SearchHeader {
  /** Joined by commas; empty: all there are; undefined: those of the path. */
  readonly index?: string
  /** As {@link index}. */
  readonly type?: string
  /** In the place of the URL's; undefined: as if that was not there. */
  readonly parameters: ReadonlyMap<string, string | undefined>
}

/** How a member is written otherwise. */
const OTHER_NAMES: { readonly [name: string]: string } = {
  indices: 'index',
  types: 'type',
  searchType: 'search_type',
  requestCache: 'request_cache',
  expandWildcards: 'expand_wildcards',
  ignoreUnavailable: 'ignore_unavailable',
  allowNoIndices: 'allow_no_indices',
  ignoreThrottled: 'ignore_throttled',
  ccsMinimizeRoundtrips: 'ccs_minimize_roundtrips',
  cancelAfterTimeInterval: 'cancel_after_time_interval',
}

/** Members that are read once all of them are known. */
const OPTIONS: ReadonlySet<string> = new Set([
  'expand_wildcards',
  'ignore_unavailable',
  'allow_no_indices',
  'ignore_throttled',
])

/**
 * Reads a header line. One that is blank or no object says nothing, and what stands behind the object is not looked at.
 *
 * @throws {ServiceError} illegal_argument_exception, null_pointer_exception
 */
export function readSearchHeader(line: Buffer, request: EndpointRequest, context: RestContext): SearchHeader {
  const { dialect, warnings } = request
  const json = line.length === 0 || isBlank({ body: line }) ? {} : parseFirstJson(line, dialect.typed)
  const members = isObject(json) ? json : {}
  const names: { index?: string; type?: string } = {}
  const parameters = new Map<string, string | undefined>()
  const options = new Map<string, string>()
  for (const key of inJavaHashOrder(Object.keys(members))) {
    const value = members[key] as JsonValue
    const name = OTHER_NAMES[key] ?? key
    if (name === 'index') {
      if (!context.allowExplicitIndex) throw illegalArgument('explicit index in multi search is not allowed')
      names.index = nameList(value, 'index')
    } else if (name === 'type' && dialect.showsType) {
      names.type = nameList(value, 'type')
    } else if (OPTIONS.has(name)) {
      if (value !== null) options.set(name, optionText(name, value))
    } else if (name === 'search_type' || name === 'preference' || name === 'routing') {
      parameters.set(name, value === null ? undefined : javaText(value))
    } else if (name === 'request_cache') {
      parameters.set(name, namedFlag(value, key))
    } else if (key === 'allow_partial_search_results') {
      parameters.set(name, namedFlag(value, 'null'))
    } else if (name === 'ccs_minimize_roundtrips' && !dialect.typed) {
      plainFlag(value)
    } else if (name === 'cancel_after_time_interval' && !dialect.showsType) {
      if (value !== null) parseTimeMs(javaText(value), 'XContentMapValues.nodeTimeValue')
    } else if (dialect.typed) {
      warnings.note('unknown_search_header', key)
    } else {
      throw illegalArgument(`key [${key}] is not supported in the metadata section`)
    }
  }
  indicesOptionsFromQuery(options, STRICT_EXPAND_OPEN)
  return { ...names, parameters: new Map([...parameters, ...options]) }
}

/** Names in a list, or in a text with commas. @throws {ServiceError} null_pointer_exception */
function nameList(value: JsonValue, what: 'index' | 'type'): string {
  if (value === null) throw noNode()
  if (!Array.isArray(value)) return javaText(value)
  if (value.includes(null)) throw new ServiceError('null_pointer_exception', `${what} must not be null`)
  return value.map(javaText).join(',')
}

const noNode = (): ServiceError =>
  new ServiceError('null_pointer_exception', 'Cannot invoke "Object.toString()" because "node" is null')

/** Which indices wildcards stand for may be a list, too. */
const optionText = (name: string, value: JsonValue): string =>
  name === 'expand_wildcards' && Array.isArray(value) ? value.map(javaText).join(',') : javaText(value)

/** @throws {ServiceError} illegal_argument_exception, null_pointer_exception */
function plainFlag(value: JsonValue): string {
  if (value === null) throw noNode()
  const text = javaText(value)
  if (text !== 'true' && text !== 'false') throw notABoolean(text)
  return text
}

/** The same, whose fault tells the member's name. @throws {ServiceError} illegal_argument_exception, null_pointer_exception */
function namedFlag(value: JsonValue, name: string): string {
  try {
    return plainFlag(value)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.type !== 'illegal_argument_exception') throw error
    throw illegalArgument(`Could not convert [${name}] to boolean`, error)
  }
}
