import type { CredentialProvider, Credentials } from './credentials.ts'
import { DomainClient } from './domain-client.ts'
import { parseEndpoint } from './endpoint.ts'
import { FetchConnection } from './fetch-connection.ts'

/** How to reach a domain from a browser. */
export interface BrowserConnectOptions {
  /** The domain, e.g. `location.origin`; without a scheme it is TLS. */
  readonly host: string
  /** Keys, or what answers them (an identity pool's temporary ones); absent: unsigned. */
  readonly credentials?: Credentials | CredentialProvider | undefined
  /** Needed with credentials unless the host is an AWS name. */
  readonly region?: string | undefined
  readonly timeoutMs?: number | undefined
  readonly maxRetries?: number | undefined
}

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
    const endpoint = parseEndpoint(options.host)
    const { credentials } = options
    return new Client<T>({
      endpoint,
      connection: new FetchConnection(endpoint),
      credentials:
        credentials === undefined || typeof credentials === 'function' ? credentials : async () => credentials,
      region: options.region ?? endpoint.region,
      timeoutMs: options.timeoutMs,
      maxRetries: options.maxRetries,
    })
  }
}
