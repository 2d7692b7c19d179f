import { ServiceError } from '../../errors.ts'
import { isJsonFault, notXContent } from '../../json-fault.ts'
import { bodyObject, type EndpointRequest } from '../rest-request.ts'
import type { JsonValue } from './parse-json.ts'

type ContentMap = { readonly [name: string]: JsonValue }

/** What is deprecated is looked for before an endpoint reads its body, which may be large. */
const known = new WeakMap<EndpointRequest, ContentMap>()

/**
 * The body of an endpoint that reads all of it into a map before it looks for anything: an index's, a template's, a mapping's.
 *
 * @throws {ServiceError} not_x_content_exception for what is no object, parse_exception with the parser's complaint as its cause
 */
export function contentMap(request: EndpointRequest): ContentMap | undefined {
  const before = known.get(request)
  if (before !== undefined) return before
  try {
    const map = bodyObject(request)
    if (map !== undefined) known.set(request, map)
    return map
  } catch (error) {
    const { body } = request
    // What a body is in is told by its first byte.
    const isObject = body.length === 0 || /^\ufeff?\s*\{/.test(body.toString('utf8', 0, 100))
    if (!isObject) throw notXContent()
    if (!isJsonFault(error)) throw error
    throw new ServiceError('parse_exception', 'Failed to parse content to map', { cause: error })
  }
}
