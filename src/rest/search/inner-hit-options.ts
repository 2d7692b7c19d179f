import type { SortKey } from '../../engine/search/search-request.ts'
import { isByScore } from '../../engine/search/sort/ranking.ts'
import type { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { failedField, inField, parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { shownSource, sourceOption } from '../documents/source-filter.ts'
import { parsingException } from '../parsing-exception.ts'
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
  /** Field that the hits of a group are collapsed by in their turn. Those of other queries are not, as in the real servers. */
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
 * @param areOfGroups  of a collapse, whose groups are searches of their own
 * @throws {ServiceError} x_content_parse_exception, illegal_argument_exception
 */
export function readInnerHitOptions(
  json: { readonly [name: string]: JsonValue },
  queries: QueryContext,
  areOfGroups = false,
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
    sort: unlessByScore(inField('inner_hits', 'sort', () => parseSort(sort, queries))),
    trackScores: read['track_scores'] === true,
    collapseField: innerCollapse(json['collapse']),
    fetch: {
      source: shownSource(sourceOption(json['_source']), storedFields, scriptFields.length > 0),
      storedFields,
      docValueFields: parseDocValueFields(json['docvalue_fields'], queries.engineVersion, !areOfGroups),
      ...(json['fields'] === undefined ? {} : { sourceFields: parseSourceFields(json['fields']) }),
      ...(scriptFields.length === 0 ? {} : { scriptFields }),
      version: read['version'] === true,
      seqNo: read['seq_no_primary_term'] === true,
      explain: read['explain'] === true,
      highlight: json['highlight'],
    },
  }
}

/** By score alone is as good as unsorted: hits then show nothing that they are sorted by. */
const unlessByScore = (sort: readonly SortKey[]): readonly SortKey[] => (isByScore(sort) ? [] : sort)

function notNegative(json: object, key: 'from' | 'size', number: unknown): number {
  if ((number as number) >= 0) return number as number
  throw failed(json, key, illegalArgument(`illegal ${key} value, at least 0 or higher`))
}

/** `collapse` of the inner hits of a collapse, which can have none in its turn. */
function innerCollapse(json: JsonValue | undefined): string | undefined {
  if (json === undefined) return undefined
  if (!isObject(json)) throw parseFault(`[inner_hits] collapse doesn't support values of type: ${tokenName(json)}`)
  const [first, second] = Object.keys(json)
  const field = json['field']
  if (first === undefined) throw invalidToken(json, first, 'end')
  if (first !== 'field') throw invalidToken(json, first, 'name')
  if (typeof field !== 'string') throw invalidToken(json, first)
  if (second !== undefined) throw invalidToken(json, second, 'name')
  return field
}

/** What stands where the one member of an inner `collapse` or its end should be. */
function invalidToken(json: object, key: string | undefined, where?: 'name' | 'end'): ServiceError {
  const cause = parsingException('Invalid token in the inner collapse').at(json, key, where)
  return parseFault('[inner_hits] failed to parse field [collapse]', cause).at(json, key, where)
}

function failed(json: object, key: string, cause: ServiceError): ServiceError {
  return failedField('inner_hits', key, cause, json)
}
