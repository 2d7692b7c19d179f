import { javaText } from '../../engine/mapping/java-text.ts'
import { parseTimeMs } from '../../engine/metadata/time-value.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { exactJson } from '../body/exact-json.ts'
import type { JsonValue } from '../body/parse-json.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { castTo } from './cast-to.ts'

/** Another server that documents would be fetched from; it is always refused, once the rest of the request is in order. */
export interface RemoteSource {
  /** `host:port`. */
  readonly address: string
}

const TIMES = ['socket_timeout', 'connect_timeout']

/**
 * Reads `remote` of a reindex's source, and the query that is meant for there.
 *
 * @throws {ServiceError} class_cast_exception, illegal_argument_exception, null_pointer_exception
 */
export function readRemoteSource(json: JsonValue, query: JsonValue | undefined): RemoteSource {
  const remote = castTo(json, 'java.util.Map')
  const text = (name: string): string | undefined => {
    const value = remote[name] ?? undefined
    if (value === undefined || typeof value === 'string') return value
    throw unexpected(name, 'a string', value)
  }
  text('username')
  text('password')
  const host = text('host')
  if (host === undefined)
    throw new ServiceError('null_pointer_exception', '[host] must be specified to reindex from a remote cluster')
  const address = /^[^:]+:\/\/([^:/]+:\d+)(?:\/.*)?$/.exec(host)?.[1]
  if (address === undefined) {
    const cause = new ServiceError('u_r_i_syntax_exception', `The port was not defined in the [host]: ${host}`)
    const reason = `[host] must be of the form [scheme]://[host]:[port](/[pathPrefix])? but was [${host}]`
    throw illegalArgument(reason, cause)
  }
  checkHeaders(remote['headers'] ?? {})
  for (const name of TIMES) {
    const time = text(name)
    if (time !== undefined) parseTimeMs(time, name)
  }
  const known = new Set(['username', 'password', 'host', 'headers', ...TIMES])
  const unknown = Object.keys(remote).filter((name) => !known.has(name))
  if (unknown.length > 0) throw illegalArgument(`Unsupported fields in [remote]: [${unknown.join(',')}]`)
  if (query !== undefined && query !== null && !isObject(query)) throw unexpected('query', 'an object', query)
  return { address }
}

/** What is said of a remote source of a request in order: no server may be asked. */
export function remoteRefused({ address }: RemoteSource, { engineVersion }: Dialect): ServiceError {
  const list = engineVersion === 'OpenSearch_2.19' ? 'allowlist' : 'whitelist'
  return illegalArgument(`[${address}] not ${list}ed in reindex.remote.${list}`)
}

function checkHeaders(headers: JsonValue): void {
  if (!isObject(headers)) throw unexpected('headers', 'an object containing strings', headers)
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') continue
    throw illegalArgument(
      `Expected [headers] to be an object containing strings but has [${name}=${javaText(exactJson(value))}]`,
    )
  }
}

function unexpected(name: string, what: string, value: JsonValue): ServiceError {
  return illegalArgument(`Expected [${name}] to be ${what} but was [${javaText(exactJson(value))}]`)
}
