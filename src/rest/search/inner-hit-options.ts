import type { SortKey } from '../../engine/search/search-request.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { failedField, inField, parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { shownSource, sourceOption } from '../documents/source-filter.ts'
import type { JsonValue } from '../parse-json.ts'
import { parseMembers } from '../query-dsl/object-parser.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'
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

const MEMBERS = {
  name: 'text',
  ignore_unmapped: 'boolean',
  from: 'int',
  size: 'int',
  explain: 'boolean',
  version: 'boolean',
  seq_no_primary_term: 'boolean',
  track_scores: 'boolean',
  stored_fields: 'texts',
  docvalue_fields: 'objects',
  script_fields: 'object',
  sort: 'objects',
  _source: 'source',
  highlight: 'object',
  collapse: 'object',
} as const

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
  const known = isVersion6 ? MEMBERS : ({ ...MEMBERS, fields: 'objects' } as const)
  const read = parseMembers('inner_hits', json, known, [], isVersion6)
  const { sort } = json
  const storedFields = read['stored_fields'] === undefined ? undefined : [read['stored_fields']].flat().map(String)
  const scriptFields = parseScriptFields(json['script_fields'], queries)
  return {
    name: read['name'] as string | undefined,
    from: notNegative(json, 'from', read['from'] ?? 0),
    size: notNegative(json, 'size', read['size'] ?? 3),
    sort: inField('inner_hits', 'sort', () => parseSort(sort, queries)),
    trackScores: read['track_scores'] === true,
    collapseField: innerCollapse(json['collapse'], isVersion6),
    fetch: {
      source: shownSource(sourceOption(json['_source']), storedFields, scriptFields.length > 0),
      storedFields,
      docValueFields: parseDocValueFields(json['docvalue_fields'], queries.engineVersion),
      ...(json['fields'] === undefined ? {} : { sourceFields: parseSourceFields(json['fields']) }),
      ...(scriptFields.length === 0 ? {} : { scriptFields }),
      version: read['version'] === true,
      seqNo: read['seq_no_primary_term'] === true,
      explain: read['explain'] === true,
      highlight: json['highlight'],
    },
  }
}

function notNegative(json: object, key: 'from' | 'size', number: unknown): number {
  if ((number as number) >= 0) return number as number
  throw failed(json, key, illegal(`illegal ${key} value, at least 0 or higher`))
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
