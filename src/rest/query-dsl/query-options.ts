import type { EngineVersion } from '../../engine/engine-version.ts'
import type { Query, QueryValue } from '../../engine/search/query.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { tokenName } from '../../token-name.ts'
import { QueryReader, singleField } from './query-reader.ts'
import { writtenNumber } from './written-number.ts'

/** A list as it is; anything else as a list of one. */
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** A value that has to be one. @throws {ServiceError} parsing_exception */
export function scalar(name: string, value: unknown): QueryValue {
  if (value === null || value === undefined)
    throw new ServiceError('illegal_argument_exception', 'value cannot be null')
  if (typeof value === 'object') {
    const [member = '', inner] = Object.entries(value)[0] ?? []
    const isPlain = !Array.isArray(value) && (inner === null || typeof inner !== 'object')
    throw new ServiceError(
      'parsing_exception',
      `[${name}] query does not support [${Array.isArray(value) ? 'array' : Object.keys(value)[0]}]`,
      isPlain ? {} : { place: null },
    ).at(value, member)
  }
  return value as QueryValue
}

const NO_TEXT = () => new ServiceError('parsing_exception', 'No text specified for text query')

/** A query of one field whose value is bare or an object with options. */
export function fieldQuery(
  name: string,
  body: unknown,
  valueKeys: readonly string[],
  make: (field: string, value: QueryValue, options: QueryReader) => Query,
): Query {
  const isText = name.startsWith('match')
  if (isText && isObject(body) && Object.keys(body).length === 0) {
    throw name === 'match' ? NO_TEXT() : new ServiceError('illegal_argument_exception', `[${name}] requires fieldName`)
  }
  const [field, value] = singleField(name, body)
  if (isText && (value === null || (isObject(value) && Object.keys(value).length === 0))) {
    throw name === 'match'
      ? NO_TEXT()
      : new ServiceError('illegal_argument_exception', `[${name}] requires query value`)
  }
  if (!isObject(value)) {
    if (Array.isArray(value))
      throw new ServiceError('parsing_exception', `[${name}] query does not support array of values`).at(
        body as object,
        field,
      )
    return make(field, written(body as object, field, scalar(name, value)), new QueryReader(name, {}))
  }
  const reader = new QueryReader(name, value)
  const key = valueKeys.find((k) => reader.has(k))
  if (key === undefined) {
    const unknown = Object.keys(value)[0]
    if (unknown !== undefined && !['boost', '_name'].includes(unknown)) throw unknownMember(reader, unknown)
    throw new ServiceError('illegal_argument_exception', 'value cannot be null')
  }
  const given = reader.raw(key)
  if (name === 'fuzzy' && typeof given === 'object' && given !== null) throw unknownMember(reader, key)
  if (isText && (given === null || typeof given === 'object'))
    throw reader.at(
      key,
      new ServiceError('parsing_exception', `[${name}] unknown token [${tokenName(given)}] after [${key}]`),
    )
  const found = written(value, key, scalar(name, given))
  const query = make(field, found, reader)
  const unread = reader.unread()
  if (unread !== undefined) throw unknownMember(reader, unread)
  return query
}

const written = writtenNumber as (container: object, key: string, value: QueryValue) => QueryValue

/** What is said of a member that a query does not know: some look first at whether it is a value. */
function unknownMember(reader: QueryReader, key: string): ServiceError {
  const { name } = reader
  const value = reader.raw(key)
  const isValue = value !== null && typeof value !== 'object'
  if (isValue || (name !== 'fuzzy' && !name.startsWith('match'))) return reader.unsupported(key)
  const what = name === 'fuzzy' ? 'unexpected' : 'unknown'
  return reader.at(
    key,
    new ServiceError('parsing_exception', `[${name}] ${what} token [${tokenName(value)}] after [${key}]`),
  )
}

/** `and` or `or`, in any case. @throws {ServiceError} illegal_argument_exception */
export function operator(reader: QueryReader, key = 'operator'): 'and' | 'or' {
  const text = reader.text(key)?.toLowerCase() ?? 'or'
  if (text !== 'and' && text !== 'or')
    throw reader.at(
      key,
      new ServiceError(
        'illegal_argument_exception',
        `No enum constant org.elasticsearch.index.query.Operator.${text.toUpperCase()}`,
      ),
    )
  return text
}

/** `fuzziness`: a number, `AUTO` or `AUTO:low,high`. @throws {ServiceError} parse_exception for bounds that are none */
export function fuzzinessOption(reader: QueryReader): string | undefined {
  const text = reader.text('fuzziness')
  if (text !== undefined && /^auto:/i.test(text)) reader.placed('fuzziness', () => checkFuzzinessBounds(text))
  return text
}

/** @throws {ServiceError} parse_exception, illegal_argument_exception */
function checkFuzzinessBounds(text: string): void {
  const bounds = text.slice('auto:'.length).split(',')
  if (bounds.length !== 2) throw new ServiceError('parse_exception', 'failed to find low and high distance values')
  const wrong = bounds.find((bound) => !/^[-+]?\d+$/.test(bound))
  if (wrong === undefined) {
    const [low, high] = bounds.map(Number) as [number, number]
    if (low >= 0 && high >= 0 && low <= high) return
    throw new ServiceError(
      'illegal_argument_exception',
      'fuzziness wrongly configured, must be: lowDistance > 0, highDistance > 0 and lowDistance <= highDistance ',
    )
  }
  throw new ServiceError('parse_exception', `failed to parse [${text}] as a "auto:int,int"`, {
    cause: new ServiceError('number_format_exception', `For input string: "${wrong}"`),
  })
}

/** A number as a 32-bit float. @throws {ServiceError} number_format_exception */
export function javaFloat(reader: QueryReader, key: string): number | undefined {
  const text = reader.text(key)
  if (text === undefined) return undefined
  const number = Math.fround(Number(text))
  if (text.trim() === '' || Number.isNaN(number))
    throw reader.at(
      key,
      new ServiceError('number_format_exception', text === '' ? 'empty String' : `For input string: "${text}"`),
    )
  return number
}

/** `zero_terms_query`. @throws {ServiceError} parsing_exception */
export function zeroTerms(reader: QueryReader): 'none' | 'all' {
  const text = reader.text('zero_terms_query')?.toLowerCase() ?? 'none'
  if (text !== 'none' && text !== 'all')
    throw reader.at(
      'zero_terms_query',
      new ServiceError('parsing_exception', `Unsupported zero_terms_query value [${text}]`),
    )
  return text
}

/** A member where there is a value, none where there is not. */
export function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V }
}

/** `lenient`. Unless told, servers after 6.x overlook what a field cannot take where `*` is among the fields. */
export function lenientOption(
  reader: QueryReader,
  fields: readonly (readonly [pattern: string, boost: number])[],
  engineVersion: EngineVersion,
): boolean | undefined {
  if (reader.has('lenient')) return reader.boolean('lenient', false)
  return engineVersion !== 'Elasticsearch_6.8' && fields.some(([pattern]) => pattern === '*') ? true : undefined
}

/**
 * `["title^2", "text"]` as names with boosts.
 *
 * @param keepsBoosts  a name without a boost does not take back the one it was given before
 */
export function boostedFields(value: unknown, keepsBoosts = false): (readonly [string, number])[] {
  if (value === undefined) return []
  const fields = list(value)
  return (keepsBoosts ? fields.filter((field, i) => !fields.slice(0, i).some(isBoosted(field))) : fields).map(
    (field) => {
      const [name, boost] = String(field).split('^') as [string, string | undefined]
      const number = boost === undefined ? 1 : Number(boost)
      if (Number.isNaN(number))
        throw new ServiceError('number_format_exception', `For input string: "${boost}"`, {
          place: keepsBoosts && Array.isArray(value) ? { container: value, key: undefined, token: 'end' } : null,
        })
      return [name, number] as const
    },
  )
}

/** Whether a field of a list is the same name with a boost. */
function isBoosted(name: unknown): (field: unknown) => boolean {
  return (field) => String(field).startsWith(`${String(name)}^`)
}
