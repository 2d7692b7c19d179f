import { decodeLoosely } from '../decode-loosely.ts'
import { ClientError } from './client-error.ts'

/** Where a domain is reached. */
export interface Endpoint {
  readonly hostname: string
  readonly port: number
  /** TLS. */
  readonly secure: boolean
  /** `Host` header: the port only where it is not the scheme's own. */
  readonly host: string
  /** Path put before every request's, without a final slash; usually empty. */
  readonly basePath: string
  /** `Authorization` of a name and password in the URL (`https://elastic:secret@host`), which then take the place of signatures. */
  readonly basic: string | undefined
  /** Region read off an AWS host name; undefined for others. */
  readonly region: string | undefined
}

/**
 * Reads a host as people write it: `search-x.ap-northeast-2.es.amazonaws.com`, `localhost:9443`, `https://h:443/`.
 *
 * Without a scheme it is TLS, on port 443 unless one is given.
 * @throws {ClientError} kind `configuration` when it is no host
 */
export function parseEndpoint(text: string): Endpoint {
  // Callers in JavaScript leave out what a type would not let them: a variable of the environment that is not set.
  if ((text ?? '') === '') throw new ClientError('configuration', 'there is no host')
  // Blanks stand around what was copied; behind a host the URL parser takes them, before it not.
  const host = text.trim()
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(host) ? host : `https://${host}`
  const wrong = (why: string, cause?: unknown) =>
    new ClientError('configuration', `[${withoutPassword(whole).slice(whole.length - host.length)}] ${why}`, { cause })
  let url: URL
  try {
    url = new URL(whole)
  } catch (cause) {
    throw wrong('is not a host: expected a name with an optional scheme and port', cause)
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw wrong('must begin with https:// or http://')
  if (url.search !== '' || url.hash !== '')
    throw wrong(`is a host with a query behind it: leave out ${url.search || url.hash}`)
  const secure = url.protocol === 'https:'
  return {
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    secure,
    host: url.host,
    basePath: url.pathname.replace(/\/+$/, ''),
    basic: url.username === '' ? undefined : basicAuthorization(url),
    region: regionOfHost(url.hostname),
  }
}

function basicAuthorization({ username, password }: URL): string {
  const bytes = new TextEncoder().encode(`${decodeLoosely(username)}:${decodeLoosely(password)}`)
  return `Basic ${btoa(String.fromCharCode(...bytes))}`
}

/** A URL as it may be shown and stored: without a password. */
export function withoutPassword(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/@:]*):[^/]*@/i, '$1@')
}

/** Under which name each partition of AWS has its services, by how its regions begin; the last one has all others. */
const PARTITIONS: readonly (readonly [RegExp, string])[] = [
  [/^cn-/, 'amazonaws.com.cn'],
  [/^us-iso-/, 'c2s.ic.gov'],
  [/^us-isob-/, 'sc2s.sgov.gov'],
  [/^eu-isoe-/, 'cloud.adc-e.uk'],
  [/^us-isof-/, 'csp.hci.ic.gov'],
  [/^eusc-/, 'amazonaws.eu'],
  [/^/, 'amazonaws.com'],
]

/** What a region's service names end in: `eu-west-1` → `amazonaws.com`. */
export function serviceSuffix(region: string): string {
  return (PARTITIONS.find(([regions]) => regions.test(region)) as (typeof PARTITIONS)[number])[1]
}

/**
 * Region of an AWS domain's host name, or undefined: `search-x-abc.eu-west-1.es.amazonaws.com` → `eu-west-1`, or that of one
 * with both versions of IP, `search-x-abc.aos.eu-west-1.on.aws`.
 */
export function regionOfHost(hostname: string): string | undefined {
  const name = hostname.toLowerCase().replace(/\.$/, '')
  const dual = /\.aos\.([a-z0-9-]+)\.on\.(?:aws|amazonwebservices\.com\.cn)$/.exec(name)?.[1]
  if (dual !== undefined) return dual
  const [, region, suffix] = /\.([a-z0-9-]+)\.(?:es|aoss)\.([a-z0-9.-]+)$/.exec(name) ?? []
  return region !== undefined && serviceSuffix(region) === suffix ? region : undefined
}
