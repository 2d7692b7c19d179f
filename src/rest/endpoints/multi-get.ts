import type { Long } from '../../engine/long.ts'
import { notBooleanToken } from '../../engine/mapping/number-value.ts'
import { resolveIndexRouting } from '../../engine/metadata/alias-routing.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { tokenName } from '../../token-name.ts'
import { inTurns } from '../breather.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { saysNothing, validationFailed, versionTypeOf } from '../documents/document-parameters.ts'
import { renderGet } from '../documents/document-response.ts'
import { type SourceFilter, sourceFilterOf, sourceOption } from '../documents/source-filter.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { renderFailure } from '../error-response.ts'
import { readIndex } from '../indices/index-names.ts'
import type { Json } from '../json/json-writer.ts'
import { leaveLargeSource } from '../leave-large.ts'
import { listInTurns } from '../list-in-turns.ts'
import { type JsonValue, parseFirstJson } from '../parse-json.ts'
import { readLong } from '../read-long.ts'
import { type EndpointRequest, requiredBody } from '../rest-request.ts'
import { checkReadVersion, readDocument } from './get-document.ts'

/** One document asked for. */
interface Item {
  readonly index: string | undefined
  readonly type: string | undefined
  readonly id: string | undefined
  readonly routing: string | undefined
  /** The only one that is wanted. */
  readonly version: Long | undefined
  readonly source: SourceFilter | undefined
  readonly storedFields: readonly string[] | undefined
}

const ITEM_FIELDS = new Set([
  '_index',
  '_id',
  'routing',
  'fields',
  'stored_fields',
  'version',
  'version_type',
  '_source',
])

/** What 6.8 still reads and its successors refuse. */
const DEPRECATED_ITEM_FIELDS = new Set(['_routing', 'parent', '_parent', '_version', '_version_type', '_versionType'])

/** `GET|POST /_mget` and its paths. */
export const multiGet: EndpointHandler = async (request, context) => {
  const { parameters } = request
  const realtime = parameters.boolean('realtime', true)
  const refresh = parameters.boolean('refresh', false)
  const body = mgetBody(request)
  const complaints: string[] = []
  const named = new Set<string>()
  let count = 0
  // They are read twice rather than kept.
  await inTurns(readItems(request, body, context), ({ index, id }) => {
    if (index === undefined) complaints.push(`index is missing for doc ${count}`)
    else named.add(index)
    if (id === undefined) complaints.push(`id is missing for doc ${count}`)
    count++
  })
  if (count === 0) throw validationFailed(['no documents to get'])
  if (complaints.length > 0) throw validationFailed(complaints)
  request.authorize([...named], '_mget')
  if (refresh) {
    for (const name of named) if (context.engine.indices.has(name)) await context.engine.refresh(name)
  }
  const docs = await listInTurns(readItems(request, body, context), parameters, (item) =>
    getOne(item, request, context, realtime),
  )
  return { status: 200, json: { docs } }
}

function mgetBody(request: EndpointRequest): { readonly [name: string]: JsonValue } {
  const begins = request.body.length === 0 || request.body[0] === 0x7b
  const body = begins ? undefined : parseFirstJson(request.body, request.dialect.typed)
  if (body === undefined || isObject(body)) return requiredBody(request)
  throw new ServiceError('parsing_exception', `unexpected token [${tokenName(body)}], expected [START_OBJECT]`)
}

function getOne(item: Item, request: EndpointRequest, context: RestContext, realtime: boolean): Json {
  const { dialect } = request
  const index = item.index as string
  const id = item.id as string
  let name = index
  try {
    const metadata = readIndex(request, context, index, '_mget')
    const routing = resolveIndexRouting(index, item.routing, metadata)
    const document = readDocument(context, metadata, item.type, id, { realtime, routing })
    // From here on it is the shard that complains, which knows no other name.
    name = metadata.name
    if (document !== undefined && item.version !== undefined)
      checkReadVersion(document, item.version, request, metadata)
    const mapping = context.engine.mapping(metadata.name)
    const found = document === undefined ? undefined : { document, mapping }
    if (isFiltered(item.source)) leaveLargeSource(request, document?.source)
    // Where no type is named 6.x names none either, 7.x the one that typeless words stand for.
    const type = item.type ?? (!dialect.typed && mapping.types.includes('_doc') ? '_doc' : undefined)
    return renderGet({ index: metadata.name, type, id }, found, dialect, item)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return {
      _index: name,
      ...(dialect.showsType ? { _type: item.type ?? null } : {}),
      _id: id,
      error: renderFailure(error),
    }
  }
}

const isFiltered = (filter: SourceFilter | undefined): boolean =>
  filter !== undefined && filter.includes.length + filter.excludes.length > 0

function* readItems(
  request: EndpointRequest,
  body: { readonly [name: string]: JsonValue },
  context: RestContext,
): Generator<Item, void> {
  const { index, type } = request.path
  const defaults = {
    index,
    type,
    routing: request.parameters.text('routing'),
    version: undefined,
    source: sourceFilterOf(request.parameters),
    storedFields: request.parameters.list('stored_fields'),
  }
  for (const [name, value] of Object.entries(body)) {
    if (name === 'docs' && Array.isArray(value)) {
      for (const entry of value) {
        const item = readItem(entry, defaults, request)
        if (!context.allowExplicitIndex && isObject(entry) && entry['_index'] !== undefined) {
          throw new ServiceError('illegal_argument_exception', 'explicit index in multi get is not allowed')
        }
        yield item
      }
    } else if (name === 'ids' && Array.isArray(value)) {
      for (const entry of value) {
        if (entry === null || typeof entry === 'object')
          throw new ServiceError('illegal_argument_exception', 'ids array element should only contain ids')
        yield { id: String(entry), ...defaults }
      }
    } else {
      throw new ServiceError(
        'parsing_exception',
        Array.isArray(value)
          ? `Unknown key for a START_ARRAY in [${name}], expected [docs, ids]`
          : `unexpected token [${tokenName(value)}], expected [FIELD_NAME] or [START_ARRAY]`,
      )
    }
  }
}

function readItem(
  entry: JsonValue,
  defaults: Omit<Item, 'id'>,
  { dialect, warnings }: Pick<EndpointRequest, 'dialect' | 'warnings'>,
): Item {
  if (!isObject(entry))
    throw new ServiceError('illegal_argument_exception', 'docs array element should include an object')
  for (const name of Object.keys(entry)) {
    // As the real parser passes over it, whatever the member is called.
    if (entry[name] === null) continue
    if (name === '_type') warnings.note('typed_mget')
    const isKnown = name === '_type' ? dialect.showsType : ITEM_FIELDS.has(name)
    if (isKnown) continue
    if (!dialect.typed || !DEPRECATED_ITEM_FIELDS.has(name))
      throw new ServiceError('parse_exception', `failed to parse multi get request. unknown field [${name}]`)
    warnings.note('older_member', name, name.replace(/^_/, ''))
  }
  const text = (name: string): string | undefined =>
    entry[name] === undefined || entry[name] === null ? undefined : String(entry[name])
  const stored = entry['stored_fields']
  if (entry['fields'] !== undefined) {
    throw new ServiceError('parsing_exception', 'Unsupported field [fields] used, expected [stored_fields] instead')
  }
  versionTypeOf(text('version_type') ?? text('_version_type') ?? text('_versionType'))
  const version = readLong(entry['version'] ?? entry['_version'])
  return {
    index: text('_index') ?? defaults.index,
    type: text('_type') ?? defaults.type,
    id: text('_id'),
    routing: text('routing') ?? text('_routing') ?? defaults.routing,
    version: saysNothing(version) ? undefined : version,
    source: itemSource(entry['_source'], dialect) ?? defaults.source,
    storedFields:
      stored === undefined || stored === null
        ? defaults.storedFields
        : Array.isArray(stored)
          ? stored.map(String)
          : [String(stored)],
  }
}

/** `_source` of an item, which says otherwise than a search's that it is no number. @throws {ServiceError} parse_exception, json_parse_exception */
function itemSource(value: JsonValue | undefined, { typed }: Dialect): SourceFilter | undefined {
  if (typeof value !== 'number' && typeof value !== 'bigint') return sourceOption(value ?? undefined)
  if (!typed) throw new ServiceError('parse_exception', 'illegal type for _source: [VALUE_NUMBER]')
  throw notBooleanToken(value)
}
