import type { SortKey } from '../../engine/search/search-request.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { notABoolean } from '../../parse-boolean.ts'
import { failedField, inField, parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { shownSource, sourceOption } from '../documents/source-filter.ts'
import type { JsonValue } from '../parse-json.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'
import { unknownField } from '../unknown-field.ts'
import { parseDocValueFields } from './doc-value-fields.ts'
import type { FetchOptions } from './fetch-options.ts'
import { parseScriptFields } from './script-fields.ts'
import { parseSort } from './search-sort.ts'
import { parseSourceFields } from './source-fields.ts'

/** What `inner_hits` asks for, of a nested query or of a collapse. */
export interface InnerHitOptions {
  readonly name: string | undefined
  readonly from: number
  readonly size: number
  readonly sort: readonly SortKey[]
  readonly trackScores: boolean
  readonly fetch: FetchOptions
  /** Field that the hits of a group are collapsed by in their turn. */
  readonly collapseField: string | undefined
}

const KEYS = new Set([
  'name',
  'ignore_unmapped',
  'from',
  'size',
  'explain',
  'version',
  'seq_no_primary_term',
  'track_scores',
  'stored_fields',
  'docvalue_fields',
  'script_fields',
  'sort',
  '_source',
  'highlight',
  'collapse',
])

/**
 * Reads `inner_hits`.
 *
 * @throws {ServiceError} x_content_parse_exception, illegal_argument_exception
 */
export function readInnerHitOptions(
  json: { readonly [name: string]: JsonValue },
  queries: QueryContext,
): InnerHitOptions {
  const isVersion6 = queries.engineVersion === 'Elasticsearch_6.8'
  for (const key of Object.keys(json)) {
    if (!KEYS.has(key) && (isVersion6 || key !== 'fields')) {
      throw unknownField('inner_hits', key, isVersion6, [], json)
    }
  }
  const { sort } = json
  if (sort !== undefined && sort !== null && typeof sort !== 'object') {
    const reason = `[inner_hits] sort doesn't support values of type: ${tokenName(sort)}`
    throw parseFault(reason).at(json, 'sort')
  }
  const stored = json['stored_fields']
  const storedFields = stored === undefined ? undefined : Array.isArray(stored) ? stored.map(String) : [String(stored)]
  const scriptFields = parseScriptFields(json['script_fields'], queries)
  const { name } = json
  return {
    name: name === undefined || name === null ? undefined : String(name),
    from: notNegative(json, 'from', 0),
    size: notNegative(json, 'size', 3),
    sort: inField('inner_hits', 'sort', () => parseSort(sort, queries)),
    trackScores: flag(json, 'track_scores'),
    collapseField: innerCollapse(json['collapse'], isVersion6),
    fetch: {
      source: shownSource(sourceOption(json['_source']), storedFields, scriptFields.length > 0),
      storedFields,
      docValueFields: parseDocValueFields(json['docvalue_fields'], queries.engineVersion),
      ...(json['fields'] === undefined ? {} : { sourceFields: parseSourceFields(json['fields']) }),
      ...(scriptFields.length === 0 ? {} : { scriptFields }),
      version: flag(json, 'version'),
      seqNo: flag(json, 'seq_no_primary_term'),
      explain: flag(json, 'explain'),
      highlight: json['highlight'],
    },
  }
}

function notNegative(json: { readonly [name: string]: JsonValue }, key: 'from' | 'size', fallback: number): number {
  const value = json[key]
  if (value === undefined || value === null) return fallback
  const number = Math.trunc(Number(value))
  if (Number.isNaN(number) || typeof value === 'object')
    throw failed(json, key, new ServiceError('number_format_exception', `For input string: "${String(value)}"`))
  if (number >= 0) return number
  throw failed(json, key, illegal(`illegal ${key} value, at least 0 or higher`))
}

function flag(json: { readonly [name: string]: JsonValue }, key: string): boolean {
  const value = json[key]
  if (value === undefined || value === false || value === 'false') return false
  if (value === true || value === 'true') return true
  throw failed(json, key, notABoolean(value))
}

/** `collapse` of the inner hits of a collapse, which can have none in its turn. */
function innerCollapse(json: JsonValue | undefined, isVersion6: boolean): string | undefined {
  if (json === undefined) return undefined
  if (!isObject(json)) throw invalid(`[inner_hits] collapse doesn't support values of type: ${tokenName(json)}`)
  for (const [key, value] of Object.entries(json)) {
    if (key === 'field' && typeof value === 'string') continue
    if (isVersion6 && key === 'field') throw invalid('[inner_hits] failed to parse field [collapse]')
    throw invalid('[inner_hits] failed to parse field [collapse]', 'Invalid token in the inner collapse')
  }
  return json['field'] === undefined ? undefined : String(json['field'])
}

function failed(json: object, key: string, cause: ServiceError): ServiceError {
  return failedField('inner_hits', key, cause, json)
}

function invalid(reason: string, cause?: string): ServiceError {
  return parseFault(reason, cause === undefined ? undefined : new ServiceError('parsing_exception', cause))
}

function illegal(reason: string): ServiceError {
  return new ServiceError('illegal_argument_exception', reason)
}
