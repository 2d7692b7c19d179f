import type { Connection } from './connection.ts'
import type { CredentialProvider, Credentials } from './credentials.ts'
import type { ClientSettings } from './domain-client.ts'
import { type Endpoint, parseEndpoint } from './endpoint.ts'

/** How to reach a domain from anywhere. */
export interface ConnectTarget {
  /**
   * `search-x.eu-west-1.es.amazonaws.com`, `localhost:9443`, `https://host:port/base`, a page's `location.origin`; without a
   * scheme it is TLS.
   */
  readonly host: string
  /** Keys, or what answers them (an identity pool's temporary ones); absent: unsigned. */
  readonly credentials?: Credentials | CredentialProvider | undefined
  /** Needed with credentials unless the host is an AWS name. */
  readonly region?: string | undefined
  readonly timeoutMs?: number | undefined
  readonly maxRetries?: number | undefined
}

/** What a client is made from, whatever carries its requests. */
export function connectSettings(target: ConnectTarget, connect: (endpoint: Endpoint) => Connection): ClientSettings {
  const endpoint = parseEndpoint(target.host)
  const { credentials } = target
  return {
    endpoint,
    connection: connect(endpoint),
    credentials: credentials === undefined || typeof credentials === 'function' ? credentials : async () => credentials,
    region: target.region ?? endpoint.region,
    timeoutMs: target.timeoutMs,
    maxRetries: target.maxRetries,
  }
}
