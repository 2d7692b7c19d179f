import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { type IpRange, parseIp, parseIpRange, rangeContains } from '../access/policy/ip-range.ts'
import { WireError } from './wire-error.ts'

/** Endings of names that nobody can register, as those are by which containers find the machine they run on. */
const PRIVATE_ENDING = /\.(?:localhost|internal|test)$/

/** Addresses of this machine and of networks it is in: no page of the web has one. */
const PRIVATE_RANGES = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
].map((range) => parseIpRange(range) as IpRange)

/** Methods whose answers alone are of use to a page, which no browser lets it read. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Keeps pages that a browser on this machine shows from a domain that only this machine reaches, and that takes requests without a
 * signature: the address they come from is the same as that of everything here.
 *
 * A page reaches it by a name of its own that it has look up as 127.0.0.1; then the `Host` is that name. Or it sends what a form may
 * send without asking; then there is its `Origin`.
 */
export class BrowserGuard {
  readonly #names: ReadonlySet<string>
  /** The last that was found to be its own: callers write the same again and again. */
  #last = 'localhost'

  /** @param names  the domain is reached by besides addresses, `localhost` and names without a dot */
  constructor(names: readonly string[]) {
    this.#names = new Set(names.map((name) => name.toLowerCase()))
  }

  /** @throws {WireError} for what a page of somebody else's may have sent */
  check({ method = '', headers }: IncomingMessage): void {
    const { host = '', origin } = headers
    if (host !== this.#last && !this.#isOwn(host)) {
      throw WireError.edge(400, `Invalid Host Header: [${host}] is no name of this domain (--endpoints)`)
    }
    this.#last = host
    if (origin === undefined || READING.has(method)) return
    // What is no page of the web, an extension's, was let by its user.
    const [, scheme, from = ''] = /^(?:(https?):\/\/(.*)|null)$/.exec(origin) ?? [undefined, 'other']
    if (scheme === 'other' || (this.#isOwn(from) && !this.#isOnTheWeb(from))) return
    throw WireError.edge(403, `a page of [${origin}] may not write to this domain without a signature`)
  }

  /** @param authority  a name or address, with a port or without */
  #isOwn(authority: string): boolean {
    const name = nameIn(authority)
    if (name === '') return false
    // A name without a dot is found by what this machine and its network know alone.
    return isIP(name) !== 0 || !name.includes('.') || PRIVATE_ENDING.test(name) || this.#names.has(name)
  }

  /** Whether it is an address that anybody may serve pages at. */
  #isOnTheWeb(authority: string): boolean {
    const name = nameIn(authority)
    const address = parseIp(name)
    if (address === undefined || this.#names.has(name)) return false
    return !PRIVATE_RANGES.some((range) => rangeContains(range, address))
  }
}

function nameIn(authority: string): string {
  return authority
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()
}

/** Whether an address to listen on is reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
