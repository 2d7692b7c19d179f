import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { connect } from 'node:tls'
import { type Logger, pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAdminKey } from '../../src/access/open-access.ts'
import { policyFromTemplate } from '../../src/access/policy/policy-templates.ts'
import { nodeHash } from '../../src/access/signature/node-hash.ts'
import { presignRequest, type SigningCredentials, signRequest } from '../../src/access/signature/sign-request.ts'
import { Client } from '../../src/client/client.ts'
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

describe('the three patterns of the interface, in front of the engine, over TLS', () => {
  const DOMAIN_ARN = 'arn:aws:es:us-east-1:000000000000:domain/chaja'
  const values = {
    userArn: 'arn:aws:iam::000000000000:user/admin',
    roleArn: 'arn:aws:iam::000000000000:role/chaja-pool',
    domainArn: DOMAIN_ARN,
    sourceIps: ['127.0.0.0/8'],
  }

  /** Signs somebody up and in, and makes what a person, the administrator and a stranger connect with. */
  async function running(name: 'full-access' | 'read-only' | 'ip-based', dataName = `data-${name}`) {
    const data = join(folder, dataName)
    const policy = join(folder, `${name}.json`)
    writeFileSync(policy, JSON.stringify(policyFromTemplate(name, values)))
    const config = readConfig({ data, port: 0, policy }, {})
    const domain = await startDomain(config, listening().logger)
    const { port } = new URL(domain.url)
    const ca = readFileSync(join(data, 'tls', 'ca.pem'), 'utf8')
    const call = async (path: string, form: object) => {
      const headers = { host: `127.0.0.1:${port}` }
      const answer = await sendExactly(
        { port: Number(port), ca },
        { method: 'POST', target: `/-/pool/${path}`, headers, body: JSON.stringify(form) },
      )
      expect(answer.status).toBe(200)
      return JSON.parse(answer.body)
    }
    const form = { Username: 'mina', Password: 'correct horse battery' }
    await call('sign-up', form)
    const { Credentials } = await call('sign-in', form)
    const credentials = {
      accessKeyId: Credentials.AccessKeyId as string,
      secretAccessKey: Credentials.SecretKey as string,
      sessionToken: Credentials.SessionToken as string,
    }
    const clientOf = (credentials: SigningCredentials | undefined) =>
      Client.connect({ host: domain.url, credentials, region: 'us-east-1', ca, maxRetries: 0 })
    const clients = {
      admin: clientOf(readAdminKey(data)),
      person: clientOf(credentials),
      unsigned: clientOf(undefined),
      unknown: clientOf({ accessKeyId: 'AKIAUNKNOWNUNKNOWN00', secretAccessKey: 'x' }),
    }
    return {
      ...clients,
      credentials,
      config,
      async stop() {
        for (const client of Object.values(clients)) client.close()
        await domain.close()
      },
    }
  }
  const denied = { status: 403 }
  const query = { query: { match: { title: '이름' } } }

  it('full access: people signed in write, search and delete; strangers do nothing; the administrator everything', async () => {
    const { admin, person, unsigned, unknown, stop } = await running('full-access')
    await person.createIndex('films')
    await person.put('films', 'film', '1', { title: '너의 이름은' })
    await person.request('POST', '/films/_refresh')
    expect(JSON.stringify(await person.get('films', 'film', '1'))).toContain('너의 이름은')
    expect((await person.request('POST', '/_search', query)).status).toBe(200)
    for (const stranger of [unsigned, unknown]) {
      await expect(stranger.request('GET', '/films/film/1')).rejects.toMatchObject(denied)
      await expect(stranger.request('DELETE', '/films')).rejects.toMatchObject(denied)
    }
    expect((await person.request('DELETE', '/films/film/1')).status).toBe(200)
    expect((await admin.request('DELETE', '/films')).status).toBe(200)
    await stop()
  })

  it('read only: people signed in read and search, and get 403 on PUT and DELETE', async () => {
    const { admin, person, unsigned, stop } = await running('read-only')
    await admin.put('films', 'film', '1', { title: '너의 이름은' })
    await admin.request('POST', '/films/_refresh')
    expect(JSON.stringify(await person.get('films', 'film', '1'))).toContain('너의 이름은')
    expect((await person.request('POST', '/_search', query)).status).toBe(200)
    expect((await person.request('HEAD', '/films')).status).toBe(200)
    await expect(person.put('films', 'film', '2', { title: 'x' })).rejects.toMatchObject(denied)
    await expect(person.createIndex('others')).rejects.toMatchObject(denied)
    await expect(person.request('DELETE', '/films/film/1')).rejects.toMatchObject(denied)
    await expect(person.request('DELETE', '/films')).rejects.toMatchObject(denied)
    await expect(unsigned.request('GET', '/films/film/1')).rejects.toMatchObject(denied)
    expect((await admin.request('GET', '/films/film/1')).status).toBe(200)
    await stop()
  })

  it('by address: unsigned callers in the range are served', async () => {
    const { unsigned, admin, stop } = await running('ip-based')
    await unsigned.put('films', 'film', '1', { title: '너의 이름은' })
    expect((await unsigned.request('GET', '/films/film/1')).status).toBe(200)
    expect((await admin.request('DELETE', '/films')).status).toBe(200)
    await stop()
  })

  it('sessions survive a restart', async () => {
    const { credentials, config, stop } = await running('full-access', 'data-restart')
    await stop()
    const domain = await startDomain(config, listening().logger)
    const ca = readFileSync(join(config.data, 'tls', 'ca.pem'), 'utf8')
    const client = Client.connect({ host: domain.url, credentials, region: 'us-east-1', ca, maxRetries: 0 })
    expect((await client.request('GET', '/')).status).toBe(200)
    client.close()
    await domain.close()
  })
})

describe('a data directory', () => {
  it('that the domain makes is its own, and so are the keys in any', async () => {
    const mode = (...path: string[]) => (statSync(join(...path)).mode & 0o777).toString(8)
    const made = join(folder, 'data-made')
    const given = join(folder, 'data-given')
    mkdirSync(given, { mode: 0o755 })
    for (const data of [made, given]) {
      const domain = await startDomain(readConfig({ data, port: 0 }, {}), listening().logger)
      await domain.close()
      for (const kept of ['access', 'tls'])
        for (const file of readdirSync(join(data, kept)))
          if (!/\.pem$/.test(file) || /key/.test(file)) expect(mode(data, kept, file), `${kept}/${file}`).toBe('600')
    }
    expect([mode(made), mode(made, 'access'), mode(given), mode(given, 'access')]).toEqual(['700', '700', '755', '700'])
  })
})

describe('an open domain on a loopback address', () => {
  it('is kept from the pages a browser shows, and not from who signs', async () => {
    const data = join(folder, 'data-browser')
    const config = readConfig({ data, port: 0, http: true, open: true, endpoints: 'search.example.com' }, {})
    const domain = await startDomain(config, listening().logger)
    const port = Number(new URL(domain.url).port)
    const send = async (method: string, target: string, headers: Readonly<Record<string, string>>) =>
      (await sendExactly({ port, ca: undefined }, { method, target, headers })).status
    const [own, foreign] = [`127.0.0.1:${port}`, `evil.example:${port}`]
    expect(await send('GET', '/', { host: own })).toBe(200)
    expect(await send('GET', '/', { host: `search.example.com:${port}` })).toBe(200)
    expect(await send('PUT', '/books', { host: own, origin: 'http://localhost:3000' })).toBe(200)
    expect(await send('GET', '/_cat/indices', { host: foreign })).toBe(400)
    expect(await send('POST', '/-/pool/sign-up', { host: foreign })).toBe(400)
    // A form with nothing in it, or what is sent when a page is left.
    const written = '/books/_doc/1?source_content_type=application/json&source=%7B%7D'
    for (const origin of ['https://evil.example', 'null'])
      for (const target of [written, '/books/_close', '/_all/_delete_by_query?q=*'])
        expect(await send('POST', target, { host: own, origin })).toBe(403)
    const signed = await signRequest(
      { method: 'GET', target: '/books', headers: { host: foreign } },
      readAdminKey(data) as SigningCredentials,
      { region: 'us-east-1', hash: nodeHash },
    )
    expect(await send('GET', '/books', { ...signed, host: foreign })).toBe(200)
    await domain.close()
  })
})

describe('allowExplicitIndex: false', () => {
  it('takes no index from the items of _bulk, _mget and _msearch, in the real words', async () => {
    const config = readConfig(
      { data: join(folder, 'data-explicit'), port: 0, http: true, open: true, allowExplicitIndex: 'false' },
      {},
    )
    const domain = await startDomain(config, listening().logger)
    const client = Client.connect({ host: domain.url, maxRetries: 0 })
    const reason = (kind: string) => ({ message: expect.stringContaining(`explicit index in ${kind} is not allowed`) })
    const send = (path: string, body: string) => sendPlain(domain.url, path, body)
    expect(await send('/a/_bulk', '{"index":{"_index":"b","_type":"t"}}\n{}\n')).toContain(
      'explicit index in bulk is not',
    )
    expect(await send('/a/_bulk', '{"index":{"_type":"t","_id":"1"}}\n{}\n')).toContain('"errors":false')
    expect(await send('/a/_mget', '{"docs":[{"_index":"a","_type":"t","_id":"1"}]}')).toContain(
      'explicit index in multi get is not',
    )
    expect(await send('/a/t/_mget', '{"ids":["1"]}')).toContain('"found":true')
    expect(await send('/a/_msearch', '{"index":"a"}\n{}\n')).toContain('explicit index in multi search is not')
    await expect(
      client.request('POST', '/_mget', { docs: [{ _index: 'a', _type: 't', _id: '1' }] }),
    ).rejects.toMatchObject(reason('multi get'))
    client.close()
    await domain.close()
  })
})

/** The text of an answer to lines of JSON. */
async function sendPlain(url: string, path: string, body: string): Promise<string> {
  const type = path.endsWith('_mget') ? 'application/json' : 'application/x-ndjson'
  const answer = await fetch(url + path, { method: 'POST', headers: { 'content-type': type }, body })
  return answer.text()
}

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
