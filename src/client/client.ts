import { readClientEnvironment } from './client-environment.ts'
import { type ConnectTarget, connectSettings } from './connect-settings.ts'
import { DomainClient } from './domain-client.ts'
import { NodeConnection } from './node-connection.ts'

/** How to reach a domain from Node. */
export interface ConnectOptions extends ConnectTarget {
  /** Further certificate authorities, PEM text. */
  readonly ca?: string | undefined
}

/**
 * A caller of one domain, from Node.
 *
 * @example
 * const client = await Client.fromEnv<Movie>()
 * await client.put('movies', 'movie', 'tt5311514', { title: 'Your Name' })
 * const answer = await client.search({ query: { match: { title: 'name' } } })
 */
export class Client<T = Record<string, unknown>> extends DomainClient<T> {
  /**
   * Reads AWS_ACCESS_KEY, AWS_SECRET_KEY, AWS_ES_HOST, and the AWS tools' own variables and profile files.
   *
   * @param overrides  what to take instead of the environment's
   * @throws {ClientError} kind `configuration`, naming everything that is missing
   */
  static async fromEnv<T = Record<string, unknown>>(
    overrides: {
      readonly host?: string
      readonly region?: string
      readonly profile?: string
      readonly ca?: string
      readonly timeoutMs?: number
      readonly maxRetries?: number
    } = {},
  ): Promise<Client<T>> {
    const { endpoint, region, credentials, ca } = await readClientEnvironment(overrides)
    return new Client<T>({
      endpoint,
      connection: new NodeConnection(endpoint, { ca: overrides.ca ?? ca }),
      credentials,
      region,
      timeoutMs: overrides.timeoutMs,
      maxRetries: overrides.maxRetries,
    })
  }

  /** Makes a client from explicit settings. */
  static connect<T = Record<string, unknown>>(options: ConnectOptions): Client<T> {
    return new Client<T>(connectSettings(options, (endpoint) => new NodeConnection(endpoint, { ca: options.ca })))
  }
}
