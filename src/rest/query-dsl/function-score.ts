import { distanceMeters } from '../../engine/mapping/geo/distance-units.ts'
import type {
  FieldValueModifier,
  FunctionScoreQuery,
  Query,
  ScoreFunction,
  ScoreFunctionClause,
} from '../../engine/search/queries/query.ts'
import { ServiceError, type ServiceErrorDetail } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { placed } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { noText } from '../body/token-text.ts'
import { parsingException } from '../parsing-exception.ts'
import { type QueryContext, QueryReader } from './query-reader.ts'
import { parseRandomScore } from './random-score.ts'
import { FunctionReader, scoreScript } from './script-queries.ts'

const NAME = 'function_score'
const FUNCTIONS = ['field_value_factor', 'random_score', 'script_score', 'gauss', 'exp', 'linear'] as const
const SCORE_MODES = ['multiply', 'sum', 'avg', 'first', 'max', 'min'] as const
const BOOST_MODES = ['multiply', 'replace', 'sum', 'avg', 'max', 'min'] as const
const MODIFIERS = ['none', 'log', 'log1p', 'log2p', 'ln', 'ln1p', 'ln2p', 'square', 'sqrt', 'reciprocal'] as const

/** Reads `function_score`. @throws {ServiceError} parsing_exception */
export function parseFunctionScore(body: unknown, context: QueryContext, parseInner: (json: unknown) => Query): Query {
  const reader = new QueryReader(NAME, body, context.engineVersion)
  onlyFunctions(body as object, 'query', context)
  const inner = reader.object('query')
  const innerQuery: Query = inner === undefined ? { kind: 'match_all' } : parseInner(inner)
  const listed = reader.list('functions')
  const single = onlyFunction(reader, context)
  const weight = weightOf(reader, context)
  if (single !== undefined && weight !== undefined) {
    const [before, after] = inOrder(body as object, single[0], 'weight')
    throw failed(
      `already found function [${before}], now encountering [${after}]. use [functions] array if you want to define several functions.`,
    ).at(body as object, after)
  }
  const first = single !== undefined ? single[0] : weight !== undefined ? 'weight' : undefined
  if (listed !== undefined && first !== undefined) {
    throw failed(
      `[you can either define [functions] array or a single function, not both. already found [${first}], now encountering [functions].]`,
      { place: null },
    )
  }
  const functions: ScoreFunctionClause[] =
    listed !== undefined
      ? listed.map((entry, i) => placed(listed, i, () => functionClause(entry, context, parseInner)))
      : single !== undefined || weight !== undefined
        ? [{ ...(single === undefined ? {} : { function: single[1] }), ...(weight === undefined ? {} : { weight }) }]
        : []
  const maxBoost = reader.number('max_boost')
  const minScore = reader.number('min_score')
  const query: FunctionScoreQuery = {
    kind: 'function_score',
    query: innerQuery,
    functions,
    scoreMode: oneOf(reader, 'score_mode', SCORE_MODES, 'multiply', 'FunctionScoreQuery.ScoreMode'),
    boostMode: oneOf(reader, 'boost_mode', BOOST_MODES, 'multiply', 'CombineFunction'),
    ...(maxBoost === undefined ? {} : { maxBoost }),
    ...(minScore === undefined ? {} : { minScore }),
    ...reader.base(),
  }
  reader.done()
  return query
}

/** Refuses objects that are neither a query nor a function by their names. @throws {ServiceError} parsing_exception */
function onlyFunctions(body: object, queryKey: string, { engineVersion }: QueryContext): void {
  if (engineVersion === 'Elasticsearch_6.8') return
  const names: readonly string[] = [queryKey, ...FUNCTIONS]
  const other = Object.entries(body).find(([key, value]) => isObject(value) && !names.includes(key))?.[0]
  if (other === undefined) return
  // It is told as a query of the name of this one, whatever the function's.
  const reason = `unknown query [${NAME}] did you mean any of [random_score, script_score]?`
  const cause = new ServiceError('named_object_not_found_exception', `unknown field [${other}]`).at(body, other)
  const rootCause = parsingException(reason).at(body, other)
  throw new ServiceError('parsing_exception', reason, { cause, rootCause })
}

type Members = { readonly [name: string]: unknown }

/** Two members of an object in the order in which they stand there. */
function inOrder(body: object, one: string, other: string): readonly [string, string] {
  const keys = Object.keys(body)
  return keys.indexOf(one) < keys.indexOf(other) ? [one, other] : [other, one]
}

function functionClause(
  entry: unknown,
  context: QueryContext,
  parseInner: (json: unknown) => Query,
): ScoreFunctionClause {
  if (!isObject(entry))
    // The arguments of the real servers' message are in this order.
    throw parsingException(
      `failed to parse [START_OBJECT]. malformed query, expected a [${tokenName(entry)}] while parsing functions but got a [${NAME}] instead`,
    )
  const reader = new QueryReader(`${NAME} functions`, entry, context.engineVersion)
  onlyFunctions(entry, 'filter', context)
  const filter = reader.object('filter')
  const filterQuery = filter && parseInner(filter)
  const weight = weightOf(reader, context)
  const found = onlyFunction(reader, context)
  reader.done()
  if (found === undefined && weight === undefined)
    throw failed('an entry in functions list is missing a function.').at(entry, undefined, 'end')
  return {
    ...(filterQuery === undefined ? {} : { filter: filterQuery }),
    ...(weight === undefined ? {} : { weight }),
    ...(found === undefined ? {} : { function: found[1] }),
  }
}

/** What a function's score is multiplied by; 6.x only warns of one below nothing. @throws {ServiceError} illegal_argument_exception */
function weightOf(reader: QueryReader, { engineVersion }: QueryContext): number | undefined {
  const weight = reader.number('weight')
  if (weight !== undefined && engineVersion !== 'Elasticsearch_6.8' && (weight < 0 || Object.is(weight, -0)))
    throw illegalArgument('[weight] cannot be negative for a filtering function')
  return weight
}

/** The one function of an object that may hold one. */
function onlyFunction(reader: QueryReader, context: QueryContext): readonly [string, ScoreFunction] | undefined {
  let found: readonly [string, ScoreFunction] | undefined
  for (const name of FUNCTIONS) {
    const body = reader.object(name)
    if (body === undefined) continue
    if (found !== undefined) {
      throw failed(
        `already found function [${found[0]}], now encountering [${name}]. use [functions] array if you want to define several functions.`,
        { place: null },
      )
    }
    found = [name, reader.placed(name, () => scoreFunction(name, body, context))]
  }
  return found
}

function scoreFunction(name: (typeof FUNCTIONS)[number], body: Members, context: QueryContext): ScoreFunction {
  switch (name) {
    case 'field_value_factor': {
      const reader = new FunctionReader(name, body)
      if (typeof body['factor'] === 'object' && body['factor'] !== null) {
        const reason = "[field_value_factor] field 'factor' does not support lists or objects"
        throw reader.at('factor', parsingException(reason))
      }
      const field = reader.text('field')
      if (field === undefined)
        throw parsingException("[field_value_factor] required field 'field' missing").at(
          body as object,
          undefined,
          'end',
        )
      const missing = reader.number('missing')
      const modifier = oneOf(
        reader,
        'modifier',
        MODIFIERS,
        'none',
        'FieldValueFactorFunction.Modifier',
      ) as FieldValueModifier
      const factor = reader.number('factor') ?? 1
      reader.done()
      return { kind: 'field_value_factor', field, factor, modifier, ...(missing === undefined ? {} : { missing }) }
    }
    case 'random_score':
      return parseRandomScore(body)
    case 'script_score':
      return { kind: 'script', script: scoreScript(body, context) }
    case 'gauss':
    case 'exp':
    case 'linear':
      return decay(name, body)
  }
}

const DECAY_MEMBERS: readonly string[] = ['origin', 'scale', 'offset', 'decay']

function decay(shape: 'gauss' | 'exp' | 'linear', body: Members): ScoreFunction {
  const malformed = (): ServiceError => parsingException('malformed score function score parameters.')
  let mode: string | undefined
  let field: string | undefined
  for (const [key, value] of Object.entries(body)) {
    if (isObject(value)) field = key
    else if (key !== 'multi_value_mode') throw malformed().at(body, key)
    else if (value === null || typeof value === 'object') throw noText(value).at(body, key)
    else mode = String(value)
  }
  if (field === undefined) throw malformed().at(body, undefined, 'end')
  const reader = new QueryReader(shape, body[field])
  const value = (key: string): string | number | undefined => {
    const found = reader.raw(key)
    if (found === undefined || found === null) return undefined
    if (typeof found === 'object') throw illegalState(key)
    return typeof found === 'number' ? found : String(found)
  }
  const origin = reader.raw('origin') ?? undefined
  const scale = value('scale')
  const offset = value('offset') ?? 0
  const share = reader.number('decay') ?? 0.5
  const unknown = Object.keys(body[field] as object).find((key) => !DECAY_MEMBERS.includes(key))
  const multiValueMode = (mode ?? 'min').toLowerCase()
  if (!['min', 'max', 'avg', 'sum'].includes(multiValueMode)) {
    throw new ServiceError('illegal_argument_exception', `Illegal sort mode: ${mode}`, { place: null })
  }
  return {
    kind: 'decay',
    shape,
    field,
    offset,
    decay: share,
    meters: { scale: metersOf(scale), offset: metersOf(offset) },
    ...(scale === undefined ? {} : { scale }),
    multiValueMode: multiValueMode as 'min',
    ...(origin === undefined ? {} : { origin }),
    ...(unknown === undefined ? {} : { unknown }),
  }
}

/** A distance in meters; not a number where it is none. */
function metersOf(value: string | number | undefined): number {
  if (typeof value === 'number') return value
  if (value === undefined) return Number.NaN
  try {
    return distanceMeters(value, 1)
  } catch {
    return Number.NaN
  }
}

const illegalState = (key: string): ServiceError =>
  new ServiceError('illegal_state_exception', `Can't get text on the value of [${key}]`)

function oneOf<T extends string>(
  reader: QueryReader,
  key: string,
  names: readonly T[],
  fallback: T,
  javaName: string,
): T {
  const text = reader.text(key)
  if (text === undefined) return fallback
  const name = text.toLowerCase() as T
  if (names.includes(name)) return name
  const owner = `org.elasticsearch.common.lucene.search.function.${javaName}`
  throw reader.at(key, illegalArgument(`No enum constant ${owner}.${text.toUpperCase()}`))
}

const failed = (what: string, detail: ServiceErrorDetail = {}): ServiceError =>
  new ServiceError('parsing_exception', `failed to parse [${NAME}] query. ${what}`, detail)
