import type { DocumentOperation, UpdateOperation } from '../../engine/index/document-operation.ts'
import { readForUpdate, writeUpdated } from '../../engine/index/update-source.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { type JsonValue, parseFirstJson } from '../body/parse-json.ts'
import { readFlag } from '../body/read-flag.ts'
import { readInteger, readLong } from '../body/read-long.ts'
import type { Warnings } from '../deprecation/warnings.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { fieldsOf, flag, updateOperation } from '../endpoints/update-document.ts'
import { checkAlias } from '../indices/index-names.ts'
import { type Ingested, ingestFully, type Refusal } from '../ingest/ingest-service.ts'
import { anyPipelines, isIngested, writePipelines } from '../ingest/write-pipelines.ts'
import type { Rights } from '../judge-stored.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { scriptsFor } from '../search/stored-script.ts'
import { checkUpdateBody } from './check-update-body.ts'
import {
  bodyCondition,
  checkComplaints,
  checkTypeOfDocument,
  documentComplaints,
  saysNothing,
  updateComplaints,
  versionTypeOf,
  type WriteChecks,
} from './document-parameters.ts'
import { OLDER_NAMES } from './older-names.ts'
import { type PlainAction, type PlainActionDefaults, PlainActions } from './plain-bulk-action.ts'
import { readUpdateSix } from './read-update-six.ts'
import { routingOfWrite } from './routing-of-write.ts'
import { type SourceFilter, sourceFilterOf, sourceOption } from './source-filter.ts'

/** What an item of a bulk asks for. */
export type BulkAction = 'index' | 'create' | 'update' | 'delete'

/** One item: what it asks for, or why it cannot be asked. */
export interface BulkItem {
  readonly action: BulkAction
  readonly index: string
  readonly type: string
  readonly id: string | undefined
  readonly operation: DocumentOperation | undefined
  readonly error: ServiceError | undefined
  /** What is wrong with its form: the whole request is refused for that. */
  readonly complaints?: readonly string[]
  /** Set where a pipeline had a say: whether the document is kept. */
  readonly ingested?: 'kept' | 'dropped'
  /** Set where the final pipeline refuses what the one before it refused. */
  readonly refusedAgain?: Refusal
  /** Set for what an update would put where there is no document, where Elasticsearch does not know the index (nor 6.8 the type). */
  readonly hidesIndex?: boolean
  readonly source: SourceFilter | undefined
  /** Paths that the answer of an update is to show (6.x). */
  readonly fields?: readonly string[] | undefined
}

/** What an item takes from the path and the parameters where it does not say itself. */
interface ItemDefaults {
  readonly index: string | undefined
  readonly type: string | undefined
  readonly source: SourceFilter | undefined
  /** Paths that answers of updates are to show (6.x). */
  readonly fields: readonly string[] | undefined
  readonly routing: string | undefined
  readonly pipeline: string | undefined
  /** Whether action lines may name a type, as in 6.x and 7.x. */
  readonly takesTypes: boolean
  /** Whether every item is to be written through an alias. */
  readonly requireAlias: boolean
  readonly dialect: Dialect
  readonly warnings: Warnings
  /** What the caller may read of what is stored. */
  readonly rights: Rights
  /** Whether any index or template names a pipeline. */
  readonly hasPipelines: boolean
}

const META_KEYS = new Set([
  '_index',
  '_id',
  'routing',
  'version',
  'version_type',
  'if_seq_no',
  'if_primary_term',
  'op_type',
  'retry_on_conflict',
  '_source',
  'pipeline',
])

/** As {@link OLDER_NAMES}, of writes. */
const OLDER_META_KEYS: ReadonlyMap<string, string> = new Map([
  ...OLDER_NAMES,
  ['opType', 'op_type'],
  ['_retry_on_conflict', 'retry_on_conflict'],
  ['_retryOnConflict', 'retry_on_conflict'],
])

/**
 * Takes the body apart line by line; sources stay slices of it.
 *
 * @param hasPipelines  whether documents may go through one that the request does not name
 * @throws {ServiceError} for a malformed line
 */
export function* readBulkItems(
  request: EndpointRequest,
  context: RestContext,
  hasPipelines = anyPipelines(context.engine),
): Generator<BulkItem, void> {
  const { body } = request
  if (body.length === 0) throw new ServiceError('parse_exception', 'request body is required')
  const defaults: ItemDefaults = {
    index: request.path['index'],
    type: request.path['type'],
    source: sourceFilterOf(request.parameters),
    fields: request.dialect.typed ? request.parameters.list('fields') : undefined,
    routing: request.parameters.text('routing'),
    pipeline: request.parameters.text('pipeline'),
    takesTypes: request.dialect.showsType,
    requireAlias: request.parameters.boolean('require_alias', false),
    dialect: request.dialect,
    warnings: request.warnings,
    rights: request,
    hasPipelines,
  }
  let at = 0
  let line = 0
  const next = (): Buffer | undefined => {
    const end = body.indexOf(0x0a, at)
    if (end < 0) {
      if (at === body.length) return undefined
      const newline = request.dialect.typed ? '\n' : '\\n'
      throw illegalArgument(`The bulk request must be terminated by a newline [${newline}]`)
    }
    const slice = body.subarray(at, end > at && body[end - 1] === 0x0d ? end - 1 : end)
    at = end + 1
    line++
    return slice
  }
  const skipBlankLines = (): void => {
    for (let i = at; i < body.length && (body[i] as number) <= 0x20; i++) {
      if (body[i] !== 0x0a) continue
      at = i + 1
      line++
    }
  }
  const plainActions = mayBePlain(defaults) ? new PlainActions(body, plainDefaults(defaults, context)) : undefined
  for (;;) {
    const plain = plainActions?.read(at)
    if (plain !== undefined) {
      at = plain.end
      line++
      const source = next()
      if (source === undefined) break
      yield plainItem(plain, source)
      continue
    }
    skipBlankLines()
    const action = next()
    if (action === undefined) break
    const { name, meta } = readAction(action, line, request)
    if (name === undefined) {
      // Up to 7.10 an action that is not known is passed over, and so is the line behind it.
      next()
      continue
    }
    const source = name === 'delete' ? undefined : next()
    if (name !== 'delete' && source === undefined) {
      // Its line is read all the same.
      readMeta(meta, defaults)
      break
    }
    yield readItem(name, meta, source, defaults, context)
  }
}

function mayBePlain({ pipeline, hasPipelines, routing, requireAlias }: ItemDefaults): boolean {
  return pipeline === undefined && !hasPipelines && routing === undefined && !requireAlias
}

function plainDefaults(
  { index, type, takesTypes, dialect: { typed }, warnings }: ItemDefaults,
  { allowExplicitIndex: allowsIndex }: RestContext,
): PlainActionDefaults {
  const noteType = () => {
    if (!typed) warnings.note('typed_bulk')
  }
  return { index, type, takesTypes, typed, allowsIndex, noteType }
}

function plainItem({ action, index, type, id, version, versionType }: PlainAction, source: Buffer): BulkItem {
  const operation: DocumentOperation =
    id === undefined
      ? { kind: action, type, versionType, source }
      : version === undefined
        ? { kind: action, type, versionType, id, source }
        : { kind: action, type, versionType, version, id, source }
  return { action, index, type, id, operation, error: undefined, source: undefined }
}

/** An action line; no name: an action that is passed over. */
function readAction(
  action: Buffer,
  line: number,
  { dialect, warnings }: Pick<EndpointRequest, 'dialect' | 'warnings'>,
): { name: BulkAction | undefined; meta: { readonly [name: string]: JsonValue } } {
  // Of what is no object only its first token is read.
  const first = String.fromCharCode(action.find((byte) => byte > 0x20) ?? 0)
  const json = first === '"' ? '' : /[-\d]/.test(first) ? 0 : first === '[' ? [] : parseAction(action, dialect.typed)
  if (!isObject(json)) {
    throw malformed(line, `START_OBJECT but found [${tokenName(json)}]`)
  }
  // Whatever stands behind the first action is passed over, as the real server does.
  const [entry] = Object.entries(json)
  if (entry === undefined) throw malformed(line, 'FIELD_NAME but found [END_OBJECT]')
  const [name, meta] = entry
  const isKnownAction = name === 'index' || name === 'create' || name === 'update' || name === 'delete'
  if (!isKnownAction && dialect.engineVersion === 'OpenSearch_2.19')
    throw malformed(line, `one of [create, delete, index, update] but found [${name}]`)
  if (!isObject(meta)) throw malformed(line, `START_OBJECT or END_OBJECT but found [${tokenName(meta)}]`)
  let renamed: { readonly [name: string]: JsonValue } | undefined
  for (const [key, value] of Object.entries(meta)) {
    if (value === null) continue
    if (typeof value === 'object') {
      if (key === '_source' && !Array.isArray(value)) continue
      if (key === 'fields' && Array.isArray(value) && dialect.typed) {
        warnings.note('update_fields')
        continue
      }
      throw malformed(line, `a simple value for field [${key}] but found [${tokenName(value)}]`)
    }
    if (key === '_type') warnings.note('typed_bulk')
    const isKnown = key === '_type' ? dialect.showsType : key === 'require_alias' ? !dialect.typed : META_KEYS.has(key)
    if (isKnown) continue
    if (key === 'fields' && dialect.typed)
      throw illegalArgument(
        `Action/metadata line [${line}] contains a simple value for parameter [fields] while a list is expected`,
      )
    const today = dialect.typed ? OLDER_META_KEYS.get(key) : undefined
    if (today === undefined)
      throw illegalArgument(`Action/metadata line [${line}] contains an unknown parameter [${key}]`)
    if (key === today) continue
    warnings.note('older_member', key, today)
    renamed = { ...(renamed ?? meta), [today]: value }
  }
  return { name: isKnownAction ? name : undefined, meta: renamed ?? meta }
}

function malformed(line: number, expected: string): ServiceError {
  return illegalArgument(`Malformed action/metadata line [${line}], expected ${expected}`)
}

/** So much of an action line that is no JSON is looked at. */
const MAX_ACTION_BYTES = 64 * 1024

/** An action line up to the end of its first member, which is as far as the real server reads. */
function parseAction(action: Buffer, isLegacy: boolean): JsonValue {
  try {
    return parseFirstJson(action, isLegacy)
  } catch (error) {
    // The end of a longer one would take more stack to find than there is.
    const text = action.toString('utf8', 0, MAX_ACTION_BYTES)
    const member = /^\s*\{\s*"[^"]*"\s*:\s*\{(?:[^{}"]|"(?:[^"\\]|\\.)*"|\{[^{}]*\})*\}/.exec(text)
    if (member === null) throw error
    return parseFirstJson(`${member[0]}}`, isLegacy)
  }
}

function readItem(
  name: BulkAction,
  meta: { readonly [name: string]: JsonValue },
  source: Buffer | undefined,
  defaults: ItemDefaults,
  context: RestContext,
): BulkItem {
  const text = (key: string): string | undefined => {
    const value = meta[key] ?? meta[`_${key}`]
    return value === undefined || value === null ? undefined : String(value)
  }
  const ownIndex = text('index')
  const index = ownIndex ?? defaults.index ?? ''
  if (ownIndex !== undefined && !context.allowExplicitIndex) {
    throw illegalArgument('explicit index in bulk is not allowed')
  }
  // Typeless clients are taken at their word on a typed domain too, which the real server refuses.
  const type = text('type') ?? defaults.type ?? '_doc'
  const id = text('id')
  const action: BulkAction = name === 'index' && text('op_type') === 'create' ? 'create' : name
  const { ownSource = defaults.source, version, versionType, retries, ownCondition } = readMeta(meta, defaults)
  const requireAlias = readFlag(meta, 'require_alias')
  const body = action === 'update' ? updateBody(meta, source as Buffer, defaults) : {}
  if (body['fields'] !== undefined) defaults.warnings.note('update_fields')
  const { dialect, rights } = defaults
  const fields =
    dialect.typed && action === 'update'
      ? (fieldsOf(meta['fields']) ?? fieldsOf(body['fields']) ?? defaults.fields)
      : undefined
  const item = { action, index, type, id, source: sourceOption(body['_source']) ?? ownSource, fields }
  const update =
    action === 'update'
      ? updateOperation(type, id ?? '', body, scriptsFor(rights, context.engine), defaults)
      : undefined
  let isPiped = false
  try {
    const checks = {
      versionType,
      ...(saysNothing(version, action) ? {} : { version }),
      ...ownCondition,
      ...(action === 'update' ? bodyCondition(body) : {}),
    }
    const pipeline = text('pipeline') ?? defaults.pipeline
    const complaints = [
      ...((ownIndex ?? defaults.index) === undefined ? ['index is missing'] : []),
      ...((ownIndex ?? defaults.index) === undefined && dialect.typed && (text('type') ?? defaults.type) === undefined
        ? ['type is missing']
        : []),
      ...(type === '' && (!dialect.typed || action === 'update' || action === 'delete') ? ['type is missing'] : []),
      ...itemComplaints(action, id, { pipeline, ...checks }, body, retries, defaults.dialect),
    ]
    if (complaints.length > 0) return { ...item, operation: undefined, error: undefined, complaints }
    checkTypeOfDocument(type, dialect)
    if (id === '') throw illegalArgument('if _id is specified it must not be empty')
    const pipelines =
      (action === 'index' || action === 'create') && (pipeline !== undefined || defaults.hasPipelines)
        ? writePipelines(context.engine, index, pipeline)
        : undefined
    const needsAlias = action !== 'delete' && (requireAlias ?? defaults.requireAlias)
    // What goes through pipelines is asked for the index they send it to.
    if (needsAlias && (pipelines === undefined || !isIngested(pipelines))) checkAlias(context, index)
    if (text('parent') !== undefined && (action === 'index' || action === 'create')) {
      throw illegalArgument("can't specify parent if no parent field has been configured")
    }
    const routing = routingOfWrite(text('routing') ?? defaults.routing)
    const common = { type, ...checks, ...(routing === undefined ? {} : { routing }) }
    const operation =
      update === undefined
        ? operationOf(action as Exclude<BulkAction, 'update'>, common, id, source)
        : { ...update, ...common, isOfBulk: true }
    if (operation.kind === 'index' || operation.kind === 'create') {
      if (pipelines !== undefined && isIngested(pipelines)) {
        isPiped = true
        const made = ingestedItem(item, ingestFully(rights, context.engine, pipelines, index, operation))
        return needsAlias && made.operation !== undefined ? withAlias(made, context) : made
      }
    }
    if (operation.kind === 'update' && (pipeline !== undefined || defaults.hasPipelines))
      return ingestedUpdate(item, operation, context, {
        item: pipeline,
        bulk: defaults.pipeline,
        rights,
      })
    return { operation, error: undefined, ...item }
  } catch (error) {
    // A mistake of the whole request's form is the request's; what concerns one document alone is that item's.
    if (!(error instanceof ServiceError) || error.type === 'action_request_validation_exception') throw error
    return { ...item, operation: undefined, error, ...(isPiped ? { ingested: 'kept' } : {}) }
  }
}

/** What an action line says beside where its document is; what cannot be read of it is wrong with the whole bulk. */
function readMeta(meta: { readonly [name: string]: JsonValue }, { dialect }: Pick<ItemDefaults, 'dialect'>) {
  const versionType = meta['version_type'] ?? meta['_version_type']
  return {
    ownSource: sourceOption(meta['_source'] ?? undefined),
    version: readLong(meta['version'] ?? meta['_version']),
    versionType: versionTypeOf(versionType == null ? undefined : String(versionType)),
    retries: readInteger(meta['retry_on_conflict'] ?? meta['_retry_on_conflict'], dialect.typed) ?? 0,
    ownCondition: bodyCondition(meta),
  }
}

/** An item whose index has to be an alias, and its fault where it is none. */
function withAlias(item: BulkItem, context: RestContext): BulkItem {
  try {
    checkAlias(context, item.index)
    return item
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { ...item, operation: undefined, error }
  }
}

/** An item as its pipelines leave it. */
function ingestedItem(item: Omit<BulkItem, 'operation' | 'error'>, ingested: Ingested): BulkItem {
  if (ingested.made === undefined) return refusedItem(item, ingested)
  const { index, operation } = ingested.made
  return { ...item, index, type: operation.type, id: operation.id, operation, error: undefined, ingested: 'kept' }
}

/** An item that its pipelines do not let pass. */
function refusedItem(item: Omit<BulkItem, 'operation' | 'error'>, { refusals }: Ingested): BulkItem {
  const [first, again] = refusals
  return {
    ...item,
    index: first?.index ?? item.index,
    operation: undefined,
    error: first?.fault,
    ingested: first?.fault === undefined ? 'dropped' : 'kept',
    ...(again === undefined ? {} : { refusedAgain: again }),
  }
}

/**
 * An update in a bulk: what goes through pipelines is the document to be put where there is none, by itself, and not
 * what it is merged into. It has no id there, and under 6.8 no index; Elasticsearch hears of no pipeline that the item names.
 */
function ingestedUpdate(
  item: Omit<BulkItem, 'operation' | 'error'>,
  operation: UpdateOperation,
  { engine }: RestContext,
  asked: { readonly item: string | undefined; readonly bulk: string | undefined; readonly rights: Rights },
): BulkItem {
  const part = operation.docAsUpsert ? operation.doc : operation.upsert
  const own = engine.version === 'OpenSearch_2.19' ? asked.item : asked.bulk
  const pipelines = writePipelines(engine, item.index, operation.docAsUpsert ? undefined : own)
  if (part === undefined || !isIngested(pipelines)) return { ...item, operation, error: undefined }
  const index = engine.version === 'Elasticsearch_6.8' ? undefined : item.index
  const ingested = ingestFully(asked.rights, engine, pipelines, index, {
    kind: 'index',
    type: item.type,
    versionType: 'internal',
    source: writeUpdated(part),
  })
  if (ingested.made === undefined) {
    // The real server speaks of the part, which is to be indexed and has no id.
    const hidesIndex = engine.version !== 'OpenSearch_2.19'
    const refused = refusedItem({ ...item, action: 'index', id: undefined }, ingested)
    return { ...refused, index: item.index, hidesIndex }
  }
  const changed = { [operation.docAsUpsert ? 'doc' : 'upsert']: readForUpdate(ingested.made.operation.source) }
  return { ...item, operation: { ...operation, ...changed }, error: undefined, ingested: 'kept' }
}

/** What is wrong with an item's form, its index apart. */
function itemComplaints(
  action: BulkAction,
  id: string | undefined,
  checks: WriteChecks & { readonly pipeline: string | undefined },
  body: { readonly [name: string]: JsonValue },
  retries: number,
  dialect: Dialect,
): readonly string[] {
  const missing = id === undefined || id === '' ? ['id is missing'] : []
  switch (action) {
    case 'index':
    case 'create':
      return documentComplaints(id, { opType: action, ...checks }, dialect)
    case 'delete':
      return [...missing, ...checkComplaints(checks, dialect)]
    case 'update':
      return [
        ...missing,
        ...updateComplaints(body, checks, { id, retries, docAsUpsert: flag(body['doc_as_upsert'], false), dialect }),
      ]
  }
}

/** An update's body; what is wrong with its form is wrong with the whole bulk. */
function updateBody(
  meta: { readonly [name: string]: JsonValue },
  source: Buffer,
  { dialect: { typed }, warnings }: ItemDefaults,
): { readonly [name: string]: JsonValue } {
  const isBlank = !source.some((byte) => byte > 0x20)
  if (!typed && ((meta['version'] ?? -3) !== -3 || (meta['version_type'] ?? 'internal') !== 'internal')) {
    throw illegalArgument(
      'Update requests do not support versioning. Please use `if_seq_no` and `if_primary_term` instead',
    )
  }
  if (isBlank && typed) return {}
  if (isBlank) throw parseFault('[UpdateRequest] Expected START_OBJECT but was: null')
  const body = parseFirstJson(source, typed)
  if (!typed) {
    checkUpdateBody(body)
    return body
  }
  // 6.x passes over what is no object.
  if (!isObject(body)) return {}
  return readUpdateSix(body, warnings)
}

function operationOf(
  action: Exclude<BulkAction, 'update'>,
  common: Pick<DocumentOperation, 'type' | 'versionType' | 'version' | 'ifSeqNo' | 'ifPrimaryTerm' | 'routing'>,
  id: string | undefined,
  source: Buffer | undefined,
): DocumentOperation {
  if (action === 'delete') return { kind: 'delete', ...common, id: id as string }
  return { kind: action, ...common, ...(id === undefined ? {} : { id }), source: source as Buffer }
}
