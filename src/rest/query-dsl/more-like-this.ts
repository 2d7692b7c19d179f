import type { Long } from '../../engine/algorithms/long.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
import { javaClass } from '../../engine/mapping/java-text.ts'
import { JsonNumber } from '../../engine/mapping/lossless-json.ts'
import { notNumeric } from '../../engine/mapping/types/number-value.ts'
import type { LikedItem, Query, TermFrequencies } from '../../engine/search/queries/query.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { unplaced } from '../../parse-fault.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readLong } from '../body/read-long.ts'
import { noText } from '../body/token-text.ts'
import { writeJson } from '../json/json-writer.ts'
import { RequestParameters } from '../parameters/request-parameters.ts'
import { parsingException } from '../parsing-exception.ts'
import { fieldVectors, type VectorSource } from '../term-vectors/field-vectors.ts'
import { optionsOfParameters, type TermVectorsOptions } from '../term-vectors/term-vectors-options.ts'
import { optional } from './query-options.ts'
import { type QueryContext, type QueryLookup, QueryReader } from './query-reader.ts'
import { writtenNumbers } from './written-number.ts'

const NO_OPTIONS = optionsOfParameters(new RequestParameters(new Map()), {})

/** `more_like_this`. */
export function moreLikeThis(body: unknown, context: QueryContext): Query {
  const reader = new QueryReader('mlt', body, context.engineVersion)
  const fields = texts(reader, 'fields')
  if (fields?.length === 0) throw parsingException("more_like_this requires 'fields' to be non-empty")
  const like = unplaced(() => likes(reader.raw('like'), context))
  const unlike = unplaced(() => likes(reader.raw('unlike'), context))
  const maxQueryTerms = reader.int('max_query_terms') ?? 25
  const query: Query = {
    kind: 'more_like_this',
    likeTexts: like.texts,
    likeItems: like.items,
    unlikeTexts: unlike.texts,
    unlikeItems: unlike.items,
    maxQueryTerms,
    minTermFreq: reader.int('min_term_freq') ?? 2,
    minDocFreq: reader.int('min_doc_freq') ?? 5,
    maxDocFreq: reader.int('max_doc_freq') ?? 0x7fffffff,
    minWordLength: reader.int('min_word_length') ?? 0,
    maxWordLength: reader.int('max_word_length') ?? 0,
    stopWords: texts(reader, 'stop_words') ?? [],
    minimumShouldMatch: reader.text('minimum_should_match') ?? '30%',
    boostTerms: reader.number('boost_terms') ?? 0,
    include: reader.boolean('include', false),
    failOnUnsupportedField: reader.boolean('fail_on_unsupported_field', true),
    ...optional('fields', fields),
    ...optional('analyzer', reader.text('analyzer')),
    ...reader.base(),
  }
  reader.done()
  if (maxQueryTerms <= 0 && context.engineVersion !== 'Elasticsearch_6.8')
    throw illegalArgument("requires 'maxQueryTerms' to be greater than 0")
  if (like.texts.length === 0 && like.items.length === 0)
    throw parsingException("more_like_this requires 'like' to be specified")
  return query
}

function texts(reader: QueryReader, key: string): string[] | undefined {
  return reader.list(key)?.map((value, i, list) => textAt(list, i, value))
}

function likes(json: unknown, context: QueryContext): { readonly texts: string[]; readonly items: LikedItem[] } {
  const texts: string[] = []
  const items: LikedItem[] = []
  for (const value of json === undefined || json === null ? [] : Array.isArray(json) ? writtenNumbers(json) : [json]) {
    if (value instanceof JsonNumber) texts.push(value.text)
    else if (isObject(value)) items.push(likedItem(value as { readonly [name: string]: JsonValue }, context))
    else if (value !== null && typeof value !== 'object') texts.push(String(value))
    else throw illegalArgument("Content of 'like' parameter should either be a string or an object")
  }
  return { texts, items }
}

/** A document that is named or given. */
interface Item {
  index?: string
  type?: string
  id?: string
  doc?: { readonly [name: string]: JsonValue }
  fields?: readonly string[]
  routing?: string
  version?: Long | undefined
  perFieldAnalyzer?: Readonly<Record<string, string>>
}

function likedItem(json: { readonly [name: string]: JsonValue }, { engineVersion, lookup }: QueryContext): LikedItem {
  const item = readItem(json, engineVersion)
  const terms: LikedItem['terms'] = (searched, fields) => {
    const index = item.index ?? searched
    const source = sourceOf(item, index, lookup)
    const mapping = source === undefined ? undefined : mappingOf(index, lookup)
    if (source === undefined || mapping === undefined) return undefined
    const asked =
      (item.fields?.length === 0 ? undefined : item.fields) ?? (item.doc === undefined ? (fields ?? ['*']) : undefined)
    const options: TermVectorsOptions = {
      ...NO_OPTIONS,
      fields: asked,
      doc: item.doc,
      perFieldAnalyzer: item.perFieldAnalyzer ?? {},
    }
    // 6.x sees no keywords in a document that is in no index.
    const isBlind = item.doc !== undefined && engineVersion === 'Elasticsearch_6.8'
    const vectors = fieldVectors(mapping, source, options).filter(
      ({ field }) => field.kind === 'text' || (!isBlind && field.flat === undefined),
    )
    return new Map(
      vectors.map(({ field, terms: found }) => [
        field.path,
        new Map([...found].map(([term, occurrences]) => [term, occurrences.length])),
      ]),
    ) satisfies TermFrequencies
  }
  return { id: item.id, terms }
}

/** The mapping that a document is read by; undefined where there is no such index: that is no fault of the query either. */
function mappingOf(index: string, lookup: QueryLookup): ReturnType<QueryLookup['mapping']> {
  try {
    return lookup.mapping(index)
  } catch (error) {
    if (error instanceof ServiceError && error.type === 'index_not_found_exception') return undefined
    throw error
  }
}

/** What is liked; undefined where there is no such document: that is no fault of the query. */
function sourceOf(item: Item, index: string, lookup: QueryLookup): VectorSource | undefined {
  try {
    if (item.doc !== undefined) {
      const type = item.type ?? lookup.mapping(index)?.types[0] ?? '_doc'
      return { type, id: '', routing: item.routing, source: item.doc, raw: writeJson(item.doc) }
    }
    const id = item.id as string
    const found = lookup.document({
      index,
      type: item.type,
      id,
      routing: item.routing,
      ...optional('version', item.version),
    })
    if (found?.source === undefined) return undefined
    const raw = found.source.toString('utf8')
    const { type, routing } = found
    return { type, id, routing, source: JSON.parse(raw) as Record<string, unknown>, raw }
  } catch (error) {
    if (error instanceof ServiceError && error.type !== 'routing_missing_exception') return undefined
    throw error
  }
}

/** Names that items have in 6.x alone. */
const ONLY_IN_6 = new Set(['_routing', '_version', '_version_type', '_versionType', 'versionType'])

/** The text at a place. @throws {ServiceError} illegal_state_exception */
function textAt(container: object, at: string | number, value: unknown): string {
  if (value !== null && typeof value !== 'object') return String(value)
  throw noText(value).at(container, at)
}

/** Analyzers by field; what is no object tells of none. @throws {ServiceError} parse_exception */
function analyzersOf(value: JsonValue): Readonly<Record<string, string>> {
  const entries = Object.entries(isObject(value) ? value : {})
  for (const [path, name] of entries) {
    if (typeof name === 'string') continue
    // Members are read in no order here, unlike elsewhere.
    const found = `[class ${isObject(name) ? 'java.util.HashMap' : javaClass(name)}] instead`
    throw new ServiceError('parse_exception', `expecting the analyzer at [${path}] to be a String, but found ${found}`)
  }
  return Object.fromEntries(entries) as Record<string, string>
}

function versionOf(value: JsonValue, engineVersion: EngineVersion): Long | undefined {
  if (value === null || typeof value === 'object') throw notNumeric(value)
  return readLong(value, engineVersion === 'Elasticsearch_6.8')
}

/** @throws {ServiceError} illegal_argument_exception */
function checkVersionType(name: string): void {
  if (!['internal', 'external', 'external_gt', 'external_gte', 'force'].includes(name))
    throw illegalArgument(`No version type match [${name}]`)
}

function readItem(json: { readonly [name: string]: JsonValue }, engineVersion: EngineVersion): Item {
  const item: Item = {}
  for (const [key, value] of Object.entries(json)) {
    if (engineVersion !== 'Elasticsearch_6.8' && ONLY_IN_6.has(key)) throw malformed(`unknown field [${key}]`)
    switch (key) {
      case '_index':
        item.index = textAt(json, key, value)
        break
      case '_type':
        item.type = textAt(json, key, value)
        break
      case '_id':
        item.id = textAt(json, key, value)
        break
      case 'doc':
        item.doc = (isObject(value) ? value : {}) as { readonly [name: string]: JsonValue }
        break
      case 'fields':
        if (!Array.isArray(value)) throw malformed('field [fields] must be an array')
        item.fields = value.map((field, i) => textAt(value, i, field))
        break
      case 'routing':
      case '_routing':
        item.routing = textAt(json, key, value)
        break
      case 'per_field_analyzer':
        item.perFieldAnalyzer = analyzersOf(value)
        break
      case 'version':
      case '_version':
        item.version = versionOf(value, engineVersion)
        break
      case 'version_type':
      case '_version_type':
      case '_versionType':
      case 'versionType':
        checkVersionType(textAt(json, key, value))
        break
      default:
        throw malformed(`unknown field [${key}]`)
    }
  }
  if (item.id !== undefined && item.doc !== undefined)
    throw malformed('either [id] or [doc] can be specified, but not both!')
  if (item.id === undefined && item.doc === undefined) throw malformed('neither [id] nor [doc] is specified!')
  return item
}

const malformed = (what: string): ServiceError =>
  new ServiceError('parse_exception', `failed to parse More Like This item. ${what}`)
