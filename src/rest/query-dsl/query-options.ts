import type { EngineVersion } from '../../engine/engine-version.ts'
import { doubleOfText } from '../../engine/mapping/types/number-value.ts'
import type { Query, QueryValue } from '../../engine/search/queries/query.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { noText } from '../body/token-text.ts'
import { parsingException } from '../parsing-exception.ts'
import { loopOf } from './member-loops.ts'
import { oneField, type QueryContext, QueryReader } from './query-reader.ts'
import { writtenNumber } from './written-number.ts'

/** A list as it is; anything else as a list of one. */
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/**
 * The objects of a list of queries. What is none is passed over where an object follows on it.
 *
 * @param isAtList  whether the parser stands at the list's beginning still, which is no object either
 * @throws {ServiceError} parsing_exception
 */
export function queriesIn(list: readonly unknown[], isAtList: boolean): { readonly [name: string]: unknown }[] {
  const fault = (): ServiceError => parsingException('[_na] query malformed, must start with start_object')
  const objects: { readonly [name: string]: unknown }[] = []
  for (let i = isAtList && !isObject(list[0]) ? -1 : 0; i < list.length; i++) {
    const item = list[i]
    if (Array.isArray(item)) throw item.length === 0 ? fault().at(item, undefined, 'end') : fault().at(item, 0)
    const query = isObject(item) ? item : list[++i]
    if (isObject(query)) objects.push(query)
    else if (i > 0) throw fault().at(list, i - 1, 'next')
    else throw list.length === 0 ? fault().at(list, undefined, 'end') : fault().at(list, 0)
  }
  return objects
}

const NO_TEXT = () => parsingException('No text specified for text query')

/** What a query says of a field that it is told nothing of. */
function noValue(name: string): ServiceError {
  if (name === 'match') return NO_TEXT()
  const what = name.startsWith('match') ? `[${name}] requires query value` : 'value cannot be null'
  return illegalArgument(name === 'fuzzy' ? `query ${what}` : what)
}

/** A query of one field whose value is bare or an object with options. */
export function fieldQuery(
  name: string,
  body: unknown,
  { engineVersion }: Pick<QueryContext, 'engineVersion'>,
  valueKeys: readonly string[],
  make: (field: string, value: QueryValue, options: QueryReader) => Query,
): Query {
  if (name.startsWith('match') && isObject(body) && Object.keys(body).length === 0) {
    throw name === 'match' ? NO_TEXT() : illegalArgument(`[${name}] requires fieldName`)
  }
  const { query, isTold } = oneField(name, body, (field, value) => {
    const reader = new QueryReader(name, isObject(value) ? value : {}, engineVersion)
    const found = isObject(value)
      ? memberValue(reader, value, valueKeys, engineVersion)
      : (writtenNumber(body as object, field, value) as QueryValue | null)
    const read = make(field, found ?? '', reader)
    reader.done()
    return { query: read, isTold: found !== null }
  })
  if (!isTold) throw noValue(name)
  return query
}

/** Queries that take the token of whatever stands at a value as its text. */
const TOKEN_VALUES: ReadonlySet<string> = new Set(['term', 'span_term'])

/** The value among members; of several that say it the last one counts. */
function memberValue(
  reader: QueryReader,
  members: object,
  keys: readonly string[],
  engineVersion: EngineVersion,
): QueryValue | null {
  let found: QueryValue | null = null
  for (const [key, value] of Object.entries(members)) {
    if (!keys.includes(key)) continue
    if (TOKEN_VALUES.has(reader.name)) found = tokenValue(reader, members, key, engineVersion)
    else if (value === null && loopOf(reader.name).nulls === 'read') {
      reader.raw(key)
      found = null
    } else {
      reader.text(key)
      found = writtenNumber(members, key, value) as QueryValue
    }
  }
  return found
}

/**
 * A value, or the text of the token that is read last in its place. The end of an object is taken for that of the query; from 7.x on
 * what is left of the body then is one too many.
 */
export function tokenValue(
  reader: QueryReader,
  members: object,
  key: string,
  engineVersion: EngineVersion,
): QueryValue | null {
  const value = reader.raw(key)
  if (value === null || typeof value !== 'object') return writtenNumber(members, key, value) as QueryValue | null
  const object = [value].flat(Number.POSITIVE_INFINITY).find((item) => isObject(item))
  if (object === undefined) return ']'
  const [inner] = Object.keys(object)
  if (inner !== undefined) throw reader.unsupported(inner, object)
  if (engineVersion === 'Elasticsearch_6.8') return '{'
  throw parsingException('Unexpected token [END_OBJECT] found after the main object.')
}

/** `and` or `or`, in any case. @throws {ServiceError} illegal_argument_exception */
export function operator(reader: QueryReader, key = 'operator'): 'and' | 'or' {
  const text = reader.text(key)?.toLowerCase() ?? 'or'
  if (text !== 'and' && text !== 'or')
    throw reader.at(
      key,
      illegalArgument(`No enum constant ${reader.packageName}.index.query.Operator.${text.toUpperCase()}`),
    )
  return text
}

/** `fuzziness`: a number, `AUTO` or `AUTO:low,high`. @throws {ServiceError} parse_exception for bounds that are none */
export function fuzzinessOption(reader: QueryReader, engineVersion: EngineVersion): string | undefined {
  const text = reader.text('fuzziness')
  if (text === undefined) return undefined
  reader.placed('fuzziness', () => {
    if (typeof reader.raw('fuzziness') === 'boolean')
      throw illegalArgument("Can't parse fuzziness on token: [VALUE_BOOLEAN]")
    if (/^auto:/i.test(text)) checkFuzzinessBounds(text)
    else if (engineVersion === 'OpenSearch_2.19' && !isEdits(text))
      throw illegalArgument(`Invalid fuzziness value: ${text}`)
    else if (text === '') throw illegalArgument("fuzziness can't be null!")
  })
  return text
}

/** Whether OpenSearch takes a text for a fuzziness. */
function isEdits(text: string): boolean {
  if (/^auto$/i.test(text)) return true
  try {
    const edits = doubleOfText(text)
    return edits >= 0 && Number.isFinite(Math.fround(edits))
  } catch {
    return false
  }
}

/** @throws {ServiceError} parse_exception, illegal_argument_exception */
function checkFuzzinessBounds(text: string): void {
  const bounds = text.slice('auto:'.length).split(',')
  if (bounds.length !== 2) throw new ServiceError('parse_exception', 'failed to find low and high distance values')
  const wrong = bounds.find((bound) => !/^[-+]?\d+$/.test(bound))
  if (wrong === undefined) {
    const [low, high] = bounds.map(Number) as [number, number]
    if (low >= 0 && high >= 0 && low <= high) return
    throw illegalArgument(
      'fuzziness wrongly configured, must be: lowDistance > 0, highDistance > 0 and lowDistance <= highDistance ',
    )
  }
  throw new ServiceError('parse_exception', `failed to parse [${text}] as a "auto:int,int"`, {
    cause: new ServiceError('number_format_exception', `For input string: "${wrong}"`),
  })
}

/** A number as a 32-bit float. @throws {ServiceError} number_format_exception */
export function javaFloat(reader: QueryReader, key: string): number | undefined {
  const number = reader.number(key)
  return number === undefined ? undefined : Math.fround(number)
}

/** `zero_terms_query`. @throws {ServiceError} parsing_exception */
export function zeroTerms(reader: QueryReader, { engineVersion }: Pick<QueryContext, 'engineVersion'>): 'none' | 'all' {
  const text = reader.text('zero_terms_query')?.toLowerCase() ?? 'none'
  const name = engineVersion === 'Elasticsearch_6.8' ? 'zero_terms_docs' : 'zero_terms_query'
  if (text !== 'none' && text !== 'all')
    throw reader.at('zero_terms_query', parsingException(`Unsupported ${name} value [${text}]`))
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
  for (const [i, field] of fields.entries()) {
    if (field === null || typeof field === 'object') throw noText(field).at(fields, i)
  }
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
