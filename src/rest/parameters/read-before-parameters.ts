import { inTurns } from '../../breather.ts'
import type { Engine } from '../../engine/engine.ts'
import { ServiceError } from '../../errors.ts'
import { readBulkItems } from '../documents/bulk-items.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { queryContext } from '../search/query-lookup.ts'
import type { FaultyParameters } from './check-parameters.ts'
import { RequestParameters } from './request-parameters.ts'

/** Endpoints that look at what they are given when they store it, or run it. */
const UNREAD: ReadonlySet<string> = new Set([
  'cluster.put_decommission_awareness',
  'ingest.put_pipeline',
  'ingest.simulate',
  'search_pipeline.put',
])

/** Faults of what was read, when it is looked over. */
const LOOKED_OVER: ReadonlySet<string> = new Set([
  'action_request_validation_exception',
  'invalid_index_template_exception',
])

/** A parameter that is no longer known, but has an answer of its own. */
const REMOVED = 'wait_for_relocating_shards'

/** Thrown where an endpoint has read its request, and turns to what is there. */
class RequestRead extends Error {}

function end(): never {
  throw new RequestRead()
}

/**
 * What is said of a request with parameters that its endpoint does not know, or cannot use: the real servers complain of them once all
 * else of the request has been read, and before anything is done or looked up for it. So the endpoint is given it with
 * nothing behind it.
 *
 * @throws {ServiceError} what is wrong with the rest of the request, where something is; else the complaint of the parameters
 */
export async function readBeforeParameters(
  handler: EndpointHandler,
  request: EndpointRequest,
  version: Engine['version'],
  unknown: FaultyParameters,
): Promise<never> {
  if (UNREAD.has(request.endpoint)) throw unknown.fault
  // Searches have defaults there; what is to be set is looked at beside it.
  const settings =
    request.endpoint === 'cluster.put_settings' ? undefined : { persistentSettings: {}, transientSettings: {} }
  const nothing = new Proxy(
    {
      allowExplicitIndex: true,
      engine: new Proxy({ version, ...settings }, { get: member }),
    },
    { get: member },
  ) as unknown as RestContext
  const isHeard = (name: string): boolean => name === REMOVED || !unknown.names.includes(name)
  const known = new Map([...request.parameters.values].filter(([name]) => isHeard(name)))
  const asked: EndpointRequest = {
    ...request,
    parameters: new RequestParameters(known),
    // Names are judged where they are to be looked up; a right to everything may be asked for at once.
    authorize: end,
    authorizeDomain: () => {},
  }
  try {
    if (request.endpoint === 'bulk') await inTurns(readBulkItems(asked, nothing, false), () => {})
    await handler({ ...asked, queries: queryContext(asked, nothing) }, nothing)
  } catch (error) {
    if (error instanceof RequestRead) throw unknown.fault
    // What was read is looked over once the parameters are known.
    if (error instanceof ServiceError && LOOKED_OVER.has(error.type)) throw unknown.fault
    throw error
  }
  throw unknown.fault
}

/** A member that is there; anything else ends the reading. */
function member(members: Readonly<Record<string, unknown>>, name: string | symbol): unknown {
  return typeof name === 'string' && Object.hasOwn(members, name) ? members[name] : end()
}
