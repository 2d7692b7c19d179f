import type { Long } from '../../engine/algorithms/long.ts'
import { notBooleanToken } from '../../engine/mapping/types/number-value.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readLong } from '../body/read-long.ts'
import { noText } from '../body/token-text.ts'
import { versionTypeOf } from '../documents/document-parameters.ts'
import type { RequestParameters } from '../parameters/request-parameters.ts'
import type { EndpointRequest } from '../rest-request.ts'

/** Which terms to show, by their weight in the document (`filter`). */
export interface TermVectorsFilter {
  readonly maxNumTerms: number
  readonly minTermFreq: number
  readonly maxTermFreq: number
  readonly minDocFreq: number
  readonly maxDocFreq: number
  readonly minWordLength: number
  readonly maxWordLength: number
}

/** What a term vectors call asks of one document. */
export interface TermVectorsOptions {
  readonly index: string | undefined
  readonly type: string | undefined
  readonly id: string | undefined
  /** A document that is not in the index. */
  readonly doc: { readonly [name: string]: JsonValue } | undefined
  /** Names and patterns; undefined: fields that keep vectors. */
  readonly fields: readonly string[] | undefined
  readonly positions: boolean
  readonly offsets: boolean
  readonly payloads: boolean
  readonly termStatistics: boolean
  readonly fieldStatistics: boolean
  /** Analyzers by field, instead of the mapping's. */
  readonly perFieldAnalyzer: Readonly<Record<string, string>>
  readonly filter: TermVectorsFilter | undefined
  readonly routing: string | undefined
  readonly realtime: boolean
  readonly version: Long | undefined
}

/** What the path and the query parameters say. @throws {ServiceError} illegal_argument_exception */
export function optionsOfParameters(
  parameters: RequestParameters,
  name: { readonly index?: string | undefined; readonly type?: string | undefined; readonly id?: string | undefined },
): TermVectorsOptions {
  versionTypeOf(parameters.text('version_type'))
  return {
    index: name.index,
    type: name.type,
    id: name.id,
    doc: undefined,
    fields: parameters.list('fields'),
    positions: parameters.boolean('positions', true),
    offsets: parameters.boolean('offsets', true),
    payloads: parameters.boolean('payloads', true),
    termStatistics: parameters.boolean('term_statistics', false),
    fieldStatistics: parameters.boolean('field_statistics', true),
    perFieldAnalyzer: {},
    filter: undefined,
    routing: parameters.text('routing'),
    realtime: parameters.boolean('realtime', true),
    version: parameters.long('version'),
  }
}

/** Names that later versions no longer take, with those that 6.x wants in their place where it warns of them. */
const OLD_NAMES: ReadonlyMap<string, string | undefined> = new Map([
  ['termStatistics', undefined],
  ['fieldStatistics', undefined],
  ['perFieldAnalyzer', undefined],
  ['parent', undefined],
  ['_parent', 'parent'],
  ['_routing', 'routing'],
  ['_version', 'version'],
  ['_version_type', 'version_type'],
  ['_versionType', 'version_type'],
  ['versionType', 'version_type'],
])

/** The same with what a body says. @throws {ServiceError} parse_exception, illegal_state_exception, illegal_argument_exception */
export function optionsOfBody(
  body: { readonly [name: string]: JsonValue },
  defaults: TermVectorsOptions,
  { dialect, warnings }: Pick<EndpointRequest, 'dialect' | 'warnings'>,
): TermVectorsOptions {
  const options: { -readonly [K in keyof TermVectorsOptions]: TermVectorsOptions[K] } = { ...defaults }
  for (const [key, value] of Object.entries(body)) {
    const newer = OLD_NAMES.get(key)
    if (newer !== undefined) warnings.note('older_member', key, newer)
    if (key === '_type') warnings.note('typed_termvectors')
    if ((!dialect.typed && OLD_NAMES.has(key)) || (!dialect.showsType && key === '_type'))
      throw malformed(`unknown field [${key}]`)
    switch (key) {
      case 'fields':
        if (!Array.isArray(value)) throw malformed('field [fields] must be an array')
        options.fields = value.map((_, i) => textAt(value, i))
        break
      case 'offsets':
        options.offsets = readTruth(value)
        break
      case 'positions':
        options.positions = readTruth(value)
        break
      case 'payloads':
        options.payloads = readTruth(value)
        break
      case 'term_statistics':
      case 'termStatistics':
        options.termStatistics = readTruth(value)
        break
      case 'field_statistics':
      case 'fieldStatistics':
        options.fieldStatistics = readTruth(value)
        break
      case 'per_field_analyzer':
      case 'perFieldAnalyzer':
        options.perFieldAnalyzer = analyzersOf(value)
        break
      case 'filter':
        options.filter = filterOf(value)
        break
      case '_index':
        options.index = textAt(body, key)
        break
      case '_type':
        options.type = textAt(body, key)
        break
      case '_id':
        if (options.doc !== undefined) throw eitherOr()
        options.id = textAt(body, key)
        break
      case 'doc':
        if (options.id !== undefined) throw eitherOr()
        if (!isObject(value)) throw malformed('doc must be an object')
        options.doc = value
        break
      case 'routing':
      case '_routing':
        options.routing = textAt(body, key)
        break
      case 'version':
      case '_version':
        options.version = readLong(value)
        break
      case 'version_type':
      case '_version_type':
      case '_versionType':
      case 'versionType':
        versionTypeOf(textAt(body, key))
        break
      // Of an index with parents, which there are none of.
      case 'parent':
      case '_parent':
        textAt(body, key)
        break
      default:
        if (key === 'dfs' && dialect.typed)
          throw illegalArgument('distributed frequencies is not supported anymore for term vectors')
        throw malformed(`unknown field [${key}]`)
    }
  }
  return options
}

const FILTER_KEYS: Readonly<Record<string, keyof TermVectorsFilter>> = {
  max_num_terms: 'maxNumTerms',
  min_term_freq: 'minTermFreq',
  max_term_freq: 'maxTermFreq',
  min_doc_freq: 'minDocFreq',
  max_doc_freq: 'maxDocFreq',
  min_word_length: 'minWordLength',
  max_word_length: 'maxWordLength',
}

function filterOf(value: JsonValue): TermVectorsFilter {
  if (!isObject(value)) throw malformed('filter must be an object')
  const filter: { -readonly [K in keyof TermVectorsFilter]: number } = {
    maxNumTerms: 25,
    minTermFreq: 1,
    maxTermFreq: Number.MAX_SAFE_INTEGER,
    minDocFreq: 1,
    maxDocFreq: Number.MAX_SAFE_INTEGER,
    minWordLength: 0,
    maxWordLength: 0,
  }
  for (const [key, number] of Object.entries(value)) {
    const name = Object.hasOwn(FILTER_KEYS, key) ? FILTER_KEYS[key] : undefined
    if (name === undefined) {
      throw new ServiceError(
        'parse_exception',
        `failed to parse [filter] for term vectors request. unknown field [${key}]`,
      )
    }
    if (!Number.isInteger(Number(number)) || number === null) throw malformed(`[${key}] must be a whole number`)
    filter[name] = Number(number)
  }
  return filter
}

function analyzersOf(value: JsonValue): Readonly<Record<string, string>> {
  if (!isObject(value)) {
    throw new ServiceError('parse_exception', 'expecting a map (field -> analyzer name) but got something else')
  }
  return Object.fromEntries(Object.entries(value).map(([field, name]) => [field, String(name)]))
}

/** The text of a single value of an object or list. @throws {ServiceError} illegal_state_exception */
function textAt(
  container: { readonly [name: string]: JsonValue } | readonly JsonValue[],
  key: string | number,
): string {
  const value = (container as { readonly [name: string]: JsonValue })[key] as JsonValue
  if (value !== null && typeof value !== 'object') return String(value)
  throw noText(value).at(container, key)
}

function readTruth(value: JsonValue): boolean {
  if (typeof value === 'boolean') return value
  if (typeof value === 'string') return parseBoolean(value)
  throw notBooleanToken(value)
}

const eitherOr = (): ServiceError => malformed('either [id] or [doc] can be specified, but not both!')

const malformed = (what: string): ServiceError =>
  new ServiceError('parse_exception', `failed to parse term vectors request. ${what}`)
