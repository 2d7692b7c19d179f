import { spawnSync } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Client as OpenSearchClient } from '@opensearch-project/opensearch'
import { AwsSigv4Signer } from '@opensearch-project/opensearch/aws'
import { SignatureV4 } from '@smithy/signature-v4'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeHash } from '../../src/access/node-hash.ts'
import { presignRequest, type SigningCredentials, signRequest } from '../../src/access/sign-request.ts'
import { type EchoDomain, sendExactly, startEchoDomain } from './echo-domain.ts'

const aws4 = createRequire(import.meta.url)('aws4') as {
  sign(
    request: Record<string, unknown>,
    credentials: SigningCredentials,
  ): { path: string; headers: Record<string, string> }
}

interface Wire {
  readonly method: string
  readonly target: string
  readonly body: string
}

/** What clients send: every trap of paths, queries and bodies known from issue threads. */
const REQUESTS: Readonly<Record<string, Wire>> = {
  plain: { method: 'GET', target: '/books/_doc/1', body: '' },
  'a Korean path': { method: 'GET', target: `/books/_doc/${encodeURIComponent('너의 이름은')}`, body: '' },
  'an emoji in path and body': { method: 'PUT', target: '/books/_doc/%F0%9F%93%9A', body: '{"title":"📚 책"}' },
  'a raw asterisk': { method: 'GET', target: '/logs-*/_search', body: '' },
  'an encoded asterisk': { method: 'GET', target: '/logs-%2A/_search', body: '' },
  commas: { method: 'GET', target: '/a,b,-c/_search?_source=x,y', body: '' },
  'encoded commas': { method: 'GET', target: '/a%2Cb/_search', body: '' },
  'a plus in the path': { method: 'GET', target: '/books/_doc/a+b', body: '' },
  'a plus in the query': { method: 'GET', target: '/books/_search?q=a%2Bb', body: '' },
  'a blank in the query': { method: 'GET', target: '/books/_search?q=a%20b', body: '' },
  'an encoded slash': { method: 'GET', target: '/books/_doc/a%2Fb', body: '' },
  'date math': { method: 'GET', target: '/%3Clogs-%7Bnow%2Fd%7D%3E/_search', body: '' },
  'duplicate query keys': { method: 'GET', target: '/books/_search?q=b&q=a&size=1', body: '' },
  'a key without a value': { method: 'GET', target: '/_cat/indices?v', body: '' },
  'two slashes': { method: 'GET', target: '//books//_search', body: '' },
  'GET with a body': { method: 'GET', target: '/books/_search', body: '{"query":{"match":{"title":"이름"}}}' },
  bulk: { method: 'POST', target: '/_bulk?refresh=true', body: '{"index":{"_index":"b","_type":"t"}}\n{"a":"가"}\n' },
  scroll: { method: 'POST', target: '/_search/scroll', body: '{"scroll":"1m","scroll_id":"DXF1ZXJ5QW5kRmV0Y2g=="}' },
  'scroll by query': { method: 'GET', target: '/_search/scroll?scroll=1m&scroll_id=DXF1ZXJ5QW5k%3D%3D', body: '' },
}

/** Answers headers to send with a request of these parts, and the target it signed. */
type Signer = (
  wire: Wire,
  host: string,
  credentials: SigningCredentials,
) => Promise<{ target: string; headers: Record<string, string> }>

class NodeSha256 {
  readonly #hash
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash =
      secret === undefined
        ? createHash('sha256')
        : createHmac('sha256', typeof secret === 'string' ? secret : Buffer.from(secret as ArrayBuffer))
  }
  update(data: Uint8Array | string): void {
    this.#hash.update(data)
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }
  reset(): void {}
}

const SIGNERS: Readonly<Record<string, Signer>> = {
  'our own client': async (wire, host, credentials) => ({
    target: wire.target,
    headers: await signRequest(
      {
        method: wire.method,
        target: wire.target,
        headers: { host, 'content-type': 'application/json' },
        body: wire.body,
      },
      credentials,
      { region: 'us-east-1', hash: nodeHash },
    ),
  }),
  aws4: async (wire, host, credentials) => {
    const signed = aws4.sign(
      {
        service: 'es',
        region: 'us-east-1',
        method: wire.method,
        path: wire.target,
        headers: { host, ...(wire.body === '' ? {} : { 'content-type': 'application/json' }) },
        ...(wire.body === '' ? {} : { body: wire.body }),
      },
      credentials,
    )
    // aws4 writes the query anew and that is what has to be sent.
    return { target: signed.path, headers: signed.headers }
  },
  '@smithy/signature-v4': async (wire, host, credentials) => {
    const signer = new SignatureV4({
      service: 'es',
      region: 'us-east-1',
      credentials: { ...credentials } as never,
      sha256: NodeSha256,
    })
    const at = wire.target.indexOf('?')
    const query: Record<string, string | string[]> = {}
    for (const pair of at < 0 ? [] : wire.target.slice(at + 1).split('&')) {
      const [key = '', value = ''] = pair.split('=').map(decodeURIComponent)
      const known = query[key]
      query[key] = known === undefined ? value : [known, value].flat()
    }
    const signed = await signer.sign({
      method: wire.method,
      protocol: 'http:',
      hostname: '127.0.0.1',
      path: at < 0 ? wire.target : wire.target.slice(0, at),
      query,
      headers: { host, 'content-type': 'application/json' },
      body: wire.body === '' ? undefined : wire.body,
    })
    return { target: wire.target, headers: signed.headers as Record<string, string> }
  },
  'aws4 in the query': async (wire, host, credentials) => {
    const path = `${wire.target}${wire.target.includes('?') ? '&' : '?'}X-Amz-Expires=300`
    const signed = aws4.sign(
      { service: 'es', region: 'us-east-1', method: wire.method, path, headers: { host }, signQuery: true },
      credentials,
    )
    return { target: signed.path, headers: { host } }
  },
  'our own client, presigned': async (wire, host, credentials) => ({
    target: await presignRequest({ method: wire.method, target: wire.target, headers: { host } }, credentials, {
      region: 'us-east-1',
      hash: nodeHash,
      expiresSeconds: 60,
    }),
    headers: { host },
  }),
}

let domain: EchoDomain

beforeAll(async () => {
  domain = await startEchoDomain({ tls: true })
  domain.access.store.policy = JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { AWS: ['arn:aws:iam::111122223333:user/admin', 'arn:aws:iam::111122223333:role/pool'] },
        Action: 'es:*',
        Resource: 'arn:aws:es:us-east-1:111122223333:domain/books/*',
      },
    ],
  })
  // The domain takes a changed policy over by itself.
  await new Promise((resolve) => setTimeout(resolve, 400))
})

afterAll(() => domain.close())

describe.each(Object.keys(SIGNERS))('requests signed by %s', (name) => {
  const sign = SIGNERS[name] as Signer
  const presigned = name.includes('query') || name.includes('presigned')
  const requests = Object.entries(REQUESTS).filter(([, wire]) => !(presigned && wire.body !== ''))

  it.each(requests)('are served with %s', async (_title, wire) => {
    for (const credentials of [domain.admin, domain.session()]) {
      const { target, headers } = await sign(wire, domain.host, credentials)
      const answer = await sendExactly(domain, { ...wire, target, headers })
      expect(answer.body).toContain('"segments"')
      expect(answer.status).toBe(200)
      expect(JSON.parse(answer.body).body).toBe(wire.body)
      // A signature in the query is the door's business, not the handler's.
      expect(answer.body).not.toContain('X-Amz-')
    }
  })

  it.each(requests)('are refused with %s when one byte is changed', async (_title, wire) => {
    const session = domain.session()
    const { target, headers } = await sign(wire, domain.host, session)
    const at = target.indexOf('?')
    const path = at < 0 ? target : target.slice(0, at)
    const query = at < 0 ? '' : target.slice(at + 1)
    const changed: Wire[] = [
      { ...wire, target: `${path}x${at < 0 ? '' : `?${query}`}` },
      { ...wire, target: `${path}?${query === '' ? 'x=1' : `${query}&x=1`}` },
      { ...wire, target, body: `${wire.body} ` },
      { ...wire, target, method: wire.method === 'GET' ? 'DELETE' : 'GET' },
    ]
    const before = domain.handled.length
    for (const request of changed) {
      const sent = { ...headers }
      for (const key of Object.keys(sent)) if (key.toLowerCase() === 'content-length') delete sent[key]
      expect((await sendExactly(domain, { ...request, headers: sent })).status).toBe(403)
    }
    for (const [key, value] of Object.entries(headers)) {
      if (/^(content-length|connection)$/i.test(key)) continue
      // Another character in the middle of every header's value.
      const middle = Math.floor(value.length / 2)
      const other = value[middle] === 'a' ? 'b' : 'a'
      const sent = { ...headers, [key]: value.slice(0, middle) + other + value.slice(middle + 1) }
      const answer = await sendExactly(domain, { ...wire, target, headers: sent })
      expect(answer.status, `${key} changed`).toBe(403)
    }
    expect(domain.handled.length).toBe(before)
  })
})

describe('opensearch-js with its AwsSigv4Signer', () => {
  it('works over verified TLS, and is refused with another secret', async () => {
    const connect = (credentials: SigningCredentials) =>
      new OpenSearchClient({
        ...AwsSigv4Signer({ region: 'us-east-1', service: 'es', getCredentials: async () => credentials as never }),
        node: domain.url,
        ssl: { ca: domain.ca as string },
      })
    const client = connect(domain.admin)
    const search = await client.search({ index: 'books', q: 'title:이름 *', body: { size: 1 } } as never)
    expect(search.statusCode).toBe(200)
    const bulk = await client.bulk({ body: [{ index: { _index: 'b' } }, { a: '가나다' }] } as never)
    expect(bulk.statusCode).toBe(200)
    const found = await client.get({ index: 'books', id: 'a/b c한글' })
    expect((found.body as unknown as { segments: string[] }).segments).toEqual(['books', '_doc', 'a/b c한글'])
    const wrong = connect({ ...domain.admin, secretAccessKey: 'x' })
    await expect(wrong.search({ index: 'books' })).rejects.toMatchObject({ statusCode: 403 })
    await client.close()
    await wrong.close()
  })
})

const python = [process.env['CHAJA_TEST_PYTHON'], '/tmp/pyv/bin/python', 'python3'].find(
  (path) =>
    path !== undefined &&
    (path === 'python3' || existsSync(path)) &&
    spawnSync(path, ['-c', 'import botocore, requests_aws4auth, opensearchpy']).status === 0,
)
if (python === undefined) {
  console.log(
    'skipped: botocore, requests-aws4auth, opensearch-py (pip install them; CHAJA_TEST_PYTHON names the interpreter)',
  )
}

describe.skipIf(python === undefined)('the Python signers', () => {
  it('botocore, requests-aws4auth and both of opensearch-py are served, and refused when changed', async () => {
    const { spawn } = await import('node:child_process')
    const session = domain.session()
    const child = spawn(python as string, [join(import.meta.dirname, 'live_signers.py')], {
      env: {
        ...process.env,
        CHAJA_URL: domain.url,
        CHAJA_CA: join(domain.dataDir, 'tls', 'ca.pem'),
        // Overrides what the machine may set, which requests prefers to ca_certs.
        REQUESTS_CA_BUNDLE: join(domain.dataDir, 'tls', 'ca.pem'),
        CHAJA_KEYS: JSON.stringify([domain.admin, session]),
        CHAJA_REQUESTS: JSON.stringify(REQUESTS),
      },
    })
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk
    })
    child.stderr.on('data', (chunk: Buffer) => {
      out += chunk
    })
    const code = await new Promise((resolve) => child.once('exit', resolve))
    if (code !== 0) console.log(out)
    expect(out).toMatch(/\d+ passed, 0 failed/)
  })
})
