import type { Query } from '../../engine/search/queries/query.ts'
import type { RescoreStage } from '../../engine/search/search-request.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readInt } from '../body/read-int.ts'
import { parsingException } from '../parsing-exception.ts'
import { parseMembers } from '../query-dsl/object-parser.ts'
import { parseBeside } from '../query-dsl/parse-query.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'

const SCORE_MODES = ['total', 'multiply', 'avg', 'max', 'min'] as const

const QUERY_MEMBERS = {
  query_weight: 'float',
  rescore_query_weight: 'float',
  score_mode: { kind: 'text', read: scoreModeOf },
} as const

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
  const inner: { readonly kind: 'object'; read(json: JsonValue): Query } = {
    kind: 'object',
    read: (json) => parseBeside(json, queries),
  }
  const read = parseMembers('query', query, { ...QUERY_MEMBERS, rescore_query: inner }, [], isVersion6) as Partial<{
    rescore_query: Query
    query_weight: number
    rescore_query_weight: number
    score_mode: RescoreStage['scoreMode']
  }>
  if (read.rescore_query === undefined) throw illegalArgument('rescore_query cannot be null')
  return {
    windowSize: windowSize(stage['window_size'], isVersion6),
    query: read.rescore_query,
    queryWeight: read.query_weight ?? 1,
    rescoreQueryWeight: read.rescore_query_weight ?? 1,
    scoreMode: read.score_mode ?? 'total',
  }
}

function scoreModeOf(mode: string): RescoreStage['scoreMode'] {
  const known = SCORE_MODES.find((one) => one === mode.toLowerCase())
  if (known === undefined) throw illegalArgument(`illegal score_mode [${mode}]`)
  return known
}

function windowSize(value: JsonValue | undefined, isVersion6: boolean): number {
  if (value === undefined) return 10
  const number = readInt(value, isVersion6)
  if (number >= 0) return number
  throw illegalArgument(`[window_size] cannot be negative, found [${number}]`)
}
