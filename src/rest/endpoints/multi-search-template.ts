import { faultOf, ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { renderFailure } from '../errors/error-response.ts'
import { asAnswered } from '../errors/tripped-breaker.ts'
import { judgeNamed } from '../indices/judge-names.ts'
import type { Json } from '../json/json-writer.ts'
import { bodyObject, type EndpointRequest, noQuery } from '../rest-request.ts'
import { checkMembers } from '../search/check-members.ts'
import { uncheckedQueries } from '../search/query-lookup.ts'
import { checkParameters, parseSearchBody } from '../search/search-body.ts'
import { readSearchTemplate, type SearchTemplate, templateComplaints } from '../search/search-template.ts'
import { checkConcurrency, type Part, partRequest, readParts } from './multi-search.ts'
import { searchOnce } from './search.ts'
import { judgedFault, judgeShown, templateSearch, templateStatus } from './search-template.ts'

/** `GET|POST /_msearch/template` and its paths. In one piece, as `_msearch` is. */
export const msearchTemplate: EndpointHandler = (request, context) => {
  const started = performance.now()
  if (request.body.length === 0)
    throw new ServiceError('parse_exception', 'request body or source parameter is required')
  checkParameters(request)
  checkConcurrency(request)
  // A template that cannot be read fails them all; one that cannot be filled in, its own search alone.
  const parts: Part[] = []
  const templates: SearchTemplate[] = []
  for (const part of readParts(request, context)) {
    checkParameters(partRequest(request, part, context))
    const template = readSearchTemplate(part.body, request)
    if (template.script === undefined) throw illegalArgument('Malformed search template')
    parts.push(part)
    templates.push(template)
  }
  if (parts.length === 0) throw validationFailed(['no requests added'])
  const complaints = templates.flatMap(templateComplaints)
  if (complaints.length > 0) throw validationFailed(complaints)
  const responses = parts.map((part, i) =>
    answer(partRequest(request, part, context), templates[i] as SearchTemplate, context),
  )
  // The real server goes on with the searches that could be made: here with none.
  const isMade = (part: Part, i: number): boolean =>
    makesSearch(partRequest(request, part, context), templates[i] as SearchTemplate, context)
  if (responses.every(isFault) && !parts.some(isMade)) throw validationFailed(['no requests added'])
  const took = request.dialect.typed ? {} : { took: Math.round(performance.now() - started) }
  return { status: 200, json: { ...took, responses } }
}

const isFault = (response: Json): boolean => isObject(response) && 'error' in response

/** Whether a template makes a search of its parameters that can be read. */
function makesSearch(part: EndpointRequest, template: SearchTemplate, context: RestContext): boolean {
  const fault = faultOf(() => {
    const made = templateSearch(part, template, context)
    const body = bodyObject(made, noQuery) ?? {}
    checkMembers(made, body)
    parseSearchBody({ ...made, queries: uncheckedQueries(part.dialect) }, body)
  })
  return fault === undefined
}

function answer(part: EndpointRequest, template: SearchTemplate, context: RestContext): Json {
  try {
    judgeNamed(part, part.path['index']?.split(',') ?? [], '_search')
    judgeShown(part, template)
    const response = searchOnce(templateSearch(part, template, context), context)
    return 'json' in response ? { ...(response.json as object), ...templateStatus(200, part.dialect) } : null
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    judgedFault(part, template, error)
    const fault = asAnswered(error, part.dialect)
    return { error: renderFailure(part.places?.locate(fault) ?? fault), ...templateStatus(fault.status, part.dialect) }
  }
}
