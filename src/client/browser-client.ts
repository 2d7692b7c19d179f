import { type ConnectTarget, connectSettings } from './connect-settings.ts'
import { DomainClient } from './domain-client.ts'
import { FetchConnection } from './fetch-connection.ts'

/** How to reach a domain from a browser. */
export interface BrowserConnectOptions extends ConnectTarget {}

/**
 * A caller of one domain, from a browser: requests are signed through WebCrypto and carried by `fetch`.
 *
 * @example
 * const client = Client.connect({ host: location.origin, region, credentials: () => pool.credentials() })
 * const answer = await client.search({ query: { match: { title: 'name' } } })
 */
export class Client<T = Record<string, unknown>> extends DomainClient<T> {
  /** Makes a client from explicit settings; a page has no environment to read them from. */
  static connect<T = Record<string, unknown>>(options: BrowserConnectOptions): Client<T> {
    return new Client<T>(connectSettings(options, (endpoint) => new FetchConnection(endpoint)))
  }
}
