import type { UpdateOperation, UpdatePart } from '../../engine/index/document-operation.ts'
import { resolveIndexRouting } from '../../engine/metadata/alias-routing.ts'
import type { FindStoredScript, SearchScript } from '../../engine/search/script/search-script.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import { parseFault } from '../../parse-fault.ts'
import { exactDocument } from '../body/exact-json.ts'
import { type JsonValue, parseFirstJson } from '../body/parse-json.ts'
import { activeCopies, hasActiveCopies } from '../documents/active-copies.ts'
import { checkUpdateBody } from '../documents/check-update-body.ts'
import {
  bodyCondition,
  casParameters,
  idComplaints,
  NO_VERSIONING,
  refreshPolicy,
  typeOf,
  updateComplaints,
  validationFailed,
  versionParameters,
} from '../documents/document-parameters.ts'
import { createdHeaders, renderWrite, writeStatus } from '../documents/document-response.ts'
import { readUpdateSix } from '../documents/read-update-six.ts'
import { routingOfWrite } from '../documents/routing-of-write.ts'
import { sourceFilterOf, sourceOption } from '../documents/source-filter.ts'
import { checkStreamWrite } from '../documents/stream-writes.ts'
import { updateThroughPipelines } from '../documents/update-through-pipelines.ts'
import { updatedDocument } from '../documents/updated-document.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { fromShard } from '../errors/remote-transport.ts'
import { writeIndex } from '../indices/index-names.ts'
import { isIngested, writePipelines } from '../ingest/write-pipelines.ts'
import { bodyObject, type EndpointRequest } from '../rest-request.ts'
import { readWriteScript } from '../script/read-write-script.ts'
import { updateScript } from '../script/update-script.ts'
import { scriptsFor } from '../search/stored-script.ts'
import { routedByAlias, writeOne } from './index-document.ts'

/** `POST /<index>/<type>/<id>/_update`. */
export const updateDocument: EndpointHandler = async (request, context) => {
  const id = request.path['id'] as string
  if (!request.dialect.typed && (request.parameters.has('version') || request.parameters.has('version_type')))
    throw validationFailed([NO_VERSIONING])
  const version = versionParameters(request.parameters)
  const asked = casParameters(request.parameters)
  const retries = request.parameters.integer('retry_on_conflict') ?? 0
  const refresh = refreshPolicy(request.parameters)
  // Told before anything is made, or complained of.
  activeCopies(request.parameters)
  const upsertsByDefault = request.parameters.boolean('doc_as_upsert', false)
  const read = request.dialect.typed
    ? readUpdateSix(bodyObject(request) ?? {}, request.warnings)
    : parsedUpdate(request)
  const body = upsertsByDefault && !('doc_as_upsert' in read) ? { doc_as_upsert: true, ...read } : read
  if (request.dialect.typed && body['fields'] !== undefined) request.warnings.note('update_fields')
  const filter = sourceOption(body['_source']) ?? sourceFilterOf(request.parameters)
  const fields = request.dialect.typed ? (fieldsOf(body['fields']) ?? request.parameters.list('fields')) : undefined
  const cas = { ...asked, ...bodyCondition(body) }
  const docAsUpsert = flag(body['doc_as_upsert'], false)
  const complaints = updateComplaints(
    body,
    { ...version, ...cas },
    { id, retries, docAsUpsert, dialect: request.dialect },
  )
  if (complaints.length > 0) throw validationFailed(complaints)
  const routing = routingOfWrite(request.parameters.text('routing'))
  const operation = {
    ...updateOperation(typeOf(request), id, body, scriptsFor(request, context.engine), request),
    ...version,
    ...cas,
    ...(routing === undefined ? {} : { routing }),
  }
  const name = request.path['index'] as string
  // An index is made first, and with it the pipelines that its templates name.
  const target = await writeIndex(request, context, name, { create: true, takesStreams: false })
  checkStreamWrite(operation, name, target, context.engine)
  const pipelines = writePipelines(context.engine, target.name, undefined)
  const routed: UpdateOperation = {
    ...routedByAlias(operation, name, target),
    // The changed document is written by the same name, with the request's routing where that brings a part of it.
    storedRouting: (own) => resolveIndexRouting(name, operation.doc === undefined ? own : (routing ?? own), target),
  }
  // Looked at by what stores the document that is put where there is none.
  const complaintsOfId =
    (docAsUpsert ? operation.doc : operation.upsert) === undefined ? [] : idComplaints(id, request.dialect)
  const written = async () => {
    if (complaintsOfId.length > 0) throw validationFailed(complaintsOfId)
    return isIngested(pipelines) || !hasActiveCopies(target, activeCopies(request.parameters))
      ? updateThroughPipelines(request, context, target, routed, { pipelines, refresh, retries })
      : writeOne(request, context, name, routed, refresh)
  }
  const { metadata, result } = await written().catch((error: unknown) => {
    throw fromShard(error, 'indices:data/write/update[s]', request, context)
  })
  return {
    status: writeStatus(result),
    json: {
      ...renderWrite(metadata, result, request.dialect, refresh === true),
      ...updatedDocument(result, filter, fields, request.dialect.engineVersion),
    },
    ...createdHeaders(metadata, result, routed.routing),
  }
}

/**
 * Paths that an update's answer is to show (6.x): undefined where there are none.
 *
 * @throws {ServiceError} array_store_exception for a list of anything but texts
 */
export function fieldsOf(fields: JsonValue | undefined): readonly string[] | undefined {
  if (fields === undefined || fields === null || isObject(fields)) return undefined
  if (!Array.isArray(fields)) return [String(fields)]
  if (fields.some((path) => path !== null && typeof path !== 'string'))
    throw new ServiceError(
      'array_store_exception',
      'arraycopy: element type mismatch: can not cast one of the elements of java.lang.Object[] to the type of the destination array, java.lang.String',
    )
  return fields.length === 0 ? undefined : fields.filter((path) => typeof path === 'string')
}

/** The body of an update as the versions behind 6.x read it. */
function parsedUpdate(request: EndpointRequest): { readonly [name: string]: JsonValue } {
  if (request.body.length === 0) return bodyObject(request) ?? {}
  const body = parseFirstJson(request.body, request.dialect.typed)
  request.places?.note(request.body, body)
  checkUpdateBody(body)
  return body
}

/** Of the request that an update is part of. */
type Asked = Pick<EndpointRequest, 'dialect' | 'warnings'>

/**
 * An update's body as an operation.
 *
 * @throws {ServiceError} for a script that is none (one that does not compile fails the write)
 */
export function updateOperation(
  type: string,
  id: string,
  body: { readonly [name: string]: JsonValue },
  scripts: FindStoredScript,
  request: Asked,
): UpdateOperation {
  const { doc, upsert } = body
  const script = 'script' in body ? readScript(body['script'] as JsonValue, scripts, request) : undefined
  const scriptedUpsert = flag(body['scripted_upsert'], false)
  return {
    kind: 'update',
    type,
    id,
    versionType: 'internal',
    docAsUpsert: flag(body['doc_as_upsert'], false),
    detectNoop: flag(body['detect_noop'], true),
    ...(script === undefined ? {} : { script: updateScript(script, scriptedUpsert, request.dialect.engineVersion) }),
    ...(doc === undefined ? {} : { doc: exactPart(doc) }),
    ...(upsert === undefined ? {} : { upsert: exactPart(upsert) }),
  }
}

function readScript(value: JsonValue, scripts: FindStoredScript, { dialect, warnings }: Asked): SearchScript {
  try {
    // Later ones warn of some of them, and tell where they stand.
    return readWriteScript(value, dialect.engineVersion, scripts, dialect.typed ? warnings : undefined)
  } catch (error) {
    if (dialect.typed || !(error instanceof ServiceError)) throw error
    const reason = '[UpdateRequest] failed to parse field [script]'
    throw parseFault(reason, error)
  }
}

const exactPart = (part: JsonValue): UpdatePart => (isObject(part) ? exactDocument(part) : part)

/** A member that is true or false. @throws {ServiceError} illegal_argument_exception */
export function flag(value: JsonValue | undefined, fallback: boolean): boolean {
  return value === undefined ? fallback : parseBoolean(value)
}
