import type { UpdateOperation } from '../../engine/index/document-operation.ts'
import { ServiceError } from '../../errors.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { isIngested, writePipelines } from '../ingest/write-pipelines.ts'
import type { JsonValue } from '../parse-json.ts'
import { bodyObject, isObject } from '../rest-request.ts'
import {
  casParameters,
  documentComplaints,
  refreshPolicy,
  typeOf,
  validationFailed,
  versionParameters,
} from './document-parameters.ts'
import { renderWrite, writeStatus } from './document-response.ts'
import { refuseParameters, writeOne } from './index-document.ts'
import { writeIndex } from './index-names.ts'
import { renderSource, sourceFilterOf, sourceOption } from './source-filter.ts'
import { updateThroughPipelines } from './update-through-pipelines.ts'

/** `POST /<index>/<type>/<id>/_update`. */
export const updateDocument: EndpointHandler = async (request, context) => {
  const id = request.path['id'] as string
  const version = versionParameters(request.parameters)
  const cas = casParameters(request.parameters)
  refuseParameters(request, ['parent', 'op_type'])
  const retries = request.parameters.integer('retry_on_conflict') ?? 0
  const refresh = refreshPolicy(request.parameters)
  const body = bodyObject(request) ?? {}
  const complaints = documentComplaints(id, { ...version, ...cas })
  if (!('doc' in body) && !('script' in body)) complaints.unshift('script or doc is missing')
  if (version.versionType !== 'internal') {
    complaints.push(`version type [${version.versionType.toUpperCase()}] is not supported by the update API`)
  }
  if (retries > 0 && version.version !== undefined)
    complaints.push("can't provide both retry_on_conflict and a specific version")
  if (complaints.length > 0) throw validationFailed(complaints)
  const routing = request.parameters.text('routing')
  const operation = {
    ...updateOperation(typeOf(request), id, body, request.dialect.typed),
    ...version,
    ...cas,
    ...(routing === undefined ? {} : { routing }),
  }
  const name = request.path['index'] as string
  // An index is made first, and with it the pipelines that its templates name.
  const target = await writeIndex(request, context, name, { create: true })
  const pipelines = writePipelines(context.engine, target.name, undefined)
  const { metadata, result } = isIngested(pipelines)
    ? await updateThroughPipelines(request, context, target, operation, { pipelines, refresh, retries })
    : await writeOne(request, context, name, operation, refresh)
  const filter = sourceFilterOf(request.parameters) ?? sourceOption(body['_source'])
  const shown =
    filter?.enabled && result.source !== undefined
      ? {
          get: {
            ...(request.dialect.typed ? {} : { _seq_no: result.seqNo, _primary_term: result.primaryTerm }),
            found: true,
            _source: renderSource(result.source, filter),
          },
        }
      : {}
  return {
    status: writeStatus(result),
    json: { ...renderWrite(metadata, result, request.dialect, refresh === true), ...shown },
  }
}

const KEYS = new Set([
  'doc',
  'upsert',
  'doc_as_upsert',
  'detect_noop',
  'script',
  'scripted_upsert',
  '_source',
  'fields',
  'if_seq_no',
  'if_primary_term',
  'lang',
  'params',
])

/** An update's body as an operation. @throws {ServiceError} for unknown keys, and for scripts, which are not supported */
export function updateOperation(
  type: string,
  id: string,
  body: { readonly [name: string]: JsonValue },
  isLenient = false,
): UpdateOperation {
  for (const [key, value] of Object.entries(body)) {
    // 6.x passes over what it does not know.
    if (!KEYS.has(key) && !isLenient)
      throw new ServiceError('x_content_parse_exception', `[UpdateRequest] unknown field [${key}], parser not found`)
    if (key === 'script' || key === 'scripted_upsert' || key === 'lang' || key === 'params') {
      if (value !== false)
        throw new ServiceError(
          'illegal_argument_exception',
          'scripts are not supported by this domain: send [doc], or read, change and index the document',
        )
    }
  }
  const { doc, upsert } = body
  for (const [name, value] of [
    ['doc', doc],
    ['upsert', upsert],
  ] as const) {
    if (value !== undefined && !isObject(value))
      throw new ServiceError(
        'parse_exception',
        `[UpdateRequest] ${name} doesn't support values of type: ${typeof value}`,
      )
  }
  return {
    kind: 'update',
    type,
    id,
    versionType: 'internal',
    docAsUpsert: flag(body['doc_as_upsert'], false),
    detectNoop: flag(body['detect_noop'], true),
    ...(doc === undefined ? {} : { doc: doc as Readonly<Record<string, unknown>> }),
    ...(upsert === undefined ? {} : { upsert: upsert as Readonly<Record<string, unknown>> }),
  }
}

function flag(value: JsonValue | undefined, fallback: boolean): boolean {
  if (value === undefined) return fallback
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw new ServiceError('x_content_parse_exception', '[UpdateRequest] failed to parse a boolean')
}
