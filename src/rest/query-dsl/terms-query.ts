import { JsonNumber } from '../../engine/mapping/lossless-json.ts'
import type { Query, QueryValue } from '../../engine/search/queries/query.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { placed } from '../../parse-fault.ts'
import { parseJson } from '../body/parse-json.ts'
import { parsingException } from '../parsing-exception.ts'
import { listedTerms } from './listed-terms.ts'
import { parseMembers } from './object-parser.ts'
import {
  checkFieldName,
  type DocumentName,
  type LookedUpDocument,
  type QueryContext,
  QueryReader,
} from './query-reader.ts'
import { writtenNumber, writtenNumbers } from './written-number.ts'

/** `terms`: values in the query, or those of a field of some document. */
export function terms(body: unknown, context: QueryContext): Query {
  const reader = new QueryReader('terms', body)
  const takesBitmaps = context.engineVersion === 'OpenSearch_2.19'
  const field = termsField(reader, body as object, takesBitmaps)
  const base = reader.base()
  const isBitmap = takesBitmaps && isBitmapType(reader.text('value_type'))
  const values = reader.raw(field)
  if (isObject(values)) {
    checkFieldName('terms', field)
    const found = placed(values, undefined, () => lookedUp(values, context), 'end')
    // What a source has is taken for terms, whatever they are said to be.
    const isOfBits = isBitmap && values['store'] === true && found.length > 0
    return { kind: 'terms', field, values: found, isLookedUp: true, ...(isOfBits ? bitmapOf(found) : {}), ...base }
  }
  if (!Array.isArray(values)) throw reader.unsupported(field)
  const listed = isBitmap ? [] : listedTerms(values, field)
  checkFieldName('terms', field)
  if (isBitmap) return { kind: 'terms', field, values: [], ...bitmapOf(values), ...base }
  return { kind: 'terms', field, values: listed, ...base }
}

/** The member that is a list or an object. @throws {ServiceError} for none, for several and for values that are no options */
function termsField(reader: QueryReader, body: object, takesBitmaps: boolean): string {
  let field: string | undefined
  for (const [key, value] of Object.entries(body)) {
    if (value === null || typeof value !== 'object') {
      if (key === 'boost' || key === '_name' || (takesBitmaps && key === 'value_type')) continue
      throw reader.unsupported(key)
    }
    if (field !== undefined) {
      const what = Array.isArray(value)
        ? 'multiple fields'
        : `more than one field. Already got: [${field}] but also found [${key}]`
      throw parsingException(`[terms] query does not support ${what}`).at(body, key)
    }
    field = key
  }
  if (field !== undefined) return field
  throw parsingException(
    '[terms] query requires a field name, followed by array of terms or a document lookup specification',
  )
}

/** @throws {ServiceError} illegal_argument_exception */
function isBitmapType(type: string | undefined): boolean {
  const name = (type ?? 'default').toLowerCase()
  if (name === 'default' || name === 'bitmap') return name === 'bitmap'
  throw illegalArgument(`${type} is not valid value_type`)
}

/** @throws {ServiceError} illegal_argument_exception */
function bitmapOf(values: readonly unknown[]): { readonly bitmap: Uint8Array } {
  const [text] = values
  if (values.length !== 1 || typeof text !== 'string') {
    throw illegalArgument(
      'Invalid value for bitmap type: Expected a single-element array with a base64 encoded serialized bitmap.',
    )
  }
  const odd = /[^A-Za-z0-9+/=]/.exec(text)?.[0]
  if (odd !== undefined) {
    const code = odd.charCodeAt(0).toString(16)
    throw illegalArgument(`Illegal base64 character ${code}`)
  }
  return { bitmap: Buffer.from(text, 'base64') }
}

/** A term of a list. @throws {ServiceError} parsing_exception */
export function termOf(value: unknown, field: string, query = 'terms'): QueryValue {
  if (value === null) throw parsingException('No value specified for terms query')
  if (Array.isArray(value)) throw parsingException(`[${query}] unknown token [END_ARRAY] after [${field}]`)
  if (isObject(value)) throw parsingException(`[${query}] query does not support [${Object.keys(value)[0]}]`)
  return value as QueryValue
}

/** Values at a path of a document that may be in another index. */
export function lookedUp(json: { readonly [name: string]: unknown }, context: QueryContext): QueryValue[] {
  const { path, isStored, ...name } =
    context.engineVersion === 'Elasticsearch_6.8'
      ? readTypedLookup(json)
      : readLookup(json, context.engineVersion === 'OpenSearch_2.19')
  if (context.passOver !== undefined) {
    context.passOver(name.index)
    return []
  }
  const found = context.lookup.document(name)
  if (isStored) return storedValues(found, path)
  if (found?.source === undefined) return []
  const values: unknown[] = []
  addRawValues(values, parseJson(found.source), path.split('.'))
  return values.filter(isScalar)
}

/** Values of a field that is stored. Where there are none the real server has a null pointer. @throws {ServiceError} illegal_argument_exception */
function storedValues(found: LookedUpDocument | undefined, path: string): QueryValue[] {
  const values = found?.stored(path)
  if (values !== undefined) return values.filter(isScalar)
  throw illegalArgument(`[terms] lookup finds no values stored of field [${path}]`)
}

/** Adds the values at a path as the real servers look for them: what is no object ends it, however much of it is left. */
function addRawValues(values: unknown[], json: unknown, path: readonly string[]): void {
  if (Array.isArray(json)) for (const value of writtenNumbers(json)) addRawValues(values, value, path)
  else if (!isObject(json) || json instanceof JsonNumber) values.push(json)
  else {
    let next = 1
    while (next < path.length && (json[path.slice(0, next).join('.')] ?? null) === null) next++
    const name = path.slice(0, next).join('.')
    const value = writtenNumber(json, name, json[name] ?? null)
    if (value !== null && path.length > 0) addRawValues(values, value, path.slice(next))
  }
}

function isScalar(value: unknown): value is QueryValue {
  return value instanceof JsonNumber || (value !== null && value !== undefined && typeof value !== 'object')
}

/** Where terms are looked up. */
interface TermsLookup extends DocumentName {
  readonly path: string
  /** Whether it is the values that are stored, not those of the source. */
  readonly isStored: boolean
}

/** The lookup as 6.x reads it. */
function readTypedLookup(json: { readonly [name: string]: unknown }): TermsLookup {
  const read: Record<string, string> = {}
  for (const [key, value] of Object.entries(json)) {
    if (value !== null && typeof value === 'object') {
      const token = Array.isArray(value) ? 'START_ARRAY' : 'START_OBJECT'
      throw parsingException(`[terms] unknown token [${token}] after [${key}]`).at(json, key)
    }
    if (!['index', 'type', 'id', 'path', 'routing'].includes(key))
      throw parsingException(`[terms] query does not support [${key}] within lookup element`).at(json, key)
    if (value !== null) read[key] = String(value)
  }
  const { id, type, path, index, routing } = read
  const missing = id === undefined ? 'id' : type === undefined ? 'type' : path === undefined ? 'path' : 'index'
  if (id === undefined || path === undefined || index === undefined || missing === 'type')
    throw illegalArgument(`[terms] query lookup element requires specifying the ${missing}.`)
  return { index, type, id, path, routing, isStored: false }
}

/** The lookup as later versions read it. */
function readLookup(json: { readonly [name: string]: unknown }, isOpenSearch: boolean): TermsLookup {
  const members = { index: 'text', id: 'text', path: 'text', routing: 'text' } as const
  const further = isOpenSearch ? ({ store: 'boolean', query: 'object' } as const) : ({ type: 'text' } as const)
  const read = parseMembers('terms_lookup', json, { ...members, ...further }, ['index', 'id', 'path'])
  if (read['query'] !== undefined) throw parsingException('[query] of a [terms] lookup is not supported by this domain')
  const { index, id, path, routing } = read as { index: string; id: string; path: string; routing: string | undefined }
  return { index, type: undefined, id, path, routing, isStored: read['store'] === true }
}
