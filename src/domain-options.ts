import type { AccessOptions } from './access/open-access.ts'
import type { Config } from './config.ts'
import { HTTP_ELASTICSEARCH_6, HTTP_ELASTICSEARCH_7, HTTP_OPENSEARCH_2 } from './http/http-dialect.ts'
import { DEFAULT_HTTP_LIMITS } from './http/http-limits.ts'
import type { HttpLog, HttpServerOptions } from './http/http-server.ts'
import { sourceIpReader } from './http/source-ip.ts'
import type { RestOptions } from './rest/rest-backend.ts'

const HTTP_DIALECTS = {
  'Elasticsearch_6.8': HTTP_ELASTICSEARCH_6,
  'Elasticsearch_7.10': HTTP_ELASTICSEARCH_7,
  'OpenSearch_2.19': HTTP_OPENSEARCH_2,
} as const

/** What a domain's configuration means for its access side, in every thread. */
export function accessOptions(config: Config, log: HttpLog): AccessOptions {
  return {
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
  }
}

/** … for its REST layer. @param publishAddress  `host:port` that clients reach the domain at, once it is known */
export function restOptions(config: Config, log: HttpLog, publishAddress: () => string) {
  return {
    log,
    publishAddress,
    clusterName: `${config.account}:${config.domainName}`,
    dataDir: config.data,
    allowExplicitIndex: config.allowExplicitIndex,
  } satisfies RestOptions
}

/** … for its listeners. */
export function httpOptions(
  config: Config,
  log: HttpLog,
): Pick<HttpServerOptions, 'limits' | 'dialect' | 'sourceIp' | 'log' | 'accessLog'> {
  return {
    limits: { ...DEFAULT_HTTP_LIMITS, maxBodyBytes: config.maxContentLength, maxInFlightBytes: config.maxInFlight },
    dialect: HTTP_DIALECTS[config.engineVersion],
    sourceIp: sourceIpReader(config.trustedProxies),
    log,
    accessLog: config.accessLog,
  }
}
