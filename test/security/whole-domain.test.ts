import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { connect } from 'node:tls'
import { type Logger, pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeHash } from '../../src/access/node-hash.ts'
import { readAdminKey } from '../../src/access/open-access.ts'
import { presignRequest, type SigningCredentials, signRequest } from '../../src/access/sign-request.ts'
import { readConfig } from '../../src/config.ts'
import { type Domain, startDomain } from '../../src/domain.ts'
import { localCertificate } from '../../src/http/local-authority.ts'
import { sendExactly } from './echo-domain.ts'

/** The SHA-256 of the certificate a new connection is shown. */
function certificateShown(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(createHash('sha256').update(socket.getPeerCertificate().raw).digest('hex'))
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 8000
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('did not happen within 8 s')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chaja-whole-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A logger whose lines are kept. */
function listening(): { logger: Logger; lines: () => string } {
  let text = ''
  const sink = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  return { logger: pino({ level: 'debug' }, sink), lines: () => text }
}

describe('a certificate of one’s own', () => {
  it('is taken over when its files change, without cutting who is connected; one that does not fit is not', async () => {
    const files = { cert: join(folder, 'own.pem'), key: join(folder, 'own.key') }
    const put = async (name: string) => {
      const made = await localCertificate(join(folder, name), [])
      writeFileSync(files.key, made.key)
      writeFileSync(files.cert, made.cert)
    }
    await put('first')
    const { logger, lines } = listening()
    const config = readConfig(
      { data: join(folder, 'data-tls'), port: 0, tlsCert: files.cert, tlsKey: files.key, open: true },
      {},
    )
    const domain = await startDomain(config, logger)
    try {
      const port = Number(new URL(domain.url).port)
      const first = await certificateShown(port)
      const kept = connect({ host: '127.0.0.1', port, rejectUnauthorized: false })
      await new Promise((resolve) => kept.once('secureConnect', resolve))

      // Halfway through a renewal: the new certificate with the old key.
      const second = await localCertificate(join(folder, 'second'), [])
      writeFileSync(files.cert, second.cert)
      await until(async () => lines().includes('the changed certificate is not taken'))
      expect(await certificateShown(port)).toBe(first)

      writeFileSync(files.key, second.key)
      await until(async () => (await certificateShown(port)) !== first)
      expect(lines()).toContain('certificate renewed')

      const answer = new Promise<string>((resolve) => kept.once('data', (chunk) => resolve(String(chunk))))
      kept.write(`GET /-/health HTTP/1.1\r\nhost: localhost:${port}\r\n\r\n`)
      expect(await answer).toContain('200 OK')
      kept.destroy()
    } finally {
      await domain.close()
    }
  })

  it('below TLS 1.2 is not spoken', async () => {
    const { logger } = listening()
    const domain = await startDomain(readConfig({ data: join(folder, 'data-old'), port: 0 }, {}), logger)
    try {
      const port = Number(new URL(domain.url).port)
      const refused = await new Promise<string>((resolve) => {
        const socket = connect(
          {
            host: '127.0.0.1',
            port,
            rejectUnauthorized: false,
            minVersion: 'TLSv1',
            maxVersion: 'TLSv1.1',
            ciphers: 'DEFAULT@SECLEVEL=0',
          },
          () => resolve('connected'),
        )
        socket.on('error', (error) => resolve((error as NodeJS.ErrnoException).code ?? error.message))
      })
      expect(refused).not.toBe('connected')
    } finally {
      await domain.close()
    }
  })
})

describe('the log', () => {
  let domain: Domain
  let lines: () => string
  let admin: SigningCredentials
  let port: number
  let host: string
  let ca: string

  beforeAll(async () => {
    const listener = listening()
    lines = listener.lines
    const data = join(folder, 'data-log')
    domain = await startDomain(
      readConfig({ data, port: 0, accessLog: true, explain: true, logLevel: 'debug' }, {}),
      listener.logger,
    )
    admin = readAdminKey(data) as SigningCredentials
    port = Number(new URL(domain.url).port)
    host = `127.0.0.1:${port}`
    ca = readFileSync(join(data, 'tls', 'ca.pem'), 'utf8')
  })
  afterAll(() => domain.close())

  const send = (method: string, target: string, headers: Readonly<Record<string, string>>, body?: string) =>
    sendExactly({ port, ca }, { method, target, headers: { host, ...headers }, body })
  const sign = (method: string, target: string, credentials: SigningCredentials, body?: string) =>
    signRequest({ method, target, headers: { host, 'content-type': 'application/json' }, body }, credentials, {
      region: 'us-east-1',
      hash: nodeHash,
    })

  it('holds who called and what was refused, and no secret, password, token, signature or document', async () => {
    const secrets = [admin.secretAccessKey]
    // Accepted, refused, presigned, unsigned, Basic, malformed, and a body that does not parse.
    const put = await sign('PUT', '/books/book/1', admin, '{"diary":"my-private-words"}')
    expect((await send('PUT', '/books/book/1', put, '{"diary":"my-private-words"}')).status).toBe(201)
    secrets.push('my-private-words', signatureIn(put))
    const broken = await sign('PUT', '/books/book/2', admin, '{"diary":"my-private-words"')
    expect((await send('PUT', '/books/book/2', broken, '{"diary":"my-private-words"')).status).toBe(400)
    const wrong = await sign('GET', '/books/book/1', { ...admin, secretAccessKey: 'another-secret-altogether' })
    expect((await send('GET', '/books/book/1', wrong)).status).toBe(403)
    secrets.push('another-secret-altogether', signatureIn(wrong))
    const right = await sign('GET', '/books/book/1', admin)
    expect((await send('GET', '/books/book/3', right)).status).toBe(403)
    secrets.push(signatureIn(right))
    const target = await presignRequest({ method: 'GET', target: '/books/book/1', headers: { host } }, admin, {
      region: 'us-east-1',
      hash: nodeHash,
      expiresSeconds: 60,
    })
    expect((await send('GET', target, {})).status).toBe(200)
    expect((await send('GET', target.replace('book/1', 'book/2'), {})).status).toBe(403)
    secrets.push(/X-Amz-Signature=([0-9a-f]+)/.exec(target)?.[1] as string)
    expect((await send('GET', '/', { authorization: 'Basic dXNlcjpodW50ZXIy' })).status).toBe(403)
    secrets.push('dXNlcjpodW50ZXIy')
    expect((await send('GET', '/', {})).status).toBe(403)

    // The pool: signing up, in, with a wrong password, and calls with a session.
    const pool = (call: string, form: object) => send('POST', `/-/pool/${call}`, {}, JSON.stringify(form))
    const person = { Username: 'mina', Password: 'a password nobody knows' }
    secrets.push(person.Password)
    expect((await pool('sign-up', person)).status).toBe(200)
    expect((await pool('sign-in', { ...person, Password: 'a wrong password' })).status).toBe(400)
    secrets.push('a wrong password')
    const { Credentials } = JSON.parse((await pool('sign-in', person)).body) as {
      Credentials: { AccessKeyId: string; SecretKey: string; SessionToken: string }
    }
    const session = {
      accessKeyId: Credentials.AccessKeyId,
      secretAccessKey: Credentials.SecretKey,
      sessionToken: Credentials.SessionToken,
    }
    secrets.push(session.secretAccessKey, session.sessionToken)
    const theirs = await sign('GET', '/books/book/1', session)
    expect((await send('GET', '/books/book/1', theirs)).status).toBe(403)
    const forged = await sign('GET', '/books/book/1', { ...session, secretAccessKey: 'yet another secret' })
    expect((await send('GET', '/books/book/1', forged)).status).toBe(403)
    const link = await presignRequest({ method: 'GET', target: '/books/book/1', headers: { host } }, session, {
      region: 'us-east-1',
      hash: nodeHash,
      expiresSeconds: 60,
    })
    expect((await send('GET', link, {})).status).toBe(403)
    expect((await send('GET', `${link}x`, {})).status).toBe(403)
    secrets.push(encodeURIComponent(session.sessionToken))
    expect((await pool('sign-out', { SessionToken: session.sessionToken })).status).toBe(200)

    // The line of the last answer is written when that has left.
    await new Promise((resolve) => setTimeout(resolve, 50))
    const log = lines()
    expect(log).toContain('arn:aws:iam::000000000000:user/admin')
    expect(log).toContain('signature does not match')
    expect(log).toContain('assumed-role/chaja-pool/mina')
    for (const secret of secrets) expect(log, `«${secret}» is in the log`).not.toContain(secret)
  })
})

function signatureIn(headers: Readonly<Record<string, string>>): string {
  return /Signature=([0-9a-f]+)/.exec(headers['authorization'] ?? '')?.[1] as string
}
