import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { startDomain } from '../../src/domain.ts'
import type { EngineVersion } from '../../src/engine/engine-version.ts'
import { DENIED, IDS, SECRETS } from './leak-requests.ts'

/** Who asks: told apart by address, so that nothing need be signed. */
export const CALLERS = {
  /** May do everything. */
  admin: '10.0.0.1',
  /** Everything but what is denied. */
  denied: '10.0.0.2',
  /** Everything with one index, and all paths that name none. */
  one: '10.0.0.3',
  /** The same, by the beginning of its name. */
  prefix: '10.0.0.4',
  getter: '10.0.0.5',
  putter: '10.0.0.6',
  poster: '10.0.0.7',
  /** May only search one index, at its own path. */
  searcher: '10.0.0.8',
} as const

export type CallerName = keyof typeof CALLERS

const ARN = 'arn:aws:es:us-east-1:000000000000:domain/chaja'

/** Anything called as the denied index is, or almost; and what belongs to it. */
const deniedPaths = (): string[] => ['w?mbat*', '.w?mbat*', ...STORED.map(([folder, name]) => `${folder}/${name}*`)]

const METHODS = ['Get', 'Head', 'Post', 'Put', 'Delete'].map((method) => `es:ESHttp${method}`)

function policy(): string {
  const from = (...callers: CallerName[]) => ({
    Principal: '*',
    Condition: { IpAddress: { 'aws:SourceIp': callers.map((caller) => CALLERS[caller]) } },
  })
  const allow = (callers: CallerName[], paths: readonly string[], actions: readonly string[] = METHODS) => ({
    Effect: 'Allow',
    ...from(...callers),
    Action: actions,
    Resource: paths.map((path) => `${ARN}/${path}`),
  })
  const own = ['_*', 'public', 'public/*']
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      allow(['admin', 'denied'], ['*']),
      allow(['one'], own),
      allow(['prefix'], ['_*', 'publ*']),
      allow(['getter'], own, ['es:ESHttpGet', 'es:ESHttpHead']),
      allow(['putter'], own, ['es:ESHttpPut']),
      allow(['poster'], own, ['es:ESHttpPost']),
      allow(['searcher'], ['public/_search', '_search*', '_msearch*']),
      {
        Effect: 'Deny',
        ...from('denied', 'one', 'prefix', 'getter', 'putter', 'poster', 'searcher'),
        Action: 'es:*',
        Resource: deniedPaths().map((path) => `${ARN}/${path}`),
      },
    ],
  })
}

/** Where things are stored by names of their own, and what there belongs to the denied index. */
const STORED = [
  ['_template', SECRETS.template],
  ['_index_template', SECRETS.template],
  ['_component_template', SECRETS.template],
  ['_ingest/pipeline', SECRETS.pipeline],
  ['_scripts', SECRETS.script],
] as const

/** What was answered. */
export interface LeakAnswer {
  readonly status: number
  readonly headers: string
  readonly text: string
}

/** What is told of indices by their names, without those that callers make. */
function ofDenied(text: string): string {
  const told = Object.entries(JSON.parse(text) as object).filter(([name]) => !/^(?:publ|made|mine|turn)/.test(name))
  return JSON.stringify(told.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A domain with an index that is denied to all but one, or without it. */
export interface LeakDomain {
  ask(
    caller: CallerName,
    method: string,
    target: string,
    body?: Buffer | string | object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<LeakAnswer>
  /** Puts back what callers may change. */
  restore(): Promise<void>
  /** Everything there is of the denied index, and of what belongs to it. */
  secrets(): Promise<string>
  stop(): Promise<void>
}

/**
 * Starts a domain.
 *
 * @param denied   `otherwise`: the denied index holds something else; `absent`: there is none
 * @param cluster  a cluster to serve, which must be the test's own; absent: the embedded engine
 */
export async function startLeakDomain(
  engineVersion: EngineVersion,
  denied: 'as told' | 'otherwise' | 'absent',
  cluster?: string,
): Promise<LeakDomain> {
  const data = mkdtempSync(join(tmpdir(), 'chaja-leaks-'))
  const repositories = join(data, 'repositories')
  mkdirSync(repositories)
  writeFileSync(join(data, 'policy.json'), policy())
  const config = readConfig(
    {
      data,
      port: 0,
      http: true,
      engineVersion,
      policy: join(data, 'policy.json'),
      trustedProxies: '127.0.0.1',
      ...(cluster === undefined ? { pathRepo: repositories, searchThreads: 0 } : { cluster }),
    },
    {},
  )
  const domain = await startDomain(config, pino({ level: 'silent' }))
  const { port } = new URL(domain.url)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const typed = engineVersion === 'Elasticsearch_6.8'

  /** Made up with the data: what else differs between two domains is what they hold. */
  let node = /NODE/g
  const ask: LeakDomain['ask'] = (caller, method, target, body, headers = {}) =>
    new Promise((resolve, reject) => {
      const bytes =
        body === undefined || Buffer.isBuffer(body)
          ? body
          : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
      const sent = httpRequest(
        {
          host: '127.0.0.1',
          port,
          method,
          path: target,
          agent,
          headers: {
            'x-forwarded-for': CALLERS[caller],
            ...(bytes === undefined ? {} : { 'content-length': bytes.length, 'content-type': 'application/json' }),
            ...headers,
          },
        },
        (message) => {
          const chunks: Buffer[] = []
          message.on('data', (chunk: Buffer) => chunks.push(chunk))
          message.on('error', reject)
          message.on('end', () =>
            resolve({
              status: message.statusCode ?? 0,
              headers: JSON.stringify(message.headers),
              text: Buffer.concat(chunks).toString().replaceAll(node, 'NODE'),
            }),
          )
        },
      )
      sent.on('error', reject)
      sent.end(bytes)
    })
  const set = async (method: string, target: string, body?: object): Promise<void> => {
    const { status, text } = await ask('admin', method, target, body)
    if (status >= 300) throw new Error(`${method} ${target}: ${status} ${text}`)
  }
  const mappings = (properties: object) =>
    typed ? { mappings: { _doc: { properties } } } : { mappings: { properties } }
  const modules = cluster === undefined ? undefined : await ask('admin', 'GET', '/_nodes/plugins')
  /** A cluster may lack the modules that not every search needs. */
  const isFull = modules === undefined || ['percolator', 'ingest-common'].every((name) => modules.text.includes(name))
  const shape = { shape: { type: 'geo_shape' } }
  const one = { number_of_shards: 1, number_of_replicas: 0 }

  async function restore(): Promise<void> {
    await ask('admin', 'DELETE', '/publ*,made*,mine*,turning*?expand_wildcards=all')
    for (const [folder, kept] of STORED)
      for (const id of [...IDS, SECRETS.alias])
        if (id !== kept && !id.includes('*')) await ask('admin', 'DELETE', `/${folder}/${id}`)
    await ask('admin', 'PUT', '/_snapshot/kept', { type: 'fs', settings: { location: join(repositories, 'kept') } })
    await set('PUT', '/public', {
      settings: one,
      ...mappings({
        a: { type: 'text', fielddata: true },
        n: { type: 'nested' },
        ...(isFull ? { q: { type: 'percolator' }, ...shape } : {}),
      }),
      aliases: { turning: {}, both: {} },
    })
    await set('PUT', '/public/_doc/1?refresh=true', { a: 'x', shape: { type: 'point', coordinates: [1, 2] } })
  }

  async function makeDenied(isOther: boolean): Promise<void> {
    const { alias, template, pipeline, script } = SECRETS
    const [field, content, analyzer] = isOther
      ? ['other', 'others', 'another']
      : [SECRETS.field, SECRETS.content, SECRETS.analyzer]
    const source = JSON.stringify({ query: { match_none: { _name: SECRETS.stored } } })
    await ask('admin', 'PUT', `/_scripts/${script}`, { script: { lang: 'mustache', source } })
    if (isFull) {
      const processors = [{ set: { field: 'extra', value: 'x' } }]
      await set('PUT', `/_ingest/pipeline/${pipeline}`, { description: SECRETS.stored, processors })
    }
    await set('PUT', `/_template/${template}`, {
      index_patterns: [`${DENIED}*`],
      order: 1,
      settings: { 'index.number_of_replicas': 0 },
      aliases: { [alias]: {} },
    })
    for (const index of [DENIED, `${DENIED}-shut`, `.${DENIED}`]) {
      await set('PUT', `/${index}`, {
        settings: {
          ...one,
          ...(isOther ? { number_of_shards: 3, refresh_interval: '7s' } : {}),
          ...(isFull ? { default_pipeline: pipeline } : {}),
          analysis: { analyzer: { [analyzer]: { type: 'custom', tokenizer: 'standard' } } },
        },
        ...mappings({
          a: { type: isOther ? 'text' : 'keyword' },
          [field]: { type: 'text', analyzer, fielddata: true },
          ...(isFull ? shape : {}),
        }),
        aliases: { [alias]: {}, both: {} },
      })
    }
    for (const id of isOther ? ['1', '2', '3'] : ['1']) {
      await set('PUT', `/${DENIED}/_doc/${id}?refresh=true`, {
        a: isOther ? ['y'] : ['x', content],
        [field]: content,
        shape: { type: 'point', coordinates: isOther ? [10, 20] : [1, 2] },
      })
    }
    await set('POST', `/${DENIED}-shut/_close`)
  }

  async function secrets(): Promise<string> {
    const told: string[] = []
    // What was written shows in searches once they are refreshed.
    await ask('admin', 'POST', `/${DENIED},.${DENIED}/_refresh`)
    for (const target of [
      `/${DENIED}*,.${DENIED}*?expand_wildcards=all`,
      `/${DENIED}*,.${DENIED}*/_search?version=true&ignore_unavailable=true&allow_no_indices=true&filter_path=hits.total,hits.hits`,
      // Whoever gets this alias gets what is written by it.
      `/_alias/bil*?filter_path=*.aliases`,
      '/_alias/both?filter_path=*.aliases',
      `/_template/${SECRETS.template}*`,
      `/_ingest/pipeline/${SECRETS.pipeline}*`,
      `/_scripts/${SECRETS.script}`,
      `/_cat/indices/${DENIED}*?h=index,status,docs.count,docs.deleted&s=index${typed ? '' : '&expand_wildcards=all'}`,
    ]) {
      const { text } = await ask('admin', 'GET', target)
      told.push(target.startsWith('/_alias/both') ? ofDenied(text) : text)
    }
    return told.join('\n')
  }

  try {
    if (cluster !== undefined) {
      // What an earlier run left.
      await ask('admin', 'DELETE', '/*?expand_wildcards=all')
      await ask('admin', 'DELETE', `/.${DENIED}`)
    }
    // Its name is how its id begins.
    if (cluster === undefined) {
      const name = (await ask('admin', 'GET', '/_cat/nodes?h=name')).text.trim()
      // Tables show the first four letters of an id.
      node = new RegExp(`${name}(?:[\\w-]{15})?|(?<![\\w-])${name.slice(0, 4)}(?![\\w-])`, 'g')
    }
    if (denied !== 'absent') await makeDenied(denied === 'otherwise')
    await restore()
  } catch (error) {
    await domain.close()
    throw error
  }
  return {
    ask,
    restore,
    secrets,
    async stop() {
      agent.destroy()
      await domain.close()
      rmSync(data, { recursive: true, force: true })
    },
  }
}
