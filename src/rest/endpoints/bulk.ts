import type { DocumentOperation, WriteResult } from '../../engine/index/document-operation.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { shardOf } from '../../engine/metadata/shard-routing.ts'
import { ServiceError } from '../../errors.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { renderCause } from '../error-response.ts'
import { type Json, RawJson, writeJson } from '../json/json-writer.ts'
import { type JsonValue, parseJson } from '../parse-json.ts'
import { type EndpointRequest, isObject, tokenName } from '../rest-request.ts'
import { documentComplaints, refreshPolicy, validationFailed, versionTypeOf } from './document-parameters.ts'
import { renderWrite, writeStatus } from './document-response.ts'
import { checkSingleType, withIndex } from './index-document.ts'
import { storedType, writeIndex } from './index-names.ts'
import { renderSource, type SourceFilter, sourceFilterOf, sourceOption } from './source-filter.ts'
import { updateOperation } from './update-document.ts'

type Action = 'index' | 'create' | 'update' | 'delete'

/** One item: what it asks for, or why it cannot be asked. */
interface Item {
  readonly action: Action
  readonly index: string
  readonly type: string
  readonly id: string | undefined
  readonly operation: DocumentOperation | undefined
  readonly error: ServiceError | undefined
  readonly source: SourceFilter | undefined
}

/** Items read and written at a time: what a body needs in memory beside itself is bounded by them. */
const SLICE = 5_000

/** Bytes from which a body is read in slices. */
const LARGE_BODY = 16 * 1024 * 1024

/** `POST|PUT /_bulk`, `/<index>/_bulk`, `/<index>/<type>/_bulk`. */
export const bulk: EndpointHandler = async (request, context) => {
  const started = performance.now()
  const refresh = refreshPolicy(request.parameters)
  // A large body is read twice rather than held as objects beside its bytes.
  const read = () => readItems(request, context)
  const items = request.body.length > LARGE_BODY ? { [Symbol.iterator]: read } : [...read()]
  const { names, count } = survey(items)
  if (count === 0) throw validationFailed(['no requests added'])
  if (names.size > 1 || !names.has(request.path['index'] ?? '')) request.authorize([...names], '_bulk')
  // Answers of many items are kept as texts, slice by slice, which take a fifth of the objects' room.
  const asText = count > SLICE && !request.parameters.has('filter_path')
  const rendered: Json[] = []
  const texts: string[] = []
  const written = new Set<string>()
  let errors = false
  for (const slice of slices(items)) {
    const answers = await writeSlice(request, context, slice, refresh === true, written)
    errors ||= answers.some(({ failed }) => failed)
    if (asText) texts.push(flat(answers.map(({ json }) => writeJson(json)).join(',')))
    else for (const { json } of answers) rendered.push(json)
  }
  if (refresh !== false) for (const name of written) await context.engine.write(name, [], refresh)
  return {
    status: 200,
    json: {
      took: Math.round(performance.now() - started),
      errors,
      items: asText ? new RawJson(`[${texts.join(',')}]`) : rendered,
    },
  }
}

/** The same text in one piece: one that was put together keeps all its parts, four times its size. */
function flat(text: string): string {
  return Buffer.from(text).toString('utf8')
}

/**
 * Reads a whole body once: nothing of it is written when a line is malformed, or names an index the caller may not
 * write to.
 */
function survey(items: Iterable<Item>): { readonly names: Set<string>; readonly count: number } {
  const names = new Set<string>()
  let count = 0
  for (const { index } of items) {
    names.add(index)
    count++
  }
  return { names, count }
}

function* slices(items: Iterable<Item>): Iterable<Item[]> {
  let slice: Item[] = []
  for (const item of items) {
    slice.push(item)
    if (slice.length < SLICE) continue
    yield slice
    slice = []
  }
  if (slice.length > 0) yield slice
}

interface RenderedItem {
  readonly json: Json
  readonly failed: boolean
}

/** Writes items index by index, and answers them in their order. */
async function writeSlice(
  request: EndpointRequest,
  context: RestContext,
  items: readonly Item[],
  refreshed: boolean,
  written: Set<string>,
): Promise<RenderedItem[]> {
  const rendered = new Array<RenderedItem>(items.length)
  for (const [index, positions] of groupByIndex(items)) {
    const group = positions.map((p) => items[p] as Item)
    const results = await writeGroup(request, context, index, group)
    for (const [i, position] of positions.entries()) {
      const result = results[i] as ItemResult
      if (result.metadata !== undefined) written.add(result.metadata.name)
      rendered[position] = renderItem(request, group[i] as Item, result, refreshed)
    }
  }
  return rendered
}

type ItemResult = { readonly metadata: IndexMetadata | undefined; readonly result: WriteResult | ServiceError }

/** Items go to their index in the order they came; indices are written one after the other. */
function groupByIndex(items: readonly Item[]): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const [i, { index }] of items.entries()) {
    const group = groups.get(index)
    if (group === undefined) groups.set(index, [i])
    else group.push(i)
  }
  return groups
}

async function writeGroup(
  request: EndpointRequest,
  context: RestContext,
  index: string,
  items: readonly Item[],
): Promise<ItemResult[]> {
  let metadata: IndexMetadata
  try {
    const create = items.some(
      (i) => i.operation !== undefined && (i.action !== 'delete' || i.operation.versionType !== 'internal'),
    )
    metadata = await writeIndex(request, context, index, { create })
  } catch (error) {
    if (!(error instanceof ServiceError) || error.reason.startsWith('no write index is defined')) throw error
    return items.map((item) => ({ metadata: undefined, result: item.error ?? error }))
  }
  const operations: DocumentOperation[] = []
  const results: (ServiceError | undefined)[] = items.map((item) => {
    if (item.error !== undefined || item.operation === undefined) return item.error
    const type = storedType(metadata, context, item.type)
    try {
      checkSingleType(metadata, type, context)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      return error
    }
    operations.push(type === item.type ? item.operation : { ...item.operation, type })
    return undefined
  })
  const written = await context.engine.write(metadata.name, operations, false)
  let next = 0
  return results.map((error) => ({ metadata, result: error ?? (written[next++] as WriteResult) }))
}

function renderItem(
  request: EndpointRequest,
  item: Item,
  { metadata, result }: ItemResult,
  refreshed: boolean,
): RenderedItem {
  const { dialect } = request
  if (!(result instanceof ServiceError) && result.ok && metadata !== undefined) {
    const get =
      item.action === 'update' && item.source?.enabled && result.source !== undefined
        ? { get: { found: true, _source: renderSource(result.source, item.source) } }
        : {}
    return {
      json: {
        [item.action]: {
          ...renderWrite(metadata, { ...result, type: item.type }, dialect, refreshed),
          status: writeStatus(result),
          ...get,
        },
      },
      failed: false,
    }
  }
  const error =
    result instanceof ServiceError
      ? result
      : result.ok
        ? new ServiceError('exception', 'the index is gone')
        : result.error
  const id = result instanceof ServiceError ? item.id : result.id
  const routing = item.operation?.routing ?? id ?? ''
  const shown =
    metadata === undefined ? error : withIndex(error, metadata, shardOf(metadata, dialect.engineVersion, routing))
  return {
    json: {
      [item.action]: {
        _index: metadata?.name ?? item.index,
        ...(dialect.showsType ? { _type: item.type } : {}),
        _id: id ?? null,
        status: error.status,
        error: renderCause(shown),
      },
    },
    failed: true,
  }
}

const META_KEYS = new Set([
  '_index',
  '_type',
  '_id',
  '_routing',
  'routing',
  '_version',
  'version',
  '_version_type',
  'version_type',
  'if_seq_no',
  'if_primary_term',
  'op_type',
  'retry_on_conflict',
  '_retry_on_conflict',
  '_source',
  'pipeline',
  'parent',
  '_parent',
  'require_alias',
  'dynamic_templates',
  'list_executed_pipelines',
])

/** Takes the body apart line by line; sources stay slices of it. */
function* readItems(request: EndpointRequest, context: RestContext): Generator<Item, void> {
  const { body } = request
  if (body.length === 0) throw new ServiceError('parse_exception', 'request body is required')
  if (body[body.length - 1] !== 0x0a)
    throw new ServiceError('illegal_argument_exception', 'The bulk request must be terminated by a newline [\\n]')
  const defaults = {
    index: request.path['index'],
    type: request.path['type'],
    source: sourceFilterOf(request.parameters),
    routing: request.parameters.text('routing'),
    pipeline: request.parameters.text('pipeline'),
  }
  let at = 0
  let line = 0
  const next = (): Buffer | undefined => {
    const end = body.indexOf(0x0a, at)
    if (end < 0) return undefined
    const slice = body.subarray(at, end > at && body[end - 1] === 0x0d ? end - 1 : end)
    at = end + 1
    line++
    return slice
  }
  for (let action = next(); action !== undefined; action = next()) {
    if (action.length === 0) continue
    const { name, meta } = readAction(action, line)
    const source = name === 'delete' ? undefined : next()
    if (name !== 'delete' && source === undefined) break
    yield readItem(name, meta, source, defaults, context)
  }
}

function readAction(action: Buffer, line: number): { name: Action; meta: { readonly [name: string]: JsonValue } } {
  const json = parseJson(action)
  if (!isObject(json)) {
    throw new ServiceError(
      'illegal_argument_exception',
      `Malformed action/metadata line [${line}], expected START_OBJECT but found [${tokenName(json)}]`,
    )
  }
  // Whatever stands behind the first action is passed over, as the real server does.
  const [entry] = Object.entries(json)
  if (entry === undefined)
    throw new ServiceError(
      'illegal_argument_exception',
      `Malformed action/metadata line [${line}], expected FIELD_NAME but found [END_OBJECT]`,
    )
  const [name, meta] = entry
  if (name !== 'index' && name !== 'create' && name !== 'update' && name !== 'delete') {
    throw new ServiceError(
      'illegal_argument_exception',
      `Malformed action/metadata line [${line}], expected field [create], [delete], [index] or [update] but found [${name}]`,
    )
  }
  if (!isObject(meta))
    throw new ServiceError(
      'illegal_argument_exception',
      `Malformed action/metadata line [${line}], expected START_OBJECT or END_OBJECT but found [${tokenName(meta)}]`,
    )
  for (const [key, value] of Object.entries(meta)) {
    if (!META_KEYS.has(key))
      throw new ServiceError(
        'illegal_argument_exception',
        `Action/metadata line [${line}] contains an unknown parameter [${key}]`,
      )
    if (typeof value === 'object' && value !== null && key !== '_source' && key !== 'dynamic_templates') {
      throw new ServiceError(
        'illegal_argument_exception',
        `Malformed action/metadata line [${line}], expected a simple value for field [${key}] but found [${tokenName(value)}]`,
      )
    }
  }
  return { name, meta }
}

function readItem(
  name: Action,
  meta: { readonly [name: string]: JsonValue },
  source: Buffer | undefined,
  defaults: {
    readonly index: string | undefined
    readonly type: string | undefined
    readonly source: SourceFilter | undefined
    readonly routing: string | undefined
    readonly pipeline: string | undefined
  },
  context: RestContext,
): Item {
  const text = (key: string): string | undefined => {
    const value = meta[key] ?? meta[`_${key}`]
    return value === undefined || value === null ? undefined : String(value)
  }
  const number = (key: string): number | undefined => {
    const value = text(key)
    return value === undefined ? undefined : Number(value)
  }
  const ownIndex = text('index')
  const index = ownIndex ?? defaults.index
  if (ownIndex !== undefined && !context.allowExplicitIndex) {
    throw new ServiceError('illegal_argument_exception', 'explicit index in bulk is not allowed')
  }
  if (index === undefined) throw validationFailed(['index is missing'])
  // Typeless clients are taken at their word on a typed domain too, which the real server refuses.
  const type = text('type') ?? defaults.type ?? '_doc'
  const id = text('id')
  const action: Action = name === 'index' && text('op_type') === 'create' ? 'create' : name
  const item = { action, index, type, id, source: sourceOption(meta['_source']) ?? defaults.source }
  try {
    const versionType = versionTypeOf(text('version_type'))
    const version = number('version')
    const ifSeqNo = number('if_seq_no')
    const ifPrimaryTerm = number('if_primary_term')
    const checks = {
      versionType,
      ...(version === undefined ? {} : { version }),
      ...(ifSeqNo === undefined ? {} : { ifSeqNo }),
      ...(ifPrimaryTerm === undefined ? {} : { ifPrimaryTerm }),
    }
    const complaints = documentComplaints(id, {
      ...checks,
      ...(action === 'create' ? { opType: 'create' as const } : {}),
    })
    if (action !== 'index' && action !== 'create' && id === undefined) complaints.unshift('id is missing')
    if (complaints.length > 0) throw validationFailed(complaints)
    if (type.startsWith('_') && type !== '_doc') {
      throw new ServiceError(
        'invalid_type_name_exception',
        `Document mapping type name can't start with '_', found: [${type}]`,
      )
    }
    if (id === '') throw new ServiceError('illegal_argument_exception', 'if _id is specified it must not be empty')
    const pipeline = text('pipeline') ?? defaults.pipeline
    if (pipeline !== undefined && pipeline !== '_none' && action !== 'delete') {
      throw new ServiceError('illegal_argument_exception', `pipeline with id [${pipeline}] does not exist`)
    }
    if (text('parent') !== undefined) {
      throw new ServiceError('illegal_argument_exception', 'parents are not supported by this domain')
    }
    const routing = text('routing') ?? defaults.routing
    const common = { type, ...checks, ...(routing === undefined ? {} : { routing }) }
    const operation = operationOf(action, common, id, source)
    const filter =
      action === 'update' && source !== undefined ? (sourceOption(bodySource(source)) ?? item.source) : item.source
    return { ...item, source: filter, operation, error: undefined }
  } catch (error) {
    // A mistake of the whole request's form is the request's; what concerns one document alone is that item's.
    if (!(error instanceof ServiceError) || error.type === 'action_request_validation_exception') throw error
    return { ...item, operation: undefined, error }
  }
}

function operationOf(
  action: Action,
  common: Pick<DocumentOperation, 'type' | 'versionType' | 'version' | 'ifSeqNo' | 'ifPrimaryTerm' | 'routing'>,
  id: string | undefined,
  source: Buffer | undefined,
): DocumentOperation {
  if (action === 'delete') return { kind: 'delete', ...common, id: id as string }
  if (action === 'update') {
    const body = parseJson(source as Buffer)
    if (!isObject(body)) throw new ServiceError('parse_exception', 'an update must be an object')
    if (!('doc' in body) && !('script' in body)) throw validationFailed(['script or doc is missing'])
    return { ...updateOperation(common.type, id as string, body), ...common }
  }
  return { kind: action, ...common, ...(id === undefined ? {} : { id }), source: source as Buffer }
}

function bodySource(source: Buffer): JsonValue | undefined {
  if (!source.includes('"_source"')) return undefined
  const body = parseJson(source)
  return isObject(body) ? body['_source'] : undefined
}
