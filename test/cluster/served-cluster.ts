import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { startDomain } from '../../src/domain.ts'

/** A domain in front of a cluster. */
export interface ServedCluster {
  readonly url: string
  readonly dataDir: string
  /** Asks the domain, unsigned; an object is sent as JSON, texts as lines. */
  ask(method: string, path: string, body?: object | string, headers?: Record<string, string>): Promise<Answer>
  stop(): Promise<void>
}

/** What it answered. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: any JSON
  readonly json: any
}

/**
 * Serves a cluster over plain HTTP.
 *
 * @param options  `statements` of the access policy, for everybody (the ARN of the domain is `$`); absent: open, or
 *                 the administrator's policy with `signed`
 */
export async function serveCluster(
  nodes: readonly string[],
  options: {
    readonly statements?: readonly object[]
    readonly signed?: boolean
    readonly engineVersion?: string
    readonly flags?: object
  } = {},
): Promise<ServedCluster> {
  const data = mkdtempSync(join(tmpdir(), 'chaja-cluster-'))
  const flags: Record<string, unknown> = {
    data,
    port: 0,
    http: true,
    cluster: nodes.join(','),
    engineVersion: options.engineVersion ?? 'OpenSearch_2.19',
    ...options.flags,
  }
  if (options.statements === undefined) flags['open'] = options.signed !== true
  else {
    const policy = join(data, 'policy.json')
    const text = JSON.stringify({
      Version: '2012-10-17',
      Statement: options.statements.map((statement) => ({ Principal: '*', ...statement })),
    })
    writeFileSync(policy, text.replaceAll('"$', '"arn:aws:es:us-east-1:000000000000:domain/chaja'))
    flags['policy'] = policy
  }
  const domain = await startDomain(readConfig(flags, {}), pino({ level: 'silent' }))
  return {
    url: domain.url,
    dataDir: data,
    async ask(method, path, body, headers = {}) {
      const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
      const response = await fetch(domain.url + path, {
        method,
        headers: body === undefined ? headers : { 'content-type': type, ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      let json: unknown
      try {
        json = JSON.parse(text)
      } catch {}
      return { status: response.status, headers: response.headers, text, json }
    },
    async stop() {
      await domain.close()
      rmSync(data, { recursive: true, force: true })
    },
  }
}
