import { resolveIndexRouting } from '../../engine/metadata/alias-routing.ts'
import { validationFailed, versionTypeOf } from '../documents/document-parameters.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { readIndex } from '../indices/index-names.ts'
import { bodyObject } from '../rest-request.ts'
import { checkPreference } from '../search/check-preference.ts'
import { answerTermVectors } from '../term-vectors/answer-term-vectors.ts'
import { optionsOfBody, optionsOfParameters } from '../term-vectors/term-vectors-options.ts'

/** `GET|POST /<index>/<type>[/<id>]/_termvectors`: the terms of one document. */
export const termvectors: EndpointHandler = (request, context) => {
  versionTypeOf(request.parameters.text('version_type'))
  const options = optionsOfBody(
    bodyObject(request) ?? {},
    optionsOfParameters(request.parameters, request.path),
    request,
  )
  if (options.id === undefined && options.doc === undefined) throw validationFailed(['id or doc is missing'])
  const metadata = readIndex(request, context, request.path['index'] as string, '_termvectors')
  checkPreference(request)
  // What the body says of it is read over.
  const routing = resolveIndexRouting(request.path['index'] as string, request.parameters.text('routing'), metadata)
  return { status: 200, json: answerTermVectors(request, context, metadata, { ...options, routing }) }
}
