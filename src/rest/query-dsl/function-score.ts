import { distanceMeters } from '../../engine/mapping/distance-units.ts'
import type {
  FieldValueModifier,
  FunctionScoreQuery,
  Query,
  ScoreFunction,
  ScoreFunctionClause,
} from '../../engine/search/query.ts'
import { ServiceError, type ServiceErrorDetail } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { placed } from '../../parse-fault.ts'
import { type QueryContext, QueryReader, singleField } from './query-reader.ts'
import { parseRandomScore } from './random-score.ts'
import { scoreScript } from './script-queries.ts'

const NAME = 'function_score'
const FUNCTIONS = ['field_value_factor', 'random_score', 'script_score', 'gauss', 'exp', 'linear'] as const
const SCORE_MODES = ['multiply', 'sum', 'avg', 'first', 'max', 'min'] as const
const BOOST_MODES = ['multiply', 'replace', 'sum', 'avg', 'max', 'min'] as const
const MODIFIERS = ['none', 'log', 'log1p', 'log2p', 'ln', 'ln1p', 'ln2p', 'square', 'sqrt', 'reciprocal'] as const

/** Reads `function_score`. @throws {ServiceError} parsing_exception */
export function parseFunctionScore(body: unknown, context: QueryContext, parseInner: (json: unknown) => Query): Query {
  const reader = new QueryReader(NAME, body)
  const inner = reader.raw('query')
  const listed = reader.raw('functions')
  const single = onlyFunction(reader, context)
  const weight = reader.number('weight')
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
  if (listed !== undefined && !Array.isArray(listed))
    throw reader.at('functions', failed('[functions] must be an array'))
  const functions: ScoreFunctionClause[] = Array.isArray(listed)
    ? listed.map((entry, i) => placed(listed, i, () => functionClause(entry, context, parseInner)))
    : single !== undefined || weight !== undefined
      ? [{ ...(single === undefined ? {} : { function: single[1] }), ...(weight === undefined ? {} : { weight }) }]
      : []
  const maxBoost = reader.number('max_boost')
  const minScore = reader.number('min_score')
  const query: FunctionScoreQuery = {
    kind: 'function_score',
    query: inner === undefined ? { kind: 'match_all' } : parseInner(inner),
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
    throw failed(`malformed query, expected a START_OBJECT while parsing functions but got a [${typeof entry}] instead`)
  const reader = new QueryReader(NAME, entry)
  const filter = reader.raw('filter')
  const weight = reader.number('weight')
  const found = onlyFunction(reader, context)
  reader.done()
  if (found === undefined && weight === undefined)
    throw failed('an entry in functions list is missing a function.').at(entry, undefined, 'end')
  return {
    ...(filter === undefined ? {} : { filter: parseInner(filter) }),
    ...(weight === undefined ? {} : { weight }),
    ...(found === undefined ? {} : { function: found[1] }),
  }
}

/** The one function of an object that may hold one. */
function onlyFunction(reader: QueryReader, context: QueryContext): readonly [string, ScoreFunction] | undefined {
  let found: readonly [string, ScoreFunction] | undefined
  for (const name of FUNCTIONS) {
    const body = reader.raw(name)
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

function scoreFunction(name: (typeof FUNCTIONS)[number], body: unknown, context: QueryContext): ScoreFunction {
  switch (name) {
    case 'field_value_factor': {
      const reader = new QueryReader(name, body)
      const field = reader.text('field')
      if (field === undefined)
        throw new ServiceError('parsing_exception', "[field_value_factor] required field 'field' missing").at(
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
      if (!isObject(body)) throw failed(`${Array.isArray(body) ? 'array' : 'field'} [random_score] is not supported`)
      return parseRandomScore(body)
    case 'script_score':
      return { kind: 'script', script: scoreScript(body, context) }
    case 'gauss':
    case 'exp':
    case 'linear':
      return decay(name, body)
  }
}

function decay(shape: 'gauss' | 'exp' | 'linear', body: unknown): ScoreFunction {
  if (!isObject(body)) throw failed(`malformed query, expected a START_OBJECT after [${shape}]`)
  const { multi_value_mode: mode, ...fields } = body as { readonly [name: string]: unknown }
  const [field, options] = singleField(shape, fields)
  const reader = new QueryReader(shape, options)
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
  reader.done()
  const multiValueMode = String(mode ?? 'min').toLowerCase()
  if (!['min', 'max', 'avg', 'sum'].includes(multiValueMode)) {
    throw new ServiceError('illegal_argument_exception', `Illegal sort mode: ${String(mode)}`, { place: null })
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
  throw reader.at(
    key,
    new ServiceError('illegal_argument_exception', `No enum constant ${owner}.${text.toUpperCase()}`),
  )
}

const failed = (what: string, detail: ServiceErrorDetail = {}): ServiceError =>
  new ServiceError('parsing_exception', `failed to parse [${NAME}] query. ${what}`, detail)
