import { parseTimeMs } from '../../engine/metadata/time-value.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { inField, parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { unknownKey } from '../body/unknown-key.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointRequest } from '../rest-request.ts'

/** `pit` of a search: the point in time to search instead of what a path names. */
export interface Pit {
  readonly id: string
  /** As it was given, and in milliseconds. */
  readonly keepAlive: { readonly text: string; readonly ms: number } | undefined
}

/** Parameters that say how the names of a path are to be read. */
const INDICES_OPTIONS = ['ignore_unavailable', 'allow_no_indices', 'expand_wildcards', 'ignore_throttled']

/**
 * Reads `pit`.
 *
 * @throws {ServiceError} parsing_exception, x_content_parse_exception, illegal_argument_exception, and
 *                        action_request_validation_exception for what a point in time has decided already
 */
export function parsePit(request: EndpointRequest, json: JsonValue | undefined): Pit | undefined {
  if (json === undefined) return undefined
  if (!isObject(json)) throw unknownKey('pit', json)
  for (const key of Object.keys(json)) {
    if (key !== 'id' && key !== 'keep_alive') throw parseFault(`[pit] unknown field [${key}]`).at(json, key, 'field')
    if (typeof json[key] === 'string') continue
    throw parseFault(`[pit] ${key} doesn't support values of type: ${tokenName(json[key])}`).at(json, key)
  }
  const { id, keep_alive: keepAlive } = json
  if (typeof id !== 'string') throw illegalArgument('point int time id is not provided')
  checkAlone(request)
  return { id, keepAlive: keepAlive === undefined ? undefined : parseKeepAlive(String(keepAlive)) }
}

function parseKeepAlive(text: string): Pit['keepAlive'] {
  return inField('pit', 'keep_alive', () => ({ text, ms: parseTimeMs(text, 'keep_alive') }))
}

function checkAlone({ path, parameters }: EndpointRequest): void {
  if (parameters.has('scroll')) throw validationFailed(['using [point in time] is not allowed in a scroll context'])
  const given = [
    ...(path['index'] === undefined ? [] : ['indices']),
    ...(INDICES_OPTIONS.some((name) => parameters.has(name)) ? ['indicesOptions'] : []),
    ...['routing', 'preference'].filter((name) => parameters.has(name)),
  ]
  if (given.length > 0) throw validationFailed(given.map((name) => `[${name}] cannot be used with point in time`))
}
