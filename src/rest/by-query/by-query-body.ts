import type { JsonValue } from '../body/parse-json.ts'
import { type EndpointRequest, lenientBody } from '../rest-request.ts'
import { maxDocsIn, proceeds } from './by-query-options.ts'
import { castTo } from './cast-to.ts'
import { rewrittenBody } from './rewritten-body.ts'

/** The body of a call that changes documents where they are. */
export interface ByQueryBody<Script> {
  /** What it says of conflicts; undefined: nothing. */
  readonly proceed: boolean | undefined
  readonly maxDocs: number | undefined
  readonly script: Script | undefined
  /** All else: a search's. */
  readonly search: { readonly [name: string]: JsonValue }
}

/**
 * Takes a body apart, in the order in which the real servers look for the members that are not the search's. A body that is no
 * object says nothing; nor does a member that is null.
 *
 * @param readScript  undefined: the call has none
 * @throws {ServiceError} for what is no JSON, and what `readScript` throws
 */
export function byQueryBody<Script>(
  request: EndpointRequest,
  readScript?: (json: JsonValue) => Script,
): ByQueryBody<Script> {
  const rest = { ...lenientBody(request) }
  const take = <T>(name: string, read: (value: JsonValue) => T): T | undefined => {
    const value = rest[name]
    delete rest[name]
    return value === undefined || value === null ? undefined : read(value)
  }
  const proceed = take('conflicts', (value) => proceeds(castTo(value, 'java.lang.String')))
  const { dialect } = request
  const maxDocs = dialect.typed
    ? undefined
    : take('max_docs', (value) => maxDocsIn(intValue(castTo(value, 'java.lang.Number')), undefined, dialect))
  const script = readScript && take('script', readScript)
  return { proceed, maxDocs, script, search: rewrittenBody(request, rest) }
}

/** What is left of a number as an int of Java's. */
function intValue(value: number | bigint): number {
  if (typeof value === 'bigint' || Number.isInteger(value)) return Number(BigInt.asIntN(32, BigInt(value)))
  return Math.trunc(value)
}
