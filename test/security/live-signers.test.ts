import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { Client as OpenSearchClient } from '@opensearch-project/opensearch'
import { AwsSigv4Signer } from '@opensearch-project/opensearch/aws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SigningCredentials } from '../../src/access/signature/sign-request.ts'
import { type EchoDomain, sendExactly, startEchoDomain } from './echo-domain.ts'
import { canSign, changedRequests, pythonWithSigners, REQUESTS, SIGNERS, type Signer } from './signers.ts'

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
  const requests = Object.entries(REQUESTS).filter(([, wire]) => canSign(name, wire))

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
    const signed = await sign(wire, domain.host, domain.session())
    const before = domain.handled.length
    for (const { what, wire: changed, headers } of changedRequests(wire, signed)) {
      expect((await sendExactly(domain, { ...changed, headers })).status, `${what} changed`).toBe(403)
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

const python = pythonWithSigners()
if (python === undefined) {
  console.log(
    'skipped: botocore, requests-aws4auth, opensearch-py (pip install them; CHAJA_TEST_PYTHON names the interpreter)',
  )
}

describe.skipIf(python === undefined)('the Python signers', () => {
  it('botocore, requests-aws4auth and both of opensearch-py are served, and refused when changed', async () => {
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
