import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Identities, type IssuedKey, type IssuedSession } from '../../src/access/identity/identities.ts'
import { answerPool } from '../../src/access/identity/pool-api.ts'
import { SecretBox } from '../../src/access/identity/secret-box.ts'
import { type Access, type AccessOptions, openAccess, readAdminKey } from '../../src/access/open-access.ts'
import type { Backend, BackendRequest } from '../../src/backend.ts'
import { HTTP_ELASTICSEARCH_6 } from '../../src/http/http-dialect.ts'
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from '../../src/http/http-limits.ts'
import { HttpServer } from '../../src/http/http-server.ts'
import { localCertificate } from '../../src/http/local-authority.ts'
import { sourceIpReader } from '../../src/http/source-ip.ts'

/** What reached the handler behind the door. */
export interface Echo {
  readonly method: string
  readonly segments: readonly string[]
  readonly query: Readonly<Record<string, string>>
  readonly body: string
}

/** A domain whose backend answers what it was asked: the whole way in, without an engine. */
export interface EchoDomain {
  readonly url: string
  readonly port: number
  readonly host: string
  readonly ca: string | undefined
  readonly dataDir: string
  readonly admin: IssuedKey
  readonly identities: Identities
  readonly access: Access
  /** Everything that reached the backend. */
  readonly handled: Echo[]
  /** Lines of the log. */
  readonly logged: {
    readonly level: string
    readonly fields: Readonly<Record<string, unknown>>
    readonly message: string
  }[]
  session(roleName?: string): IssuedSession
  close(): Promise<void>
}

/** Starts one in this process. */
export async function startEchoDomain(
  options: {
    readonly access?: Partial<AccessOptions>
    readonly tls?: boolean
    readonly limits?: Partial<HttpLimits>
    readonly trustedProxies?: readonly string[]
    readonly accessLog?: boolean
    readonly handle?: Backend['handle']
  } = {},
): Promise<EchoDomain> {
  const dataDir = mkdtempSync(join(tmpdir(), 'chaja-echo-'))
  const logged: EchoDomain['logged'] = []
  const log = (level: string, fields: Readonly<Record<string, unknown>>, message: string) => {
    logged.push({ level, fields, message })
  }
  const access = openAccess({
    dataDir,
    domainName: 'books',
    region: 'us-east-1',
    account: '111122223333',
    open: false,
    policyFile: undefined,
    policyCompat: 'chaja',
    errorWording: '2022',
    strictSigV4: false,
    explain: false,
    endpoints: [],
    poolSignUp: 'open',
    poolRole: 'pool',
    poolSessionSeconds: 3600,
    log,
    ...options.access,
  })
  const handled: Echo[] = []
  const backend: Backend = {
    handle:
      options.handle ??
      (async (request: BackendRequest) => {
        const echo = {
          method: request.method,
          segments: request.segments,
          query: Object.fromEntries(request.query),
          body: request.body.toString(),
        }
        handled.push(echo)
        return {
          status: 200,
          headers: { 'content-type': 'application/json; charset=UTF-8' },
          body: JSON.stringify(echo),
        }
      }),
    close: async () => {},
  }
  const certificate = options.tls === true ? await localCertificate(dataDir, []) : undefined
  const server = new HttpServer({
    backend,
    door: access.door,
    limits: { ...DEFAULT_HTTP_LIMITS, ...options.limits },
    dialect: HTTP_ELASTICSEARCH_6,
    tls: certificate,
    edgeRoutes: new Map([['/-/pool/', (request) => answerPool(access.pool, request)]]),
    sourceIp: sourceIpReader(options.trustedProxies ?? []),
    log,
    accessLog: options.accessLog ?? false,
  })
  const { port } = await server.listen(0, '127.0.0.1')
  const identities = new Identities(access.store, SecretBox.open(join(dataDir, 'access')), '111122223333')
  return {
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    host: `127.0.0.1:${port}`,
    ca: certificate?.cert.slice(certificate.cert.indexOf('-----BEGIN', 10)),
    dataDir,
    admin: readAdminKey(dataDir) as IssuedKey,
    identities,
    access,
    handled,
    logged,
    session: (roleName = 'pool') =>
      identities.openSession({ roleName, sessionName: 'test', durationSeconds: 3600, nowMs: Date.now() }),
    async close() {
      await server.close(100)
      await access.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** An answer read to its end. */
export interface WireAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Sends a request with path and headers exactly as given. */
export function sendExactly(
  domain: Pick<EchoDomain, 'port' | 'ca'>,
  request: {
    readonly method: string
    readonly target: string
    readonly headers: Readonly<Record<string, string | readonly string[]>>
    readonly body?: string | Buffer | undefined
  },
): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const body = request.body === undefined || request.body.length === 0 ? undefined : Buffer.from(request.body)
    const headers: Record<string, string | string[] | number> = {}
    for (const [name, value] of Object.entries(request.headers))
      headers[name] = Array.isArray(value) ? [...value] : String(value)
    if (body !== undefined && !Object.keys(headers).some((name) => name.toLowerCase() === 'content-length')) {
      headers['content-length'] = body.length
    }
    const outgoing = (domain.ca === undefined ? httpRequest : httpsRequest)(
      {
        host: '127.0.0.1',
        port: domain.port,
        method: request.method,
        path: request.target,
        headers,
        agent: false,
        ...(domain.ca === undefined ? {} : { ca: domain.ca, servername: 'localhost' }),
      },
      (message) => {
        const chunks: Buffer[] = []
        message.on('data', (chunk: Buffer) => chunks.push(chunk))
        message.on('end', () =>
          resolve({
            status: message.statusCode ?? 0,
            headers: message.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        )
        message.on('error', reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
