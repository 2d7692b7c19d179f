import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { IssuedKey } from '../../src/access/identity/identities.ts'
import { nodeHash } from '../../src/access/signature/node-hash.ts'
import { signRequest } from '../../src/access/signature/sign-request.ts'
import type { AbortFlag, BackendRequest } from '../../src/backend.ts'
import { DEFAULT_HTTP_LIMITS } from '../../src/http/http-limits.ts'
import { type EchoDomain, sendExactly, startEchoDomain } from './echo-domain.ts'

let domain: EchoDomain
let open: EchoDomain

beforeAll(async () => {
  open = await startEchoDomain({ access: { open: true } })
  domain = await startEchoDomain({ limits: { headersTimeoutMs: 1_000, bodyIdleTimeoutMs: 1_000 } })
})
afterAll(async () => {
  await domain.close()
  await open.close()
})

/** Signs as the administrator and sends. */
async function sendSigned(
  method: string,
  target: string,
  options: {
    readonly body?: string | Buffer
    readonly headers?: Readonly<Record<string, string>>
    readonly date?: Date
    readonly on?: EchoDomain
    readonly added?: Readonly<Record<string, string>>
    readonly without?: string
  } = {},
) {
  const to = options.on ?? domain
  const headers = await signRequest(
    { method, target, headers: { host: to.host, ...options.headers }, body: options.body },
    to.admin,
    { region: 'us-east-1', hash: nodeHash, ...(options.date === undefined ? {} : { date: options.date }) },
  )
  if (options.without !== undefined) delete headers[options.without]
  return sendExactly(to, { method, target, headers: { ...headers, ...options.added }, body: options.body })
}

/** Writes bytes on a connection; answers all that came back until it was quiet or closed. */
function raw(bytes: string | Buffer, quietMs = 250, port = domain.port): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let timer = setTimeout(done, 10_000)
    function done() {
      clearTimeout(timer)
      socket.destroy()
      resolve(text)
    }
    socket.on('data', (chunk) => {
      text += chunk
      clearTimeout(timer)
      timer = setTimeout(done, quietMs)
    })
    socket.on('close', done).on('error', done)
  })
}

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]))

describe('a signature', () => {
  it('is refused after five minutes, before its time, and when it is replayed elsewhere', async () => {
    const old = await sendSigned('GET', '/books/_doc/1', { date: new Date(Date.now() - 301_000) })
    expect(old.status).toBe(403)
    expect(JSON.parse(old.body).message).toMatch(
      /^Signature expired: \d{8}T\d{6}Z is now earlier than \d{8}T\d{6}Z \(\d{8}T\d{6}Z - 5 min\.\)$/,
    )
    const early = await sendSigned('GET', '/books/_doc/1', { date: new Date(Date.now() + 310_000) })
    expect(JSON.parse(early.body).message).toMatch(/^Signature not yet current: /)
  })

  it('says what is wrong in the real words', async () => {
    const headers = { host: domain.host }
    const send = async (authorization: string, more: Record<string, string> = {}) => {
      const answer = await sendExactly(domain, {
        method: 'GET',
        target: '/',
        headers: { ...headers, ...more, authorization },
      })
      expect(answer.status).toBe(403)
      return JSON.parse(answer.body).message as string
    }
    expect(await send('Basic YTpi')).toBe(
      "'YTpi' not a valid key=value pair (missing equal-sign) in Authorization header: 'Basic YTpi'.",
    )
    expect(await send('AWS4-HMAC-SHA256 x=y')).toBe(
      "Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' parameter. " +
        "Authorization header requires 'SignedHeaders' parameter. Authorization header requires existence of either a " +
        "'X-Amz-Date' or a 'Date' header. Authorization=AWS4-HMAC-SHA256 x=y",
    )
    const date = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
    const scoped = (scope: string) =>
      send(
        `AWS4-HMAC-SHA256 Credential=AKIAX/${date.slice(0, 8)}/${scope}/aws4_request, SignedHeaders=host, Signature=0`,
        {
          'x-amz-date': date,
        },
      )
    expect(await scoped('us-east-1/s3')).toBe("Credential should be scoped to correct service: 'es'. ")
    expect(await scoped('eu-west-1/es')).toBe("Credential should be scoped to a valid region, not 'eu-west-1'. ")
    expect(await scoped('us-east-1/es')).toBe('The security token included in the request is invalid')
  })

  it('covers no header that was stripped, and an added one changes nothing', async () => {
    const stripped = await sendSigned('GET', '/', { headers: { 'x-a': '1' }, without: 'x-a' })
    expect(stripped.status).toBe(403)
    const added = await sendSigned('GET', '/', {
      added: { 'x-b': '1', 'x-http-method-override': 'DELETE', 'x-original-url': '/secret' },
    })
    expect(added.status).toBe(200)
    expect(JSON.parse(added.body)).toMatchObject({ method: 'GET', segments: [] })
  })

  it.each(['UNSIGNED-PAYLOAD', 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD', 'STREAMING-UNSIGNED-PAYLOAD-TRAILER'])(
    'over %s instead of the body is refused',
    async (payload) => {
      const before = domain.handled.length
      const headers = { 'x-amz-content-sha256': payload }
      const answer = await sendSigned('POST', '/books/_search', { body: '{}', headers })
      expect(answer.status).toBe(403)
      expect(domain.handled.length).toBe(before)
    },
  )

  it('of an expired session, or with the token of another one, is refused', async () => {
    const send = async (credentials: { accessKeyId: string; secretAccessKey: string; sessionToken: string }) => {
      const headers = await signRequest({ method: 'GET', target: '/', headers: { host: domain.host } }, credentials, {
        region: 'us-east-1',
        hash: nodeHash,
      })
      const answer = await sendExactly(domain, { method: 'GET', target: '/', headers })
      return JSON.parse(answer.body) as { message?: string; Message?: string }
    }
    const { identities } = domain
    const one = domain.session()
    const two = domain.session()
    expect((await send(one)).Message).toContain('arn:aws:sts::111122223333:assumed-role/pool/test is not authorized')
    expect((await send({ ...one, sessionToken: two.sessionToken })).message).toContain('security token')
    const over = identities.openSession({
      roleName: 'pool',
      sessionName: 'x',
      durationSeconds: 1,
      nowMs: Date.now() - 1001,
    })
    expect((await send(over)).message).toBe('The security token included in the request is expired')
  })

  it.each([
    ['/logs-*/_search', '/logs-%2A/_search', 'curl issue 7559'],
    ['//logs//_search', '/logs/_search', 'aws-sdk-go'],
  ])(
    'shows both canonical requests of %s and names the client mistake with explain, and never the signature expected',
    async (target, canonical, mistake) => {
      const explaining = await startEchoDomain({ access: { explain: true } })
      const headers = await signRequest(
        { method: 'GET', target, headers: { host: explaining.host } },
        explaining.admin,
        {
          region: 'us-east-1',
          hash: nodeHash,
        },
      )
      // What curl signs: the path as it stands.
      const date = headers['x-amz-date'] as string
      const scope = `${date.slice(0, 8)}/us-east-1/es/aws4_request`
      const { createHmac } = await import('node:crypto')
      let key: Buffer | string = `AWS4${explaining.admin.secretAccessKey}`
      for (const part of scope.split('/')) key = createHmac('sha256', key).update(part).digest()
      const text = `GET\n${target}\n\nhost:${explaining.host}\nx-amz-date:${date}\n\nhost;x-amz-date\n${nodeHash.sha256Hex('')}`
      const signature = createHmac('sha256', key)
        .update(`AWS4-HMAC-SHA256\n${date}\n${scope}\n${nodeHash.sha256Hex(text)}`)
        .digest('hex')
      const authorization = (headers['authorization'] as string).replace(/Signature=.*/, `Signature=${signature}`)
      const answer = await sendExactly(explaining, { method: 'GET', target, headers: { ...headers, authorization } })
      const expected = /Signature=(.*)/.exec(headers['authorization'] as string)?.[1] as string
      const { message } = JSON.parse(answer.body) as { message: string }
      expect(message).toContain(`The Canonical String for this request should have been\n'GET\n${canonical}\n`)
      expect(message).toContain(mistake)
      expect(message).not.toContain(expected)
      expect(JSON.stringify(explaining.logged)).not.toContain(expected)
      expect(JSON.stringify(explaining.logged)).not.toContain(explaining.admin.secretAccessKey)
      await explaining.close()
    },
  )

  it('by a secret in the place of its id leaves no secret in the log', async () => {
    const { accessKeyId, secretAccessKey } = domain.admin
    const swapped = { accessKeyId: secretAccessKey.replaceAll('/', 'x'), secretAccessKey: accessKeyId }
    for (const region of ['us-east-1', 'eu-west-1']) {
      const headers = await signRequest({ method: 'GET', target: '/', headers: { host: domain.host } }, swapped, {
        region,
        hash: nodeHash,
      })
      expect((await sendExactly(domain, { method: 'GET', target: '/', headers })).status).toBe(403)
    }
    expect(JSON.stringify(domain.logged)).not.toContain(swapped.accessKeyId)
  })

  it('shows no session token with explain, which clients would log', async () => {
    const explaining = await startEchoDomain({ access: { explain: true } })
    const session = explaining.session()
    const headers = await signRequest({ method: 'GET', target: '/a', headers: { host: explaining.host } }, session, {
      region: 'us-east-1',
      hash: nodeHash,
    })
    const { body } = await sendExactly(explaining, { method: 'GET', target: '/b', headers })
    expect(body).toContain('x-amz-security-token:…')
    expect(body + JSON.stringify(explaining.logged)).not.toContain(session.sessionToken)
    await explaining.close()
  })
})

describe('a path', () => {
  it('with . or .. segments is not served when it is signed', async () => {
    const before = domain.handled.length
    for (const target of ['/public/../secret/_search', '/./books', '/a/..', '/a/../b/_doc/1']) {
      const answer = await sendSigned('GET', target)
      expect(answer.status, target).toBe(400)
    }
    expect(domain.handled.length).toBe(before)
  })

  it('reaches the handler decoded once, as it was judged', async () => {
    const segments = async (target: string) => JSON.parse((await sendSigned('GET', target)).body).segments
    expect(await segments('/a/%2e%2e/b')).toEqual(['a', '..', 'b'])
    expect(await segments('/a%252Fb/_doc/1')).toEqual(['a%2Fb', '_doc', '1'])
    expect(await segments('/a%2Fb/_doc/1')).toEqual(['a/b', '_doc', '1'])
    expect(await segments('//a///b//')).toEqual(['a', 'b'])
    expect(await segments('/a/_doc/x%00y')).toEqual(['a', '_doc', 'x\0y'])
  })
})

/** What somebody who reads the request before it otherwise would not take for one. */
const NEXT = 'GET /next HTTP/1.1\r\nHost: a\r\n\r\n'

describe('bytes that are no single request', () => {
  const head = 'POST /books/_search HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  it.each([
    [
      'Content-Length with Transfer-Encoding',
      `${head}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG`,
    ],
    ['two Content-Lengths', `${head}Content-Length: 2\r\nContent-Length: 7\r\n\r\n{}     `],
    ['two Content-Lengths in one', `${head}Content-Length: 2, 7\r\n\r\n{}     `],
    ['a negative Content-Length', `${head}Content-Length: -5\r\n\r\n{}`],
    ['Content-Length with a plus', `${head}Content-Length: +2\r\n\r\n{}`],
    ['an unknown transfer coding', `${head}Transfer-Encoding: xchunked\r\n\r\n{}`],
    ['two transfer codings', `${head}Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n${NEXT}`],
    [
      'chunks in HTTP/1.0',
      `POST /a HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${NEXT}`,
    ],
    ['another HTTP', `GET / HTTP/2.0\r\nHost: a\r\n\r\n${NEXT}`],
    ['a request without a path', `GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n${NEXT}`],
    ['two Hosts, and what follows', `GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n${NEXT}`],
    ['a folded header', `${head}X-A: a\r\n b\r\nContent-Length: 0\r\n\r\n`],
    ['a blank before the colon', `${head}X-A : a\r\nContent-Length: 0\r\n\r\n`],
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n'],
    ['a bare line feed', 'GET / HTTP/1.1\nHost: a\n\n'],
    ['a bad chunk size', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['headers of a mebibyte', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(1024 * 1024)}\r\n\r\n`],
    ['a line of five kilobytes', `GET /${'x'.repeat(5000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
  ])('is refused: %s', async (_name, bytes) => {
    const answer = await raw(bytes, 250, open.port)
    expect(statuses(answer)).toEqual([400])
    expect(answer).toContain('application/json')
    expect(open.handled).toEqual([])
  })

  it('answers pipelined requests in order', async () => {
    const slow = await startEchoDomain({
      access: { open: true },
      handle: async (request) => {
        if (request.segments[0] === 'slow') await new Promise((resolve) => setTimeout(resolve, 100))
        return { status: 200, headers: {}, body: `<${request.segments[0]}>` }
      },
    })
    const requests = ['slow', 'b', 'c'].map((path) => `GET /${path} HTTP/1.1\r\nHost: a\r\n\r\n`).join('')
    const answer = await raw(requests, 300, slow.port)
    expect([...answer.matchAll(/<(\w+)>/g)].map((match) => match[1])).toEqual(['slow', 'b', 'c'])
    await slow.close()
  })

  it('answers 408 to headers and to bodies that do not come', async () => {
    expect(statuses(await raw('GET / HTTP/1.1\r\nHost: a\r\n', 100))).toEqual([408])
    const there = await startEchoDomain({ access: { open: true }, limits: { bodyIdleTimeoutMs: 200 } })
    expect(
      statuses(await raw('POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc', 100, there.port)),
    ).toEqual([408])
    await there.close()
  })

  it.each([
    ['what came late', true, 408],
    ['who is not let in', false, 403],
  ])('keeps no connection whose body does not come: %s', async (_, open, status) => {
    const there = await startEchoDomain({ access: { open }, limits: { bodyIdleTimeoutMs: 300 } })
    const started = performance.now()
    const answer = await new Promise<string>((resolve) => {
      let text = ''
      const socket = connect(there.port, '127.0.0.1', () => {
        socket.write('POST /a/_bulk HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{')
      })
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.once('close', () => resolve(text))
    })
    expect(answer).toContain(`HTTP/1.1 ${status}`)
    // Else it would be as long as one is kept for another request.
    expect(performance.now() - started).toBeLessThan(DEFAULT_HTTP_LIMITS.keepAliveTimeoutMs / 4)
    await there.close()
  })
})

describe('bodies', () => {
  it('are hashed as received and inflated afterwards', async () => {
    const body = gzipSync('{"a":"가"}')
    const answer = await sendSigned('POST', '/books/_search', { body, headers: { 'content-encoding': 'gzip' } })
    expect(JSON.parse(answer.body).body).toBe('{"a":"가"}')
  })

  it('are refused when they are bombs, broken, or of an unknown coding', async () => {
    const bomb = gzipSync(Buffer.alloc(110 * 1024 * 1024))
    const send = (body: Buffer, coding: string) =>
      sendSigned('POST', '/books/_search', { body, headers: { 'content-encoding': coding } })
    expect((await send(bomb, 'gzip')).status).toBe(413)
    expect((await send(Buffer.from('{}'), 'gzip')).status).toBe(400)
    expect((await send(gzipSync('{"a":1}').subarray(0, 15), 'gzip')).status).toBe(400)
    expect((await send(Buffer.from('{}'), 'br')).status).toBe(415)
  })

  it('of an unsigned caller who is not let in are not read', async () => {
    const answer = await sendExactly(domain, {
      method: 'POST',
      target: '/books/_bulk',
      headers: { host: domain.host, 'content-length': String(90 * 1024 * 1024) },
    }).catch((error: Error) => ({ status: 0, body: error.message, headers: {} }))
    expect(answer.status).toBe(403)
  })

  it('beyond what may be in flight get the breaker, and the next request is served', async () => {
    const small = await startEchoDomain({ access: { open: true }, limits: { maxInFlightBytes: 1000 } })
    const send = (size: number) =>
      sendExactly(small, { method: 'POST', target: '/a', headers: { host: small.host }, body: 'x'.repeat(size) })
    const refused = await send(1001)
    expect(refused.status).toBe(503)
    expect(JSON.parse(refused.body).error).toMatchObject({
      type: 'circuit_breaking_exception',
      reason:
        '[in_flight_requests] Data too large, data for [<http_request>] would be [1001/1001b], which is larger than the limit of [1000/1000b]',
    })
    for (let i = 0; i < 5; i++) expect((await send(900)).status).toBe(200)
    await small.close()
  })

  it('under the id of a key by who does not have its secret keep out nobody else', async () => {
    const small = await startEchoDomain({
      access: { open: true },
      limits: { maxInFlightBytes: 1000 },
      trustedProxies: ['127.0.0.1'],
    })
    const signed = async (body: string, credentials: IssuedKey) => {
      const request = { method: 'POST', target: '/a', headers: { host: small.host }, body }
      return await signRequest(request, credentials, { region: 'us-east-1', hash: nodeHash })
    }
    const headers = await signed('x', { ...small.admin, secretAccessKey: 'a guess' })
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    const held = ['10.0.0.1', '10.0.0.1', '10.0.0.2', '10.0.0.3'].map((address) => {
      const socket = connect(small.port, '127.0.0.1')
      socket.on('error', () => {})
      socket.write(`POST /a HTTP/1.1\r\n${lines.join('')}x-forwarded-for: ${address}\r\nContent-Length: 5000\r\n\r\n`)
      socket.write('x'.repeat(300))
      return socket
    })
    const other = small.identities.addKey(small.identities.addUser('other').name)
    const send = async (size: number, credentials: IssuedKey) => {
      const body = 'x'.repeat(size)
      return await sendExactly(small, { method: 'POST', target: '/a', headers: await signed(body, credentials), body })
    }
    // The key's own share is used up, once all of them are there.
    await expect.poll(async () => (await send(350, small.admin)).status).toBe(503)
    expect((await send(350, other)).status).toBe(200)
    for (const socket of held) socket.destroy()
    // One body alone has no share to keep to, and nothing is left of those that went.
    await expect.poll(async () => (await send(950, small.admin)).status).toBe(200)
    for (let i = 0; i < 4; i++) expect((await send(950, small.admin)).status).toBe(200)
    await small.close()
  })

  it('that anybody may send keep out nobody else, and are small', async () => {
    const small = await startEchoDomain({ access: { open: true }, limits: { maxInFlightBytes: 1000 } })
    const heads = ['POST /-/pool/sign-in', 'OPTIONS /a'].map(
      (line) => `${line} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: `,
    )
    const held = heads.map((head) => {
      const socket = connect(small.port, '127.0.0.1')
      socket.write(`${head}5000\r\n\r\n${'x'.repeat(990)}`)
      return socket
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    const body = 'x'.repeat(900)
    const { status } = await sendExactly(small, { method: 'POST', target: '/a', headers: { host: small.host }, body })
    expect(status).toBe(200)
    for (const socket of held) socket.destroy()
    for (const head of heads)
      expect(statuses(await raw(`${head}${64 * 1024 + 1}\r\n\r\n`, 100, small.port))).toEqual([413])
    await small.close()
  })
})

describe('an address', () => {
  const policy = JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: '*',
        Action: 'es:ESHttpGet',
        Resource: '*',
        Condition: { IpAddress: { 'aws:SourceIp': '203.0.113.0/24' } },
      },
    ],
  })
  it('in X-Forwarded-For is believed of a trusted proxy alone', async () => {
    for (const [trustedProxies, status] of [
      [[], 403],
      [['127.0.0.0/8'], 200],
    ] as const) {
      const there = await startEchoDomain({ trustedProxies })
      there.access.store.policy = policy
      await new Promise((resolve) => setTimeout(resolve, 400))
      const send = (forwarded: string) =>
        sendExactly(there, { method: 'GET', target: '/', headers: { host: there.host, 'x-forwarded-for': forwarded } })
      expect((await send('203.0.113.7')).status).toBe(status)
      expect((await send('203.0.113.7, 198.51.100.1')).status).toBe(403)
      await there.close()
    }
  })
})

describe('a client that takes its time', () => {
  it('with the handshake of TLS is cut off', async () => {
    const secure = await startEchoDomain({ tls: true, limits: { headersTimeoutMs: 200 } })
    const ended = new Promise<number>((resolve) => {
      const began = Date.now()
      const socket = connect(secure.port, '127.0.0.1')
      socket.on('close', () => resolve(Date.now() - began)).on('error', () => {})
    })
    expect(
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 40_000, 'still there'))]),
    ).toBeLessThan(40_000)
    await secure.close()
  })

  it.each([false, true])('with the first byte of a request is cut off, over TLS: %s', async (tls) => {
    const there = await startEchoDomain({ tls, access: { open: true }, limits: { headersTimeoutMs: 1000 } })
    const open = () =>
      tls
        ? connectTls({ host: '127.0.0.1', port: there.port, rejectUnauthorized: false })
        : connect(there.port, '127.0.0.1')
    const talking = open()
    const ended: string[] = []
    talking.on('close', () => ended.push('talking')).on('error', () => {})
    talking.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await new Promise((resolve) => talking.once('data', resolve))
    // Read on, or its end would go unnoticed.
    const silent = open().resume()
    silent.on('close', () => ended.push('silent')).on('error', () => {})
    await expect.poll(() => ended).toEqual(['silent'])
    await there.close()
  })

  it('that speaks HTTP to the port of TLS gets no answer, and the next one is served', async () => {
    const secure = await startEchoDomain({ tls: true, access: { open: true } })
    expect(statuses(await raw('GET / HTTP/1.1\r\nHost: a\r\n\r\n', 100, secure.port))).toEqual([])
    const next = await sendExactly(secure, { method: 'GET', target: '/', headers: { host: secure.host } })
    expect(next.status).toBe(200)
    await secure.close()
  })

  it('cannot ask for another handshake', async () => {
    const secure = await startEchoDomain({ tls: true })
    const refused = await new Promise<boolean>((resolve, reject) => {
      const socket = connectTls(
        { host: '127.0.0.1', port: secure.port, rejectUnauthorized: false, maxVersion: 'TLSv1.2' },
        () => socket.renegotiate({ rejectUnauthorized: false }, (error) => resolve(error !== null)),
      )
      socket.on('error', () => resolve(true)).on('timeout', reject)
    })
    expect(refused).toBe(true)
    await secure.close()
  })

  it('with an answer is cut off, and one that takes it slowly is not', async () => {
    const size = 64 * 1024 * 1024
    const there = await startEchoDomain({
      access: { open: true },
      limits: { sendIdleTimeoutMs: 1_000 },
      handle: async () => ({ status: 200, headers: {}, body: Buffer.alloc(size) }),
    })
    const received = (pauseMs: number, everyBytes: number) =>
      new Promise<number>((resolve) => {
        let bytes = 0
        let pauses = 0
        const socket = connect(there.port, '127.0.0.1', () =>
          socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
        )
        socket.on('data', (chunk) => {
          bytes += chunk.length
          if (bytes < pauses * everyBytes) return
          pauses++
          socket.pause()
          setTimeout(() => socket.resume(), pauseMs)
        })
        socket.on('close', () => resolve(bytes)).on('error', () => {})
      })
    expect(await received(4_000, size)).toBeLessThan(size)
    expect(await received(100, size / 10)).toBeGreaterThan(size)
    await there.close()
  })

  it.each([
    ['compressed', 'gzip', randomBytes(48 * 2 ** 20)],
    ['as it comes', 'identity', undefined],
  ])('with an answer that is sent %s is cut off, too', async (_name, encoding, whole) => {
    const there = await startEchoDomain({
      access: { open: true },
      limits: { sendIdleTimeoutMs: 500 },
      accessLog: true,
      handle: async () => {
        const piece = Buffer.alloc(2 ** 20)
        const pieces = function* () {
          for (let i = 0; i < 48; i++) yield piece
        }
        return { status: 200, headers: {}, body: whole ?? Readable.from(pieces()) }
      },
    })
    const head = `GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: ${encoding}\r\n\r\n`
    const socket = connect(there.port, '127.0.0.1', () => socket.write(head))
    socket.once('data', () => socket.pause()).on('error', () => {})
    await vi.waitFor(() => expect(there.logged.map(({ message }) => message)).toContain('request'), 8_000)
    socket.destroy()
    await there.close()
  })

  it('that has gone while its body is inflated is not searched for', async () => {
    let asked: BackendRequest | undefined
    const there = await startEchoDomain({
      access: { open: true },
      handle: async (request) => {
        asked = request
        return { status: 200, headers: {}, body: '' }
      },
    })
    const body = gzipSync(randomBytes(32 * 2 ** 20), { level: 1 })
    const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`
    const socket = connect(there.port, '127.0.0.1', () => {
      socket.write(head)
      socket.write(body, () => socket.destroy())
    })
    await vi.waitFor(() => expect(asked).toBeDefined(), 10_000)
    expect(asked?.signal.aborted).toBe(true)
    await there.close()
  })

  it('with large answers gets no more where there is no room, and makes room itself after a while', async () => {
    const size = 16 * 1024 * 1024
    const there = await startEchoDomain({
      access: { open: true },
      limits: { maxUntakenBytes: 2 * size, takingMs: 3_000 },
      handle: async ({ segments }) => ({
        status: 200,
        headers: {},
        body: Buffer.alloc(segments[0] === 'big' ? size : 9),
      }),
    })
    /** Asks, and takes no more than the first bytes until it is told to. */
    const ask = (path: string) =>
      new Promise<{ status: string; rest: () => Promise<number> }>((resolve) => {
        const socket = connect(there.port, '127.0.0.1', () =>
          socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`),
        )
        socket.on('error', () => {})
        socket.once('readable', () => {
          const first = socket.read(32) as Buffer
          const rest = () =>
            new Promise<number>((end) => {
              let bytes = first.length
              socket.on('data', (chunk) => (bytes += chunk.length)).on('close', () => end(bytes))
            })
          resolve({ status: first.toString('latin1').slice(9, 12), rest })
        })
      })
    const slow = await ask('/big')
    const second = await ask('/big')
    const refused = await ask('/big')
    expect([slow.status, second.status, refused.status]).toEqual(['200', '200', '503'])
    expect((await ask('/small')).status).toBe('200')
    await new Promise((resolve) => setTimeout(resolve, 3_200))
    const third = await ask('/big')
    expect(third.status).toBe('200')
    expect(await slow.rest()).toBeLessThan(size)
    expect(await second.rest()).toBeGreaterThan(size)
    expect(await third.rest()).toBeGreaterThan(size)
    expect(there.logged).toContainEqual(
      expect.objectContaining({ level: 'warn', fields: { bytes: size, ms: expect.any(Number) } }),
    )
    await there.close()
  })

  it('with an answer that is larger than all room gets it while there is no other', async () => {
    const size = 2 * 1024 * 1024
    const there = await startEchoDomain({
      access: { open: true },
      limits: { maxUntakenBytes: size / 2 },
      handle: async () => ({ status: 200, headers: {}, body: Buffer.alloc(size) }),
    })
    const answer = await sendExactly(there, { method: 'GET', target: '/', headers: { host: there.host } })
    expect([answer.status, answer.body.length]).toEqual([200, size])
    await there.close()
  })
})

// Each was asked of both real servers.
it.each([
  ['a line of 4096 bytes', `GET /?filter_path=${'a'.repeat(4069)} HTTP/1.1\r\nHost: a\r\n\r\n`, 200],
  ['one of 4097', `GET /?filter_path=${'a'.repeat(4070)} HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
  [
    'headers of 8192 bytes without the ends of their lines',
    `GET / HTTP/1.1\r\nHost: a\r\na: ${'b'.repeat(8182)}\r\n\r\n`,
    200,
  ],
  ['those of 8193', `GET / HTTP/1.1\r\nHost: a\r\na: ${'b'.repeat(8183)}\r\n\r\n`, 400],
  ['a thousand short ones', `GET / HTTP/1.1\r\nHost: a\r\n${'a: bcdef\r\n'.repeat(1000)}\r\n`, 200],
  ['five thousand', `GET / HTTP/1.1\r\nHost: a\r\n${'a: bcdef\r\n'.repeat(5000)}\r\n`, 400],
])('counts %s as the real servers do', async (_what, bytes, status) => {
  const answer = await raw(bytes, 250, open.port)
  expect(statuses(answer)).toEqual([status])
  if (status === 400)
    expect(answer).toMatch(/An HTTP line is larger than 4096 bytes|HTTP header is larger than 8192 bytes/)
})

describe('a connection', () => {
  const health = 'GET /-/pool/none HTTP/1.1\r\nhost: a\r\n'

  it('answers what was asked before bytes that are no request, and then these', async () => {
    expect(statuses(await raw(`${health}\r\nNONSENSE\r\n\r\n`))).toEqual([405, 400])
    expect(statuses(await raw(`${health}\r\n${health}\r\nNONSENSE\r\n\r\n`))).toEqual([405, 405, 400])
  })

  it('that is gone wants none of what it asked for, answers it had not come to among them', async () => {
    const signals: AbortFlag[] = []
    const there = await startEchoDomain({
      access: { open: true },
      handle: ({ signal }) => {
        signals.push(signal)
        return new Promise(() => {})
      },
    })
    const socket = connect(there.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3)))
    await expect.poll(() => signals.length).toBe(3)
    socket.destroy()
    await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, true, true])
    await there.close()
  })

  it('is closed where too many wait behind its first request, and others are served', async () => {
    const there = await startEchoDomain({
      access: { open: true },
      handle: ({ segments }) =>
        segments[0] === 'never' ? new Promise(() => {}) : Promise.resolve({ status: 200, headers: {}, body: 'here' }),
    })
    const closed = new Promise<void>((resolve) => {
      const socket = connect(there.port, '127.0.0.1', () => {
        socket.write('GET /never HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(10_002))
      })
      socket.on('close', () => resolve()).on('error', () => {})
    })
    await closed
    const answer = await sendExactly(there, { method: 'GET', target: '/', headers: { host: there.host } })
    expect(answer.body).toBe('here')
    await there.close()
  })

  it('answers what asked for its end, whatever comes behind', async () => {
    expect(statuses(await raw(`${health}connection: close\r\n\r\n${health}\r\n`))).toEqual([405])
  })
})
