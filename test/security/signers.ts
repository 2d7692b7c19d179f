import { spawnSync } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { SignatureV4 } from '@smithy/signature-v4'
import { nodeHash } from '../../src/access/signature/node-hash.ts'
import { presignRequest, type SigningCredentials, signRequest } from '../../src/access/signature/sign-request.ts'

const aws4 = createRequire(import.meta.url)('aws4') as {
  sign(
    request: Record<string, unknown>,
    credentials: SigningCredentials,
  ): { path: string; headers: Record<string, string> }
}

/** Anew for every request: the module keeps the first credentials it sees. */
function elasticdumpSigner(): (
  request: Record<string, unknown>,
  parent: { readonly options: Record<string, unknown> },
) => Promise<{ path: string; headers: Record<string, string> }> {
  const require = createRequire(import.meta.url)
  const path = require.resolve('elasticdump/lib/aws4signer.js')
  delete require.cache[path]
  return require(path)
}

/** A request as it is to go over the wire. */
export interface Wire {
  readonly method: string
  readonly target: string
  readonly body: string
}

/** What clients send: every trap of paths, queries and bodies known from issue threads. */
export const REQUESTS: Readonly<Record<string, Wire>> = {
  plain: { method: 'GET', target: '/books/_doc/1', body: '' },
  'a Korean path': { method: 'GET', target: `/books/_doc/${encodeURIComponent('너의 이름은')}`, body: '' },
  'an emoji in path and body': { method: 'PUT', target: '/books/_doc/%F0%9F%93%9A', body: '{"title":"📚 책"}' },
  'a raw asterisk': { method: 'GET', target: '/logs-*/_search', body: '' },
  'an encoded asterisk': { method: 'GET', target: '/logs-%2A/_search', body: '' },
  commas: { method: 'GET', target: '/a,b,-c/_search?_source=x,y', body: '' },
  'encoded commas': { method: 'GET', target: '/a%2Cb/_search', body: '' },
  'a plus in the path': { method: 'GET', target: '/books/_doc/a+b', body: '' },
  'a plus in the query': { method: 'GET', target: '/books/_search?q=a%2Bb', body: '' },
  'a raw plus in the query': { method: 'GET', target: '/books/_search?q=a+b', body: '' },
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
export type Signer = (
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

/** Signers people use, by name. */
export const SIGNERS: Readonly<Record<string, Signer>> = {
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
  'elasticdump (its signer)': async (wire, host, credentials) => {
    const request = {
      uri: `https://${host}${wire.target}`,
      method: wire.method,
      headers: { host },
      ...(wire.body === '' ? {} : { body: wire.body }),
    }
    const { accessKeyId, secretAccessKey, sessionToken } = credentials
    const options = {
      awsAccessKeyId: accessKeyId,
      awsSecretAccessKey: secretAccessKey,
      sessionToken,
      awsUrlRegex: '.*',
      awsService: 'es',
      awsRegion: 'us-east-1',
    }
    const signed = await elasticdumpSigner()(request, { options })
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

/** Can this signer sign that request? A signature in the query covers no body. */
export function canSign(name: string, wire: Wire): boolean {
  return wire.body === '' || !/query|presigned/.test(name)
}

/** The signed request with one thing changed, in every way: all must be refused. */
export function changedRequests(
  wire: Wire,
  signed: { readonly target: string; readonly headers: Readonly<Record<string, string>> },
): readonly { readonly what: string; readonly wire: Wire; readonly headers: Readonly<Record<string, string>> }[] {
  const { target, headers } = signed
  const at = target.indexOf('?')
  const path = at < 0 ? target : target.slice(0, at)
  const query = at < 0 ? '' : target.slice(at + 1)
  const free = Object.fromEntries(Object.entries(headers).filter(([key]) => key.toLowerCase() !== 'content-length'))
  const changed = [
    { what: 'path', wire: { ...wire, target: `${path}x${at < 0 ? '' : `?${query}`}` }, headers: free },
    { what: 'query', wire: { ...wire, target: `${path}?${query === '' ? 'x=1' : `${query}&x=1`}` }, headers: free },
    { what: 'body', wire: { ...wire, target, body: `${wire.body} ` }, headers: free },
    { what: 'method', wire: { ...wire, target, method: wire.method === 'GET' ? 'DELETE' : 'GET' }, headers: free },
  ]
  for (const [key, value] of Object.entries(headers)) {
    if (/^(content-length|connection)$/i.test(key)) continue
    // Another character in the middle of every header's value.
    const middle = Math.floor(value.length / 2)
    const other = value[middle] === 'a' ? 'b' : 'a'
    const altered = value.slice(0, middle) + other + value.slice(middle + 1)
    changed.push({ what: key, wire: { ...wire, target }, headers: { ...headers, [key]: altered } })
  }
  return changed
}

/** A Python that has botocore, requests-aws4auth and opensearch-py; undefined when there is none. */
export function pythonWithSigners(): string | undefined {
  return [process.env['CHAJA_TEST_PYTHON'], '.venv/bin/python', '/tmp/pyv/bin/python', 'python3'].find(
    (path) =>
      path !== undefined &&
      (path === 'python3' || existsSync(path)) &&
      spawnSync(path, ['-c', 'import botocore, requests_aws4auth, opensearchpy']).status === 0,
  )
}
