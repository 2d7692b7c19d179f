import type { Long } from '../../engine/algorithms/long.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
import type { PercolateQuery, Query } from '../../engine/search/queries/query.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { notBuilt, parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { type JsonValue, parseJson } from '../body/parse-json.ts'
import { readLong } from '../body/read-long.ts'
import { noText } from '../body/token-text.ts'
import { unknownField } from '../body/unknown-field.ts'
import { type Json, writeJson } from '../json/json-writer.ts'
import { optional } from './query-options.ts'
import { type QueryContext, QueryReader } from './query-reader.ts'

const SCALARS = ['field', 'name', 'document_type', 'index', 'type', 'id', 'routing', 'preference', 'version']

const GIVEN = ['document', 'documents']
/** Tokens that members may be of, where these are other than texts. */
const FITS: Readonly<Record<string, RegExp>> = {
  document: /^START_OBJECT$/,
  documents: /^START_/,
  version: /^VALUE_(?:NUMBER|STRING)$/,
  boost: /^VALUE_(?:NUMBER|STRING)$/,
  document_type: /^VALUE_(?:STRING|NULL)$/,
}

/** `percolate`: stored queries that find a document given here, or one that is indexed. */
export function percolate(
  body: unknown,
  context: QueryContext,
  parse: (json: unknown, context: QueryContext) => Query,
): Query {
  const reader = new QueryReader('percolate', body)
  const isOlder = context.engineVersion === 'Elasticsearch_6.8'
  if (isOlder) for (const [key, value] of Object.entries(body as object)) checkMember(body as object, key, value)
  else checkMembers(body as object, context.engineVersion)
  const text = (key: string): string | undefined => {
    const value = reader.raw(key)
    if (value === null && (key === 'name' || key === 'document_type')) return undefined
    if (value === null) throw reader.at(key, noText(value))
    return value === undefined ? undefined : String(value)
  }
  const field = text('field')
  const given = documentsOf(reader)
  const id = text('id')
  if (given.length === 0 && id === undefined) {
    if (isOlder) throw illegalArgument('[percolate] query, nothing to percolate')
    const missing = ['index is missing', 'id is missing'].map((what, i) => `${i + 1}: ${what};`).join('')
    throw new ServiceError('action_request_validation_exception', `Validation Failed: ${missing}`)
  }
  if (field === undefined) throw illegalArgument('[field] is a required argument')
  const label = text('name')
  const documentType = text('document_type')
  const indexed = {
    index: text('index'),
    type: text('type'),
    routing: text('routing'),
    version: readLong(reader.raw('version') as JsonValue | undefined),
  }
  const documents = given.length > 0 ? given : [indexedDocument({ ...indexed, id: id as string }, context)]
  const query: PercolateQuery = {
    kind: 'percolate',
    field,
    documents,
    readQuery: (json) => readStored(json, context, parse),
    ...optional('label', label),
    ...optional('documentType', documentType),
    ...reader.base(),
  }
  return query
}

function checkMember(body: object, key: string, value: unknown): void {
  const fault = (what: string): ServiceError =>
    new ServiceError('parsing_exception', `[percolate] query does not ${what}`).at(body, key)
  if (Array.isArray(value)) {
    if (key !== 'documents') throw fault(`field name [${key}]`)
    const other = value.find((one) => !isObject(one))
    if (other !== undefined) throw fault(`support [${tokenName(other)}]`)
  } else if (isObject(value)) {
    if (key !== 'document') throw fault(`support field name [${key}]`)
  } else if (!SCALARS.includes(key) && key !== 'boost' && key !== '_name') throw fault(`support [${key}]`)
}

const NAMES = ['field', 'name', 'index', 'id', 'routing', 'preference', 'version', 'boost', '_name', ...GIVEN]
/** What OpenSearch has no more. */
const TYPES = ['document_type', 'type']

/** Members as an object parser reads them, which later versions do. @throws {ServiceError} x_content_parse_exception, illegal_argument_exception */
function checkMembers(body: object, engineVersion: EngineVersion): void {
  const known = engineVersion === 'OpenSearch_2.19' ? NAMES : [...NAMES, ...TYPES]
  for (const [key, value] of Object.entries(body)) {
    if (!known.includes(key)) throw unknownField('percolate', key, false, known, body)
    const token = tokenName(value)
    if (FITS[key]?.test(token) ?? token === 'VALUE_STRING') continue
    throw parseFault(`[percolate] ${key} doesn't support values of type: ${token}`).at(body, key)
  }
  const has = (name: string): boolean => Object.hasOwn(body, name)
  if (![...GIVEN, 'id'].some(has))
    throw illegalArgument('Required one of fields [document, documents, id], but none were specified. ')
  const given = Object.keys(body).filter((name) => name === 'id' || GIVEN.includes(name))
  if (given.length > 1)
    throw illegalArgument(`The following fields are not allowed together: [${given.slice(0, 2).join(', ')}] `)
  if (!has('field')) throw illegalArgument('Required [field]')
  if (has('id') && !has('index')) throw notBuilt('percolate', illegalArgument('[index] is a required argument'))
}

function documentsOf(reader: QueryReader): string[] {
  const one = reader.raw('document')
  const several = reader.raw('documents')
  if (one !== undefined && several !== undefined)
    throw illegalArgument('[percolate] Either specified [document] or [documents], not both')
  const more = isObject(several) ? [several] : several
  const all = [...(one === undefined ? [] : [one]), ...(Array.isArray(more) ? more : [])]
  return all.map((document) => writeJson(document as Json))
}

function indexedDocument(
  name: {
    readonly index: string | undefined
    readonly type: string | undefined
    readonly id: string
    readonly routing: string | undefined
    readonly version: Long | undefined
  },
  { lookup, engineVersion, passOver }: QueryContext,
): string {
  const { index, type, id, routing, version } = name
  if (index === undefined) throw illegalArgument('[index] is a required argument')
  if (type === undefined && engineVersion === 'Elasticsearch_6.8')
    throw illegalArgument('[type] is a required argument')
  if (passOver !== undefined) {
    passOver(index)
    return '{}'
  }
  const found = lookup.document({ index, type, id, routing, ...optional('version', version) })
  // Read for its faults alone: nothing is looked up.
  if (lookup.index === '') return '{}'
  const label = [index, ...(type === undefined ? [] : [type]), id].join('/')
  if (found === undefined) {
    const reason = `indexed document [${label}] couldn't be found`
    throw new ServiceError('resource_not_found_exception', reason, { isLookedUp: true })
  }
  if (found.source === undefined)
    throw illegalArgument(`indexed document [${label}] source disabled`).with({ isLookedUp: true })
  return found.source.toString('utf8')
}

/** Queries that look something up when they are run, in the name of whoever read them; letters written as numbers may be any. */
const LOOKING_LATER = /"(?:more_like_this|mlt|percolate|script|script_score)"|\\u00[2-7]/

/** Reads a stored query; what it looks up is looked up for the one who percolates. */
function readStored(
  json: string,
  context: QueryContext,
  parse: (json: unknown, context: QueryContext) => Query,
): { readonly query: Query; readonly isFixed: boolean } {
  let isFixed = !LOOKING_LATER.test(json)
  const { lookup } = context
  const noticing = <A extends unknown[], R>(look: (...names: A) => R) => {
    return (...names: A): R => {
      isFixed = false
      return look(...names)
    }
  }
  const query = parse(parseJson(json), {
    ...context,
    lookup: {
      document: noticing((name) => lookup.document(name)),
      mapping: noticing((index) => lookup.mapping(index)),
      script: noticing((id) => lookup.script(id)),
      index: lookup.index,
    },
  })
  return { query, isFixed }
}
