import { JsonNumber } from '../../engine/mapping/lossless-json.ts'
import type { LikedItem, Query, TermFrequencies } from '../../engine/search/query.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { unplaced } from '../../parse-fault.ts'
import { writeJson } from '../json/json-writer.ts'
import type { JsonValue } from '../parse-json.ts'
import { RequestParameters } from '../request-parameters.ts'
import { fieldVectors, type VectorSource } from '../term-vectors/field-vectors.ts'
import { optionsOfParameters, type TermVectorsOptions } from '../term-vectors/term-vectors-options.ts'
import { optional } from './query-options.ts'
import { type QueryContext, type QueryLookup, QueryReader } from './query-reader.ts'
import { writtenNumbers } from './written-number.ts'

const NO_OPTIONS = optionsOfParameters(new RequestParameters(new Map()), {})

/** `more_like_this`. */
export function moreLikeThis(body: unknown, context: QueryContext): Query {
  const reader = new QueryReader('mlt', body)
  const fields = texts(reader, 'fields')
  if (fields?.length === 0)
    throw new ServiceError('parsing_exception', "more_like_this requires 'fields' to be non-empty")
  const like = unplaced(() => likes(reader.raw('like'), context))
  const unlike = unplaced(() => likes(reader.raw('unlike'), context))
  const maxQueryTerms = reader.number('max_query_terms') ?? 25
  const query: Query = {
    kind: 'more_like_this',
    likeTexts: like.texts,
    likeItems: like.items,
    unlikeTexts: unlike.texts,
    unlikeItems: unlike.items,
    maxQueryTerms,
    minTermFreq: reader.number('min_term_freq') ?? 2,
    minDocFreq: reader.number('min_doc_freq') ?? 5,
    maxDocFreq: reader.number('max_doc_freq') ?? 0x7fffffff,
    minWordLength: reader.number('min_word_length') ?? 0,
    maxWordLength: reader.number('max_word_length') ?? 0,
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
    throw new ServiceError('illegal_argument_exception', "requires 'maxQueryTerms' to be greater than 0")
  if (like.texts.length === 0 && like.items.length === 0)
    throw new ServiceError('parsing_exception', "more_like_this requires 'like' to be specified")
  return query
}

function texts(reader: QueryReader, key: string): string[] | undefined {
  const value = reader.raw(key)
  if (value === undefined) return undefined
  if (!Array.isArray(value)) throw reader.unsupported(key)
  return value.map(String)
}

function likes(json: unknown, context: QueryContext): { readonly texts: string[]; readonly items: LikedItem[] } {
  const texts: string[] = []
  const items: LikedItem[] = []
  for (const value of json === undefined ? [] : Array.isArray(json) ? writtenNumbers(json) : [json]) {
    if (value instanceof JsonNumber) texts.push(value.text)
    else if (isObject(value)) items.push(likedItem(value as { readonly [name: string]: JsonValue }, context))
    else if (value !== null && typeof value !== 'object') texts.push(String(value))
    else
      throw new ServiceError(
        'illegal_argument_exception',
        "Content of 'like' parameter should either be a string or an object",
      )
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
  perFieldAnalyzer?: Readonly<Record<string, string>>
}

function likedItem(json: { readonly [name: string]: JsonValue }, { engineVersion, lookup }: QueryContext): LikedItem {
  const item = readItem(json)
  const terms: LikedItem['terms'] = (searched, fields) => {
    const index = item.index ?? searched
    const source = sourceOf(item, index, lookup)
    const mapping = source === undefined ? undefined : lookup.mapping(index)
    if (source === undefined || mapping === undefined) return undefined
    const asked = item.fields ?? (item.doc === undefined ? (fields ?? ['*']) : undefined)
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

/** What is liked; undefined where there is no such document: that is no fault of the query. */
function sourceOf(item: Item, index: string, lookup: QueryLookup): VectorSource | undefined {
  try {
    if (item.doc !== undefined) {
      const type = item.type ?? lookup.mapping(index)?.types[0] ?? '_doc'
      return { type, id: '', routing: item.routing, source: item.doc, raw: writeJson(item.doc) }
    }
    const id = item.id as string
    const found = lookup.document({ index, type: item.type, id, routing: item.routing })
    if (found?.source === undefined) return undefined
    const raw = found.source.toString('utf8')
    const { type, routing } = found
    return { type, id, routing, source: JSON.parse(raw) as Record<string, unknown>, raw }
  } catch (error) {
    if (error instanceof ServiceError && error.type !== 'routing_missing_exception') return undefined
    throw error
  }
}

function readItem(json: { readonly [name: string]: JsonValue }): Item {
  const item: Item = {}
  for (const [key, value] of Object.entries(json)) {
    switch (key) {
      case '_index':
        item.index = String(value)
        break
      case '_type':
        item.type = String(value)
        break
      case '_id':
        item.id = String(value)
        break
      case 'doc':
        if (!isObject(value)) throw malformed('doc must be an object')
        item.doc = value as { readonly [name: string]: JsonValue }
        break
      case 'fields':
        if (!Array.isArray(value)) throw malformed('could not parse More Like This item. [fields] must be an array')
        item.fields = value.map(String)
        break
      case 'routing':
      case '_routing':
        item.routing = String(value)
        break
      case 'per_field_analyzer':
        if (!isObject(value)) throw malformed('[per_field_analyzer] must be an object')
        item.perFieldAnalyzer = Object.fromEntries(Object.entries(value).map(([path, name]) => [path, String(name)]))
        break
      case 'version':
      case '_version':
      case 'version_type':
      case '_version_type':
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
