import { createHash, createHmac, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request as httpsRequest } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { join } from 'node:path'
import { removeDataDir, startDomain } from '../../scripts/domain-process.ts'

/*
 * A stand-in for the edge of a cloud domain: its signature rules, bodies, limits and bad days, as documented and as seen in
 * issue threads, before a domain of ours that takes everything. The signature is verified by the specification alone,
 * without a line of the product's.
 */

/** What the edge does instead of passing a request on. */
export type Trouble =
  | 'none'
  | 'throttle-429'
  | 'throttle-403'
  | 'gateway-timeout'
  | 'unavailable'
  | 'reset'
  | 'lose-answer'

/** A running stand-in. */
export interface AwsEdge {
  /** `localhost:port`. */
  readonly host: string
  /** PEM file of the authority to trust. */
  readonly ca: string
  /** Address of the domain behind it: TLS, unsigned. */
  readonly engine: string
  readonly region: string
  /** Keys it knows; a token belongs to a session, which may end. */
  readonly keys: Map<string, { secret: string; token?: string; ended?: boolean }>
  /** Requests by status, and troubles by name. */
  readonly seen: Record<string, number>
  /** Asked before each request that is permitted. */
  trouble: (request: { readonly method: string; readonly path: string }) => Trouble
  /** How far its clock is ahead. */
  clockMs: number
  stop(): Promise<void>
}

/** Largest request of small instances. */
const LIMIT_BYTES = 10_485_760
const REGION = 'eu-west-1'

/** Starts an edge, and the domain behind it. */
export async function startAwsEdge(): Promise<AwsEdge> {
  const domain = await startDomain({ secure: true, args: ['--open'] })
  const tls = (name: string) => readFileSync(join(domain.dataDir, 'tls', name))
  const sockets = new Set<Socket>()
  const seen: Record<string, number> = {}
  const edge = {
    ca: join(domain.dataDir, 'tls', 'ca.pem'),
    engine: domain.url,
    region: REGION,
    keys: new Map<string, { secret: string; token?: string; ended?: boolean }>(),
    seen,
    trouble: (() => 'none') as AwsEdge['trouble'],
    clockMs: 0,
    host: '',
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await domain.stop()
      removeDataDir(domain.dataDir)
    },
  }
  const count = (name: string | number) => {
    seen[name] = (seen[name] ?? 0) + 1
  }
  const server = createServer({ key: tls('leaf.key'), cert: tls('leaf.pem') }, (request, response) => {
    response.setHeader('x-amzn-RequestId', randomUUID())
    response.setHeader('date', new Date(Date.now() + edge.clockMs).toUTCString())
    response.once('finish', () => count(response.statusCode))
    if (Number(request.headers['content-length'] ?? 0) > LIMIT_BYTES) {
      // Without reading it: the connection is closed upon the answer.
      response.setHeader('connection', 'close')
      answer(response, 413, { Message: `Request size exceeded ${LIMIT_BYTES} bytes` })
      return
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const refused = refusal(request, body, edge)
      if (refused !== undefined) return answer(response, 403, refused)
      const path = (request.url ?? '').split('?')[0] as string
      if (/^\/_cluster\/state|^\/_nodes\/.*\/shutdown/.test(path))
        return answer(response, 401, { Message: `Your request: '${path}' is not allowed.` })
      // What ours alone has.
      if (path.startsWith('/-/') || path.endsWith('/_digest'))
        return answer(response, 400, { error: `no handler found for uri [${path}] and method [${request.method}]` })
      const trouble = edge.trouble({ method: request.method ?? '', path })
      if (trouble !== 'none') count(trouble)
      if (trouble === 'reset') return request.socket.destroy()
      if (trouble === 'throttle-429') return answer(response, 429, `429 Too Many Requests ${path}`)
      if (trouble === 'throttle-403') return answer(response, 403, '403 Request throttled due to too many requests')
      if (trouble === 'unavailable') return answer(response, 503, { Message: null })
      if (trouble === 'gateway-timeout') {
        const page = "<html><body><h1>504 Gateway Time-out</h1>\nThe server didn't respond in time.\n</body></html>\n"
        return answer(response, 504, page)
      }
      forward(domain.url, tls('ca.pem'), request, body, response, trouble === 'lose-answer')
    })
  })
  server.on('secureConnection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  edge.host = `localhost:${(server.address() as AddressInfo).port}`
  return edge
}

function answer(response: ServerResponse, status: number, body: object | string): void {
  const type = typeof body !== 'string' ? 'application/json' : body.startsWith('<') ? 'text/html' : 'text/plain'
  response.writeHead(status, { 'content-type': type })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Why a request is not let in, in the edge's words; undefined when it is. */
function refusal(
  request: IncomingMessage,
  body: Buffer,
  edge: AwsEdge,
): { message: string } | { Message: string } | undefined {
  const header = request.headers.authorization
  const verb = `${request.method?.[0]}${request.method?.slice(1).toLowerCase()}`
  if (header === undefined) {
    const action = `es:ESHttp${verb}`
    return {
      Message: `User: anonymous is not authorized to perform: ${action} because no resource-based policy allows the ${action} action`,
    }
  }
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      header,
    )
  if (parts === null)
    return { message: `'${header}' not a valid key=value pair (missing equal-sign) in Authorization header` }
  const [, id, day, region, service, signedHeaders, signature] = parts as unknown as string[]
  if (service !== 'es') return { message: "Credential should be scoped to correct service: 'es'. " }
  if (region !== edge.region) return { message: `Credential should be scoped to a valid region, not '${region}'. ` }
  const key = edge.keys.get(id as string)
  const token = request.headers['x-amz-security-token']
  if (key === undefined || key.token !== token)
    return { message: 'The security token included in the request is invalid' }
  if (key.ended) return { message: 'The security token included in the request is expired' }
  const date = String(request.headers['x-amz-date'])
  const now = Date.now() + edge.clockMs
  const signedAt = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  if (signedAt < now - 300_000)
    return {
      message: `Signature expired: ${date} is now earlier than ${stamp(now - 300_000)} (${stamp(now)} - 5 min.)`,
    }
  if (signedAt > now + 300_000)
    return {
      message: `Signature not yet current: ${date} is still later than ${stamp(now + 300_000)} (${stamp(now)} + 5 min.)`,
    }
  const canonical = [
    request.method,
    canonicalPath(request.url ?? ''),
    canonicalQuery(request.url ?? ''),
    ...(signedHeaders as string).split(';').map(
      (name) =>
        `${name}:${String(request.headers[name] ?? '')
          .trim()
          .replace(/ +/g, ' ')}`,
    ),
    '',
    signedHeaders,
    sha256(body),
  ].join('\n')
  const scope = `${day}/${region}/es/aws4_request`
  let mac: Buffer | string = `AWS4${key.secret}`
  for (const part of scope.split('/')) mac = createHmac('sha256', mac).update(part).digest()
  const toSign = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${sha256(Buffer.from(canonical))}`
  if (createHmac('sha256', mac).update(toSign).digest('hex') === signature && date.startsWith(day as string))
    return undefined
  return {
    message: `The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.\n\nThe Canonical String for this request should have been\n'${canonical}'\n\nThe String-to-Sign should have been\n'${toSign}'\n`,
  }
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const stamp = (at: number) => new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')
/** RFC 3986. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/** The path as it came, without dot segments and doubled slashes, encoded once more. */
function canonicalPath(url: string): string {
  const kept: string[] = []
  const path = url.split('?')[0] as string
  for (const part of path.split('/')) {
    if (part === '..') kept.pop()
    else if (part !== '' && part !== '.') kept.push(encode(part))
  }
  return `/${kept.join('/')}${path.endsWith('/') && kept.length > 0 ? '/' : ''}`
}

function canonicalQuery(url: string): string {
  const query = url.split('?').slice(1).join('?')
  if (query === '') return ''
  return query
    .split('&')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return [encode(decodeURIComponent(name)), encode(decodeURIComponent(value.join('=')))] as const
    })
    .sort(([a, x], [b, y]) => (a < b ? -1 : a > b ? 1 : x < y ? -1 : x > y ? 1 : 0))
    .map((pair) => pair.join('='))
    .join('&')
}

function forward(
  target: string,
  ca: Buffer,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  loseAnswer: boolean,
): void {
  const {
    authorization: _,
    'x-amz-date': __,
    'x-amz-security-token': ___,
    host: ____,
    connection: _____,
    ...headers
  } = request.headers
  const { hostname, port } = new URL(target)
  const outgoing = httpsRequest(
    {
      hostname,
      port,
      ca,
      path: request.url,
      method: request.method,
      headers: { ...headers, 'content-length': body.length },
    },
    (answer) => {
      if (loseAnswer) {
        answer.resume().once('end', () => request.socket.destroy())
        return
      }
      const { date: _, connection: __, 'keep-alive': ___, 'x-amzn-requestid': ____, ...kept } = answer.headers
      response.writeHead(answer.statusCode ?? 502, kept)
      answer.pipe(response)
    },
  )
  outgoing.once('error', () => request.socket.destroy())
  outgoing.end(body)
}
