import type { RescoreStage } from '../../engine/search/search-request.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { failedField, inField, parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { unknownField } from '../body/unknown-field.ts'
import { parsingException } from '../parsing-exception.ts'
import { parseBeside } from '../query-dsl/parse-query.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'

const SCORE_MODES = ['total', 'multiply', 'avg', 'max', 'min'] as const

const QUERY_KEYS = new Set(['rescore_query', 'query_weight', 'rescore_query_weight', 'score_mode'])

/** `rescore` of a search, one stage or several. @throws {ServiceError} parsing_exception, x_content_parse_exception, … */
export function parseRescore(json: JsonValue | undefined, queries: QueryContext): readonly RescoreStage[] {
  if (json === undefined) return []
  if (!Array.isArray(json)) return [parseStage(json, queries)]
  return json.map((stage, i) => {
    // What is no object is taken for its beginning.
    const isLast = (Array.isArray(stage) && stage.length === 0) || i === json.length - 1
    if (!isObject(stage) && isLast) throw parsingException('unexpected token [END_ARRAY] after [null]')
    return parseStage(stage, queries)
  })
}

function parseStage(stage: JsonValue, queries: QueryContext): RescoreStage {
  const query = isObject(stage) ? stage['query'] : undefined
  if (!isObject(stage)) throw parsingException('missing rescore type')
  const isVersion6 = queries.engineVersion === 'Elasticsearch_6.8'
  for (const [key, value] of Object.entries(stage)) {
    if (value === null || Array.isArray(value))
      throw parsingException(`unexpected token [${tokenName(value)}] after [${key}]`).at(stage, key)
    if (isObject(value) ? key === 'query' : key === 'window_size') continue
    if (!isObject(value)) throw parsingException(`rescore doesn't support [${key}]`).at(stage, key)
    const reason = isVersion6
      ? `unable to parse RescorerBuilder with name [${key}]: parser not found`
      : `unknown field [${key}]`
    throw new ServiceError('named_object_not_found_exception', reason).at(stage, key)
  }
  if (!isObject(query)) throw parsingException('missing rescore type').at(stage, undefined, 'end')
  for (const key of Object.keys(query)) {
    if (QUERY_KEYS.has(key)) continue
    throw unknownField('query', key, isVersion6, QUERY_KEYS, query)
  }
  const mode = String(query['score_mode'] ?? 'total')
  const scoreMode = SCORE_MODES.find((known) => known === mode.toLowerCase())
  if (scoreMode === undefined) {
    const cause = illegalArgument(`illegal score_mode [${mode}]`)
    throw failedField('query', 'score_mode', cause, query)
  }
  const { rescore_query: inner } = query
  if (inner === undefined) throw illegalArgument('rescore_query cannot be null')
  return {
    windowSize: windowSize(stage['window_size']),
    query: inField('query', 'rescore_query', () => parseBeside(inner, queries)),
    queryWeight: weight(query, 'query_weight'),
    rescoreQueryWeight: weight(query, 'rescore_query_weight'),
    scoreMode,
  }
}

function windowSize(value: JsonValue | undefined): number {
  if (value === undefined) return 10
  const number = Math.trunc(Number(value))
  if (value === null || typeof value === 'object' || Number.isNaN(number))
    throw new ServiceError('number_format_exception', `For input string: "${String(value)}"`)
  if (number >= 0) return number
  throw illegalArgument(`[window_size] cannot be negative, found [${number}]`)
}

function weight(query: { readonly [name: string]: JsonValue }, key: string): number {
  const value = query[key]
  if (value === undefined) return 1
  const number = Number(value)
  if (value !== null && typeof value !== 'object' && !Number.isNaN(number)) return number
  throw parseFault(
    value === null || typeof value === 'object'
      ? `[query] ${key} doesn't support values of type: ${tokenName(value)}`
      : `[query] failed to parse field [${key}]`,
  ).at(query, key)
}
