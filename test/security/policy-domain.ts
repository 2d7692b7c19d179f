import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IssuedKey } from '../../src/access/identity/identities.ts'
import { nodeHash } from '../../src/access/signature/node-hash.ts'
import { signRequest } from '../../src/access/signature/sign-request.ts'
import type { Backend } from '../../src/backend.ts'
import { openEngine } from '../../src/engine/embedded-engine.ts'
import type { EngineVersion } from '../../src/engine/engine-version.ts'
import { createRestBackend } from '../../src/rest/rest-backend.ts'
import { SearchCounters } from '../../src/rest/statistics/search-counters.ts'
import { SearchThreads } from '../../src/threads/search-threads.ts'
import { ThreadedBackend } from '../../src/threads/threaded-backend.ts'
import { type EchoDomain, sendExactly, startEchoDomain, type WireAnswer } from './echo-domain.ts'

/** The domain's. */
export const ARN = 'arn:aws:es:us-east-1:111122223333:domain/books'
/** The administrator may do everything, Alice everything but what is denied her: paths below the domain. */
export const denying = (denied: readonly string[]) =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Principal: { AWS: 'arn:aws:iam::111122223333:user/admin' }, Action: 'es:*', Resource: '*' },
      {
        Effect: 'Allow',
        Principal: { AWS: 'arn:aws:iam::111122223333:user/alice' },
        Action: 'es:*',
        Resource: `${ARN}/*`,
      },
      {
        Effect: 'Deny',
        Principal: { AWS: 'arn:aws:iam::111122223333:user/alice' },
        Action: 'es:*',
        Resource: denied.map((path) => `${ARN}/${path}`),
      },
    ],
  })

/** A request as it is sent. */
export interface Sent {
  readonly method: string
  readonly target: string
  readonly body?: string
}

/** An engine behind a door. */
export interface PolicyDomain {
  readonly domain: EchoDomain
  readonly alice: IssuedKey
  /** Sends a request signed with a key. */
  send(key: IssuedKey, ask: Sent): Promise<WireAnswer>
  close(): Promise<void>
}

/**
 * Starts one in this process.
 *
 * @param threaded  searches are handed to a search thread, all of them
 */
export async function startPolicyDomain(
  policyCompat: 'chaja' | 'aws',
  threaded = false,
  engineVersion: EngineVersion = 'Elasticsearch_6.8',
): Promise<PolicyDomain> {
  const dataDir = mkdtempSync(join(tmpdir(), 'chaja-live-policy-'))
  const repositoryPaths = [join(dataDir, 'repositories')]
  const engine = await openEngine({ dataDir, engineVersion, repositoryPaths, log: () => {} })
  const rest = { log: () => {}, clusterName: 'books', dataDir, allowExplicitIndex: true }
  const local = createRestBackend(engine, { ...rest, publishAddress: () => '127.0.0.1:9443' })
  const threads = new SearchThreads({ engine, rest, searches: new SearchCounters(), log: rest.log })
  const backend: Backend = threaded
    ? new ThreadedBackend(local, threads, undefined, { worth: 0, worthAlone: 0, mostAlone: 5_000 })
    : local
  if (threaded) {
    threads.start(1)
    while (threads.stats.threads === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const domain = await startEchoDomain({ access: { policyCompat }, handle: (request) => backend.handle(request) })
  domain.identities.addUser('alice')
  const alice = domain.identities.addKey('alice')
  const send: PolicyDomain['send'] = async (key, { method, target, body }) => {
    const headers = await signRequest(
      { method, target, headers: { host: domain.host, 'content-type': 'application/json' }, body },
      key,
      { region: 'us-east-1', hash: nodeHash },
    )
    return sendExactly(domain, { method, target, headers, body })
  }
  const close = async () => {
    await domain.close()
    await backend.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { domain, alice, send, close }
}
