import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { assumeRole } from './assume-role.ts'
import { type Credentials, cachedCredentials } from './credentials.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('cachedCredentials', () => {
  const keys = (name: string, endsAt: number): Credentials => ({
    accessKeyId: name,
    secretAccessKey: 's',
    expiration: new Date(endsAt),
  })

  it('replaces temporary credentials five minutes before they end, once for all callers', async () => {
    let now = 0
    let asked = 0
    const provider = cachedCredentials(
      async () => keys(`K${++asked}`, now + 3_600_000),
      () => now,
    )
    expect((await provider()).accessKeyId).toBe('K1')
    now = 3_299_999
    expect((await provider()).accessKeyId).toBe('K1')
    now = 3_300_001
    const together = await Promise.all([provider(), provider(), provider()])
    expect(together.map((k) => k.accessKeyId)).toEqual(['K2', 'K2', 'K2'])
    expect(asked).toBe(2)
  })

  it('goes on with the old ones while they hold when new ones are refused, and fails when they do not', async () => {
    let now = 0
    let refuse = false
    let asked = 0
    const provider = cachedCredentials(
      async () => {
        asked++
        if (refuse) throw new Error('refused')
        return keys('K', 3_600_000)
      },
      () => now,
    )
    await provider()
    refuse = true
    now = 3_400_000
    expect((await provider()).accessKeyId).toBe('K')
    expect((await provider()).accessKeyId).toBe('K')
    expect(asked, 'not for every request').toBe(2)
    now += 10_000
    await provider()
    expect(asked).toBe(3)
    now = 3_600_000
    await expect(provider()).rejects.toThrow('refused')
  })

  it('keeps long-term credentials for good', async () => {
    let asked = 0
    const provider = cachedCredentials(async () => {
      asked++
      return { accessKeyId: 'K', secretAccessKey: 's' }
    })
    await provider()
    await provider()
    expect(asked).toBe(1)
  })

  it('replaces credentials that the server says have ended, whatever their time, and fails when there are no others', async () => {
    let asked = 0
    const provider = cachedCredentials(async () => {
      if (++asked === 3) throw new Error('refused')
      return keys(`K${asked}`, Date.now() + 3_600_000)
    })
    const first = await provider()
    expect((await provider(first)).accessKeyId).toBe('K2')
    // Told late, of keys that are replaced by now.
    expect((await provider(first)).accessKeyId).toBe('K2')
    await expect(provider(await provider())).rejects.toThrow('refused')
  })
})

describe('assumeRole', () => {
  const request = {
    roleArn: 'arn:aws:iam::123456789012:role/reader',
    sessionName: 'me',
    externalId: 'x',
    durationSeconds: 900,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'AK', secretAccessKey: 'SK' },
  }

  async function withService<T>(status: number, answer: string, run: (form: () => URLSearchParams) => Promise<T>) {
    let body = ''
    const server = createServer((incoming, response) => {
      incoming.on('data', (chunk: Buffer) => {
        body += chunk
      })
      incoming.on('end', () => response.writeHead(status).end(answer))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    vi.stubEnv('AWS_ENDPOINT_URL_STS', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    try {
      return await run(() => new URLSearchParams(body))
    } finally {
      server.close()
    }
  }

  it('exchanges keys for temporary ones, told in XML or JSON', async () => {
    const xml =
      '<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>s/+=</SecretAccessKey><SessionToken>t</SessionToken><Expiration>2030-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>'
    const temporary = {
      accessKeyId: 'ASIA',
      secretAccessKey: 's/+=',
      sessionToken: 't',
      expiration: new Date('2030-01-01T00:00:00Z'),
    }
    await withService(200, xml, async (form) => {
      expect(await assumeRole(request)).toEqual(temporary)
      expect(Object.fromEntries(form())).toEqual({
        Action: 'AssumeRole',
        Version: '2011-06-15',
        RoleArn: request.roleArn,
        RoleSessionName: 'me',
        DurationSeconds: '900',
        ExternalId: 'x',
      })
    })
    const credentials = { AccessKeyId: 'ASIA', SecretAccessKey: 's/+=', SessionToken: 't', Expiration: 1893456000.0 }
    const answer = JSON.stringify({ AssumeRoleResponse: { AssumeRoleResult: { Credentials: credentials } } })
    await withService(200, answer, async () => expect(await assumeRole(request)).toEqual(temporary))
  })

  it("fails with the service's words", async () => {
    const refusal = '<ErrorResponse><Error><Code>AccessDenied</Code><Message>not you</Message></Error></ErrorResponse>'
    await withService(403, refusal, async () => {
      await expect(assumeRole(request)).rejects.toMatchObject({ status: 403, type: 'AccessDenied' })
      await expect(assumeRole(request)).rejects.toThrow('cannot assume arn:aws:iam::123456789012:role/reader: not you')
    })
  })
})
