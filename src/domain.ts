import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import type { Logger } from 'pino'
import { answerPool } from './access/identity/pool-api.ts'
import { domainArn, openAccess } from './access/open-access.ts'
import type { Backend } from './backend.ts'
import { checkIdentities } from './check-identities.ts'
import type { Config } from './config.ts'
import { openEngine } from './engine/embedded-engine.ts'
import { lockDataDirectory } from './engine/store/data-lock.ts'
import { fileProblem, systemCode } from './file-problem.ts'
import { BrowserGuard, isLoopback } from './http/browser-guard.ts'
import { CertificateFiles } from './http/certificate-files.ts'
import { connectionLimit } from './http/connection-limit.ts'
import type { EdgeRoute } from './http/edge-routes.ts'
import { HTTP_ELASTICSEARCH_6, HTTP_ELASTICSEARCH_7, HTTP_OPENSEARCH_2 } from './http/http-dialect.ts'
import { DEFAULT_HTTP_LIMITS } from './http/http-limits.ts'
import { HttpServer } from './http/http-server.ts'
import { AUTHORITY_FILE, isDue, localCertificate, type TlsMaterial } from './http/local-authority.ts'
import { sourceIpReader } from './http/source-ip.ts'
import { makeFolder } from './make-folder.ts'
import { createRestBackend } from './rest/rest-backend.ts'
import { searchCountersOf } from './rest/statistics/search-counters.ts'
import { Trips } from './rest/statistics/trips.ts'
import { SearchThreads } from './threads/search-threads.ts'
import { ThreadedBackend } from './threads/threaded-backend.ts'
import { NO_WIRE, type WireStats } from './wire-stats.ts'

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

/** Requests under way have this long to finish when a domain stops. */
const GRACE_MS = 25_000

/** How often certificate files are looked at, and the local certificate's time: the clock may have been set. */
const CERTIFICATE_POLL_MS = 1000

/**
 * Wires a domain together and starts it: engine, backend, door, listener.
 *
 * @throws {Error} when the data directory is in use, the port is taken, or something configured cannot be read
 */
export async function startDomain(config: Config, logger: Logger): Promise<Domain> {
  const log = (level: 'debug' | 'info' | 'warn' | 'error', fields: object, message: string) =>
    logger[level](fields, message)
  // Documents are nobody else's on the machine; a directory that is there stays as it was made.
  makeFolder(config.data, 0o700)
  // First of all, since it takes the data directory for this process.
  const behind = config.cluster.length === 0 ? await openEmbedded(config, log) : await openCluster(config, log)
  const onFailure: (() => Promise<void> | void)[] = [() => behind.close()]
  try {
    checkIdentities(config.data, false)
    const access = openAccess({
      dataDir: config.data,
      domainName: config.domainName,
      region: config.region,
      account: config.account,
      open: config.open,
      policyFile: config.policy,
      policyCompat: config.policyCompat,
      errorWording: config.errorWording,
      strictSigV4: config.sigv4 === 'strict',
      explain: config.explain,
      endpoints: config.endpoints,
      poolSignUp: config.poolSignUp,
      poolRole: config.poolRole,
      poolSessionSeconds: config.poolSession,
      log,
    })
    onFailure.unshift(() => access.close())
    const certificate = await openCertificate(config)
    const server = new HttpServer({
      backend: behind.backend,
      door: access.door,
      limits: { ...DEFAULT_HTTP_LIMITS, maxBodyBytes: config.maxContentLength, maxInFlightBytes: config.maxInFlight },
      dialect: HTTP_DIALECTS[config.engineVersion],
      tls: certificate?.material,
      edgeRoutes: edgeRoutes(config, access.pool),
      sourceIp: sourceIpReader(config.trustedProxies),
      // Over TLS no certificate fits the name that a page is reached by.
      browserGuard:
        config.http && isLoopback(config.host) ? new BrowserGuard([...config.endpoints, hostname()]) : undefined,
      connections: connectionLimit(),
      log,
      accessLog: config.accessLog,
    })
    const { port } = await server.listen(config.port, config.host)
    const stopWatching = certificate?.watch((material) => server.setTls(material), log)
    const url = `${config.http ? 'http' : 'https'}://${urlHost(config.host)}:${port}`
    // Once nothing can fail any more that would leave threads behind.
    behind.start(`${config.endpoints[0] ?? urlHost(config.host)}:${port}`, () => server.stats)
    try {
      access.store.domain = {
        name: config.domainName,
        region: config.region,
        account: config.account,
        url: `${config.http ? 'http' : 'https'}://${clientHost(config)}:${port}`,
        caFile: config.http || config.tlsCert !== undefined ? undefined : resolve(config.data, AUTHORITY_FILE),
      }
    } catch (error) {
      // A full disk does not keep it from being read.
      log('warn', { error: (error as Error).message }, 'commands on this data directory do not know its new address')
    }
    if (access.isFirstStart) {
      log(
        'info',
        { keyFile: join(config.data, 'access', 'admin.json') },
        `administrator made; load its key with: eval "$(chaja env --data ${config.data})"`,
      )
    }
    log(
      'info',
      { url, arn: domainArn({ ...config, name: config.domainName }), engineVersion: config.engineVersion },
      'ready',
    )
    return {
      url,
      async close() {
        stopWatching?.()
        await server.close(GRACE_MS)
        await behind.close()
        await access.close()
      },
    }
  } catch (error) {
    for (const undo of onFailure) await undo()
    throw error
  }
}

type DomainLog = (level: 'debug' | 'info' | 'warn' | 'error', fields: object, message: string) => void

/** What stands behind the door. */
interface Behind {
  readonly backend: Backend
  /** Called when the domain listens. @param publishAddress  where clients reach it  @param wire  what its listener tells */
  start(publishAddress: string, wire: () => WireStats): void
  close(): Promise<void>
}

/** The embedded engine, with threads that search beside it. */
async function openEmbedded(config: Config, log: DomainLog): Promise<Behind> {
  const engine = await openEngine({
    dataDir: config.data,
    engineVersion: config.engineVersion,
    repositoryPaths: config.pathRepo,
    log,
  })
  let published = ''
  let wire = (): WireStats => NO_WIRE
  const rest = {
    log,
    clusterName: `${config.account}:${config.domainName}`,
    dataDir: config.data,
    allowExplicitIndex: config.allowExplicitIndex,
  }
  const searches = searchCountersOf(engine)
  const trips = new Trips()
  const threads = new SearchThreads({ engine, rest, publishAddress: () => published, searches, trips, log })
  const local = createRestBackend(engine, {
    ...rest,
    publishAddress: () => published,
    wire: () => wire(),
    searches,
    trips,
    searchPool: () => threads.stats,
    gatherCounts: () => threads.gatherCounts(),
  })
  const startThreads = config.searchThreads === 'auto' ? () => threads.startForNow() : undefined
  const backend = new ThreadedBackend(local, threads, startThreads)
  return {
    backend,
    start(publishAddress, listening) {
      published = publishAddress
      wire = listening
      if (config.searchThreads !== 'auto') threads.start(config.searchThreads)
    },
    close: () => backend.close(),
  }
}

/** A cluster; of the data directory only identities and policy are used, by one process as ever. */
async function openCluster(config: Config, log: DomainLog): Promise<Behind> {
  // Loaded where there is one, so that a start without does not pay for it.
  const { ClusterBackend } = await import('./cluster/cluster-backend.ts')
  const { parseClusterNode } = await import('./cluster/cluster-node.ts')
  const { readAuthority } = await import('./client/client-environment.ts')
  const ca = config.clusterCa === undefined ? undefined : readAuthority(config.clusterCa, '--cluster-ca')
  const lock = await lockDataDirectory(config.data)
  const backend = new ClusterBackend({
    engineVersion: config.engineVersion,
    nodes: config.cluster.map(parseClusterNode),
    ca,
    timeoutMs: config.clusterTimeout * 1000,
    allowExplicitIndex: config.allowExplicitIndex,
    log,
  })
  return {
    backend,
    start: () => {},
    async close() {
      await backend.close()
      lock.release()
    },
  }
}

function edgeRoutes(config: Config, pool: Parameters<typeof answerPool>[0]): ReadonlyMap<string, EdgeRoute> {
  const routes = new Map<string, EdgeRoute>()
  if (config.health) {
    routes.set('/-/health', () => ({
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: '{"status":"up"}',
    }))
  }
  if (config.pool) routes.set('/-/pool/', (request) => answerPool(pool, request))
  return routes
}

/** The certificate to serve with and what keeps it fresh; undefined for plain HTTP. */
async function openCertificate(config: Config) {
  if (config.http) return undefined
  const files =
    config.tlsCert !== undefined && config.tlsKey !== undefined
      ? new CertificateFiles(config.tlsCert, config.tlsKey)
      : undefined
  const names = [...config.endpoints, ...(isAnyAddress(config.host) ? [] : [config.host])]
  const material = files === undefined ? await ownCertificate(config.data, names) : (files.read() as TlsMaterial)
  let current = material
  return {
    material,
    /** Calls back with every renewed certificate. @returns what stops it */
    watch(
      onNew: (material: TlsMaterial) => void,
      log: (level: 'info' | 'error', fields: object, message: string) => void,
    ) {
      let failure: string | undefined
      let isLooking = false
      const look = async () => {
        if (isLooking) return
        isLooking = true
        try {
          const renewed =
            files !== undefined
              ? files.read()
              : isDue(current.cert)
                ? await localCertificate(config.data, names)
                : undefined
          if (renewed !== undefined && renewed.cert !== current.cert) {
            current = renewed
            onNew(renewed)
            log('info', {}, 'certificate renewed')
          }
          failure = undefined
        } catch (error) {
          const { message } = error as Error
          if (message !== failure)
            log('error', { error: message }, 'the changed certificate is not taken, the old one stays')
          failure = message
        }
        isLooking = false
      }
      const timer = setInterval(look, CERTIFICATE_POLL_MS)
      timer.unref()
      return () => clearInterval(timer)
    },
  }
}

/** The certificate of the local authority. @throws {Error} naming where it is kept, when that is damaged */
async function ownCertificate(data: string, names: readonly string[]): Promise<TlsMaterial> {
  try {
    const material = await localCertificate(data, names)
    createSecureContext(material)
    return material
  } catch (error) {
    const folder = join(data, 'tls')
    if (/^E[A-Z]+$/.test(systemCode(error) ?? '')) {
      const { path = folder } = error as NodeJS.ErrnoException
      throw new Error(`cannot use ${path}: ${fileProblem(error)}`, { cause: error })
    }
    throw new Error(
      `the certificate in ${folder} cannot be used (${(error as Error).message}): restore the folder from a copy, or remove it to ` +
        'have another made, which clients have to trust anew',
      { cause: error },
    )
  }
}

function isAnyAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === ''
}

/** The name clients are told to use: the first endpoint configured, else the address listened on. */
function clientHost(config: Config): string {
  return config.endpoints[0] ?? (isAnyAddress(config.host) ? 'localhost' : urlHost(config.host))
}

function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
