import { activeCopies } from '../documents/active-copies.ts'
import {
  casParameters,
  checkComplaints,
  refreshPolicy,
  typeOf,
  validationFailed,
  versionParameters,
} from '../documents/document-parameters.ts'
import { renderWrite, writeStatus } from '../documents/document-response.ts'
import { routingOfWrite } from '../documents/routing-of-write.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { writeOne } from './index-document.ts'

/** `DELETE /<index>/<type>/<id>`. */
export const deleteDocument: EndpointHandler = async (request, context) => {
  const id = request.path['id'] as string
  const version = versionParameters(request.parameters)
  const cas = casParameters(request.parameters)
  // Told before anything is made, or complained of.
  activeCopies(request.parameters)
  const complaints = checkComplaints({ ...version, ...cas }, request.dialect)
  if (complaints.length > 0) throw validationFailed(complaints)
  // 6.x still goes by parents.
  const routing = routingOfWrite(request.parameters.text('routing')) ?? request.parameters.text('parent')
  const refresh = refreshPolicy(request.parameters)
  const { metadata, result } = await writeOne(
    request,
    context,
    request.path['index'] as string,
    { kind: 'delete', type: typeOf(request), id, ...version, ...cas, ...(routing === undefined ? {} : { routing }) },
    refresh,
  )
  return { status: writeStatus(result), json: renderWrite(metadata, result, request.dialect, refresh === true) }
}
