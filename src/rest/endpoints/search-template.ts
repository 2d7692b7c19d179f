import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { tokenName } from '../../token-name.ts'
import { parseFirstJson, parseJson } from '../body/parse-json.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { type Json, RawJson, writeJson } from '../json/json-writer.ts'
import { judgeFault, judgeStoredNames, type StoredPart } from '../judge-stored.ts'
import { RequestParameters } from '../parameters/request-parameters.ts'
import { parsingException } from '../parsing-exception.ts'
import { bodyObject, type EndpointRequest, type EndpointResponse } from '../rest-request.ts'
import { parseSearchBody } from '../search/search-body.ts'
import {
  readSearchTemplate,
  renderSearchTemplate,
  type SearchTemplate,
  templateComplaints,
} from '../search/search-template.ts'
import { searchParameters } from '../search/template-parameters.ts'
import { search } from './search.ts'

/** `GET|POST /_search/template` and its paths. */
export const searchTemplate: EndpointHandler = async (request, context) => {
  // What its parameters say of a search is read, too.
  parseSearchBody(request, {})
  const template = readSearchTemplate(templateBody(request), request)
  const complaints = templateComplaints(template)
  if (complaints.length > 0) throw validationFailed(complaints)
  judgeShown(request, template)
  try {
    return withStatus(await search(templateSearch(request, template, context), context), request)
  } catch (error) {
    throw judgedFault(request, template, error)
  }
}

/** A profile and explanations of what a stored template asks for are for who may read it. @throws {Error} the access layer's denial */
export function judgeShown(request: EndpointRequest, template: SearchTemplate): void {
  if (template.profile || template.explain) judgeStoredTemplate(request, template)
}

/** So is what is wrong with it: faults quote it. @throws {Error} the access layer's denial */
export function judgedFault(request: EndpointRequest, template: SearchTemplate, fault: unknown): unknown {
  return judgeFault(request, madeOf(template), fault)
}

function judgeStoredTemplate(request: EndpointRequest, template: SearchTemplate): void {
  for (const { folder, name } of madeOf(template)) judgeStoredNames(request, folder, name, 'GET')
}

function madeOf({ script }: SearchTemplate): readonly StoredPart[] {
  return script !== undefined && 'id' in script ? [{ folder: '_scripts', name: script.id }] : []
}

function withStatus(response: EndpointResponse, { dialect }: EndpointRequest): EndpointResponse {
  if (!('json' in response)) return response
  return { ...response, json: { ...(response.json as object), ...templateStatus(response.status, dialect) } }
}

/** OpenSearch tells the status of what a template asked for in the answer, too. */
export function templateStatus(status: number, { engineVersion }: Dialect): { readonly status?: number } {
  return engineVersion === 'OpenSearch_2.19' ? { status } : {}
}

/** `GET|POST /_render/template[/<id>]`: the search that a template makes, which need not be JSON. */
export const renderTemplate: EndpointHandler = (request, context) => {
  const read = readSearchTemplate(templateBody(request), request)
  const { id } = request.path
  const template = id === undefined ? read : { ...read, script: { id } }
  const complaints = templateComplaints(template)
  if (complaints.length > 0) throw validationFailed(complaints)
  judgeStoredTemplate(request, template)
  return {
    status: 200,
    json: { template_output: new RawJson(renderSearchTemplate(template, context, request.dialect)) },
  }
}

function templateBody(request: EndpointRequest): Buffer | string {
  if (request.body.length > 0) return request.body
  const source = bodyObject(request) === undefined ? undefined : request.parameters.text('source')
  if (source === undefined) throw new ServiceError('parse_exception', 'request body or source parameter is required')
  return source
}

/**
 * The search that a template asks for.
 *
 * @throws {ServiceError} as {@link renderSearchTemplate}, and when it makes no object
 */
export function templateSearch(
  request: EndpointRequest,
  template: SearchTemplate,
  context: RestContext,
): EndpointRequest {
  const text = renderSearchTemplate(template, context, request.dialect)
  // 6.x does not look at what stands behind it.
  const parsed = () => (request.dialect.typed ? parseFirstJson(text, true) : parseJson(text))
  const body = text.trim() === '' ? null : parsed()
  if (!isObject(body)) {
    const found = text.trim() === '' ? 'null' : tokenName(body)
    throw parsingException(`Expected [START_OBJECT] but found [${found}]`)
  }
  const { explain, profile } = template
  // In 6.8 the template's word counts, also where the search it makes says otherwise.
  const flags = {
    ...(explain || (request.dialect.typed && body['explain'] !== undefined) ? { explain } : {}),
    ...(profile ? { profile } : {}),
  }
  const isChanged = Object.keys(flags).length > 0
  const parameters = searchParameters(request.parameters.values)
  return {
    ...request,
    parameters: new RequestParameters(parameters),
    madeOf: madeOf(template),
    body: Buffer.from(isChanged ? withMembers(text, body, flags) : text),
  }
}

/** A search's text with members set; numbers elsewhere stay as they were written. */
function withMembers(
  text: string,
  body: { readonly [name: string]: unknown },
  flags: Readonly<Record<string, boolean>>,
) {
  const added = JSON.stringify(flags).slice(1, -1)
  const isOwn = Object.keys(flags).some((name) => Object.hasOwn(body, name))
  if (isOwn) return writeJson({ ...body, ...flags } as Json)
  const rest = text.trimStart().slice(1)
  return rest.trimStart().startsWith('}') ? `{${added}}` : `{${added},${rest}`
}
