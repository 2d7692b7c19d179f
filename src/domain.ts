import type { Logger } from 'pino'
import { ANONYMOUS } from './access/caller.ts'
import type { Door } from './access/door.ts'
import type { Backend } from './backend.ts'
import type { Config } from './config.ts'
import { openEngine } from './engine/embedded-engine.ts'
import type { Engine } from './engine/engine.ts'
import { HTTP_ELASTICSEARCH_6, HTTP_ELASTICSEARCH_7, HTTP_OPENSEARCH_2 } from './http/http-dialect.ts'
import { DEFAULT_HTTP_LIMITS } from './http/http-limits.ts'
import { HttpServer } from './http/http-server.ts'

/** A domain that answers. */
export interface Domain {
  /** `https://127.0.0.1:9443`. */
  readonly url: string
  /** Finishes what is under way (at most 30 s), makes everything durable, lets go of the data directory. */
  close(): Promise<void>
}

const HTTP_DIALECTS = {
  'Elasticsearch_6.8': HTTP_ELASTICSEARCH_6,
  'Elasticsearch_7.10': HTTP_ELASTICSEARCH_7,
  'OpenSearch_2.19': HTTP_OPENSEARCH_2,
} as const

const GRACE_MS = 30_000

/**
 * Wires a domain together and starts it: engine, backend, door, listener.
 *
 * @throws {Error} when the data directory is in use, the port is taken, or something configured cannot be read
 */
export async function startDomain(config: Config, logger: Logger): Promise<Domain> {
  const log = (level: 'debug' | 'info' | 'warn' | 'error', fields: object, message: string) =>
    logger[level](fields, message)
  const engine = await openEngine({ dataDir: config.data, engineVersion: config.engineVersion, log })
  const module = './rest/rest-backend.ts'
  const { createRestBackend } = (await import(module)) as {
    createRestBackend: (engine: Engine, options: object) => Backend
  }
  const backend = createRestBackend(engine, { log })
  const door: Door = { admit: () => ({ caller: ANONYMOUS, signed: false, enter() {}, authorize() {} }) }
  const server = new HttpServer({
    backend,
    door,
    limits: { ...DEFAULT_HTTP_LIMITS, maxBodyBytes: config.maxContentLength, maxInFlightBytes: config.maxInFlight },
    dialect: HTTP_DIALECTS[config.engineVersion],
    edgeRoutes: new Map(),
    sourceIp: (peer) => peer,
    log,
    accessLog: config.accessLog,
  })
  const address = await server.listen(config.port, config.host)
  return {
    url: `http://${config.host}:${address.port}`,
    async close() {
      await server.close(GRACE_MS)
      await backend.close()
      await engine.close()
    },
  }
}
